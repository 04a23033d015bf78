import { columnOf, lineStart, nextLine, type Splice, splice } from '../splice.ts'
import { type Collection, collectionOf, type Entry, readTree } from '../yaml-tree.ts'
import { isFirstInLine, linesBehind } from './lines-behind.ts'

/** By how many columns a block is indented. */
const step = 2

/**
 * A text with each block indented by two columns. What goes on over several lines, such as texts and flows, moves with its first
 * line. Comments stand where what is below them stands.
 */
export function indentBlocks(text: string): string {
  const root = collectionOf(readTree(text))
  if (root?.style !== 'block') return text
  const indenting: Indenting = { text, splices: [] }
  indentBlock(indenting, root, { column: 0, from: 0 })
  const last = root.entries.at(-1)
  if (last) commentsTo(indenting, { from: linesBehind(text, last), to: text.length }, 0)
  return splice(text, indenting.splices)
}

interface Indenting {
  readonly text: string
  readonly splices: Splice[]
}

interface Lines {
  /** Where the first of them starts. */
  readonly from: number
  /** Where the line behind them starts. */
  readonly to: number
}

/** `from`: where the lines above its first entry start that belong to it. */
function indentBlock(
  indenting: Indenting,
  { entries }: Collection,
  { column, from }: { readonly column: number; readonly from: number },
): void {
  const { text } = indenting
  let above = from
  for (const entry of entries) {
    const isFirst = isFirstInLine(text, entry.start)
    if (isFirst) {
      commentsTo(indenting, { from: above, to: lineStart(text, entry.start) }, column)
      setIndent(indenting, lineStart(text, entry.start), column)
    }
    indentValue(indenting, entry, column)
    above = linesBehind(text, entry)
  }
}

function indentValue(indenting: Indenting, entry: Entry, column: number): void {
  const { text, splices } = indenting
  const inside = collectionOf(entry.value)
  const [below, behind] = [nextLine(text, entry.end), linesBehind(text, entry)]
  const delta = column - columnOf(text, entry.start)
  if (inside?.style !== 'block') {
    shift(indenting, { from: nextLine(text, entry.start), to: below }, { delta, least: 0 })
    shift(indenting, { from: below, to: behind }, { delta, least: column + 1 })
    return
  }
  const isBelow = lineStart(text, inside.start) > entry.start
  const gap = text.slice(entry.head, inside.start)
  const isPlainGap = !isBelow && gap.trim() === ''
  if (isPlainGap && gap !== ' ') splices.push({ start: entry.head, end: inside.start, text: ' ' })
  const here = isBelow || isPlainGap ? column + step : column + inside.start - entry.start
  indentBlock(indenting, inside, { column: here, from: nextLine(text, entry.head) })
  const last = inside.entries.at(-1)
  const rest = last ? linesBehind(text, last) : below
  shift(indenting, { from: rest, to: behind }, { delta: here - columnOf(text, inside.start), least: here })
}

/** Moves lines by so many columns, to no less than so many. Empty lines stay empty. */
function shift(
  indenting: Indenting,
  { from, to }: Lines,
  { delta, least }: { readonly delta: number; readonly least: number },
): void {
  const { text } = indenting
  for (let at = from; at < to; at = nextLine(text, at)) {
    const indent = indentAt(text, at)
    const isEmpty = /^[\r\n]?$/.test(text.slice(at + indent, at + indent + 1))
    if (isEmpty && indent === 0) continue
    setIndent(indenting, at, Math.max(least, indent + delta, 0))
  }
}

function commentsTo(indenting: Indenting, { from, to }: Lines, column: number): void {
  const { text } = indenting
  for (let at = from; at < to; at = nextLine(text, at)) {
    if (text[at + indentAt(text, at)] === '#') setIndent(indenting, at, column)
  }
}

function setIndent({ text, splices }: Indenting, start: number, column: number): void {
  const indent = indentAt(text, start)
  if (indent !== column) splices.push({ start, end: start + indent, text: ' '.repeat(column) })
}

function indentAt(text: string, start: number): number {
  let at = start
  while (text[at] === ' ') at += 1
  return at - start
}
