import { createHash } from 'node:crypto'
import { identityKey } from '../../core/live.ts'
import { invalid, type Refusal } from '../../hcl/index.ts'
import { kindBelow } from '../../kinds/index.ts'
import { type IdentifiedKind, identityField } from '../../model/kind.ts'
import type { Attributes } from './attributes.ts'
import type { ServiceTarget } from './providers.ts'
import type { Subject } from './stack-problems.ts'

/** An object that a data source names; the service knows the rest. */
export interface LookUp {
  readonly kind: IdentifiedKind
  readonly by: 'id' | 'identity'
  readonly value: string
  readonly place: ServiceTarget
  readonly subject: Subject
}

/** The answer of the service, or the reason why there is none. */
export type Found = { readonly id: string; readonly identity: string } | Refusal

/** The answers, by the key of each look-up. */
export type Answers = ReadonlyMap<string, Found>

/** The common key of all data sources that look for one object. */
export function lookUpKey({ kind, by, value, place }: LookUp): string {
  return JSON.stringify([kind.name, by, value, place])
}

/**
 * The objects that the data sources of a stack look up. An object without an answer gets a stand-in, so that
 * the rest of the stack can be checked. An apply needs the answers, and evaluates the stack again with them.
 */
export class LookUps {
  /** Look-ups without an answer, by key. */
  readonly open = new Map<string, LookUp>()
  readonly #answers: Answers
  readonly #standIns = new Map<string, LookUp>()

  constructor(answers: Answers = new Map()) {
    this.#answers = answers
  }

  /**
   * The attributes of a data source, with the id and the name of its object; unchanged if nothing identifies
   * the object. A flag that is named by its key is left to the plan, which may be about to create it. Throws
   * a refusal if there is no such object.
   */
  attributesOf(
    kind: IdentifiedKind,
    attributes: Attributes,
    place: ServiceTarget,
    subject: Subject,
  ): Attributes {
    const identity = identityField(kind)
    const [id, name] = [attributes.id ?? null, attributes[identity] ?? null]
    const isFlag = kindBelow(kind.name) !== undefined
    if (isFlag && typeof name === 'string' && id === null) return attributes
    const value = id ?? name
    if (typeof value !== 'string') return attributes
    const by = id === null ? 'identity' : 'id'
    const given = typeof name === 'string' ? name.trim() : undefined
    const found = this.#find({ kind, by, value: value.trim(), place, subject }, given)
    if (given !== undefined && identityKey(kind, given) !== identityKey(kind, found.identity)) {
      throw invalid(
        `the ${kind.title} with the id "${value}" is called "${found.identity}", not "${name}"`,
        `give one of \`id\` and \`${identity}\``,
      )
    }
    // A flag is identified by its key even if its id is written.
    return { ...attributes, id: isFlag ? null : found.id, [identity]: name ?? found.identity }
  }

  /** The look-up whose stand-in a value contains. */
  standInIn(text: string): LookUp | undefined {
    return [...this.#standIns].find(([standIn]) => text.includes(standIn))?.[1]
  }

  /** The look-ups that can be asked for now: their own name contains no stand-in. */
  get askable(): readonly LookUp[] {
    return [...this.open.values()].filter(({ value }) => this.standInIn(value) === undefined)
  }

  #find(wanted: LookUp, name: string | undefined): { readonly id: string; readonly identity: string } {
    const key = lookUpKey(wanted)
    const answer = this.#answers.get(key)
    if (answer === undefined) return this.#standIn(key, wanted, name)
    if (answer instanceof Error) throw answer
    return answer
  }

  #standIn(
    key: string,
    wanted: LookUp,
    name: string | undefined,
  ): { readonly id: string; readonly identity: string } {
    const { kind, by, value } = wanted
    this.open.set(key, wanted)
    // Several stacks that are read as one share the stand-in of an object, and no other object has it.
    const mark = createHash('sha256').update(key).digest('hex').slice(0, 12)
    const isCounted = kind.fields.id?.type === 'integer'
    const id = isCounted ? String(firstId + Number.parseInt(mark.slice(0, 8), 16)) : `${uuidStart}${mark}`
    const identity = name ?? `looked-up-when-planned-${mark}`
    // An object that is given by both its id and its name needs no stand-in.
    if (by !== 'id' || name === undefined) this.#standIns.set(by === 'id' ? identity : id, wanted)
    return by === 'id' ? { id: value, identity } : { id, identity: value }
  }
}

const firstId = 9_007_199_000_000_000
const uuidStart = 'ffffffff-ffff-4fff-8fff-'
