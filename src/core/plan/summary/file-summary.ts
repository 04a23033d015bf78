import { shortenPair, visible } from '../../../targeting/index.ts'
import { diffLines, type LineEdit } from './line-diff.ts'

type Files = Readonly<Record<string, string | null>>

/** How many unchanged lines stand around a change. */
const surroundings = 2
/** The most lines of a difference that are shown of one file; how many more there are is said. */
const mostLines = 24
const longestLine = 120

/**
 * What happens to source files: a small unified difference of each, with counts. `before` is undefined where the
 * service does not show them.
 */
export function fileSummary(files: Files, before: Files | undefined): string[] {
  return Object.keys(files)
    .sort()
    .flatMap(name => wordsOf(visible(name), before, before?.[name] ?? null, files[name] ?? null))
}

function wordsOf(
  name: string,
  known: Files | undefined,
  was: string | null,
  becomes: string | null,
): string[] {
  const [left, right] = [linesOf(was), linesOf(becomes)]
  if (!known) {
    return becomes === null
      ? [`source ${name} removed, which the service does not show`]
      : [`source ${name} written: ${counted(right.length)}, over what the service does not show`]
  }
  const edits = diffLines(left, right)
  if (was === null) return [`source ${name} added: ${counted(right.length)}`, ...limited(changedLines(edits))]
  if (becomes === null)
    return [`source ${name} removed: ${counted(left.length)}`, ...limited(changedLines(edits))]
  const count = (is: LineEdit['is']) => edits.filter(edit => edit.is === is).length
  const title = `source ${name} changed: ${counted(count('added'))} added, ${count('removed')} removed`
  return [title, ...limited(hunksOf(edits).flatMap(hunkLines))]
}

/** Lines without their ends; a last line that has none says so. */
function linesOf(text: string | null): string[] {
  if (text === null || text === '') return []
  const lines = text.split('\n')
  const last = lines.pop() ?? ''
  return last === '' ? lines : [...lines, `${last}${withoutEnd}`]
}

/** Nothing that a line could hold, so that it is never taken for one that has an end. */
const withoutEnd = '\n'

interface Hunk {
  /** The place of its first line in either text, from 0. */
  readonly before: number
  readonly after: number
  readonly edits: readonly LineEdit[]
}

/** The changed lines with what stands around them; those that are close together stand together. */
function hunksOf(edits: readonly LineEdit[]): Hunk[] {
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

function hunkLines({ before, after, edits }: Hunk): string[] {
  const length = (but: LineEdit['is']) => edits.filter(({ is }) => is !== but).length
  return [
    `@@ -${range(before, length('added'))} +${range(after, length('removed'))} @@`,
    ...changedLines(edits),
  ]
}

function range(start: number, length: number): string {
  if (length === 0) return `${start},0`
  return length === 1 ? `${start + 1}` : `${start + 1},${length}`
}

const signs = { same: ' ', removed: '-', added: '+' } as const

/** Lines with their signs; of long ones that take each other's place, the part in which they differ. */
function changedLines(edits: readonly LineEdit[]): string[] {
  const partners = partnersOf(edits)
  return edits.map(({ is, line }, at) => {
    const partner = edits[partners.get(at) ?? at]?.line ?? line
    const [shown] = shortenPair(line.replace(withoutEnd, ''), partner.replace(withoutEnd, ''), longestLine)
    const end = line.endsWith(withoutEnd) ? ', without a line end' : ''
    // A tab is part of source code, and whoever shows the line says how.
    const safe = shown.text.split('\t').map(visible).join('\t')
    return `${signs[is]}${safe}${shown.note}${end}`
  })
}

/** By place: which added line stands for which removed one, the first for the first. */
function partnersOf(edits: readonly LineEdit[]): Map<number, number> {
  const partners = new Map<number, number>()
  let waiting: number[] = []
  edits.forEach(({ is }, at) => {
    if (is === 'removed') waiting.push(at)
    const partner = is === 'added' ? waiting.shift() : undefined
    if (is === 'same') waiting = []
    if (partner === undefined) return
    partners.set(at, partner)
    partners.set(partner, at)
  })
  return partners
}

function limited(lines: readonly string[]): string[] {
  const shown = lines.slice(0, mostLines).map(line => `  ${line}`)
  const more = lines.length - shown.length
  return more === 0 ? shown : [...shown, `  … and ${counted(more).replace(' ', ' more ')} of this difference`]
}

function counted(lines: number): string {
  return `${lines} ${lines === 1 ? 'line' : 'lines'}`
}
