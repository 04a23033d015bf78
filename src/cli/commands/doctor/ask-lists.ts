import { type Client, isServiceError, type ServiceError } from '../../../api/index.ts'
import { declarableKinds, featureFlag } from '../../../kinds/index.ts'
import { isJsonArray, isJsonObject, type Json } from '../../../model/json/json.ts'
import { type DeclarableKind, hasTargeting, type Kind, pluralTitle } from '../../../model/kind.ts'

/** One list of the service that a plan may read, and what came of asking for a row of it. */
export interface AskedList {
  readonly name: string
  readonly kind: DeclarableKind
  /** Whether no plan can do without it. */
  readonly isNeeded: boolean
  readonly result: ListResult
}

export type ListResult =
  | { readonly is: 'answered'; readonly count?: number; readonly firstId?: string }
  /** The service has answered, and the answer is no. */
  | { readonly is: 'refused'; readonly error: ServiceError }
  /** There is no such list, though whose it would be is there. */
  | { readonly is: 'gone'; readonly error: ServiceError }
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
    .map(kind => ({ name: pluralTitle(kind), kind, isNeeded: hasTargeting(kind) })),
)

/** Asks for one row of each list: enough to see whether the service is there and what the key may read. */
export async function askLists(client: Client): Promise<AskedList[]> {
  const { projectId, organizationId } = client.target
  const ids = { project: projectId, organization: organizationId }
  const asked: AskedList[] = []
  for (const list of lists) {
    const owner = list.kind.scope
    const why = ids[owner] === undefined ? `no ${owner} is set` : reasonNotToAsk(list.kind, asked)
    const result = why === undefined ? await askOne(client, list.kind) : ({ is: 'unasked', why } as const)
    asked.push({ ...list, result })
  }
  return asked
}

/** Every list as one that nobody could be asked for. */
export function unaskedLists(why: string): AskedList[] {
  return lists.map(list => ({ ...list, result: { is: 'unasked', why } }))
}

/** The lists of a project, or of an organization. */
export function listsOf(owner: Kind['scope'], asked: readonly AskedList[]): AskedList[] {
  return asked.filter(({ kind }) => kind.scope === owner)
}

/** Whether the service says that there is no such project or organization. */
export function isMissing(owner: Kind['scope'], asked: readonly AskedList[]): boolean {
  const own = listsOf(owner, asked)
  return statusesOf(own).includes(404) && !own.some(({ result }) => ['answered', 'gone'].includes(result.is))
}

/** The codes with which the service has refused. */
export function statusesOf(asked: readonly AskedList[]): number[] {
  return asked.flatMap(({ result }) => (result.is === 'refused' ? [result.error.status] : []))
}

/** Why there is no sense in asking for what belongs to a kind: who does not let the key in says so to every question. */
export function reasonNotToAsk({ scope }: Kind, asked: readonly AskedList[]): string | undefined {
  if (asked.some(({ result }) => result.is === 'silent')) return noAnswer
  if (statusesOf(asked).includes(401)) return notLetIn
  return isMissing(scope, asked) ? `that ${scope} was not found` : undefined
}

async function askOne(client: Client, kind: DeclarableKind): Promise<ListResult> {
  try {
    const { body } = await client.call(kind.name, kind.lifecycle.list, { query: { limit: 1 } })
    return { is: 'answered', ...toldBy(body) }
  } catch (error) {
    if (!isServiceError(error)) return { is: 'silent', error }
    const isGone = error.status === 404 && kind.lifecycle.mayBeGone !== undefined && (await hasOwner(client))
    return { is: isGone ? 'gone' : 'refused', error }
  }
}

/** Whether there is the organization: it answers what it has of flags, whether or not it has plugins. */
async function hasOwner(client: Client): Promise<boolean> {
  return client.probe(featureFlag.name, 'readByKey').then(
    () => true,
    () => false,
  )
}

function toldBy(body: Json): { count?: number; firstId?: string } {
  const { count, results } = isJsonObject(body) ? body : {}
  const [first] = results !== undefined && isJsonArray(results) ? results : []
  const id = first !== undefined && isJsonObject(first) ? first.id : undefined
  return {
    ...(typeof count === 'number' ? { count } : {}),
    ...(id === undefined || id === null ? {} : { firstId: String(id) }),
  }
}
