import { isServiceError, type ServiceError } from '../../../api/index.ts'
import { declarableKinds } from '../../../kinds/index.ts'
import { hasTargeting, pluralTitle } from '../../../model/kind.ts'
import type { Runtime } from '../../../model/runtime.ts'
import type { Session } from '../../connection/session.ts'

/** One list of the service that a plan may read, and what came of asking for a row of it. */
export interface AskedList {
  readonly name: string
  readonly owner: 'project' | 'organization'
  /** Whether no plan can do without it. */
  readonly isNeeded: boolean
  readonly result: ListResult
}

export type ListResult =
  /** `aheadMs`: how far the clock of the service is ahead of ours, where it says what time it is. */
  | { readonly is: 'answered'; readonly count?: number; readonly aheadMs?: number }
  /** The service has answered, and the answer is no. */
  | { readonly is: 'refused'; readonly error: ServiceError }
  /** Nothing answered, or nothing that is this service. */
  | { readonly is: 'silent'; readonly error: unknown }
  | { readonly is: 'unasked'; readonly why: string }

/** Why nothing is known of a list: nobody has answered. */
export const noAnswer = 'the service did not answer'

/** Why nothing is known of a list: the service wants to know first who asks. */
export const notLetIn = 'the key was not let in'

/** The lists, in the order in which they are asked for. */
const lists = (['project', 'organization'] as const).flatMap(owner =>
  declarableKinds
    .filter(({ scope, lifecycle }) => scope === owner && !lifecycle.parent)
    .map(kind => ({ name: pluralTitle(kind), kind: kind.name, owner, isNeeded: hasTargeting(kind) })),
)

/** Asks for one row of each list: enough to see whether the service is there and what the key may read. */
export async function askLists({ client, connection }: Session, runtime: Runtime): Promise<AskedList[]> {
  const ids = { project: connection.projectId, organization: connection.organizationId }
  const asked: AskedList[] = []
  for (const { kind, ...list } of lists) {
    const why = reasonNotToAsk(list.owner, ids[list.owner], asked)
    const result = why === undefined ? await askOne(client, kind, runtime) : ({ is: 'unasked', why } as const)
    asked.push({ ...list, result })
  }
  return asked
}

/** Every list as one that nobody could be asked for. */
export function unaskedLists(why: string): AskedList[] {
  return lists.map(({ kind: _, ...list }) => ({ ...list, result: { is: 'unasked', why } }))
}

/** Whether the service says that there is no such project or organization. */
export function isMissing(owner: AskedList['owner'], asked: readonly AskedList[]): boolean {
  const own = asked.filter(list => list.owner === owner)
  return statusesOf(own).includes(404) && !own.some(({ result }) => result.is === 'answered')
}

/** The codes with which the service has refused. */
export function statusesOf(asked: readonly AskedList[]): number[] {
  return asked.flatMap(({ result }) => (result.is === 'refused' ? [result.error.status] : []))
}

/** Who is not there, or does not let the key in, says the same to every question. */
function reasonNotToAsk(
  owner: AskedList['owner'],
  id: string | undefined,
  asked: readonly AskedList[],
): string | undefined {
  if (id === undefined) return `no ${owner} is set`
  if (asked.some(({ result }) => result.is === 'silent')) return noAnswer
  if (statusesOf(asked).includes(401)) return notLetIn
  return isMissing(owner, asked) ? `that ${owner} was not found` : undefined
}

async function askOne(
  client: Session['client'],
  kind: (typeof lists)[number]['kind'],
  runtime: Runtime,
): Promise<ListResult> {
  try {
    const { body, dateMs } = await client.call(kind, 'list', { query: { limit: 1 } })
    return {
      is: 'answered',
      ...countIn(body),
      ...(dateMs === undefined ? {} : { aheadMs: dateMs - runtime.now() }),
    }
  } catch (error) {
    return isServiceError(error) ? { is: 'refused', error } : { is: 'silent', error }
  }
}

function countIn(body: unknown): { count?: number } {
  const count = typeof body === 'object' && body !== null && 'count' in body ? body.count : undefined
  return typeof count === 'number' ? { count } : {}
}
