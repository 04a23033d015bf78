import { type GuardRule, isGuardRule } from '../../model/guard-rules.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject, pickMembers } from '../../model/json/json.ts'
import { readJson } from '../../model/json/json-text.ts'
import { validateAgainst } from '../../schema/validate-against.ts'
import type { GroupTypeNumbers } from '../../targeting/index.ts'
import { type Blocked, type Change, type Drift, highestRisk, type Plan } from '../change.ts'
import { digestOf } from '../diff.ts'
import type { Measured } from '../live-edits/base.ts'
import { countsOfLiveEdits, type LiveEdit } from '../live-edits/live-edit.ts'
import { type Redaction, redactedPlan } from '../redaction.ts'
import { isSameTarget, type Target } from '../target.ts'
import {
  changeForm,
  type Form,
  fromDocument,
  liveEditForm,
  sameForm,
  targetForm,
  toDocument,
} from './change-json.ts'
import type { DeclaredDigests } from './declared.ts'

/** The format of plan documents. */
const planFormat = '1.0'

export interface PlanMeta {
  readonly toolVersion: string
  readonly target: Target
  readonly environment?: string
  /** The commit of the declarations, if it is known. */
  readonly commit?: string
  /** Whether the folder had uncommitted content; unknown if a pipeline, not git, gave the commit. */
  readonly dirty?: boolean
  /** When the plan was made, in milliseconds since 1970. */
  readonly createdAt?: number
  /** How many requests the plan cost, repeats included: a service may bill its lists. */
  readonly requests?: number
  /** The base of live edits, if the command line gave one: `none`, or a commit. */
  readonly base?: string
  /** Otherwise: the newest run that is their base. */
  readonly measured?: Measured
  /** The problems with finding that run and the authors of changes, one line each. */
  readonly notes?: readonly string[]
  /** Permissions for the apply about the rules for whole plans. */
  readonly allowed?: readonly GuardRule[]
}

/** The input of a plan, beside its result. A record of an apply has it too. */
export interface PlanScope {
  readonly declared: DeclaredDigests
  /** Declared objects that the command line left out. */
  readonly notTargeted: readonly string[]
  /** The newest runs when it was made: see `Run`. */
  readonly after?: readonly string[]
}

/** The extra members of a plan with hidden values. */
export interface RedactedMember {
  /** The parts that are hidden for every object. */
  readonly parts: readonly string[]
  /** Only in a file: the salt of its digests. With it, hidden values could be found by trial. */
  readonly salt?: string
  /** Only in a file: the options of the plan. An apply plans again with them to get the values. */
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

/** The plan as one JSON document: what `--json` prints and what `--out` saves. It holds no credentials. */
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

/**
 * The same without hidden values. With `options` it is the text of a file, which an apply reads back;
 * without, it is the printed text.
 */
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
  /** `no_plan`: the file is something else; with the others it is a plan that is no longer valid. */
  readonly code: 'no_plan' | 'format' | 'edited' | 'target' | 'shape' | 'values'

  constructor(code: PlanFileError['code'], message: string) {
    super(message)
    this.name = 'PlanFileError'
    this.code = code
  }
}

/** Reads a saved plan; throws a `PlanFileError` on anything that was not written by `planDocument`. */
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

/** Refuses a plan made for another target. */
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
    // Falls through: a text that is not JSON is not a plan.
  }
  throw notAPlan()
}
