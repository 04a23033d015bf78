import { isRequestFailure, isServiceError } from '../../api/index.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import { backoffMs } from '../backoff.ts'
import type { Change } from '../change.ts'
import type { Live } from '../live.ts'
import { notReadWhole } from '../plan/guards/block.ts'
import { locateAll, readAgain } from '../read/locate.ts'
import { confirmWrite } from './confirm-write.ts'
import { type PerformContext, parentParams } from './performed.ts'
import { sameFields } from './wanted.ts'

/** What there is of a name after one object of it was created. */
export type Copies =
  | { readonly is: 'only' }
  /** Somebody else's came first, and stays; ours is gone again. */
  | { readonly is: 'other'; readonly live: Live; readonly tookBack: string }
  /** `id`: of the object that this run has made and that is still there. */
  | { readonly is: 'stale'; readonly reason: string; readonly id?: string }

/**
 * Sees to it that a creation leaves one object of its name, where the service takes any number of them. Two runs may
 * have created one each, or one request may have been delivered twice, so the list is read again; of several, the one
 * with the lowest id stays. Ours is the one with the id that our request was answered with, and nothing else is ever
 * deleted: after a lost answer there is none of which that could be proven.
 *
 * | ours      | of that name there are      | outcome                                                          |
 * |-----------|-----------------------------|------------------------------------------------------------------|
 * | known     | ours, or none               | done                                                             |
 * | known     | ours first, then others     | others are waited for, their runs take them back; then stale     |
 * | known     | others first, ours as made  | ours is deleted, and the first one is looked at as if ours had   |
 * |           |                             | never been made                                                  |
 * | known     | others first, ours changed  | stale; somebody has begun to use it                              |
 * | known     | others only                 | looked at again, as long as a list may be late; then stale       |
 * | not known | one                         | done                                                             |
 * | not known | several                     | waited for; then stale, one of them may be ours                  |
 * | any       | a list not read whole       | read again, where it may do better; then stale                   |
 *
 * A run deletes its own only when it sees a lower one, and the lowest of all is seen by nobody as higher than another:
 * so one is always left, and nothing is created anew. Where nothing can be proven, the run says so and ends in 5.
 */
export async function resolveCopies(
  kind: DeclarableKind,
  change: Change,
  ours: string | undefined,
  context: PerformContext,
): Promise<Copies> {
  const params = parentParams(kind, change, context)
  for (let look = 1; ; look++) {
    const seen = await listCopies(kind, change, params, context)
    const [first, ...others] = seen.living
    const isOurs = first === undefined || first.id === ours
    if (seen.is === 'whole' && others.length === 0 && (isOurs || ours === undefined)) return { is: 'only' }
    const mine = others.find(({ id }) => id === ours)
    if (first && mine) return takeBack(kind, change, { mine, first }, context)
    if (look === mostLooks || seen.is === 'refused') {
      return { is: 'stale', reason: reasonFor(seen, ours), ...(ours === undefined ? {} : { id: ours }) }
    }
    await context.runtime.sleep(backoffMs(firstWaitMs, look, context.runtime), context.signal)
  }
}

interface Seen {
  readonly is: 'whole' | 'in part' | 'failed' | 'refused'
  /** The oldest first. */
  readonly living: readonly Live[]
  readonly why?: string
}

/** An object that was made is no failure because the list fails that is read afterwards. */
async function listCopies(
  kind: DeclarableKind,
  { identity }: Change,
  params: Readonly<Record<string, string>>,
  context: PerformContext,
): Promise<Seen> {
  try {
    const { living, isComplete } = await locateAll(kind, identity, params, context)
    return { is: isComplete ? 'whole' : 'in part', living: [...living].sort(byId) }
  } catch (error) {
    if (!isRequestFailure(error)) throw error
    const isRefused = isServiceError(error) && error.status < 500
    return { is: isRefused ? 'refused' : 'failed', living: [], why: error.message }
  }
}

/** What there is of a name before one is created: other runs may be about to take theirs back. */
export async function oneOfName(
  kind: DeclarableKind,
  { identity }: Change,
  params: Readonly<Record<string, string>>,
  context: PerformContext,
): Promise<Live | undefined | { readonly is: 'stale'; readonly reason: string }> {
  for (let look = 1; ; look++) {
    const { living, isComplete } = await locateAll(kind, identity, params, context)
    if (living.length === 1 || (living.length === 0 && isComplete)) return living[0]
    if (look === mostLooks)
      return { is: 'stale', reason: living.length === 0 ? notReadWhole.reason : severalReason(living) }
    await context.runtime.sleep(backoffMs(firstWaitMs, look, context.runtime), context.signal)
  }
}

function severalReason(living: readonly Live[]): string {
  const ids = [...living].sort(byId).map(({ id }) => id)
  return `${living.length} objects have this name (ids ${ids.join(', ')}); delete those that are too many, or say which one with \`id:\``
}

/** With the waits in between about six seconds: other runs take theirs back with three requests. */
const mostLooks = 6
const firstWaitMs = 125

async function takeBack(
  kind: DeclarableKind,
  change: Change,
  { mine, first }: { readonly mine: Live; readonly first: Live },
  context: PerformContext,
): Promise<Copies> {
  const { id } = mine
  const { remove } = kind.lifecycle
  const both = `it was made twice at the same time (ids ${first.id} and ${id})`
  const find = () => readAgain(kind, { ...change, id, files: undefined }, context)
  if (remove?.by !== 'delete')
    return { is: 'stale', reason: `${both}, and the one of this run cannot be deleted`, id }
  const stuck = (error: unknown, tried: string): Copies => {
    if (!isRequestFailure(error)) throw error
    return {
      is: 'stale',
      reason: `${both}, and the one of this run, id ${id}, could not be ${tried}: ${error.message}`,
      id,
    }
  }
  try {
    const seen = await find()
    if (seen && !sameFields(kind, change.after, seen.record)) {
      return {
        is: 'stale',
        reason: `${both}, and somebody has changed the one of this run, id ${id}, since`,
        id,
      }
    }
  } catch (error) {
    return stuck(error, 'looked at')
  }
  const removed = await confirmWrite({
    ...context,
    write: { kind, endpoint: remove.endpoint, params: { ...parentParams(kind, change, context), id } },
    find,
    isDone: () => false,
    isUntouched: () => true,
    goneIsDone: true,
  })
  return removed.is === 'failed'
    ? stuck(removed.error, 'deleted')
    : { is: 'other', live: first, tookBack: id }
}

function reasonFor({ is, living, why }: Seen, ours: string | undefined): string {
  const created = ours === undefined ? 'it was created' : `it was created with id ${ours}`
  if (is === 'in part') return `${created}, and the list of what else has its name was not read whole`
  if (why !== undefined) return `${created}, and what else has its name could not be read: ${why}`
  if (living.length > 1) return severalReason(living)
  return `${created}, and only another one (id ${living[0]?.id}) is listed`
}

/** Ids count up, so the lowest is the oldest. */
function byId(left: Live, right: Live): number {
  return left.id.localeCompare(right.id, 'en', { numeric: true })
}
