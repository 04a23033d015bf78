import { commaBehind } from './commas.ts'
import { columnOf, lineEnd, lineStart, nextLine, type Splice } from './splice.ts'
import type { Collection, Entry } from './yaml-tree.ts'

/** Takes out an entry with the rest of its lines. Lines above it, such as comments, stay. It is not the only entry of a block. */
export function removeEntry(text: string, collection: Collection, entry: Entry): Splice[] {
  const first = lineStart(text, entry.start)
  const isFirstInLine = text.slice(first, entry.start).trim() === ''
  if (collection.style === 'flow') return removeFromFlow(text, collection, entry, isFirstInLine)
  const next = nextLine(text, entry.end)
  if (isFirstInLine) return [{ start: first, end: next, text: '' }]
  // The dash of the element that it is in stands before it, and the next member moves up to that.
  return [{ start: entry.start, end: Math.min(text.length, next + columnOf(text, entry.start)), text: '' }]
}

function removeFromFlow(
  text: string,
  { entries, end }: Collection,
  entry: Entry,
  isFirstInLine: boolean,
): Splice[] {
  const index = entries.indexOf(entry)
  const [before, behind] = [entries[index - 1], entries[index + 1]]
  const comma = commaBehind(text, entry.end)
  const last = comma === undefined ? entry.end : comma + 1
  const endOfLine = lineEnd(text, last)
  const isAlone = isFirstInLine && end > endOfLine && (behind === undefined || behind.start > endOfLine)
  if (isAlone) return [{ start: lineStart(text, entry.start), end: nextLine(text, last), text: '' }]
  if (behind && comma !== undefined && lineStart(text, behind.start) === lineStart(text, comma))
    return [{ start: entry.start, end: behind.start, text: '' }]
  const commaBefore = before && commaBehind(text, before.end)
  if (
    before &&
    !behind &&
    commaBefore !== undefined &&
    lineStart(text, commaBefore) === lineStart(text, entry.start)
  )
    return [{ start: before.end, end: entry.end, text: '' }]
  return [{ start: entry.start, end: last, text: '' }]
}
