import { isServiceError } from '../../api/index.ts'
import { isSameField } from '../../core/diff.ts'
import type { Live } from '../../core/live.ts'
import { fieldsOf, goneReason, noLevels, notOfferedYet } from '../../core/plan/object-context.ts'
import { levelsOf, serviceOf } from '../../core/read/snapshot.ts'
import {
  isSameValue,
  isWhollyKnown,
  memberOf,
  type ObjectValue,
  Unknown,
  unknown,
  type Value,
} from '../../hcl/values.ts'
import {
  type DeclarableKind,
  identityField,
  managedFields,
  shownFields,
  switchField,
  targetingField,
} from '../../model/kind.ts'
import { checkOpen } from '../../rules/check-object.ts'
import { givenTyped, targetingText } from '../../schema/terraform/terraform-attribute.ts'
import { replacingAttributes, resourceBlock } from '../../schema/terraform/terraform-schema.ts'
import { profilesWith } from '../../services/differences.ts'
import {
  type Diagnostic,
  DiagnosticError,
  type Diagnostics,
  errorDiagnostic,
  hasError,
  hasMadeUp,
  isMadeUp,
  type PlanAnswer,
  type ProposedChange,
} from '../provider.ts'
import type { Session } from '../session.ts'
import { checkConfig, newProblems } from './check-config.ts'
import { trying } from './explain.ts'
import { isSameMeaning, jsonOf } from './field-value.ts'
import { liveEditWarnings, lostEditsWarning } from './live-edits.ts'
import { claimedTwice, heldTwice, planExisting, planShadow, warnOfRename } from './plan-existing.ts'
import { filtersPlanned, filtersWarnings } from './plan-filters.ts'
import { allTags, isSameTags } from './propose.ts'
import { recall, remember } from './remembered.ts'
import {
  contextOf,
  deletedMark,
  isMarkedDeleted,
  nameIn,
  ownerAttribute,
  type ResourceContext,
  textOf,
} from './resource-context.ts'

/**
 * Plans an object. A move to another project or organization destroys the object before it creates the new
 * one, so the target must exist. Otherwise a variable with a wrong value could destroy a whole stack.
 */
export async function planObject(
  kind: DeclarableKind,
  session: Session,
  change: ProposedChange,
  signal: AbortSignal,
): Promise<PlanAnswer> {
  const { config } = change
  const late = hasMadeUp(config)
    ? checkConfig(kind, config, session.services).filter(problem => isMadeUp(config, problem))
    : []
  if (hasError(late)) throw new DiagnosticError(...late)
  const answer = planAttributes(kind, session, change)
  const problems = [
    ...newProblems(kind, change, answer.planned, session.profile),
    ...claimedTwice(kind, session.claims, change, answer.planned),
  ]
  if (problems.length > 0) throw new DiagnosticError(...problems)
  const owner = ownerAttribute(kind)
  const moves = (answer.requiresReplace ?? []).some(([name]) => name === owner)
  // A grant moves with its flag, and the flag checks the target.
  if (moves && !kind.lifecycle.parent && typeof memberOf(answer.planned, owner) === 'string') {
    const name = nameIn(kind, change.prior ?? answer.planned)
    await trying(`move ${name}`, kind, () => requirePlace(kind, session, name, answer.planned, signal))
  }
  const isReplacing = (answer.requiresReplace ?? []).length > 0
  const notes = [
    ...(isReplacing ? [] : await warnOfRename(kind, session, change.prior, answer.planned, signal)),
    ...(await planShadow(kind, session, change, answer.planned, signal)),
    ...(await planExisting(kind, session, change, answer.planned, signal)),
    ...(await planOffered(kind, session, change, answer.planned, signal)),
  ]
  return {
    ...answer,
    diagnostics: [
      ...late,
      ...heldTwice(kind, session.claims, change),
      ...(answer.diagnostics ?? []),
      ...notes,
      ...editWarnings(kind, session, change, answer),
      ...pendingWarning(kind, change, answer.planned),
    ],
  }
}

/** A replacement keeps nothing of the old object. */
function editWarnings(
  kind: DeclarableKind,
  session: Session,
  change: ProposedChange,
  { planned, requiresReplace = [] }: PlanAnswer,
): readonly Diagnostic[] {
  const { prior, priorPrivate } = change
  return prior && requiresReplace.length > 0
    ? lostEditsWarning(kind, session, { state: prior, private: priorPrivate })
    : liveEditWarnings(kind, session, change, planned)
}

/** An apply does not request a waiting change again. It fails until the change is approved. */
function pendingWarning(
  kind: DeclarableKind,
  { prior, priorPrivate }: ProposedChange,
  planned: ObjectValue,
): Diagnostic[] {
  const { pending } = recall(priorPrivate)
  if (!prior || !pending) return []
  const [were, will] = [gatedValues(kind, prior), gatedValues(kind, planned)]
  if (changedOf(Object.keys(will), were, will).length === 0) return []
  const summary = `a change of ${nameIn(kind, prior)} waits for approval: change request ${pending.changeRequest}`
  const detail =
    'The service makes the change when a person approves that request. Until then an apply of the same change fails and does not request it again. If the request was rejected and this key cannot read that, add "approval_pending" to `allow`.'
  return [{ severity: 'warning', summary, detail }]
}

/** The values that may need approval: who gets a flag, in any form, and whether it is on. */
function gatedValues(kind: DeclarableKind, values: ObjectValue): ObjectValue {
  const [targeting, turned] = [targetingField(kind), switchField(kind)]
  return {
    ...(targeting === undefined ? {} : { [targeting]: targetingText(targeting, values) }),
    ...(turned === undefined ? {} : { [turned]: memberOf(values, turned) }),
  }
}

async function requirePlace(
  kind: DeclarableKind,
  session: Session,
  name: string,
  planned: ObjectValue,
  signal: AbortSignal,
): Promise<void> {
  const owner = ownerAttribute(kind)
  try {
    await contextOf(kind, session, planned, signal).run.shared.all(kind, {})
  } catch (error) {
    if (!isServiceError(error) || error.status !== 404) throw error
    const scope = kind.scope === 'project' ? 'project' : 'organization'
    throw new DiagnosticError(
      errorDiagnostic(
        `there is no ${scope} ${String(memberOf(planned, owner))}, or this key may not see it`,
        `${name} would be destroyed, and the new one could not be created. The target comes from \`${owner}\` of the resource or of the provider, or from VEXIL_${owner.toUpperCase()}.`,
        [owner],
      ),
    )
  }
}

/**
 * The planned value of each attribute.
 *
 * | configuration | if there is no object yet          | if there is one                                       |
 * |---------------|------------------------------------|-------------------------------------------------------|
 * | has a value   | that value                         | the live value if it means the same, else the new one |
 * | has none      | unknown if the service fills it in | the live value                                        |
 *
 * So only new values are "known after apply", and another spelling of the same value plans nothing.
 */
function planAttributes(kind: DeclarableKind, session: Session, change: ProposedChange): PlanAnswer {
  const { prior, priorPrivate } = change
  const planned = prior ? plannedUpdate(kind, session, change, prior) : plannedCreate(kind, session, change)
  const replacing = prior ? changedOf(replacingAttributes(kind), prior, planned) : []
  // Remembered data is needed to destroy the replaced object, but not to create the new one.
  const isKept = prior !== null || priorPrivate.length > 0
  return {
    planned,
    private: isKept ? priorPrivate : remember({ fields: {} }),
    requiresReplace: replacing.map(name => [name]),
    diagnostics: [
      ...warningsOf(kind, change, planned, replacing.length > 0),
      ...goneWarnings(kind, session, change),
    ],
  }
}

function plannedCreate(kind: DeclarableKind, session: Session, { config }: ProposedChange): ObjectValue {
  // Includes fields that the service may lack. The profile may become known only when the apply plans again,
  // and then a known value must not become unknown.
  const filled = ['id', ...managedFields(kind), ...shownFields(kind)]
  const planned = Object.fromEntries(
    attributesOf(kind).map(name => {
      const given = memberOf(config, name)
      return [name, given === null && filled.includes(name) ? unknown : given] as const
    }),
  )
  return {
    ...planned,
    ...deletedMark(kind, false),
    ...ownerPlanned(kind, session, config, null),
    ...filtersPlanned(kind, config, null),
    ...tagsPlanned(kind, session, config, planned, null),
  }
}

function plannedUpdate(
  kind: DeclarableKind,
  session: Session,
  { proposed, config }: ProposedChange,
  prior: ObjectValue,
): ObjectValue {
  const managed = new Set(managedFields(kind))
  const planned = Object.fromEntries(
    attributesOf(kind).map(name => {
      const was = memberOf(prior, name)
      const isSilent = memberOf(config, name) === null
      const given = (isSilent ? assumedIn(kind, name, was) : null) ?? memberOf(proposed, name)
      const isSame =
        managed.has(name) && was !== null && given !== was && isSameMeaning(kind, name, given, was)
      return [name, isSame ? was : given] as const
    }),
  )
  return {
    ...planned,
    ...restoredPlanned(kind, config, prior),
    ...ownerPlanned(kind, session, config, prior),
    ...filtersPlanned(kind, config, prior),
    ...tagsPlanned(kind, session, config, planned, prior),
  }
}

/** The default that applies if a configuration does not set the field. */
function assumedIn({ fields }: DeclarableKind, name: string, was: Value): Value {
  const assumed = was === null ? undefined : fields[name]?.assumed
  return typeof assumed === 'string' || typeof assumed === 'boolean' ? assumed : null
}

/** `ignore_changes = [deleted]` copies the mark into the configuration; nobody can write it there. */
function restoredPlanned(kind: DeclarableKind, config: ObjectValue, prior: ObjectValue): ObjectValue {
  return isMarkedDeleted(kind, prior) && !isMarkedDeleted(kind, config) ? deletedMark(kind, false) : {}
}

function ownerPlanned(
  kind: DeclarableKind,
  session: Session,
  config: ObjectValue,
  prior: ObjectValue | null,
): ObjectValue {
  const name = ownerAttribute(kind)
  const given = memberOf(config, name)
  if (given !== null) return {}
  const [owner, was] = [session.defaultOwner(kind.scope), memberOf(prior ?? undefined, name)]
  // An unknown project does not count as another project. If it turns out to be another one, Terraform
  // refuses to apply, and the next plan shows the move. So a setting that is known late never destroys a
  // flag.
  if (was !== null && (owner instanceof Unknown || owner === null)) return { [name]: was }
  return { [name]: owner ?? session.requireOwner(kind.scope) }
}

function tagsPlanned(
  kind: DeclarableKind,
  session: Session,
  config: ObjectValue,
  planned: ObjectValue,
  prior: ObjectValue | null,
): ObjectValue {
  const { ownedBy } = kind.lifecycle
  if (ownedBy === undefined) return {}
  const was = memberOf(prior ?? undefined, 'tags_all')
  // `ignore_changes` copies the live tags into the configuration, although nobody can write them there.
  if (memberOf(config, 'tags_all') !== null) return { tags_all: was }
  const all = allTags(memberOf(planned, ownedBy), session.defaultTags)
  return { tags_all: was !== null && isWhollyKnown(all) && isSameTags(all, was) ? was : all }
}

/** The attributes that the plan changes, even unknown ones, but not those that were never set. */
function changedOf(names: readonly string[], prior: ObjectValue, planned: ObjectValue): string[] {
  return names.filter(name => {
    const was = memberOf(prior, name)
    return was !== null && !isSameValue('string', was, memberOf(planned, name))
  })
}

function warningsOf(
  kind: DeclarableKind,
  { prior, config, priorPrivate }: ProposedChange,
  planned: ObjectValue,
  isReplacing: boolean,
): Diagnostic[] {
  return [
    ...(prior ? [] : unlimitedWarning(kind, config)),
    // A replacement keeps none of the old filters, and is planned separately.
    ...(prior && !isReplacing ? filtersWarnings(kind, prior, config, planned) : []),
    ...originWarning(prior, config, recall(priorPrivate).origin !== undefined),
  ]
}

/** Warns of configured fields that an older service had and this one lacks. */
function goneWarnings(kind: DeclarableKind, session: Session, { config }: ProposedChange): Diagnostic[] {
  const { profile } = session
  const isGone = (name: string) => {
    const { newer, offered } = kind.fields[name] ?? {}
    if (newer || !offered || profile === undefined) return false
    return !profilesWith(offered.behaviour, offered.is).includes(profile)
  }
  const gone = managedFields(kind).filter(name => isGone(name) && memberOf(config, name) !== null)
  return gone.map(name => ({
    severity: 'warning',
    summary: goneReason(name),
    detail: 'Remove it.',
    attribute: [name],
  }))
}

function unlimitedWarning(kind: DeclarableKind, config: ObjectValue): Diagnostic[] {
  const targeting = targetingField(kind)
  if (targeting === undefined) return []
  const turned = switchField(kind)
  const isTyped = givenTyped(config).length > 0
  const open = [targeting, turned ?? ''].flatMap(name => {
    const value = memberOf(config, name)
    return value === null && !(isTyped && name === targeting) ? [] : [[name, value]]
  })
  if (!checkOpen(kind, Object.fromEntries(open)).some(({ missing }) => missing.includes(targeting))) return []
  return [
    {
      severity: 'warning',
      summary: 'nothing limits who gets this flag',
      detail: `Without \`${targeting}\` and \`release\` everybody gets it immediately. Set one of them${turned === undefined ? '' : `, or \`${turned} = false\``}.`,
      attribute: [identityField(kind)],
    },
  ]
}

function originWarning(prior: ObjectValue | null, config: ObjectValue, hasOrigin: boolean): Diagnostic[] {
  if (prior === null || hasOrigin || memberOf(config, 'on_destroy') !== 'restore') return []
  return [
    {
      severity: 'warning',
      summary: 'there will be nothing to restore when this is destroyed',
      detail:
        'It was imported, so its earlier values are unknown. Destroying it will keep the current values.',
      attribute: ['on_destroy'],
    },
  ]
}

function attributesOf(kind: DeclarableKind): string[] {
  return Object.keys(resourceBlock(kind).attributes)
}

/**
 * Warns of configured fields that only newer services have and this one lacks. An apply refuses them.
 *
 * | configured           | is lacking if                                                                            |
 * |----------------------|------------------------------------------------------------------------------------------|
 * | a field              | the object's record lacks it, or for a new object the first of the list, and the profile |
 * | the level of a grant | the service has answered as one without levels                                           |
 *
 * These are warnings because they depend on reads: `terraform destroy` first plans everything configured.
 */
async function planOffered(
  kind: DeclarableKind,
  session: Session,
  { prior, config }: ProposedChange,
  planned: ObjectValue,
  signal: AbortSignal,
): Promise<Diagnostics> {
  const asked = managedFields(kind).filter(
    name => kind.fields[name]?.newer && isConfigured(kind, name, memberOf(config, name)),
  )
  if (asked.length === 0 || !session.isKnown(kind, memberOf(planned, ownerAttribute(kind)))) return []
  const context = contextOf(kind, session, planned, signal)
  const level = kind.lifecycle.levels?.field
  const isLevelLacking = (name: string) => name === level && levelsOf(context.run).hasLevels === false
  const lacking = await lackingFields(context, asked, prior)
  return [
    ...lacking.map(name => warning(name, notOfferedYet(name).reason)),
    ...asked.filter(isLevelLacking).map(name => warning(name, noLevels.reason)),
  ]
}

/** Whether a value differs from the value that applies without the field. */
function isConfigured(kind: DeclarableKind, name: string, value: Value): boolean {
  const json = value === null ? null : jsonOf(kind, name, value)
  return json !== undefined && json !== null && !isSameField(kind, name, json, null)
}

async function lackingFields(
  context: ResourceContext<DeclarableKind>,
  asked: readonly string[],
  prior: ObjectValue | null,
): Promise<readonly string[]> {
  const { kind, run } = context
  const hasBy = (live: readonly Live[]) => fieldsOf({ live, ...serviceOf(run) })
  const byProfile = hasBy([])
  // Usually the service has the fields, and no read is needed.
  const unsure = asked.filter(name => byProfile(kind, name) !== true)
  if (unsure.length === 0) return []
  const record = await recordFor(context, prior)
  const has = record ? hasBy([record]) : byProfile
  return unsure.filter(name => has(kind, name) === false)
}

/**
 * The record of the object, or of any other object in a list that was read. Undefined if reading fails; the
 * apply reports that.
 */
async function recordFor(
  context: ResourceContext<DeclarableKind>,
  prior: ObjectValue | null,
): Promise<Live | undefined> {
  const { kind, run, signal } = context
  if (kind.lifecycle.parent) return undefined
  const id = textOf(memberOf(prior ?? undefined, 'id'))
  return id === undefined
    ? run.shared.anyIfListed(kind)
    : run.shared.byId(kind, id, signal).catch(() => undefined)
}

function warning(name: string, reason: string): Diagnostic {
  return {
    severity: 'warning',
    summary: reason,
    detail: 'An apply refuses it. Remove it, or set it only for services that have it.',
    attribute: [name],
  }
}
