import { type GuardRule, isGuardRule } from '../../model/guard-rules.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject, pickMembers } from '../../model/text/json.ts'
import { readJson, readJsonIfAny, writeJson } from '../../model/text/json-text.ts'
import { validateAgainst } from '../../schema/validate-against.ts'
import type { GroupTypeNumbers } from '../../targeting/index.ts'
import { type Blocked, type Change, type Drift, highestRisk, type Plan, writtenFields } from '../change.ts'
import { digestOf } from '../diff.ts'
import { countsOfLiveEdits, type LiveEdit } from '../live-edits/live-edit.ts'
import type { Measured } from '../live-edits/verdict.ts'
import { Redaction, redactedChanges, redactedPlan } from '../redaction.ts'
import { isSameTarget, type Target } from '../target.ts'
import {
  changeForm,
  changeToJson,
  type Form,
  fromDocument,
  liveEditForm,
  liveEditToJson,
  sameForm,
  targetForm,
  toDocument,
  valuesToJson,
  withValues,
} from './change-json.ts'
import type { DeclaredDigests } from './run-folder.ts'

const planFormat = '1.0'

export interface PlanMeta {
  readonly toolVersion: string
  readonly target: Target
  readonly environment?: string
  readonly commit?: string
  /** Whether the folder had uncommitted content; unknown if the commit is from a pipeline variable. */
  readonly dirty?: boolean
  /** When the plan was made, in milliseconds since 1970. */
  readonly createdAt?: number
  /** The number of requests of the plan, including retries. */
  readonly requests?: number
  /** The base of live edits, if the command line gave one: `none`, or a commit. */
  readonly base?: string
  /** The newest run that is a base, if the command line gave none. */
  readonly measured?: Measured
  /** Problems with finding the base and the authors, one line each. */
  readonly notes?: readonly string[]
  /** Permissions for rules about whole plans, for the apply. */
  readonly allowed?: readonly GuardRule[]
}

/** The scope of a plan. A record of an apply contains it too. */
export interface PlanScope {
  readonly declared: DeclaredDigests
  /** Declared objects that the command line excluded. */
  readonly notTargeted: readonly string[]
  /** The newest runs when the plan was made: see `Run`. */
  readonly after?: readonly string[]
}

/** The extra members of a plan with hidden values. */
interface RedactedMember {
  /** The parts that are hidden for every object. */
  readonly parts: readonly string[]
  /** Only in a file: the salt of its digests. Not printed, since it would allow to find values by trial. */
  readonly salt?: string
  /** Only in a file: the options of the plan. An apply plans again with them to get the hidden values. */
  readonly options?: JsonObject
}

/** A saved plan: its decisions, and their target. */
export interface SavedPlan {
  readonly redacted?: RedactedMember
  readonly meta: PlanMeta
  readonly digest: string
  readonly changes: readonly Change[]
  readonly blocked: readonly Blocked[]
  readonly drift: readonly Drift[]
  readonly liveEdits: readonly LiveEdit[]
  readonly unchangedCount: number
  /** How many of them are declared absent. */
  readonly absentCount: number
  /** How many objects have the ownership tag and no declaration. */
  readonly taggedUndeclared?: number
  readonly owners?: Plan['owners']
  readonly ownershipTag?: string
  readonly groupTypes?: GroupTypeNumbers
  readonly scope?: PlanScope
}

const metaForm: Form = {
  names: { createdAt: 'created_at', measured: 'measured_from' },
  times: ['createdAt'],
  parts: {
    target: targetForm,
    measured: { times: ['at'], spread: { member: 'revision', of: ['commit', 'dirty'] } },
  },
  omits: ['toolVersion'],
}

const scopeForm: Form = { names: { notTargeted: 'not_targeted' } }

const planForm: Form = {
  names: { liveEdits: 'live_edits', ownershipTag: 'ownership_tag', groupTypes: 'group_types' },
  parts: { changes: changeForm, blocked: sameForm, drift: sameForm, liveEdits: liveEditForm },
}

/** The plan as one JSON document, for `--json` and `--out`. It contains no credentials. */
export function planDocument(
  plan: Plan,
  meta: PlanMeta,
  scope?: PlanScope,
  /** The members that a command adds. */
  more: JsonObject = {},
): JsonObject {
  const { unchanged: _, absent: __, taggedUndeclared: ___, ...shown } = plan
  const notes = meta.notes?.length ? meta.notes : undefined
  const notTargeted = scope?.notTargeted.length ? scope.notTargeted : undefined
  const content: JsonObject = {
    format_version: planFormat,
    tool: { name: 'vexil', version: meta.toolVersion },
    ...toDocument({ ...meta, notes }, metaForm),
    ...toDocument(shown, planForm),
    summary: { ...totalsOf(plan), max_risk: highestRisk(plan.changes) },
    ...toDocument({ ...scope, notTargeted }, scopeForm),
    ...more,
  }
  return { ...content, digest: digestOf(content) }
}

/** The same without hidden values. With `options`: for a file that an apply reads; else for printing. */
export function writtenPlan(
  plan: Plan,
  meta: PlanMeta,
  {
    redaction,
    scope,
    more = {},
    options,
  }: {
    readonly redaction: Redaction
    readonly scope?: PlanScope
    readonly more?: JsonObject
    readonly options?: JsonObject
  },
): JsonObject {
  const { parts } = redaction
  if (parts.length === 0 && !plan.changes.some(change => redaction.of(change)))
    return planDocument(plan, meta, scope, more)
  const { salt = '' } = redaction
  // Digests of declarations have no salt: anyone who knows the rest of a field could find hidden values.
  const { notTargeted = [] } = scope ?? {}
  return planDocument(redactedPlan(plan, redaction), meta, undefined, {
    ...(notTargeted.length > 0 ? { not_targeted: [...notTargeted] } : {}),
    redacted: { parts: [...parts], ...(options ? { salt, options } : {}) },
    ...more,
  })
}

/** The totals of a plan. Every place that shows a total uses them. */
export function totalsOf(
  plan: Pick<Plan, 'changes' | 'blocked' | 'drift' | 'liveEdits'> & {
    readonly unchanged: { length: number }
    readonly absent?: { length: number }
    readonly taggedUndeclared?: number
  },
) {
  const count = (...actions: readonly string[]) =>
    plan.changes.filter(({ action }) => actions.includes(action)).length
  return {
    create: count('create'),
    update: count('update'),
    claim: count('claim'),
    restore: count('restore'),
    delete: count('delete'),
    blocked: plan.blocked.length,
    drift: plan.drift.length,
    ...countsOfLiveEdits(plan.liveEdits),
    unchanged: plan.unchanged.length,
    ...(plan.absent === undefined ? {} : { already_absent: plan.absent.length }),
    ...(plan.taggedUndeclared === undefined ? {} : { tagged_undeclared: plan.taggedUndeclared }),
  }
}

/** A plan file that cannot be applied: of another format, edited, or made for another target. */
export class PlanFileError extends Error {
  /** `no_plan`: the file is not a plan. Others: the plan cannot be used any more. */
  readonly code: 'no_plan' | 'format' | 'edited' | 'target' | 'shape' | 'values'

  constructor(code: PlanFileError['code'], message: string) {
    super(message)
    this.name = 'PlanFileError'
    this.code = code
  }
}

/** Reads a saved plan; throws a `PlanFileError` if `planDocument` did not write it. */
export function readPlanDocument(text: string): SavedPlan {
  const document = parse(text)
  if (!isPlanDocument(document)) throw notAPlan()
  const version = document.format_version
  if (version !== planFormat) {
    throw new PlanFileError('format', `it has format "${version}" and not "${planFormat}"; plan again`)
  }
  const { digest, ...content } = document
  if (typeof digest !== 'string' || digestOf(content) !== digest) {
    throw new PlanFileError(
      'edited',
      'its content does not match its digest; it was edited or cut off; plan again',
    )
  }
  const [violation] = validateAgainst('plan', document)
  if (violation) throw new PlanFileError('shape', `${violation.pointer || '/'} ${violation.message}`)
  const summary = isJsonObject(document.summary) ? document.summary : {}
  const plan = fromDocument<SavedPlan>(pickMembers(document, isPlanMember), planForm)
  return {
    ...plan,
    meta: metaFromJson(document),
    digest,
    unchangedCount: Number(summary.unchanged ?? 0),
    absentCount: Number(summary.already_absent ?? 0),
    ...(summary.tagged_undeclared === undefined
      ? {}
      : { taggedUndeclared: Number(summary.tagged_undeclared) }),
    ...(document.declared === undefined ? {} : { scope: scopeFromJson(document) }),
  }
}

const planMembers = [
  'changes',
  'blocked',
  'drift',
  'live_edits',
  'owners',
  'ownership_tag',
  'group_types',
  'redacted',
]

function isPlanMember(_: Json, name: string): boolean {
  return planMembers.includes(name)
}

export function requireTarget(saved: SavedPlan, target: Target): void {
  if (isSameTarget(saved.meta.target, target)) return
  const text = ({ baseUrl, projectId, organizationId }: Target) =>
    `${baseUrl} (project ${projectId ?? '-'}, organization ${organizationId ?? '-'})`
  throw new PlanFileError('target', `it was made for ${text(saved.meta.target)}, not for ${text(target)}`)
}

function scopeFromJson({ declared = {}, not_targeted = [], after }: JsonObject): PlanScope {
  const scope = { declared, not_targeted, ...(after === undefined ? {} : { after }) }
  return fromDocument(scope, scopeForm)
}

const metaMembers = [
  'target',
  'environment',
  'commit',
  'dirty',
  'created_at',
  'requests',
  'base',
  'measured_from',
  'notes',
  'allowed',
]

function metaFromJson(document: JsonObject): PlanMeta {
  const tool = isJsonObject(document.tool) ? document.tool : {}
  const members = pickMembers(document, (_, name) => metaMembers.includes(name))
  const { allowed, ...meta } = fromDocument<Omit<PlanMeta, 'toolVersion'>>(members, metaForm)
  return {
    toolVersion: String(tool.version ?? ''),
    ...meta,
    ...(allowed === undefined ? {} : { allowed: allowed.filter(isGuardRule) }),
  }
}

/** Whether a text is a saved plan, of any version and in any state. */
export function isPlanText(text: string): boolean {
  try {
    return isPlanDocument(parse(text))
  } catch {
    return false
  }
}

function isPlanDocument(document: JsonObject): document is JsonObject & { readonly format_version: string } {
  const { format_version: version, digest, changes } = document
  return typeof version === 'string' && typeof digest === 'string' && isJsonArray(changes)
}

function notAPlan(): PlanFileError {
  return new PlanFileError('no_plan', 'it is not a plan file')
}

function parse(text: string): JsonObject {
  try {
    const value = readJson(text)
    if (isJsonObject(value)) return value
  } catch {
    // A text that is not JSON is not a plan.
  }
  throw notAPlan()
}

/**
 * A saved plan for display, without the values that are hidden now, even if they were shown then.
 *
 * | hidden when it was made | its values       | its summary                                    |
 * |-------------------------|------------------|------------------------------------------------|
 * | all that is hidden now  | are placeholders | stays                                          |
 * | less than that          | are placeholders | lists only changed fields: it may quote values |
 */
export function shownPlan(saved: SavedPlan, redaction: Redaction): SavedPlan {
  return redactedPlan(readablePlan(saved, redaction), redaction)
}

/** The same with its values, for an apply. */
export function readablePlan(saved: SavedPlan, redaction: Redaction): SavedPlan {
  return isMadeFor(saved, redaction) ? saved : withoutWords(saved)
}

/** The text of its file for display, without the members from which an apply restores hidden values. */
export function shownText(text: string, saved: SavedPlan, redaction: Redaction): string {
  const document = readJsonIfAny(text)
  const isShown = isMadeFor(saved, redaction)
  if ((isShown && !saved.redacted) || !isJsonObject(document)) return text
  // Digests of declarations have no salt, so hidden values could be found by trial.
  const { digest: _, declared: __, ...others } = document
  const parts = [...(isShown ? (saved.redacted?.parts ?? []) : redaction.parts)]
  const content: JsonObject = {
    ...others,
    ...(isShown ? {} : partsOf(shownPlan(saved, redaction))),
    redacted: { parts },
  }
  return `${writeJson({ ...content, digest: digestOf(content) }, 2)}\n`
}

function partsOf({ changes, blocked, drift, liveEdits }: SavedPlan): JsonObject {
  return {
    changes: changes.map(changeToJson),
    blocked: blocked.map(each => toDocument(each, sameForm)),
    drift: drift.map(each => toDocument(each, sameForm)),
    live_edits: liveEdits.map(liveEditToJson),
  }
}

function isMadeFor({ redacted }: SavedPlan, { parts }: Redaction): boolean {
  return parts.every(part => redacted?.parts.includes(part))
}

function withoutWords(plan: SavedPlan): SavedPlan {
  return {
    ...plan,
    changes: plan.changes.map(changeWithoutWords),
    blocked: plan.blocked.map(each => ({ ...each, summary: [], reason: withheld, remedy: planAgain })),
    drift: plan.drift.map(each => ({ ...each, summary: [fieldsText(each.fields)] })),
    liveEdits: plan.liveEdits.map(each => ({
      ...each,
      fields: each.fields.map(field => ({ ...field, summary: [] })),
    })),
  }
}

function changeWithoutWords({ alert, ...change }: Change): Change {
  const { riskReasons, exposure } = change
  return {
    ...change,
    summary: [fieldsText(writtenFields(change))],
    riskReasons: riskReasons.map(each => ({ ...each, reason: withheld })),
    ...(alert === undefined
      ? {}
      : { alert: exposure ? `${exposure.before}% -> ${exposure.after}%` : withheld }),
  }
}

const withheld = 'not shown: it was recorded with values that are hidden now'
const planAgain = 'plan again to see why'

function fieldsText(fields: readonly string[]): string {
  return fields.length === 0 ? withheld : `${fields.join(', ')}; more is ${withheld}`
}

/**
 * Compares a plan with an earlier, reviewed one. All members are addresses.
 *
 * | the plan's change of an object                               | is        |
 * |--------------------------------------------------------------|-----------|
 * | is the same, on the same live object, with equal permissions | equal     |
 * | is different, or the object has changed                      | `changed` |
 * | changes an object that the earlier plan does not change      | `added`   |
 * | no longer exists: it is done, or not declared                | `gone`    |
 */
export interface Review {
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly gone: readonly string[]
}

export function reviewOf(
  {
    changes: reviewed,
    redacted,
  }: { readonly changes: readonly Change[]; readonly redacted?: RedactedMember },
  changes: readonly Change[],
): Review {
  const planned = redactedChanges(changes, redactionOf(redacted))
  const seen = new Set(reviewed.map(doneBy))
  const addresses = new Set(reviewed.map(({ address }) => address))
  const unseen = planned.filter(change => !seen.has(doneBy(change))).map(({ address }) => address)
  const left = new Set(planned.map(({ address }) => address))
  return {
    added: distinct(unseen.filter(address => !addresses.has(address))),
    changed: distinct(unseen.filter(address => addresses.has(address))),
    gone: distinct([...addresses].filter(address => !left.has(address))),
  }
}

/** Whether the earlier plan contains all changes of this plan. */
export function isAsReviewed({ added, changed }: Review): boolean {
  return added.length === 0 && changed.length === 0
}

/** The result of making a saved plan with hidden values again. */
export interface PlannedAgain {
  /** Its changes with their values. */
  readonly changes: readonly Change[]
  /** How many of its objects are now as declared. */
  readonly doneCount: number
  /** Addresses of objects whose change would be different now. */
  readonly different: readonly string[]
}

export function plannedAgain(
  { changes: saved, redacted }: { readonly changes: readonly Change[]; readonly redacted?: RedactedMember },
  again: Pick<Plan, 'changes' | 'unchanged'>,
): PlannedAgain {
  const redaction = redactionOf(redacted)
  const same = new Set(redactedChanges(again.changes, redaction).map(doneBy))
  const values = valuesToJson(again.changes, redaction)
  const done = new Set(again.unchanged)
  const left = saved.filter(({ address }) => !done.has(address))
  return {
    changes: left.map(change => withValues(change, values)),
    doneCount: saved.length - left.length,
    different: left.filter(change => !same.has(doneBy(change))).map(({ address }) => address),
  }
}

/** A redaction that gives hidden values the same digests as in a saved plan. */
function redactionOf({ parts = [], salt = '' }: Partial<RedactedMember> = {}): Redaction {
  const redaction = new Redaction(() => salt)
  redaction.add(parts)
  return redaction
}

/** The change as a text, without its summary and its place in the files. */
function doneBy(change: Change): string {
  const {
    summary,
    source,
    alert,
    audiences,
    exposure,
    flipped_tests,
    risk,
    risk_reasons,
    label,
    rename_of,
    hidden,
    ...done
  } = changeToJson(change)
  return digestOf(done)
}

function distinct(addresses: readonly string[]): string[] {
  return [...new Set(addresses)]
}
