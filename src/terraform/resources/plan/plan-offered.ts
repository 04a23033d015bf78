import { isSameField } from '../../../core/diff.ts'
import { fieldsOf, noLevels, notOfferedYet } from '../../../core/guards/offered.ts'
import type { Live } from '../../../core/live.ts'
import { levelsOf, serviceOf } from '../../../core/read/snapshot.ts'
import { memberOf, type ObjectValue, type Value } from '../../../hcl/values.ts'
import { type DeclarableKind, managedFields } from '../../../model/kind.ts'
import type { Diagnostic, Diagnostics } from '../../diagnostic.ts'
import type { ProposedChange } from '../../provider.ts'
import type { Session } from '../../session/session.ts'
import { jsonOf } from '../field-value.ts'
import { contextOf, ownerAttribute, type ResourceContext, textOf } from '../resource-context.ts'

/**
 * What is configured of newer services and this one does not have, by what was read of it: an apply refuses that.
 *
 * | configured            | it is lacking, where                                                                   |
 * |-----------------------|----------------------------------------------------------------------------------------|
 * | a field               | the object's record has none, or for a new one the first of the list, nor has the profile |
 * | the level of a grant  | the service has answered as one without levels                                         |
 *
 * These are warnings, as all that is only known by reading: `terraform destroy` plans what is configured first.
 */
export async function planOffered(
  kind: DeclarableKind,
  session: Session,
  { prior, config }: ProposedChange,
  planned: ObjectValue,
  signal: AbortSignal,
): Promise<Diagnostics> {
  const asked = managedFields(kind).filter(
    name => kind.fields[name]?.newer && isSaid(kind, name, memberOf(config, name)),
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

/** Whether a value says anything else than what is so without the field. */
function isSaid(kind: DeclarableKind, name: string, value: Value): boolean {
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
  // Mostly the service is one that has them, and nothing is read for that.
  const unsure = asked.filter(name => byProfile(kind, name) !== true)
  if (unsure.length === 0) return []
  const record = await recordFor(context, prior)
  const has = record ? hasBy([record]) : byProfile
  return unsure.filter(name => has(kind, name) === false)
}

/** The object itself, or any other of a list that a plan has read; nothing where it cannot be read, which an apply tells. */
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
