import { diffArrays } from 'diff'

export interface LineEdit {
  readonly is: 'same' | 'removed' | 'added'
  readonly line: string
}

/** Changed lines with their context. */
export interface Hunk {
  /** The position of its first line in either text, from 0. */
  readonly before: number
  readonly after: number
  readonly edits: readonly LineEdit[]
}

/** The most steps of the search. With more differences, the whole text is shown as replaced. */
const mostSteps = 1000

/** The lines without their line ends. A last line without a line end gets a mark. */
export function linesOf(text: string | null): string[] {
  if (text === null || text === '') return []
  const lines = text.split('\n')
  const last = lines.pop() ?? ''
  return last === '' ? lines : [...lines, `${last}${withoutEnd}`]
}

/** No line can contain this text, so it never equals a line with a line end. */
export const withoutEnd = '\n'

/** The shortest edit from one list of lines to another. If both are possible, removed lines come first. */
export function diffLines(before: readonly string[], after: readonly string[]): LineEdit[] {
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && before[start] === after[start]) start++
  let end = 0
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const [left, right] = [before.slice(start, before.length - end), after.slice(start, after.length - end)]
  const parts = diffArrays(left, right, { maxEditLength: mostSteps }) ?? [
    { value: left, removed: true, added: false },
    { value: right, removed: false, added: true },
  ]
  const same = (line: string): LineEdit => ({ is: 'same', line })
  return [
    ...before.slice(0, start).map(same),
    ...parts.flatMap(({ value, removed, added }) =>
      value.map((line): LineEdit => ({ is: removed ? 'removed' : added ? 'added' : 'same', line })),
    ),
    ...before.slice(before.length - end).map(same),
  ]
}

/** The changed lines with some context. Nearby changes form one hunk. */
export function hunksOf(edits: readonly LineEdit[], around = 2): Hunk[] {
  const isNear = edits.map(() => false)
  edits.forEach(({ is }, at) => {
    if (is !== 'same') isNear.fill(true, Math.max(0, at - around), at + around + 1)
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

export const lineSigns = { same: ' ', removed: '-', added: '+' } as const

/** The difference of two texts as a unified diff, for `patch` and for people; empty if they are equal. */
export function unifiedDiff(path: string, before: string, after: string): string {
  if (before === after) return ''
  const hunks = hunksOf(diffLines(linesOf(before), linesOf(after)), 3)
  const lines = hunks.flatMap(hunk => [`${hunkTitle(hunk)}\n`, ...hunk.edits.map(patchLine)])
  return `--- a/${path}\n+++ b/${path}\n${lines.join('')}`
}

function patchLine({ is, line }: LineEdit): string {
  const end = line.endsWith(withoutEnd) ? '\\ No newline at end of file\n' : '\n'
  return `${lineSigns[is]}${line}${end}`
}
