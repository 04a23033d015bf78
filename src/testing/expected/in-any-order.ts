import { isJsonArray, type Json, type JsonObject } from '../../model/json/json.ts'
import { isOrderFree } from '../../targeting/index.ts'
import { capturesIn } from './capture.ts'

/**
 * Elements of a set, which have no order and none of which counts twice: tags, say. So have the values of a property with
 * most operators; with `between` and its like they have one.
 */
export class InAnyOrder {
  readonly elements: readonly unknown[]
  readonly of: 'set' | 'values'

  constructor(elements: readonly unknown[], of: 'set' | 'values') {
    this.elements = elements
    this.of = of
  }

  /** What is expected of an object that has the elements: they in any order, or in theirs. */
  within(owner: JsonObject): InAnyOrder | readonly unknown[] {
    return this.of === 'set' || isOrderFree(owner) ? this : this.elements
  }

  isMetBy(actual: Json | undefined, isMet: (actual: Json, expected: unknown) => boolean): boolean {
    if (actual === undefined || !isJsonArray(actual)) return false
    const left = [...new Set(actual)]
    const expected = [...new Set(this.elements)]
    // What is plain takes its own, so that no matcher takes it.
    for (const each of expected.filter(isPlain)) {
      const at = left.findIndex(one => isMet(one, each))
      if (at < 0) return false
      left.splice(at, 1)
    }
    const others = expected.filter(each => !isPlain(each))
    if (left.length !== others.length) return false
    // A capture takes whatever it is shown, so it is shown one alone.
    if (capturesIn(others).length > 0) return left.every((one, at) => isMet(one, others[at]))
    return isPairing(others.map(each => left.map(one => isMet(one, each))))
  }

  /** As messages show it. */
  toJSON(): readonly unknown[] {
    return this.elements
  }
}

function isPlain(expected: unknown): boolean {
  return typeof expected !== 'object' || expected === null
}

/** Whether each row can have a column of its own among those that suit it. */
function isPairing(suits: readonly (readonly boolean[])[]): boolean {
  const rowOf = new Map<number, number>()
  const place = (row: number, tried: Set<number>): boolean =>
    (suits[row] ?? []).some((isSuited, column) => {
      if (!isSuited || tried.has(column)) return false
      tried.add(column)
      const holder = rowOf.get(column)
      if (holder !== undefined && !place(holder, tried)) return false
      rowOf.set(column, row)
      return true
    })
  return suits.every((_, row) => place(row, new Set()))
}
