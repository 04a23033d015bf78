import {
  type Action,
  type Change,
  type Drift,
  type JudgedRisk,
  judgeRisk,
  writtenFields,
} from '../../core/change.ts'
import { isSameField } from '../../core/diff.ts'
import type { Redaction } from '../../core/redaction.ts'
import { summaryOf } from '../../core/summary/change-summary.ts'
import { unnoticed } from '../../core/summary/flag-summary.ts'
import type { Engine } from '../../hcl/index.ts'
import type { Json, JsonObject } from '../../model/json/json.ts'
import { type DeclarableKind, identityField, switchField, targetingField } from '../../model/kind.ts'
import type { RiskPolicy } from '../../model/risk.ts'
import type { EvaluationRules } from '../../services/engines.ts'
import type { GroupTypeNumbers } from '../../targeting/index.ts'
import { blockMembers } from '../read/stack-file.ts'
import { deletedMark, type PlannedChange } from './planned-change.ts'
import { exactText, type ObjectValues, type PlannedSides, readPlanned } from './planned-objects.ts'
import type { TerraformPlan } from './read-plan.ts'

/**
 * Converts what Terraform plans for one of our resources into a change of Vexil.
 *
 * | Terraform              | change                                                                                   |
 * |------------------------|------------------------------------------------------------------------------------------|
 * | create                 | a create; an update if only the service makes the object: it is adopted                  |
 * | update                 | an update, with its effect on people, or with the names of the changed attributes        |
 * | update of the mark     | a restore: an object that was deleted in the product comes back                          |
 * | delete                 | a delete; if the object stays in the service, with what happens to it there              |
 * | forget                 | a delete that does nothing to the object                                                 |
 * | either and create      | both, one after the other                                                                |
 *
 * Sensitive values, and those that are known only after the apply, are named but never shown. If such a value
 * decides who gets a flag, the risk is high: no lower risk can be proved.
 */
export function changesOf(
  planned: PlannedChange,
  plan: TerraformPlan,
  manner: TellingManner,
): readonly Change[] {
  const read = readPlanned(planned, plan)
  if (!read) return [unknownKind(planned, manner)]
  const about = { ...read, manner }
  const { kind } = about
  const { actions } = planned
  const isReplaced = actions.includes('create') && actions.length > 1
  const old = isReplaced ? { ...about, after: null } : about
  const isForgotten = actions.includes('forget')
  const notes = isReplaced ? [`${isForgotten ? 'forgotten' : 'destroyed'} and created again`] : []
  const away = isForgotten
    ? letGo(old, forgotten, notes)
    : actions.includes('delete')
      ? removed(old, notes)
      : undefined
  if (isReplaced)
    return [...(away ? [away] : []), change({ ...about, action: 'create', before: null, notes })]
  if (away) return [away]
  const mark = deletedMark(planned)
  if (!actions.includes('create'))
    return [change({ ...about, action: mark.was && !mark.becomes ? 'restore' : 'update' })]
  // Only the service makes it, so the object to adopt exists.
  const isAdopted = kind.lifecycle.cannotCreate !== undefined
  const adopted = isAdopted ? ['adopted: it is there already'] : []
  return [change({ ...about, action: isAdopted ? 'update' : 'create', notes: adopted })]
}

/** How a change is described. */
export interface TellingManner {
  /** The engine that made the plan. */
  readonly engine: Engine
  /** How the service evaluates flags. */
  readonly rules: EvaluationRules
  /** Texts that must not be shown; undefined if nothing is hidden. */
  readonly redaction?: Redaction | undefined
  /** The risk policy. */
  readonly risk: RiskPolicy
  /** The names of group types in texts. */
  readonly groupTypes?: GroupTypeNumbers | undefined
}

interface About extends PlannedSides {
  readonly manner: TellingManner
}

function change({
  action,
  notes = [],
  ...about
}: About & { action: Action; notes?: readonly string[] }): Change {
  const { planned, kind, hidden, manner, before, after } = about
  const was = wholeOf(kind, before)
  const becomes = wholeOf(kind, after)
  const fields = changedFields(kind, was, becomes, action)
  const files = action === 'delete' ? {} : changedFiles(before, after)
  const meaning = summaryOf(kind, {
    action,
    before: was,
    after: becomes,
    fields,
    rules: manner.rules,
    redaction: manner.redaction?.of({ kind: kind.name }),
    risk: manner.risk,
    groupTypes: manner.groupTypes,
    ...files,
  })
  // Without this, an update of Terraform's own attributes would be described by what a grant gives.
  const isSame = action === 'update' && fields.length === 0 && Object.keys(files).length === 0
  const isUndecided = action !== 'delete' && decides(kind).some(name => hidden.has(name))
  const told = isSame || (isUndecided && action === 'create') ? [] : meaning.summary
  const said = told.length > 0 || hidden.size > 0 ? told : [nothingOf(planned)]
  const unsure = [...hidden].map(([name, why]) => `${name}: ${why}`)
  const pick = (whole: JsonObject | null): JsonObject =>
    Object.fromEntries(Object.entries(whole ?? {}).filter(([name]) => fields.includes(name)))
  return {
    ...namesOf(about),
    action,
    before: pick(was),
    after: pick(becomes),
    ...files,
    ...(isUndecided
      ? undecided('what decides who gets it is not in the plan', manner)
      : isSame
        ? judgeRisk([unnoticed], manner.risk)
        : { risk: meaning.risk, riskReasons: meaning.riskReasons }),
    summary: [
      ...said,
      ...unsure,
      ...notes,
      ...importNotes(planned),
      `in ${manner.engine}: ${planned.address}`,
    ],
    ...(meaning.exposure && !isUndecided ? { exposure: meaning.exposure } : {}),
    ...(meaning.alert === undefined || isUndecided ? {} : { alert: meaning.alert }),
  }
}

/** A destroyed object stays if only the service makes it, unless its configuration wants otherwise. */
function removed(about: About, notes: readonly string[] = []): Change {
  const { kind, planned } = about
  const { on_destroy: way = null } = blockMembers(planned.before)
  if (kind.lifecycle.cannotCreate === undefined || way === 'delete')
    return change({ ...about, action: 'delete', notes })
  return letGo(about, way === 'restore' ? putBack : forgotten, notes)
}

interface Stay {
  readonly reason: string
  readonly words: (engine: Engine) => string
}

const forgotten: Stay = {
  reason: 'it stays in the service as it is',
  words: engine => `only forgotten by ${engine}: it stays in the service as it is`,
}

const putBack: Stay = {
  reason: 'it stays in the service',
  words: engine => `it stays in the service, as it was before ${engine} managed it`,
}

/** Terraform stops managing an object that stays. */
function letGo(about: About, { reason, words }: Stay, notes: readonly string[] = []): Change {
  const { planned, manner } = about
  return {
    ...namesOf(about),
    action: 'delete',
    before: {},
    after: {},
    ...judgeRisk([{ rule: 'unnoticed', reason }], manner.risk),
    summary: [words(manner.engine), ...notes, `in ${manner.engine}: ${planned.address}`],
  }
}

/** A resource of a provider that is newer than this one. */
function unknownKind({ address, type, actions }: PlannedChange, manner: TellingManner): Change {
  return {
    ...plain,
    address,
    kind: type,
    identity: address,
    action: actions.includes('create') ? 'create' : actions.includes('delete') ? 'delete' : 'update',
    before: {},
    after: {},
    ...undecided('nobody can tell what it does', manner),
    summary: [`this version of Vexil knows no ${type}, and cannot say what it does`],
  }
}

function undecided(reason: string, { risk }: TellingManner): JudgedRisk {
  return judgeRisk([{ rule: 'undecided', reason }], risk)
}

const plain = { fingerprint: null, allowed: [], dependsOn: [] }

function namesOf({ kind, planned, before, after }: About) {
  const { address, identity, parent, label } = (after ?? before)?.names ?? {
    address: `${kind.name}.${planned.address}`,
    identity: planned.address,
    parent: undefined,
    label: undefined,
  }
  return {
    ...plain,
    address,
    kind: kind.name,
    identity,
    ...(label === undefined ? {} : { label }),
    ...(parent === undefined ? {} : { parent: { $ref: `feature_flag.${parent}`, identity: parent } }),
  }
}

function wholeOf(kind: DeclarableKind, values: ObjectValues | null): JsonObject | null {
  if (!values) return null
  const named: Record<string, Json> = { [identityField(kind)]: values.names?.identity ?? null }
  return { ...named, ...values.fields }
}

/** The fields that differ; for a new object, the fields with a meaning. */
function changedFields(
  kind: DeclarableKind,
  was: JsonObject | null,
  becomes: JsonObject | null,
  action: Action,
): string[] {
  if (action === 'delete') return Object.keys(was ?? {})
  return Object.entries(becomes ?? {}).flatMap(([name, value]) => {
    // The label of a new object has its identity; an identity known after the apply has its own note.
    if (name === identityField(kind) && (value === null || (was?.[name] ?? null) === null)) return []
    const before = was?.[name] ?? (was === null ? (kind.fields[name]?.initial ?? null) : null)
    const isSaid = was === null && (name === targetingField(kind) || name === switchField(kind))
    return isSaid || !isSameField(kind, name, before, value) ? [name] : []
  })
}

function changedFiles(
  before: ObjectValues | null,
  after: ObjectValues | null,
): Pick<Change, 'files' | 'filesBefore'> {
  // Files that are no longer managed stay; a file that is removed from the others is deleted.
  if (after?.files === undefined) return {}
  const [was, becomes] = [before?.files ?? {}, after.files]
  const names = [...new Set([...Object.keys(was), ...Object.keys(becomes)])]
  const changed = names.flatMap((name): [string, string | null][] => {
    const text = becomes[name] ?? null
    return (was[name] ?? null) === text ? [] : [[name, text]]
  })
  if (changed.length === 0) return {}
  return {
    files: Object.fromEntries(changed),
    filesBefore: Object.fromEntries(changed.map(([name]) => [name, was[name] ?? null])),
  }
}

/** The attributes of a kind that define who gets it. */
function decides(kind: DeclarableKind): readonly string[] {
  const targeting = targetingField(kind)
  if (targeting === undefined) return []
  return [
    targeting,
    switchField(kind) ?? targeting,
    'release',
    'variants',
    'payload',
    'payloads',
    'rollout_percentage',
  ]
}

/** An update that does not change the object: only Terraform's own attributes, such as `allow`. */
function nothingOf({ before, after }: PlannedChange): string {
  const names = [
    ...new Set([...Object.keys(blockMembers(before)), ...Object.keys(blockMembers(after))]),
  ].sort()
  const changed = names.filter(
    name => exactText(blockMembers(before)[name]) !== exactText(blockMembers(after)[name]),
  )
  return changed.length === 0
    ? 'nothing of it changes'
    : `nothing of it changes in the service: only ${changed.join(', ')}`
}

function importNotes({ importing }: PlannedChange): string[] {
  return importing === undefined ? [] : [`imported from the id ${importing}`]
}

/**
 * An edit of one of our resources in the product since the last apply by Terraform, and what the plan does
 * about it. Nothing if only the service's own fields differ, such as a version or a time of change.
 */
export function driftOf(
  drifted: PlannedChange,
  plan: TerraformPlan,
  manner: TellingManner,
): readonly Drift[] {
  const { address } = drifted
  const mark = deletedMark(drifted)
  const isSoftDeleted = mark.becomes && !mark.was
  const isDeleted = isSoftDeleted || drifted.actions.includes('delete')
  return changesOf({ ...drifted, importing: undefined }, plan, manner).flatMap(change => {
    const fields = isDeleted ? [] : writtenFields(change)
    if (!isDeleted && fields.length === 0) return []
    const where = `in ${manner.engine}: ${address}`
    const said = isDeleted ? ['deleted in the product'] : change.summary.filter(line => line !== where)
    return [
      {
        address: change.address,
        kind: change.kind,
        reason: isDeleted ? 'deleted' : 'changed',
        fields,
        summary: ['since the last apply:', ...said, outcomeOf(address, plan, isSoftDeleted), where],
      },
    ]
  })
}

function outcomeOf(address: string, { changes }: TerraformPlan, isSoftDeleted: boolean): string {
  const actions = changes.find(each => each.address === address)?.actions ?? []
  const isLeft = actions.every(action => action === 'no-op' || action === 'read')
  if (isLeft) return 'this plan leaves it so'
  return isSoftDeleted && actions.includes('update') ? 'this plan restores it' : 'this plan writes over it'
}
