/** Something with rows of which perhaps not all are shown. */
export interface Rows {
  readonly count: number
  /** How a row is written; asked for only as long as there is room. */
  readonly row: (index: number) => string
}

/**
 * Says which rows of several lists are shown, so that they have this many characters together at the most. Each list has
 * the same share at first, so that a long one leaves none of the others out; what is left goes to the first that needs it.
 */
export function shareRoom(lists: readonly Rows[], room: number): readonly (readonly string[])[] {
  const share = Math.floor(room / Math.max(1, lists.length))
  const shown = lists.map(list => fill(list, [], share))
  let left = room - shown.flat().reduce((sum, row) => sum + lengthOf(row), 0)
  return lists.map((list, index) => {
    const before = shown[index] ?? []
    const all = fill(list, before, left)
    left -= all.slice(before.length).reduce((sum, row) => sum + lengthOf(row), 0)
    return all
  })
}

function fill({ count, row }: Rows, before: readonly string[], room: number): readonly string[] {
  const rows = [...before]
  let left = room
  for (let index = before.length; index < count; index += 1) {
    const next = row(index)
    left -= lengthOf(next)
    if (left < 0) break
    rows.push(next)
  }
  return rows
}

/** With its line end. */
function lengthOf(row: string): number {
  return row.length + 1
}
