import { canonicalIdentity } from '../../core/live.ts'
import { unsupported } from '../../hcl/index.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import type { ResourceInstance } from '../evaluate/resources.ts'
import { blockMembers } from '../read/stack-file.ts'
import { howToShow } from './not-a-plan.ts'
import { idText, type PlannedChange, textOf } from './planned-change.ts'

/**
 * How a change of a plan affects the name of an object.
 *
 * | actions           | name     | result                                                       |
 * |-------------------|----------|--------------------------------------------------------------|
 * | update            | another  | a rename of the object with the id                           |
 * | delete and create | another  | another object; the replaced one is no longer declared       |
 * | any               | the same | nothing                                                      |
 */
export function renamedIn(change: PlannedChange, kind: DeclarableKind): ResourceInstance['renamed'] {
  const from = formerName(change, kind)
  if (from === undefined || !change.actions.includes('update')) return undefined
  const id = idText(blockMembers(change.before).id)
  if (id === undefined)
    throw unsupported(`it renames ${JSON.stringify(from)} and does not say its id`, howToShow)
  return { id, from }
}

/** The former name of an object that a plan renames or replaces. */
export function formerName(
  { before, after }: Pick<PlannedChange, 'before' | 'after'>,
  kind: DeclarableKind,
): string | undefined {
  if (kind.identity.by !== 'field') return undefined
  const { field } = kind.identity
  const [was, becomes] = [before, after].map(side =>
    canonicalIdentity(kind, textOf(blockMembers(side)[field])),
  )
  return was === '' || becomes === '' || was === becomes ? undefined : was
}
