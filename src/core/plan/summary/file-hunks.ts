import type { LineEdit } from './line-diff.ts'

/** How many unchanged lines stand around a change. */
const surroundings = 2

/** Lines without their ends; a last line that has none says so. */
export function linesOf(text: string | null): string[] {
  if (text === null || text === '') return []
  const lines = text.split('\n')
  const last = lines.pop() ?? ''
  return last === '' ? lines : [...lines, `${last}${withoutEnd}`]
}

/** Nothing that a line could hold, so that it is never taken for one that has an end. */
export const withoutEnd = '\n'

export interface Hunk {
  /** The place of its first line in either text, from 0. */
  readonly before: number
  readonly after: number
  readonly edits: readonly LineEdit[]
}

/** The changed lines with what stands around them; those that are close together stand together. */
export function hunksOf(edits: readonly LineEdit[]): Hunk[] {
  const isNear = edits.map(() => false)
  edits.forEach(({ is }, at) => {
    if (is !== 'same') isNear.fill(true, Math.max(0, at - surroundings), at + surroundings + 1)
  })
  const hunks: { before: number; after: number; edits: LineEdit[] }[] = []
  let [before, after] = [0, 0]
  edits.forEach((edit, at) => {
    if (isNear[at] && !isNear[at - 1]) hunks.push({ before, after, edits: [] })
    if (isNear[at]) hunks.at(-1)?.edits.push(edit)
    if (edit.is !== 'added') before++
    if (edit.is !== 'removed') after++
  })
  return hunks
}

/** `@@ -1,3 +1,4 @@`. */
export function hunkTitle({ before, after, edits }: Hunk): string {
  const length = (but: LineEdit['is']) => edits.filter(({ is }) => is !== but).length
  return `@@ -${range(before, length('added'))} +${range(after, length('removed'))} @@`
}

function range(start: number, length: number): string {
  if (length === 0) return `${start},0`
  return length === 1 ? `${start + 1}` : `${start + 1},${length}`
}
