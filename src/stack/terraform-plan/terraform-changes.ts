import {
  type Action,
  type Change,
  type Drift,
  judgeRisk,
  type Plan,
  writtenFields,
} from '../../core/change.ts'
import { summaryOf, unnoticed } from '../../core/describe/describe-change.ts'
import { isSameField } from '../../core/diff.ts'
import { ownersInTags } from '../../core/ownership.ts'
import type { Redaction } from '../../core/redaction.ts'
import type { Engine } from '../../hcl/index.ts'
import { type Profile, profileNamed } from '../../model/connection.ts'
import { type DeclarableKind, identityField, switchField, targetingField } from '../../model/kind.ts'
import type { Problem } from '../../model/problem.ts'
import { defaultRisk, type RiskPolicy } from '../../model/risk.ts'
import type { Json, JsonObject } from '../../model/text/json.ts'
import { version } from '../../model/version.ts'
import { isOurType } from '../../schema/terraform/terraform-names.ts'
import { behaviourOf } from '../../services/differences.ts'
import type { EvaluationRules } from '../../services/engines.ts'
import type { GroupTypeNumbers } from '../../targeting/index.ts'
import { resourceSchemas } from '../evaluate/attributes.ts'
import { blockMembers } from '../stack-file.ts'
import { type ObjectValues, ourProvidersIn, type PlannedSides, readPlanned } from './planned-objects.ts'
import { exactText, type PlannedChange, readTerraformPlan, type TerraformPlan } from './read-plan.ts'

/** The changes of a Terraform plan, in the form of Vexil's own plans. */
export interface TerraformChanges {
  /** The engine that made it, with its version. */
  readonly engine: Engine
  readonly version: string
  /** Which part of the configuration is missing; undefined for a complete plan. */
  readonly partial: string | undefined
  /** The service that the provider is configured for, if the plan contains it. */
  readonly profile: Profile
  readonly changes: readonly Change[]
  /** The edits of our resources in the product since the last apply. */
  readonly drift: readonly Drift[]
  /** The owners of the listed resources, by address. */
  readonly owners: Plan['owners']
  /** The Terraform addresses of unchanged resources. */
  readonly unchanged: readonly string[]
  /** The number of unchanged resources that are only imported into the state. */
  readonly imported: number
  /** The number of changed resources of other providers, by action; unchanged ones are not counted. */
  readonly others: Readonly<Record<string, number>>
  readonly failedChecks: TerraformPlan['failedChecks']
}

/**
 * Reads the output file of `terraform show -json`, or returns the problem if it is not a plan. Without a risk
 * policy, the default applies.
 */
export async function readTerraformChanges(
  path: string,
  shownAs: string,
  how: Partial<Omit<Manner, 'rules' | 'engine'>> = {},
): Promise<{
  readonly shown?: TerraformChanges
  readonly text: string
  readonly problems: readonly Problem[]
}> {
  const { plan, text, problems } = await readTerraformPlan(path, shownAs)
  if (plan === undefined) return { text, problems }
  const unknown = plan.changes.find(({ type }) => isOurType(type) && !resourceSchemas.has(type))
  if (unknown === undefined)
    return { shown: describePlan(plan, { risk: defaultRisk, ...how }), text, problems }
  const { address, type } = unknown
  const problem: Problem = {
    code: 'terraform-plan',
    severity: 'error',
    message: `${address}: this Vexil (${version}) does not know the resource type "${type}"`,
    hint: 'show the plan with the Vexil version of the provider',
    source: { file: shownAs, line: 1, column: 1 },
  }
  return { text, problems: [problem] }
}

function describePlan(plan: TerraformPlan, how: Omit<Manner, 'rules' | 'engine'>): TerraformChanges {
  const ours = plan.changes.filter(({ type }) => isOurType(type))
  const isSame = ({ actions }: PlannedChange) => actions.length === 1 && actions[0] === 'no-op'
  const unchanged = ours.filter(isSame)
  const profile = profileOf(plan)
  const manner = { rules: behaviourOf(profile), engine: plan.engine, ...how }
  const changes = ours.filter(each => !isSame(each)).flatMap(each => changesOf(each, plan, manner))
  const drift = plan.drifted
    .filter(({ type }) => isOurType(type))
    .flatMap(each => driftOf(each, plan, manner))
  return {
    ...{ engine: plan.engine, version: plan.version, partial: plan.missing },
    profile,
    changes,
    drift,
    owners: ownersIn(plan, { changes, drift }),
    unchanged: unchanged.map(({ address }) => address),
    imported: unchanged.filter(({ importing }) => importing !== undefined).length,
    others: countsOf(plan.changes.filter(each => !isOurType(each.type) && !isSame(each))),
    failedChecks: plan.failedChecks,
  }
}

function countsOf(changes: readonly PlannedChange[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { actions } of changes) {
    const name = actions.length === 2 ? 'replace' : (actions[0] ?? 'no-op')
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

/** The provider's configured service, if the plan contains it. Evaluation hardly differs between services. */
function profileOf(plan: TerraformPlan): Profile {
  const declared = [...ourProvidersIn(plan).values()].flatMap(({ expressions }) => {
    const { constant_value: profile } = blockMembers(blockMembers(expressions).profile)
    return typeof profile === 'string' ? [profile] : []
  })
  return profileNamed(declared[0]) ?? 'documented'
}

/**
 * The owners of a plan's resources, by address, from tags such as `owner:payments`. A grant has the owner of
 * its flag. Resources without an owner are omitted.
 */
function ownersIn(
  plan: TerraformPlan,
  { changes, drift }: Pick<TerraformChanges, 'changes' | 'drift'>,
): Plan['owners'] {
  const known = new Map<string, readonly string[]>()
  for (const planned of [...plan.drifted, ...plan.changes]) {
    const read = readPlanned(planned, plan)
    for (const values of [read?.before, read?.after])
      if (read && values?.names) known.set(values.names.address, ownersInTags(read.kind, values.fields))
  }
  const parents = new Map(changes.map(({ address, parent }) => [address, parent?.$ref]))
  const addresses = [...new Set([...changes, ...drift].map(({ address }) => address))].sort()
  const owned = addresses.flatMap((address): [string, readonly string[]][] => {
    const owners = known.get(parents.get(address) ?? address) ?? []
    return owners.length === 0 ? [] : [[address, owners]]
  })
  return owned.length === 0 ? undefined : Object.fromEntries(owned)
}

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
function changesOf(planned: PlannedChange, plan: TerraformPlan, manner: Manner): readonly Change[] {
  const read = readPlanned(planned, plan)
  // A plan with a resource of another kind is refused.
  if (!read) return []
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
  // Only the service creates such objects, so the object to adopt exists.
  const isAdopted = kind.lifecycle.cannotCreate !== undefined
  const adopted = isAdopted ? ['adopted: it already exists'] : []
  return [change({ ...about, action: isAdopted ? 'update' : 'create', notes: adopted })]
}

/** How a change is described. */
interface Manner {
  readonly engine: Engine
  /** How the service evaluates flags. */
  readonly rules: EvaluationRules
  /** Texts that must not be shown; undefined if nothing is hidden. */
  readonly redaction?: Redaction | undefined
  readonly risk: RiskPolicy
  /** The names of group types in texts. */
  readonly groupTypes?: GroupTypeNumbers | undefined
}

interface About extends PlannedSides {
  readonly manner: Manner
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
  const effects = isSame || (isUndecided && action === 'create') ? [] : meaning.summary
  const lines = effects.length > 0 || hidden.size > 0 ? effects : [nothingOf(planned)]
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
      ? judgeRisk(
          [{ rule: 'undecided', reason: 'the plan does not contain all values that decide who gets it' }],
          manner.risk,
        )
      : isSame
        ? judgeRisk([unnoticed], manner.risk)
        : { risk: meaning.risk, riskReasons: meaning.riskReasons }),
    summary: [
      ...lines,
      ...unsure,
      ...notes,
      ...(planned.importing === undefined ? [] : [`imported from the id ${planned.importing}`]),
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
  reason: 'it stays unchanged in the service',
  words: engine => `only forgotten by ${engine}: it stays unchanged in the service`,
}

const putBack: Stay = {
  reason: 'it stays in the service',
  words: engine => `it stays in the service, with the values from before ${engine} managed it`,
}

/** Terraform stops managing an object, but does not delete it. */
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

const plain = { fingerprint: null, allowed: [], dependsOn: [] }

function namesOf({ kind, planned, before, after }: About) {
  const names = (after ?? before)?.names
  const {
    address = `${kind.name}.${planned.address}`,
    identity = planned.address,
    parent,
    label,
  } = names ?? {}
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

/** The fields that differ; for a new object, the fields with meaningful values. */
function changedFields(
  kind: DeclarableKind,
  was: JsonObject | null,
  becomes: JsonObject | null,
  action: Action,
): string[] {
  if (action === 'delete') return Object.keys(was ?? {})
  return Object.entries(becomes ?? {}).flatMap(([name, value]) => {
    // The label of a new object contains its identity; an identity known after the apply has its own note.
    if (name === identityField(kind) && (value === null || (was?.[name] ?? null) === null)) return []
    const before = was?.[name] ?? (was === null ? (kind.fields[name]?.initial ?? null) : null)
    const isCertain = was === null && (name === targetingField(kind) || name === switchField(kind))
    return isCertain || !isSameField(kind, name, before, value) ? [name] : []
  })
}

function changedFiles(
  before: ObjectValues | null,
  after: ObjectValues | null,
): Pick<Change, 'files' | 'filesBefore'> {
  // If `source` is removed, the files stay; a file that is removed from `source` is deleted.
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

/** The attributes of a kind that decide who gets the flag. */
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

/** An update without a change of the object: only Terraform's own attributes change, such as `allow`. */
function nothingOf({ before, after }: PlannedChange): string {
  const names = [
    ...new Set([...Object.keys(blockMembers(before)), ...Object.keys(blockMembers(after))]),
  ].sort()
  const changed = names.filter(
    name => exactText(blockMembers(before)[name]) !== exactText(blockMembers(after)[name]),
  )
  return changed.length === 0
    ? 'no changes in the service'
    : `no changes in the service: only ${changed.join(', ')}`
}

/**
 * An edit of one of our resources in the product since the last apply of Terraform, and the effect of the
 * plan on it. Nothing if only the service's own fields differ, such as a version or a time.
 */
function driftOf(drifted: PlannedChange, plan: TerraformPlan, manner: Manner): readonly Drift[] {
  const { address } = drifted
  const mark = deletedMark(drifted)
  const isSoftDeleted = mark.becomes && !mark.was
  const isDeleted = isSoftDeleted || drifted.actions.includes('delete')
  return changesOf({ ...drifted, importing: undefined }, plan, manner).flatMap(change => {
    const fields = isDeleted ? [] : writtenFields(change)
    if (!isDeleted && fields.length === 0) return []
    const where = `in ${manner.engine}: ${address}`
    const lines = isDeleted ? ['deleted in the product'] : change.summary.filter(line => line !== where)
    return [
      {
        address: change.address,
        kind: change.kind,
        reason: isDeleted ? 'deleted' : 'changed',
        fields,
        summary: ['since the last apply:', ...lines, outcomeOf(address, plan, isSoftDeleted), where],
      },
    ]
  })
}

function outcomeOf(address: string, { changes }: TerraformPlan, isSoftDeleted: boolean): string {
  const actions = changes.find(each => each.address === address)?.actions ?? []
  const isLeft = actions.every(action => action === 'no-op' || action === 'read')
  if (isLeft) return 'this plan keeps this change'
  return isSoftDeleted && actions.includes('update') ? 'this plan restores it' : 'this plan overwrites it'
}

/** Marks both sides of a change if an object was deleted in the product; the service keeps such objects. */
function deletedMark({ type, before, after }: PlannedChange) {
  const { field = '' } = resourceSchemas.get(type)?.kind.lifecycle.softDelete ?? {}
  return { was: blockMembers(before)[field] === true, becomes: blockMembers(after)[field] === true }
}
