import type { Client, RecordList } from '../api/index.ts'
import { identityKey, type Live, toLive } from '../core/live.ts'
import { readTrail, type Trail } from '../core/read/activity-trail.ts'
import { readRecord } from '../core/read/read-record.ts'
import type { DeclarableKind, IdentifiedKind } from '../model/kind.ts'
import type { JsonObject } from '../model/text/json.ts'

/**
 * The reads that one run shares: one paged list per kind, and one per flag for its grants. Each write drops
 * them all, so that no outdated list is used. The id of a name is kept, because an object keeps its id.
 */
export class SharedReads {
  readonly #client: Client
  readonly #signal: () => AbortSignal
  #lists = new Map<string, SharedList>()
  /** The objects of a completely read list; dropped with the list. */
  readonly #living = new WeakMap<SharedList, Promise<Living>>()
  #trails = new Map<string, Promise<Trail>>()
  readonly #ids = new Map<string, string>()
  readonly #identities = new Map<string, Promise<string | undefined>>()
  /** The kinds whose lists could not be read. */
  readonly #unlisted = new Set<string>()
  #hasWritten = false

  constructor(client: Client, signal: () => AbortSignal) {
    this.#client = client
    this.#signal = signal
  }

  drop(): void {
    this.#lists = new Map()
    this.#hasWritten = true
  }

  /** The entries of a trail. It is read once, because only soft deletions add relevant entries. */
  trail(kind: DeclarableKind): Promise<Trail> {
    const trails = this.#trails
    const known = trails.get(kind.name)
    if (known) return known
    const trail = readTrail(kind, { client: this.#client, signal: this.#signal() })
    trails.set(kind.name, trail)
    // The next caller starts again, so that it does not get the same error.
    trail.catch(() => trails.delete(kind.name))
    return trail
  }

  dropTrails(): void {
    this.#trails = new Map()
  }

  /** The object with an id, living or soft-deleted; undefined if the service does not know it. */
  async byId(kind: IdentifiedKind, id: string, signal: AbortSignal): Promise<Live | undefined> {
    const live = await this.#listedOrAlone(kind, id, signal)
    // It was deleted in the meantime, so the trail may have grown.
    if (live?.isSoftDeleted) this.dropTrails()
    return live
  }

  /**
   * The object that a trail names. Plans need many of them, and one list contains them all. After a write,
   * which drops the lists, reading one object is cheaper than another list.
   */
  named(kind: IdentifiedKind, id: string, signal: AbortSignal): Promise<Live | undefined> {
    const isAlone = this.#hasWritten && !this.#lists.has(listKey(kind, {}))
    return isAlone
      ? readRecord(kind, { id }, { client: this.#client, signal })
      : this.#listedOrAlone(kind, id, signal)
  }

  async #listedOrAlone(kind: IdentifiedKind, id: string, signal: AbortSignal): Promise<Live | undefined> {
    const listed = await this.#sharing(kind, {}, list => list.find(id))
    const live = listed.is === 'listed' ? toLive(kind, listed.record) : undefined
    // No list shows soft-deleted or hidden objects, so only reading the object can prove that it is gone.
    return live ?? readRecord(kind, { id }, { client: this.#client, signal })
  }

  /**
   * The name of the living object with an id, from the first call. A list contains it without another
   * request. After a write has dropped the list, reading one object is cheaper than another list.
   */
  identityOf(kind: IdentifiedKind, id: string, signal: AbortSignal): Promise<string | undefined> {
    const key = `${kind.name}#${id}`
    const known = this.#identities.get(key)
    if (known) return known
    const read = this.#lists.has(listKey(kind, {}))
      ? this.byId(kind, id, signal)
      : readRecord(kind, { id }, { client: this.#client, signal })
    const identity = read.then(live => {
      if (!live || live.isSoftDeleted) return undefined
      this.learn(kind, live)
      return live.identity
    })
    this.#identities.set(key, identity)
    // The next caller starts again, so that it does not get the same error.
    identity.catch(() => this.#identities.delete(key))
    return identity
  }

  /** Stores the id of a found object. A name that is not unique identifies no object. */
  learn(kind: IdentifiedKind, { identity, id }: Live): void {
    if (kind.identity.by === 'field' && kind.identity.unique)
      this.#ids.set(`${kind.name}/${identityKey(kind, identity)}`, id)
  }

  /** The living objects with a name. */
  async byIdentity(kind: IdentifiedKind, written: string, signal: AbortSignal): Promise<readonly Live[]> {
    const key = identityKey(kind, written)
    const known = this.#ids.get(`${kind.name}/${key}`)
    // A list contains it without another request. After a write, reading one object is cheaper.
    if (known !== undefined && !this.#lists.has(listKey(kind, {}))) {
      const live = await readRecord(kind, { id: known }, { client: this.#client, signal })
      if (live && identityKey(kind, live.identity) === key && !live.isSoftDeleted) return [live]
    }
    const { byIdentity } = await this.#livingOf(kind, {})
    return byIdentity.get(key) ?? []
  }

  /**
   * The living objects with a name, for a message. Undefined if the list cannot be read, or after a write,
   * because the list would be read again for each object of an apply.
   */
  livingIfListed(
    kind: IdentifiedKind,
    written: string,
    signal: AbortSignal,
  ): Promise<readonly Live[] | undefined> {
    return this.#ifListed(kind, () => this.byIdentity(kind, written, signal))
  }

  /** Any living object of a kind, for a message about the service. */
  async anyIfListed(kind: IdentifiedKind): Promise<Live | undefined> {
    const all = await this.#ifListed(kind, () => this.all(kind, {}))
    return all?.[0]
  }

  async #ifListed<T>(kind: IdentifiedKind, read: () => Promise<T>): Promise<T | undefined> {
    if (this.#hasWritten || this.#unlisted.has(kind.name)) return undefined
    try {
      return await read()
    } catch {
      this.#unlisted.add(kind.name)
      return undefined
    }
  }

  /** Every living object of a kind. For grants: those of one flag. */
  async all(kind: IdentifiedKind, params: Readonly<Record<string, string>>): Promise<readonly Live[]> {
    return (await this.#livingOf(kind, params)).all
  }

  #livingOf(kind: IdentifiedKind, params: Readonly<Record<string, string>>): Promise<Living> {
    return this.#sharing(kind, params, list => {
      const living = this.#living.get(list) ?? this.#readWhole(kind, list)
      this.#living.set(list, living)
      return living
    })
  }

  async #readWhole(kind: IdentifiedKind, list: SharedList): Promise<Living> {
    const living = livingAmong(kind, await list.all())
    for (const live of living.all) this.learn(kind, live)
    return living
  }

  async #sharing<T>(
    kind: IdentifiedKind,
    params: Readonly<Record<string, string>>,
    use: (list: SharedList) => Promise<T>,
  ): Promise<T> {
    const lists = this.#lists
    const key = listKey(kind, params)
    const list = lists.get(key) ?? new SharedList(this.#open(kind, params))
    lists.set(key, list)
    try {
      return await use(list)
    } catch (error) {
      // The next caller starts again, so that it does not get the same error.
      if (lists.get(key) === list) lists.delete(key)
      throw error
    }
  }

  #open(kind: IdentifiedKind, params: Readonly<Record<string, string>>) {
    return this.#client.list(kind.name, { params, signal: this.#signal() })
  }
}

interface Living {
  readonly all: readonly Live[]
  readonly byIdentity: ReadonlyMap<string, readonly Live[]>
}

function livingAmong(kind: IdentifiedKind, rows: readonly JsonObject[]): Living {
  const all = rows.flatMap(row => {
    const live = toLive(kind, row)
    return live && !live.isSoftDeleted ? [live] : []
  })
  const byIdentity = new Map<string, Live[]>()
  for (const live of all) {
    const key = identityKey(kind, live.identity)
    const same = byIdentity.get(key)
    if (same) same.push(live)
    else byIdentity.set(key, [live])
  }
  return { all, byIdentity }
}

function listKey({ name }: IdentifiedKind, params: Readonly<Record<string, string>>): string {
  return `${name}/${Object.values(params).join('/')}`
}

/** The result for one id in the pages read so far. */
export type Listed =
  | { readonly is: 'listed'; readonly record: JsonObject }
  | { readonly is: 'missing' | 'unread' }

/**
 * One list read that all callers share. Pages are read on demand, as long as that is cheaper than reading
 * single objects: the next page is read when waiting calls and single reads so far equal the number of
 * remaining pages. So a thousand reads cost one page, and one read in a large project does not cost a
 * thousand.
 */
class SharedList {
  readonly #list: RecordList<JsonObject>
  readonly #pages: AsyncIterator<readonly JsonObject[]>
  readonly #byId = new Map<string, JsonObject>()
  #pageSize = 0
  #ended = false
  #waiting = 0
  #askedAlone = 0
  #reading: Promise<void> | undefined

  constructor(list: RecordList<JsonObject>) {
    this.#list = list
    this.#pages = list.pages()[Symbol.asyncIterator]()
  }

  /** Looks for one id. `unread` means that the caller must read the object itself. */
  async find(id: string): Promise<Listed> {
    this.#waiting += 1
    try {
      for (;;) {
        const record = this.#byId.get(id)
        if (record) return { is: 'listed', record }
        if (this.#ended) return { is: 'missing' }
        if (this.#isTooFar()) {
          this.#askedAlone += 1
          return { is: 'unread' }
        }
        await this.#nextPage()
      }
    } finally {
      this.#waiting -= 1
    }
  }

  async all(): Promise<readonly JsonObject[]> {
    while (!this.#ended) await this.#nextPage()
    return [...this.#byId.values()]
  }

  #isTooFar(): boolean {
    const { count, seen } = this.#list.inventory
    if (this.#pageSize === 0 || count === null || this.#reading) return false
    return Math.ceil((count - seen) / this.#pageSize) > this.#waiting + this.#askedAlone
  }

  #nextPage(): Promise<void> {
    this.#reading ??= this.#readPage().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #readPage(): Promise<void> {
    const page = await this.#pages.next()
    if (page.done) {
      this.#ended = true
      return
    }
    for (const record of page.value) this.#byId.set(String(record.id), record)
    this.#pageSize ||= page.value.length
  }
}
