import { type Answer, type Client, isServiceError } from '../../api/index.ts'
import { canonicalIdentity, type Live, toLive } from '../../core/live.ts'
import type { KindName } from '../../kinds/index.ts'
import { isJsonObject, type JsonObject } from '../../model/json.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import { SharedList } from './shared-list.ts'

/**
 * What reads of one run share: one paged list per kind, and one per flag for its grants. Any write drops all of them,
 * so that nothing is read that a write has made old. Where an object was found is kept: ids do not change hands.
 */
export class SharedReads {
  readonly #client: Client
  readonly #signal: () => AbortSignal
  #lists = new Map<string, SharedList>()
  #trails = new Map<KindName, Promise<Answer>>()
  readonly #ids = new Map<string, string>()

  constructor(client: Client, signal: () => AbortSignal) {
    this.#client = client
    this.#signal = signal
  }

  drop(): void {
    this.#lists = new Map()
  }

  /** What a trail says, read once: only what is deleted softly adds to what it is read for. */
  trail(kind: KindName, read: () => Promise<Answer>): Promise<Answer> {
    const known = this.#trails.get(kind)
    if (known) return known
    const trail = read()
    this.#trails.set(kind, trail)
    trail.catch(() => this.#trails.delete(kind))
    return trail
  }

  dropTrails(): void {
    this.#trails = new Map()
  }

  /** The object of an id, living or soft-deleted; undefined when the service does not know it. */
  async byId(kind: DeclarableKind, id: string, signal: AbortSignal): Promise<JsonObject | undefined> {
    const listed = await this.#sharing(kind, {}, list => list.find(id))
    if (listed.is === 'listed') return listed.record
    // No list shows what is soft-deleted or hidden, so only the object itself can say that it is gone.
    const record = await this.#alone(kind, id, signal)
    // Somebody has deleted it since, so the trail may have grown.
    if (record && toLive(kind, record)?.isTombstone) this.dropTrails()
    return record
  }

  /** The living objects of an identity: of a unique one the first, else all. */
  async byIdentity(kind: DeclarableKind, written: string, signal: AbortSignal): Promise<readonly Live[]> {
    const identity = canonicalIdentity(kind, written)
    const isUnique = kind.identity.by === 'field' && kind.identity.unique
    const known = isUnique ? this.#ids.get(`${kind.name}/${identity}`) : undefined
    // While there is a list, that costs nothing; once a write has dropped it, one object is cheaper than all.
    if (known !== undefined && !this.#lists.has(listKey(kind, {}))) {
      const record = await this.#alone(kind, known, signal)
      const live = record && toLive(kind, record)
      if (live && live.identity === identity && !live.isTombstone) return [live]
    }
    const all = await this.all(kind, {})
    if (isUnique) for (const live of all) this.#ids.set(`${kind.name}/${live.identity}`, live.id)
    return all.filter(live => live.identity === identity)
  }

  /** Every living object of a kind; of grants, those of one flag. */
  async all(kind: DeclarableKind, params: Readonly<Record<string, string>>): Promise<readonly Live[]> {
    const rows = await this.#sharing(kind, params, list => list.all())
    return rows.flatMap(row => {
      const live = toLive(kind, row)
      return live && !live.isTombstone ? [live] : []
    })
  }

  async #alone(kind: DeclarableKind, id: string, signal: AbortSignal): Promise<JsonObject | undefined> {
    try {
      const { body } = await this.#client.call(kind.name as KindName, kind.lifecycle.read, {
        params: { id },
        signal,
      })
      return isJsonObject(body) ? body : undefined
    } catch (error) {
      if (isServiceError(error) && error.status === 404) return undefined
      throw error
    }
  }

  async #sharing<T>(
    kind: DeclarableKind,
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
      // The next one who asks starts anew instead of failing with the same failure.
      if (lists.get(key) === list) lists.delete(key)
      throw error
    }
  }

  #open(kind: DeclarableKind, params: Readonly<Record<string, string>>) {
    const list = this.#client.list(kind.name as KindName, { params, signal: this.#signal() })
    // Rows are JSON objects, whichever kind they are of; the client has refused all others.
    return list as unknown as ConstructorParameters<typeof SharedList>[0]
  }
}

function listKey({ name }: DeclarableKind, params: Readonly<Record<string, string>>): string {
  return `${name}/${Object.values(params).join('/')}`
}
