import type { Json } from '../../model/json/json.ts'
import { blockLines, entryLines, type FileStyle, inlineText, isInline } from './render.ts'
import { scalarText } from './scalar-text.ts'
import { columnOf, lineEnd, lineStart, nextLine, type Splice } from './splice.ts'
import { type Collection, collectionOf, type Entry } from './yaml-tree.ts'

/** Where something new is written. */
export interface Target {
  readonly text: string
  readonly collection: Collection
  /** Of what is written. */
  readonly pointer: string
  readonly style: FileStyle
}

/** Gives an entry another value. Its key, its line's comment and everything around it stay. */
export function setValue(target: Target, entry: Entry, value: Json): Splice[] {
  const { text, collection, pointer, style } = target
  const old = collectionOf(entry.value)
  if (old?.style === 'block') return replaceBlock(target, entry, old, value)
  const beside = headComment(entry)
  const hasNote = beside !== '' || hasComment(text, entry.end)
  if (collection.style === 'flow' || isInline(value, pointer, style) || hasNote) {
    const written =
      typeof value === 'string'
        ? scalarText(value, quotesOf(entry) ?? style.quotes)
        : inlineText(value, style.quotes)
    const isAlone = entry.value === undefined && entry.valueStart === entry.head
    if (!isAlone) return [{ start: entry.valueStart, end: entry.end, text: written + beside }]
    const colon = collection.form === 'map' && text[entry.head - 1] !== ':' ? ':' : ''
    return [{ start: entry.head, end: entry.head, text: `${colon} ${written}` }]
  }
  const column = columnOf(text, entry.start)
  const head = text.slice(entry.start, entry.head)
  const lines = entryLines(head === '-' ? '-' : head, value, { column, pointer, style })
  return [{ start: entry.start, end: entry.end, text: lines.join(style.lineBreak) }]
}

function replaceBlock(
  { text, pointer, style }: Target,
  entry: Entry,
  old: Collection,
  value: Json,
): Splice[] {
  const isBelow = lineStart(text, old.start) > entry.head
  if (isInline(value, pointer, style)) {
    const written = inlineText(value, style.quotes)
    if (!isBelow) return [{ start: entry.valueStart, end: old.end, text: written }]
    return [
      { start: entry.head, end: entry.head, text: ` ${written}` },
      { start: lineStart(text, old.start), end: nextLine(text, old.end), text: '' },
    ]
  }
  const column = columnOf(text, old.start)
  const lines = blockLines(value, { column, pointer, style })
  return [{ start: old.start, end: old.end, text: lines.join(style.lineBreak).slice(column) }]
}

function quotesOf({ value }: Entry) {
  if (value?.type === 'double-quoted-scalar') return 'double'
  return value?.type === 'single-quoted-scalar' ? 'single' : undefined
}

/** The comment beside the mark of a text that stands in lines of its own: `>- # why`. */
function headComment({ value }: Entry): string {
  const comment =
    value?.type === 'block-scalar' ? value.props.find(({ type }) => type === 'comment') : undefined
  return comment && 'source' in comment ? ` ${comment.source}` : ''
}

function hasComment(text: string, offset: number): boolean {
  return text.slice(offset, lineEnd(text, offset)).includes('#')
}
