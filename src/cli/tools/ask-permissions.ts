import { type Client, isServiceError, type Way } from '../../api/index.ts'
import { declarableKinds, event, featureFlag, kindBelow } from '../../kinds/index.ts'
import { scopeFor } from '../../kinds/key-scopes.ts'
import type { Profile, ProfileSetting } from '../../model/connection.ts'
import { type DeclarableKind, hasTargeting, type Kind, pluralTitle } from '../../model/kind.ts'
import { isJsonArray, isJsonObject, type Json } from '../../model/text/json.ts'
import type { Permission } from '../../report/document.ts'
import { behaviourOf, profilesWith } from '../../services/differences.ts'
import { explainFailure } from '../plan/explain-failure.ts'

/** A failure without a status: nothing answered, or something that is not the service. */
export type Outcome =
  | { readonly is: 'answered'; readonly count?: number; readonly firstId?: string }
  | {
      readonly is: 'failed'
      readonly error: unknown
      readonly status?: number
      /** Whether the list does not exist, although its project or organization does. */
      readonly isGone?: boolean
    }
  | { readonly is: 'unasked'; readonly why: string }

/** A list that plans may read, and the result of a request for one row. */
export interface AskedList {
  readonly name: string
  readonly kind: DeclarableKind
  /** Whether all plans need it. */
  readonly isNeeded: boolean
  readonly outcome: Outcome
  /** The grants of its first object, which show the route for grants. */
  readonly grants?: AskedGrants
}

/** How the service stores the grants of flags. */
export interface AskedGrants {
  readonly kind: DeclarableKind
  /** Undefined if unknown. */
  readonly way?: Way
  readonly outcome: Outcome
}

/** The answers about lists and the key. */
export interface AskedService {
  readonly asked: readonly AskedList[]
  readonly permissions: readonly Permission[]
}

export const noAnswer = 'the service did not answer'
export const notLetIn = 'the key was not accepted'

/** The lists, in the order of the requests. */
const lists = (['project', 'organization'] as const).flatMap(owner =>
  declarableKinds
    .filter(({ scope, lifecycle }) => scope === owner && !lifecycle.parent)
    .map(kind => ({ name: pluralTitle(kind), kind, isNeeded: hasTargeting(kind) })),
)

/** All lists, marked as not requested. */
export function unaskedLists(why: string): AskedList[] {
  return lists.map(list => ({ ...list, outcome: { is: 'unasked', why } }))
}

/** Requests one row of each list, one list of grants, and probes of permissions. It writes nothing. */
export async function askService(client: Client, profile: ProfileSetting): Promise<AskedService> {
  const { projectId, organizationId } = client.target
  const ids = { project: projectId, organization: organizationId }
  const read: AskedList[] = []
  for (const list of lists) {
    const owner = list.kind.scope
    const why = ids[owner] === undefined ? `no ${owner} is set` : reasonNotToAsk(list.kind, read)
    read.push({
      ...list,
      outcome: why === undefined ? await askOne(client, list.kind) : { is: 'unasked', why },
    })
  }
  const asked: AskedList[] = []
  for (const list of read) asked.push({ ...list, grants: await askGrants(client, list) })
  const possible = profile === 'auto' ? client.recognized.possible : [profile]
  return { asked, permissions: await askPermissions(client, possible, asked) }
}

export function listsOf(owner: Kind['scope'], asked: readonly AskedList[]): AskedList[] {
  return asked.filter(({ kind }) => kind.scope === owner)
}

/** Whether the service answers that the project or organization does not exist. */
export function isMissing(owner: Kind['scope'], asked: readonly AskedList[]): boolean {
  const own = listsOf(owner, asked)
  const isThere = own.some(({ outcome }) => outcome.is === 'answered' || isGone(outcome))
  return statusesOf(own).includes(404) && !isThere
}

export function isGone(outcome: Outcome): boolean {
  return outcome.is === 'failed' && outcome.isGone === true
}

/** The status of a refusal for something that exists. */
export function refusalOf(outcome: Outcome): number | undefined {
  return outcome.is === 'failed' && !outcome.isGone ? outcome.status : undefined
}

export function statusesOf(asked: readonly AskedList[]): number[] {
  return asked.flatMap(({ outcome }) => refusalOf(outcome) ?? [])
}

/** Whether nothing answered, or something that is not the service. */
export function isSilent(outcome: Outcome): boolean {
  return outcome.is === 'failed' && outcome.status === undefined
}

/** Why a kind is not requested: the key or its project was already refused. */
function reasonNotToAsk({ scope }: Kind, asked: readonly AskedList[]): string | undefined {
  if (asked.some(({ outcome }) => isSilent(outcome))) return noAnswer
  if (statusesOf(asked).includes(401)) return notLetIn
  return isMissing(scope, asked) ? `that ${scope} was not found` : undefined
}

async function outcomeOf(ask: () => Promise<unknown>): Promise<Outcome> {
  try {
    await ask()
    return { is: 'answered' }
  } catch (error) {
    return { is: 'failed', error, status: isServiceError(error) ? error.status : undefined }
  }
}

async function askOne(client: Client, kind: DeclarableKind): Promise<Outcome> {
  let body: Json = null
  const outcome = await outcomeOf(async () => {
    body = (await client.call(kind.name, kind.lifecycle.list, { query: { limit: 1 } })).body
  })
  if (outcome.is === 'answered') return { ...outcome, ...countIn(body) }
  const isAbsent = outcome.is === 'failed' && outcome.status === 404
  if (!isAbsent || kind.lifecycle.mayBeGone === undefined) return outcome
  // An existing organization answers this, even without plugins.
  const owner = await outcomeOf(() => client.probe(featureFlag.name, 'readByKey'))
  return { ...outcome, isGone: owner.is === 'answered' }
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

async function askGrants(
  client: Client,
  { name, kind, outcome: { is, ...found } }: AskedList,
): Promise<AskedGrants | undefined> {
  const below = kindBelow(kind.name)
  const { parent, levels } = below?.lifecycle ?? {}
  if (!below || !parent) return undefined
  const id = 'firstId' in found ? found.firstId : undefined
  if (id === undefined) {
    const why = is === 'answered' ? `there are no ${name} to ask about` : `the ${name} could not be read`
    return { kind: below, outcome: { is: 'unasked', why } }
  }
  const outcome = await outcomeOf(async () => {
    for await (const _ of client.list(below.name, { params: { [parent.parameter]: id } })) break
  })
  // A refusal because of the key proves that the route exists.
  const refused =
    outcome.is === 'failed' && isServiceError(outcome.error) && outcome.status === 403
      ? outcome.error.endpoint
      : undefined
  const seen = refused && (refused === below.endpoints[levels?.list ?? ''] ? 'levels' : 'records')
  return { kind: below, outcome, way: client.routes.known(below.name) ?? seen }
}

/** An operation, and how to check the permission of the key without writing. */
interface Question {
  readonly kind: Kind
  readonly operation: string
  readonly purpose: string
  /**
   * `read`: the operation only reads, so it is called. `probe`: it is called for an object that cannot exist;
   * the kind of refusal shows the permission. An outcome: it was already called.
   */
  readonly how: 'read' | 'probe' | Outcome
  /** Whether the path is known to exist. If not, a 404 shows nothing. */
  readonly isThere: boolean
}

/** Checks the key for each operation. `possible`: the possible profiles of the service. */
async function askPermissions(
  client: Client,
  possible: readonly Profile[],
  asked: readonly AskedList[],
): Promise<Permission[]> {
  const isProjectThere = asked.some(({ kind, outcome }) => kind.scope === event.scope && isRoute(outcome))
  const questions: Question[] = [
    ...asked.flatMap(list => [...questionsAbout(list), ...levelQuestions(possible, list.grants)]),
    {
      ...{ kind: event, operation: 'read', purpose: `read ${pluralTitle(event)}` },
      ...{ how: 'probe', isThere: isProjectThere },
    },
  ]
  const permissions: Permission[] = []
  let failure: string | undefined
  for (const question of questions) {
    const outcome = await answerTo(question, client, failure ?? reasonNotToAsk(question.kind, asked))
    permissions.push(permissionOf(question, outcome, client.target.profile))
    // After no answer, or throttling, no more requests are sent.
    if (outcome.is === 'failed' && [undefined, 429, 502, 503, 504].includes(outcome.status))
      failure = 'an earlier request failed'
  }
  return permissions
}

function questionsAbout({ name, kind, outcome }: AskedList): Question[] {
  const { list, update, softDelete, files, estimate } = kind.lifecycle
  const rows: readonly (readonly [string | undefined, string, Question['how']])[] = [
    [list, `read ${name}`, outcome],
    [update, `change ${name}`, 'probe'],
    [softDelete?.trail, `find deleted ${name} before one is created`, 'read'],
    [files?.read, `read the files of ${name}`, 'probe'],
    [files?.write, `change the files of ${name}`, 'probe'],
    [estimate, 'estimate how many people a condition reaches', 'read'],
  ]
  const isThere = isRoute(outcome)
  return rows.flatMap(([operation, purpose, how]) =>
    operation === undefined ? [] : [{ kind, operation, purpose, how, isThere }],
  )
}

/** Grants have their own scope only if they have levels. */
function levelQuestions(possible: readonly Profile[], grants: AskedGrants | undefined): Question[] {
  const { levels } = grants?.kind.lifecycle ?? {}
  if (!grants || !levels) return []
  const { kind, way, outcome } = grants
  const isThere = way === 'levels'
  const isPossible = profilesWith(levels.behaviour, levels.is).some(profile => possible.includes(profile))
  if (!isThere && (way !== undefined || !isPossible)) return []
  const name = pluralTitle(kind)
  return [
    { kind, operation: levels.list, purpose: `read ${name}`, isThere, how: isThere ? outcome : 'probe' },
    { kind, operation: levels.put, purpose: `change ${name}`, isThere, how: 'probe' },
  ]
}

async function answerTo({ kind, operation, how }: Question, client: Client, why?: string): Promise<Outcome> {
  if (typeof how !== 'string') return how
  if (why !== undefined) return { is: 'unasked', why }
  if (how === 'probe') return outcomeOf(() => client.probe(kind.name, operation))
  const isPost = kind.endpoints[operation]?.method === 'POST'
  return outcomeOf(() => client.call(kind.name, operation, isPost ? { body: {} } : { query: { limit: 1 } }))
}

/** Whether the list is known to exist. A refusal of the key also proves this. */
function isRoute(outcome: Outcome): boolean {
  return outcome.is === 'answered' || [402, 403].includes(refusalOf(outcome) ?? 0)
}

const noPath = 'the service has no such path, or there is nothing to ask about'

/**
 * What an answer shows about the key. The service checks the key, then its scopes, then the object
 * [service-behaviour 8]. So a refusal because of the object means that the key may do it.
 *
 * | answer                            | may       |
 * |-----------------------------------|-----------|
 * | any success, 400                  | yes       |
 * | 404 from a path that exists       | yes       |
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
  const { error, status } = outcome
  if (status === 400 || (status === 404 && isThere)) return { ...about, may: 'yes' }
  const reason = status === 404 ? noPath : explainFailure(error)
  if (status !== 402 && status !== 403) return { ...about, may: 'not_known', reason }
  const isScope = scope !== undefined && isServiceError(error) && (error.detail ?? '').includes(scope)
  return { ...about, may: 'no', reason, ...(isScope ? { lacks_scope: true } : {}) }
}
