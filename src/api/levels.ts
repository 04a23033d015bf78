import type { Profile } from '../model/connection.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/json/json.ts'
import type { Kind } from '../model/kind.ts'
import { profilesWith } from '../services/index.ts'
import { isServiceError } from './errors.ts'
import { type Inventory, type Page, type RecordList, recordsOf } from './list.ts'

/** The rows of an answer that has levels as one page of records; undefined when the body holds none. */
export function levelPage(kind: Kind, parent: string, body: Json): Page<Json> | undefined {
  const rows = isJsonObject(body) ? body[kind.lifecycle?.levels?.rows ?? ''] : undefined
  if (rows === undefined || !isJsonArray(rows)) return undefined
  const results = rows.flatMap(row => levelRecord(kind, parent, row) ?? [])
  return { count: results.length, next: null, previous: null, results }
}

/**
 * A row with a level, as the record that older services have of it. It has no id, so it gets one that names
 * its parent and its subject. Undefined for a row about no subject of the kind: a person, or everybody else.
 */
export function levelRecord(
  { identity, lifecycle }: Pick<Kind, 'identity' | 'lifecycle'>,
  parent: string,
  row: Json,
): JsonObject | undefined {
  const { levels } = lifecycle ?? {}
  if (!levels || identity?.by !== 'parent' || !isJsonObject(row)) return undefined
  const subject = row[levels.subject]
  if (typeof subject !== 'string') return undefined
  const members = Object.entries(levels.members).map(([field, member]) => [field, row[member] ?? null])
  return {
    id: `${parent}:${subject.toLowerCase()}`,
    [identity.structure]: { [identity.member]: subject },
    ...Object.fromEntries(members),
  }
}

/** Whether an id is that of a row with a level. */
export function isLevelId(id: string): boolean {
  return id.includes(':')
}

interface EitherWay {
  readonly routes: Ways
  readonly kind: string
  /** The forms to try, computed when a reading begins. */
  readonly toTry: () => readonly Way[]
  readonly open: (way: Way) => RecordList<JsonObject>
}

/** A list that a service has in one of two forms: if it does not know one path, it has the other form. */
export class EitherList implements RecordList<JsonObject> {
  readonly #options: EitherWay
  #list: RecordList<JsonObject>

  constructor(options: EitherWay) {
    this.#options = options
    this.#list = options.open('records')
  }

  get inventory(): Inventory {
    return this.#list.inventory
  }

  [Symbol.asyncIterator](): AsyncGenerator<JsonObject, void> {
    return recordsOf(this.pages())
  }

  async *pages(): AsyncGenerator<readonly JsonObject[], void> {
    const { routes, kind, toTry, open } = this.#options
    const done = await routes.turn(kind)
    try {
      let failure: unknown
      for (const way of toTry()) {
        this.#list = open(way)
        let isThere = false
        try {
          for await (const page of this.#list.pages()) {
            if (page.length > 0) {
              isThere = true
              routes.saw(kind, way)
              done()
            }
            yield page
          }
          return routes.saw(kind, way)
        } catch (error) {
          if (isThere || !isServiceError(error) || error.status !== 404) throw error
          failure ??= error
        }
      }
      throw failure
    } finally {
      done()
    }
  }
}

/** The form in which a service holds a kind's objects: as their own records, or as rows that each have a level. */
export type Way = 'records' | 'levels'

/**
 * Which form a service uses, as far as its answers have shown. Until it is known, one request asks and all
 * others wait, both reads and writes, so that at most one request uses the wrong form.
 */
export class Ways {
  readonly #known = new Map<string, Way>()
  readonly #asking = new Map<string, Promise<void>>()

  known(kind: string): Way | undefined {
    return this.#known.get(kind)
  }

  /** Records what an answer has shown. If a service uses both forms, the first one counts. */
  saw(kind: string, way: Way): void {
    if (!this.#known.has(kind)) this.#known.set(kind, way)
  }

  /** Records the form that an answer shows. */
  sawAnswer({ name, lifecycle }: Kind, endpoint: string): void {
    if (!lifecycle?.levels) return
    const { list, put } = lifecycle.levels
    this.saw(name, endpoint === list || endpoint === put ? 'levels' : 'records')
  }

  /** The forms to try, one after the other if the service answers 404: that of the profile comes first. */
  toTry({ name, lifecycle }: Kind, profile: Profile): readonly [Way, ...Way[]] {
    const known = this.#known.get(name)
    if (known) return [known]
    const { behaviour = '', is = '' } = lifecycle?.levels ?? {}
    return profilesWith(behaviour, is).includes(profile) ? ['levels', 'records'] : ['records', 'levels']
  }

  /**
   * Waits while another caller asks, until the form is known or nobody asks any more. The caller whose turn
   * it is calls the returned function at the end, whatever the result.
   */
  async turn(kind: string): Promise<() => void> {
    while (!this.#known.has(kind)) {
      const asking = this.#asking.get(kind)
      if (!asking) return this.#begin(kind)
      await asking
    }
    return () => {}
  }

  #begin(kind: string): () => void {
    let resolve = () => {}
    const asking = new Promise<void>(done => {
      resolve = done
    })
    this.#asking.set(kind, asking)
    return () => {
      if (this.#asking.get(kind) === asking) this.#asking.delete(kind)
      resolve()
    }
  }
}
