import { PatternError } from './node.ts'
import { Scanner } from './scanner.ts'

/** An expression that is being read: how far, its groups, and what keeps it from being searched here. */
export class Reading {
  readonly scanner: Scanner
  readonly #names = new Map<string, number>()
  readonly #open = new Set<number>()
  #groups = 0
  #why: string | undefined

  /** Whether `\p{L}` is a class of characters, as it is outside of Python. */
  readonly hasProperties: boolean

  constructor(text: string, hasProperties: boolean) {
    this.hasProperties = hasProperties
    this.scanner = new Scanner(text)
  }

  /** Why the expression can be read and not searched; undefined when it can be searched. */
  get whyOpen(): string | undefined {
    return this.#why
  }

  /** Goes on reading, since an error further on would decide; the first reason is kept. */
  leaveOpen(why: string): void {
    this.#why ??= why
  }

  openGroup(name?: string): number {
    const group = ++this.#groups
    this.#open.add(group)
    if (name === undefined) return group
    if (this.#names.has(name)) throw new PatternError(`the group name "${name}" is there twice`)
    this.#names.set(name, group)
    return group
  }

  closeGroup(group: number): void {
    this.#open.delete(group)
  }

  /** Reads a reference to a group by its number or name: it must be there and be closed. */
  refer(group: number | string): void {
    const number = typeof group === 'string' ? this.#names.get(group) : group
    if (number === undefined || number < 1 || number > this.#groups || this.#open.has(number))
      throw new PatternError(`there is no closed group "${group}" to refer to`)
    this.leaveOpen('it refers back to a group')
  }
}
