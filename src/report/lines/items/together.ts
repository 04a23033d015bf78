/** Two are told one by one: two lines are as good as one line and a list of two. */
export const fewest = 3

interface Grouping<Item> {
  /** Items of one key are told together; one without a key stands on its own. */
  readonly keyOf: (item: Item) => string | undefined
  /** Every item stands on its own: the reader asked for that. */
  readonly isVerbose?: boolean
}

/** Parts items that are told one by one from those that are alike, in the order that they came in. */
export function together<Item>(
  items: readonly Item[],
  { keyOf, isVerbose = false }: Grouping<Item>,
): { readonly single: readonly Item[]; readonly groups: readonly (readonly Item[])[] } {
  if (isVerbose) return { single: items, groups: [] }
  const byKey = new Map<string, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    if (key === undefined) continue
    const group = byKey.get(key)
    if (group) group.push(item)
    else byKey.set(key, [item])
  }
  const groups = [...byKey.values()].filter(group => group.length >= fewest)
  const grouped = new Set(groups.flat())
  return { single: items.filter(item => !grouped.has(item)), groups }
}

/** What a line about many objects says of how to see each. */
export const howToList = '--verbose lists them'
