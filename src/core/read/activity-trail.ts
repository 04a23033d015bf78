import { type Answer, isNotFound, isServiceError, UnexpectedAnswerError } from '../../api/index.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import { existsField } from '../../model/live-edit-policy.ts'
import { isJsonArray, isJsonNumber, isJsonObject, type Json, type JsonObject } from '../../model/text/json.ts'
import { canonicalIdentity } from '../live.ts'
import type { ObjectTrail, TrailChange, TrailEvent, TrailUser } from '../live-edits/authors.ts'
import { requestLine, type SnapshotOptions } from './read-record.ts'

/** The names in the activity trail of a kind, also of deleted objects. */
export type Trail =
  /** The service has no trail: it answers with something else. */
  | { readonly is: 'none' }
  | { readonly is: 'refused'; readonly reason: string }
  | {
      readonly is: 'read'
      /** The ids for a name in the rows, the newest row first. */
      readonly ids: ReadonlyMap<string, readonly string[]>
      /** The name for an id in its newest row. */
      readonly lastNames: ReadonlyMap<string, string>
      /** Why the trail may contain further names; absent when all of it was read. */
      readonly gap?: string
    }

const noTrail: Trail = { is: 'none' }

/** The largest number of pages, and the rows of a page. The default of the public service is ten rows. */
const mostPages = 20
const pageRows = 1000

/**
 * Reads the activity trail of a kind, the newest rows first. Pages are read in order, because new rows move
 * older ones to later pages: a row may come twice, but none is missed. All pages are needed to prove that a
 * name was never used. Names in rows may be outdated, so the object is read by its id as well.
 *
 * | the answer                                 | what is known                                   |
 * |--------------------------------------------|-------------------------------------------------|
 * | all rows of a trail                        | every name that was ever used                   |
 * | more than 20 pages of rows                 | only names in these rows                        |
 * | fewer rows than its count, or without name | the same                                        |
 * | rows, then a refusal                       | the same                                        |
 * | 200 with other JSON                        | there is no trail: by the document it is a flag |
 * | 4xx                                        | nothing: no permission, or no such path         |
 * | 404, and the list of objects has 404 too   | error: the project does not exist               |
 * | 401, 408, 425, 429                         | error: a retry may succeed                      |
 * | 5xx, none, cut off, not JSON               | error                                           |
 */
export async function readTrail(
  kind: DeclarableKind,
  { client, signal }: Pick<SnapshotOptions, 'client' | 'signal'>,
  changes?: TrailChanges,
): Promise<Trail> {
  const trail = kind.lifecycle.softDelete?.trail
  if (!trail) return noTrail
  const rows = new TrailRows(kind)
  for (let page = 1; page <= mostPages; page++) {
    let answer: Answer
    try {
      answer = await client.call(kind.name, trail, { query: { limit: pageRows, page }, signal })
    } catch (error) {
      if (!isServiceError(error) || !isRefusal(error.status)) throw error
      if (page === 1 && error.status === 404) await requirePlace(kind, { client, signal })
      const reason = `the activity trail was refused (${error.status})`
      return page === 1 ? { is: 'refused', reason } : rows.cutOff(`${reason} from page ${page} on`)
    }
    const { body } = answer
    if (isTrailPage(body)) {
      rows.add(body.results)
      changes?.add(body.results)
    } else if (page === 1 && isJson(answer)) return noTrail
    else throw notTrail(requestLine(kind, trail, {}, client.target), answer)
    if (!hasMore(body)) return rows.end(body)
  }
  return rows.cutOff(`the activity trail has more than ${mostPages} pages of ${pageRows} rows`)
}

export type TrailPage = JsonObject & { readonly results: readonly Json[] }

class TrailRows {
  readonly #kind: DeclarableKind
  readonly #ids = new Map<string, Set<string>>()
  readonly #lastNames = new Map<string, string>()
  #count = 0
  #unnamed = 0

  constructor(kind: DeclarableKind) {
    this.#kind = kind
  }

  add(rows: readonly Json[]): void {
    for (const row of rows) {
      this.#count += 1
      const { item_id: id, detail } = isJsonObject(row) ? row : {}
      // This event is not about a single object.
      if (typeof id !== 'string' && !isJsonNumber(id)) continue
      const name = isJsonObject(detail) ? detail.name : undefined
      if (typeof name === 'string') this.#name(canonicalIdentity(this.#kind, name), String(id))
      else this.#unnamed += 1
    }
  }

  end({ results, next, total_count: total }: TrailPage): Trail {
    if (typeof total === 'number' && total > this.#count)
      return this.cutOff(`the activity trail shows ${this.#count} of ${total} rows`)
    // A page that is just full may not be the last one.
    const isSilent = next === undefined && total === undefined
    if (isSilent && results.length === pageRows)
      return this.cutOff(`the activity trail does not show what follows after ${this.#count} rows`)
    if (this.#unnamed > 0) return this.cutOff('the activity trail has rows without a name')
    return this.#read()
  }

  cutOff(gap: string): Trail {
    return { ...this.#read(), gap }
  }

  #name(name: string, id: string): void {
    const ids = this.#ids.get(name)
    if (ids) ids.add(id)
    else this.#ids.set(name, new Set([id]))
    if (!this.#lastNames.has(id)) this.#lastNames.set(id, name)
  }

  #read() {
    const ids = new Map([...this.#ids].map(([name, each]) => [name, [...each]]))
    return { is: 'read', ids, lastNames: this.#lastNames } as const
  }
}

/** Throws if the list does not exist either: then the project does not exist. Ignores other errors. */
async function requirePlace(
  { name, lifecycle }: DeclarableKind,
  { client, signal }: Pick<SnapshotOptions, 'client' | 'signal'>,
): Promise<void> {
  try {
    await client.call(name, lifecycle.list, { query: { limit: 1 }, signal })
  } catch (error) {
    if (isNotFound(error)) throw error
  }
}

/** Whether a retry would get the same answer. A wrong key is an error of the whole command. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && ![401, 408, 425, 429].includes(status)
}

/** Whether a body is a page of a trail. A list of flags has similar pages. */
export function isTrailPage(body: Json): body is TrailPage {
  if (!isJsonObject(body) || !isJsonArray(body.results)) return false
  const { results } = body
  return results.length === 0 || results.some(row => isJsonObject(row) && 'item_id' in row)
}

export function hasMore({ next }: TrailPage): boolean {
  return typeof next === 'string' && next !== ''
}

/** Whether an answer is JSON. Others come from a proxy. */
function isJson({ body, text }: Answer): boolean {
  return body !== null || text.trim() === 'null'
}

function notTrail(line: string, { status }: Answer): UnexpectedAnswerError {
  const reason =
    'is neither an activity trail nor the documented answer of a service without one; is a proxy in between?'
  return new UnexpectedAnswerError({ requestLine: line, status, code: 'no_page', reason })
}

/**
 * Keeps the newest row for each field of each object. Rows come the newest first. All rows of a large project
 * would not fit into memory.
 *
 * | a row                               | is about                  |
 * |-------------------------------------|---------------------------|
 * | names a field that was changed      | that field                |
 * | names the field that deletes softly | `exists`                  |
 * | is called `deleted` or `restored`   | `exists`                  |
 * | is called `created`                 | `exists`, and the creator |
 * | has no valid time, or no id         | nothing                   |
 *
 * [service-behaviour 7] Field names, user names and values can be any text of the service.
 */
export class TrailChanges {
  readonly #kind: DeclarableKind
  readonly #objects = new Map<string, { changes: Map<string, TrailChange>; created?: TrailEvent }>()
  #oldest = Number.POSITIVE_INFINITY

  constructor(kind: DeclarableKind) {
    this.#kind = kind
  }

  /** By id. */
  get objects(): ReadonlyMap<string, ObjectTrail> {
    return this.#objects
  }

  /** The time of the oldest row so far, in milliseconds since 1970; infinity before the first one. */
  get oldest(): number {
    return this.#oldest
  }

  add(rows: readonly Json[]): void {
    for (const row of rows) {
      const { item_id: id, activity, detail, created_at: createdAt, user } = isJsonObject(row) ? row : {}
      const at = typeof createdAt === 'string' ? Date.parse(createdAt) : Number.NaN
      if (Number.isNaN(at)) continue
      this.#oldest = Math.min(this.#oldest, at)
      if (typeof id !== 'string' && !isJsonNumber(id)) continue
      const { changes, trigger } = isJsonObject(detail) ? detail : {}
      const event: TrailEvent = { at, ...userOf(user), ...triggerOf(trigger) }
      const object = this.#object(String(id))
      const note = (field: string, after: Json) => {
        if (!object.changes.has(field)) object.changes.set(field, { ...event, after })
      }
      const { softDelete } = this.#kind.lifecycle
      for (const change of isJsonArray(changes) ? changes : []) {
        // A value that became empty has no `after` in some rows.
        const { field, after = null } = isJsonObject(change) ? change : {}
        if (typeof field !== 'string') continue
        if (field === softDelete?.field) note(existsField, after !== softDelete.is)
        else note(field, after)
      }
      if (activity === 'deleted') note(existsField, false)
      if (activity === 'restored' || activity === 'created') note(existsField, true)
      if (activity === 'created') object.created ??= event
    }
  }

  #object(id: string) {
    const object = this.#objects.get(id) ?? { changes: new Map<string, TrailChange>() }
    this.#objects.set(id, object)
    return object
  }
}

function userOf(user: Json | undefined): { readonly user?: TrailUser } {
  if (!isJsonObject(user)) return {}
  const { first_name: firstName, email, is_system: isSystem } = user
  const author: TrailUser = {
    ...(isName(firstName) ? { firstName } : {}),
    ...(isName(email) ? { email } : {}),
    ...(isSystem === true ? { isSystem } : {}),
  }
  return Object.keys(author).length === 0 ? {} : { user: author }
}

function isName(value: Json | undefined): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function triggerOf(trigger: Json | undefined): { readonly trigger?: string } {
  const job = isJsonObject(trigger) ? trigger.job_type : undefined
  return isName(job) ? { trigger: job.replaceAll('_', ' ') } : {}
}
