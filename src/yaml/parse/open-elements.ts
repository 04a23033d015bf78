import type { Json } from '../../model/json/json.ts'

/** The elements of the lists that have not ended yet. A list that grows by itself has room for 17, as long as it is kept. */
export class OpenElements {
  readonly #elements: Json[] = []
  /** Also where those of the next list begin. */
  count = 0

  add(element: Json): void {
    this.#elements[this.count] = element
    this.count += 1
  }

  /** Ends a list: takes the elements from one on, which has been its first. */
  takeFrom(first: number): Json[] {
    const elements = this.#elements.slice(first, this.count)
    this.count = first
    return elements
  }
}
