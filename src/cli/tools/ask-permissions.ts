import { type Client, isServiceError, type ServiceError, type Way } from '../../api/index.ts'
import { declarableKinds, event, featureFlag, kindBelow } from '../../kinds/index.ts'
import { scopeFor } from '../../kinds/key-scopes.ts'
import type { Profile } from '../../model/connection.ts'
import { isJsonArray, isJsonObject, type Json } from '../../model/json/json.ts'
import { type DeclarableKind, hasTargeting, type Kind, pluralTitle } from '../../model/kind.ts'
import type { Permission } from '../../report/document.ts'
import { behaviourOf, profilesWith } from '../../services/index.ts'
import { explainFailure } from '../plan/explain-failure.ts'

/** What came of asking something. */
export type Outcome =
  | { readonly is: 'answered' }
  | { readonly is: 'failed'; readonly error: unknown }
  | { readonly is: 'unasked'; readonly why: string }

/** How the service stores objects that belong to others: the grants of flags. */
export interface AskedGrants {
  readonly kind: DeclarableKind
  /** Undefined if no answer has shown it. */
  readonly way?: Way
  readonly outcome: Outcome
}

/** Asks for the grants of the first object of each list: only this shows which route the service has. */
export async function askGrants(client: Client, asked: readonly AskedList[]): Promise<AskedGrants[]> {
  const found: AskedGrants[] = []
  for (const list of asked) found.push(...(await askBelow(client, list)))
  return found
}

async function askBelow(client: Client, { name, kind, result }: AskedList): Promise<AskedGrants[]> {
  const below = kindBelow(kind.name)
  const { parent, levels } = below?.lifecycle ?? {}
  if (!below || !parent) return []
  const unasked = (why: string): AskedGrants[] => [{ kind: below, outcome: { is: 'unasked', why } }]
  if (result.is !== 'answered') return unasked(`the ${name} could not be read`)
  if (result.firstId === undefined) return unasked(`there are no ${name} to ask about`)
  const outcome = await outcomeOf(async () => {
    const rows = client.list(below.name, { params: { [parent.parameter]: result.firstId } })
    for await (const _ of rows) break
  })
  const refusal = outcome.is === 'failed' && isServiceError(outcome.error) ? outcome.error : undefined
  // A refusal because of the key comes from a route that exists.
  const refused = refusal?.status === 403 ? refusal.endpoint : undefined
  const seen = refused && (refused === below.endpoints[levels?.list ?? ''] ? 'levels' : 'records')
  const way = client.ways.known(below.name) ?? seen
  return [{ kind: below, outcome, ...(way === undefined ? {} : { way }) }]
}

/** Something that Vexil may want to do, and how it is found out, without writing, whether the key may. */
interface Question {
  readonly kind: Kind
  readonly operation: string
  readonly purpose: string
  /**
   * `asked`: it was requested before. `read`: it reads, so it is really done. `probe`: it names an object
   * that cannot exist, and the kind of refusal shows whether the key was accepted.
   */
  readonly how: { readonly is: 'asked'; readonly outcome: Outcome } | { readonly is: 'read' | 'probe' }
  /** Whether the service is known to have this path. If not, its 404 shows nothing. */
  readonly isThere: boolean
}

/**
 * Whether the key may do what Vexil does, operation by operation. None of the requests can write. `possible`:
 * the services that it may be.
 */
export async function askPermissions(
  client: Client,
  possible: readonly Profile[],
  asked: readonly AskedList[],
  grants: readonly AskedGrants[],
): Promise<Permission[]> {
  const { profile } = client.target
  const permissions: Permission[] = []
  let failure: string | undefined
  for (const question of questionsOf(possible, asked, grants)) {
    const outcome = await answerTo(question, client, failure ?? reasonNotToAsk(question.kind, asked))
    permissions.push(permissionOf(question, outcome, profile))
    // A service that is silent, or throttles, gets no more requests.
    if (outcome.is === 'failed' && isOverwhelmed(outcome.error)) failure = 'an earlier request failed'
  }
  return permissions
}

function questionsOf(
  possible: readonly Profile[],
  asked: readonly AskedList[],
  grants: readonly AskedGrants[],
): Question[] {
  const isProjectThere = asked.some(({ kind, result }) => kind.scope === event.scope && isRoute(result))
  return [
    ...asked.flatMap(list => [
      ...questionsAbout(list),
      ...grants
        .filter(({ kind }) => kind.lifecycle.parent?.kind === list.kind.name)
        .flatMap(levelQuestions(possible)),
    ]),
    {
      ...{ kind: event, operation: 'read', purpose: `read ${pluralTitle(event)}` },
      ...{ how: { is: 'probe' }, isThere: isProjectThere },
    },
  ]
}

function questionsAbout({ name, kind, result }: AskedList): Question[] {
  const { list, update, softDelete, files, estimate } = kind.lifecycle
  const isThere = isRoute(result)
  const rows: readonly (readonly [string | undefined, string, Question['how']])[] = [
    [list, `read ${name}`, { is: 'asked', outcome: outcomeIn(result) }],
    [update, `change ${name}`, { is: 'probe' }],
    [softDelete?.trail, `find deleted ${name} before one is created`, { is: 'read' }],
    [files?.read, `read the files of ${name}`, { is: 'probe' }],
    [files?.write, `change the files of ${name}`, { is: 'probe' }],
    [estimate, 'estimate how many people a condition reaches', { is: 'read' }],
  ]
  return rows.flatMap(([operation, purpose, how]) =>
    operation === undefined ? [] : [{ kind, operation, purpose, how, isThere }],
  )
}

/** Grants have a scope of their own only if they have levels. */
function levelQuestions(possible: readonly Profile[]): (grants: AskedGrants) => Question[] {
  return ({ kind, way, outcome }) => {
    const { levels } = kind.lifecycle
    if (!levels) return []
    const isThere = way === 'levels'
    const maybe =
      way === undefined &&
      profilesWith(levels.behaviour, levels.is).some(profile => possible.includes(profile))
    if (!isThere && !maybe) return []
    const name = pluralTitle(kind)
    return [
      {
        ...{ kind, operation: levels.list, purpose: `read ${name}`, isThere },
        how: isThere ? { is: 'asked', outcome } : { is: 'probe' },
      },
      { kind, operation: levels.put, purpose: `change ${name}`, how: { is: 'probe' }, isThere },
    ]
  }
}

async function answerTo({ kind, operation, how }: Question, client: Client, why?: string): Promise<Outcome> {
  if (how.is === 'asked') return how.outcome
  if (why !== undefined) return { is: 'unasked', why }
  return outcomeOf(() => {
    if (how.is === 'probe') return client.probe(kind.name, operation)
    const isPost = kind.endpoints[operation]?.method === 'POST'
    return client.call(kind.name, operation, isPost ? { body: {} } : { query: { limit: 1 } })
  })
}

async function outcomeOf(ask: () => Promise<unknown>): Promise<Outcome> {
  try {
    await ask()
    return { is: 'answered' }
  } catch (error) {
    return { is: 'failed', error }
  }
}

function outcomeIn(result: AskedList['result']): Outcome {
  switch (result.is) {
    case 'answered':
    case 'unasked':
      return result
    case 'refused':
    case 'gone':
    case 'silent':
      return { is: 'failed', error: result.error }
  }
}

/** Whether the service has shown that it has the list: a refusal that is about the key comes from what is there. */
function isRoute(result: AskedList['result']): boolean {
  return result.is === 'answered' || (result.is === 'refused' && [402, 403].includes(result.error.status))
}

function isOverwhelmed(error: unknown): boolean {
  return !isServiceError(error) || [429, 502, 503, 504].includes(error.status)
}

const noPath = 'the service has no such path, or there is nothing to ask about'

/**
 * What an answer shows of the key. The service checks the key first, then its scopes, and then the object
 * [service-behaviour 8]. So a refusal because of the object means that the key was accepted.
 *
 * | answer                            | may       |
 * |-----------------------------------|-----------|
 * | any success, 400                  | yes       |
 * | 404 from a path that is there     | yes       |
 * | 402, 403                          | no        |
 * | anything else, or none            | not known |
 */
function permissionOf(
  { kind, operation, purpose, isThere }: Question,
  outcome: Outcome,
  profile: Profile,
): Permission {
  const scope = scopeFor(kind, operation, behaviourOf(profile))
  const about = { operation: `${kind.name}.${operation}`, purpose, ...(scope === undefined ? {} : { scope }) }
  if (outcome.is === 'answered') return { ...about, may: 'yes' }
  if (outcome.is === 'unasked') return { ...about, may: 'not_known', reason: outcome.why }
  const { error } = outcome
  const status = isServiceError(error) ? error.status : undefined
  if (status === 400 || (status === 404 && isThere)) return { ...about, may: 'yes' }
  const reason = status === 404 ? noPath : explainFailure(error)
  if (status !== 402 && status !== 403) return { ...about, may: 'not_known', reason }
  const isScope = scope !== undefined && isServiceError(error) && (error.detail ?? '').includes(scope)
  return { ...about, may: 'no', reason, ...(isScope ? { lacksScope: true } : {}) }
}

/** One list of the service that a plan may read, and the result of a request for one row. */
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
  /** There is no such list, although its project or organization exists. */
  | { readonly is: 'gone'; readonly error: ServiceError }
  /** No answer, or one that is not from this service. */
  | { readonly is: 'silent'; readonly error: unknown }
  | { readonly is: 'unasked'; readonly why: string }

/** Why nothing is known of a list: there was no answer. */
export const noAnswer = 'the service did not answer'

/** Why nothing is known of a list: the service did not accept the key. */
export const notLetIn = 'the key was not let in'

/** The lists, in the order of the requests. */
const lists = (['project', 'organization'] as const).flatMap(owner =>
  declarableKinds
    .filter(({ scope, lifecycle }) => scope === owner && !lifecycle.parent)
    .map(kind => ({ name: pluralTitle(kind), kind, isNeeded: hasTargeting(kind) })),
)

/** Requests one row of each list: enough to see whether the service is there and what the key may read. */
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

/** Every list as one that could not be requested. */
export function unaskedLists(why: string): AskedList[] {
  return lists.map(list => ({ ...list, result: { is: 'unasked', why } }))
}

/** The lists of a project, or of an organization. */
export function listsOf(owner: Kind['scope'], asked: readonly AskedList[]): AskedList[] {
  return asked.filter(({ kind }) => kind.scope === owner)
}

/** Whether the service answers that there is no such project or organization. */
export function isMissing(owner: Kind['scope'], asked: readonly AskedList[]): boolean {
  const own = listsOf(owner, asked)
  return statusesOf(own).includes(404) && !own.some(({ result }) => ['answered', 'gone'].includes(result.is))
}

/** The codes with which the service has refused. */
export function statusesOf(asked: readonly AskedList[]): number[] {
  return asked.flatMap(({ result }) => (result.is === 'refused' ? [result.error.status] : []))
}

/** Why a kind is not requested: a service that refuses the key refuses every request. */
function reasonNotToAsk({ scope }: Kind, asked: readonly AskedList[]): string | undefined {
  if (asked.some(({ result }) => result.is === 'silent')) return noAnswer
  if (statusesOf(asked).includes(401)) return notLetIn
  return isMissing(scope, asked) ? `that ${scope} was not found` : undefined
}

async function askOne(client: Client, kind: DeclarableKind): Promise<ListResult> {
  try {
    const { body } = await client.call(kind.name, kind.lifecycle.list, { query: { limit: 1 } })
    return { is: 'answered', ...countIn(body) }
  } catch (error) {
    if (!isServiceError(error)) return { is: 'silent', error }
    const isGone = error.status === 404 && kind.lifecycle.mayBeGone !== undefined && (await hasOwner(client))
    return { is: isGone ? 'gone' : 'refused', error }
  }
}

/** Whether the organization exists: it lists its flags, whether or not it has plugins. */
async function hasOwner(client: Client): Promise<boolean> {
  return client.probe(featureFlag.name, 'readByKey').then(
    () => true,
    () => false,
  )
}

function countIn(body: Json): { count?: number; firstId?: string } {
  const { count, results } = isJsonObject(body) ? body : {}
  const [first] = results !== undefined && isJsonArray(results) ? results : []
  const id = first !== undefined && isJsonObject(first) ? first.id : undefined
  return {
    ...(typeof count === 'number' ? { count } : {}),
    ...(id === undefined || id === null ? {} : { firstId: String(id) }),
  }
}
