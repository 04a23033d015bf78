import type { Item, Mention, Section } from '../lines/report.ts'
import type { Details, SideHeads } from './details.ts'
import type { Facts } from './facts.ts'

/** How the two sides of a change come into the page. */
export type Sides =
  /** There are none. */
  | { readonly are: 'none' }
  | { readonly are: 'here'; readonly heads: SideHeads; readonly details: Details }
  /** The page keeps them as data, at this place. */
  | { readonly are: 'kept'; readonly heads: SideHeads; readonly at: number }

export interface ShownSection {
  readonly section: Section
  readonly items: readonly ShownItem[]
}

export interface ShownItem {
  readonly item: Item
  /** Of its element in the page. */
  readonly id: string
  readonly facts: Facts | undefined
  /** Whether it stands where its change is told, and not beside it. */
  readonly isChange: boolean
  readonly sides: Sides
  /** Over the cells, where there are any. */
  readonly columns: readonly string[]
}

/** Of the element of a section, by its place among all. */
export function sectionId(at: number): string {
  return `part-${at + 1}`
}

/** Where in the page an object is told: where its change is, if there is one. */
export class Places {
  readonly #ofItem: ReadonlyMap<Item, string>
  readonly #ofAddress: ReadonlyMap<string, string>

  constructor(sections: readonly ShownSection[]) {
    const all = sections.flatMap(({ items }) => items)
    const changesLast = [
      ...all.filter(({ isChange }) => !isChange).reverse(),
      ...all.filter(({ isChange }) => isChange),
    ]
    this.#ofItem = new Map(all.map(({ item, id }) => [item, id]))
    this.#ofAddress = new Map(
      changesLast.flatMap(({ item: { address }, id }) => (address === undefined ? [] : [[address, id]])),
    )
  }

  ofItem(item: Item): string | undefined {
    return this.#ofItem.get(item)
  }

  of({ addresses }: Mention): string | undefined {
    return addresses.flatMap(address => this.#ofAddress.get(address) ?? [])[0]
  }
}
