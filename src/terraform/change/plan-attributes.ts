import { isSameField } from '../../core/diff.ts'
import { fieldsOf, goneReason, noLevels, notOfferedYet } from '../../core/guards/offered.ts'
import type { Live } from '../../core/live.ts'
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
import { givenTyped } from '../../schema/terraform/targeting-attributes.ts'
import { replacingAttributes } from '../../schema/terraform/terraform-extras.ts'
import { resourceBlock } from '../../schema/terraform/terraform-schema.ts'
import { profilesWith } from '../../services/index.ts'
import type { Diagnostic, Diagnostics, PlanAnswer, ProposedChange } from '../provider.ts'
import { isSameMeaning, jsonOf } from '../resources/field-value.ts'
import {
  contextOf,
  deletedMark,
  isMarkedDeleted,
  ownerAttribute,
  type ResourceContext,
  textOf,
} from '../resources/resource-context.ts'
import type { Session } from '../session.ts'
import { filtersPlanned, filtersWarnings } from './plan-filters.ts'
import { recall, remember } from './remembered.ts'
import { allTags, isSameTags } from './tags.ts'

/**
 * What an object will be, attribute by attribute.
 *
 * | configuration | if there is no object yet           | if there is one                                        |
 * |---------------|-------------------------------------|--------------------------------------------------------|
 * | has a value   | that value                          | the live value if it means the same, else the new one  |
 * | has none      | unknown if the service fills it in  | the live value                                         |
 *
 * So only something new is "known after apply", and another spelling of the same value plans nothing.
 */
export function planAttributes(kind: DeclarableKind, session: Session, change: ProposedChange): PlanAnswer {
  const { prior, priorPrivate } = change
  const planned = prior ? plannedUpdate(kind, session, change, prior) : plannedCreate(kind, session, change)
  const replacing = prior ? changedOf(replacingAttributes(kind), prior, planned) : []
  // Remembered data is needed when the replaced object is destroyed; a creation does not need it.
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
  // Includes fields that the service may lack. The service may become known only when the apply plans again,
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

/** The value that is assumed if a configuration does not set the field. */
function assumedIn({ fields }: DeclarableKind, name: string, was: Value): Value {
  const assumed = was === null ? undefined : fields[name]?.assumed
  return typeof assumed === 'string' || typeof assumed === 'boolean' ? assumed : null
}

/** `ignore_changes = [deleted]` puts the mark into the configuration, though no person can write it there. */
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
  // An unknown project does not count as another project. If it becomes one, Terraform
  // refuses to apply, and the next plan shows the move. So a late setting does not cost anybody a flag.
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
  // `ignore_changes` puts the live tags into the configuration, though no person can write them there.
  if (memberOf(config, 'tags_all') !== null) return { tags_all: was }
  const all = allTags(memberOf(planned, ownedBy), session.defaultTags)
  return { tags_all: was !== null && isWhollyKnown(all) && isSameTags(all, was) ? was : all }
}

/** The attributes that the plan changes, including unknown ones; one that was never set changes nothing. */
export function changedOf(names: readonly string[], prior: ObjectValue, planned: ObjectValue): string[] {
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
    // A new object in place of this one keeps none of its filters, and is planned separately.
    ...(prior && !isReplacing ? filtersWarnings(kind, prior, config, planned) : []),
    ...originWarning(prior, config, recall(priorPrivate).origin !== undefined),
  ]
}

/** Configured fields that an older service had and this one has not. */
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
    detail: 'Leave it out.',
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
      detail: `Without \`${targeting}\` and \`release\` everybody gets it at once. Set one of them${turned === undefined ? '' : `, or \`${turned} = false\``}.`,
      attribute: [identityField(kind)],
    },
  ]
}

function originWarning(prior: ObjectValue | null, config: ObjectValue, hasOrigin: boolean): Diagnostic[] {
  if (prior === null || hasOrigin || memberOf(config, 'on_destroy') !== 'restore') return []
  return [
    {
      severity: 'warning',
      summary: 'there is nothing to restore when this is destroyed',
      detail: 'It was imported, so nobody knows what it was like before. Destroying will leave it as it is.',
      attribute: ['on_destroy'],
    },
  ]
}

function attributesOf(kind: DeclarableKind): string[] {
  return Object.keys(resourceBlock(kind).attributes)
}

/**
 * Warns of configured fields that only newer services have and this one lacks; an apply refuses them.
 *
 * | configured            | is lacking if                                                                             |
 * |-----------------------|----------------------------------------------------------------------------------------|
 * | a field               | the object's record lacks it, or for a new object the first of the list, and the profile  |
 * | the level of a grant  | the service has answered as one without levels                                         |
 *
 * These are warnings because they depend on reads: `terraform destroy` first plans everything configured.
 */
export async function planOffered(
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

/** Whether a value differs from what is true without the field. */
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
  // Usually the service has them, and then nothing is read.
  const unsure = asked.filter(name => byProfile(kind, name) !== true)
  if (unsure.length === 0) return []
  const record = await recordFor(context, prior)
  const has = record ? hasBy([record]) : byProfile
  return unsure.filter(name => has(kind, name) === false)
}

/** The object, or any other of a list that was read; undefined if reading fails, which the apply reports. */
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
    detail: 'An apply refuses it. Leave it out, or give it only where the service has it.',
    attribute: [name],
  }
}
