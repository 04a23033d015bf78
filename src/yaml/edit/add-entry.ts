import type { Json } from '../../model/json/json.ts'
import { commaBehind } from './commas.ts'
import { entryLines, inlineText } from './render.ts'
import { scalarText } from './scalar-text.ts'
import type { Target } from './set-value.ts'
import { columnOf, lineEnd, lineStart, nextLine, type Splice } from './splice.ts'

/** Adds a member to a map, or an element to a list, behind so many others. */
export function addEntry(
  target: Target,
  { name, index, value }: { readonly name: string; readonly index: number; readonly value: Json },
): Splice[] {
  return target.collection.style === 'block'
    ? addToBlock(target, { name, index, value })
    : addToFlow(target, { name, index, value })
}

interface Added {
  readonly name: string
  readonly index: number
  readonly value: Json
}

function headOf({ collection, style }: Target, name: string): string {
  return collection.form === 'list' ? '' : `${scalarText(name, style.quotes)}:`
}

function addToBlock(target: Target, { name, index, value }: Added): Splice[] {
  const { text, collection, pointer, style } = target
  const { entries, start, form } = collection
  const column = columnOf(text, start)
  const head = form === 'list' ? '-' : headOf(target, name)
  const lines = entryLines(head, value, { column, pointer, style }).join(style.lineBreak)
  const lead = ' '.repeat(column)
  const before = entries[index - 1]
  if (!before) return [{ start, end: start, text: `${lines}${style.lineBreak}${lead}` }]
  const at = nextLine(text, before.end)
  const isOpen = at === text.length && !text.endsWith('\n')
  const added = isOpen ? `${style.lineBreak}${lead}${lines}` : `${lead}${lines}${style.lineBreak}`
  return [{ start: at, end: at, text: added }]
}

function addToFlow(target: Target, { name, index, value }: Added): Splice[] {
  const { text, collection, style } = target
  const { entries, start, end, form } = collection
  const head = headOf(target, name)
  const added = `${head}${head === '' ? '' : ' '}${inlineText(value, style.quotes)}`
  const [before, behind] = [entries[index - 1], entries[index]]
  if (entries.length === 0) {
    const padding = form === 'map' ? ' ' : ''
    const isBlank = text.slice(start + 1, end - 1).trim() === ''
    return isBlank
      ? [{ start: start + 1, end: end - 1, text: `${padding}${added}${padding}` }]
      : [{ start: start + 1, end: start + 1, text: `${padding}${added}` }]
  }
  if (!before) return behind ? [{ start: behind.start, end: behind.start, text: `${added}, ` }] : []
  const endOfLine = lineEnd(text, before.end)
  const isOwnLine =
    text.slice(lineStart(text, before.start), before.start).trim() === '' &&
    end > endOfLine &&
    (behind === undefined || behind.start > endOfLine)
  if (!isOwnLine) return [{ start: before.end, end: before.end, text: `, ${added}` }]
  const comma = commaBehind(text, before.end)
  const lead = ' '.repeat(columnOf(text, before.start))
  const line = `${style.lineBreak}${lead}${added}`
  return comma === undefined
    ? [
        { start: before.end, end: before.end, text: ',' },
        { start: endOfLine, end: endOfLine, text: line },
      ]
    : [{ start: lineEnd(text, comma), end: lineEnd(text, comma), text: `${line},` }]
}
