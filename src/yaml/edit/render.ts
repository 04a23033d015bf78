import { isJsonArray, isJsonObject, type Json } from '../../model/json/json.ts'
import { pointerOf } from '../../model/json/pointer.ts'
import { type Quotes, scalarText } from './scalar-text.ts'

/** How a file is written: what is new is written alike. */
export interface FileStyle {
  /** By how many columns a block is indented. */
  readonly step: number
  readonly lineBreak: string
  /** Those around all texts, where the file is JSON. */
  readonly quotes?: Quotes
  /** Whether the map or list at a pointer goes on one line. */
  isFlow(pointer: string): boolean
}

/** The longest list of single values on one line. */
const oneLine = 80

/** A value on one line. */
export function inlineText(value: Json, quotes?: Quotes): string {
  if (isJsonArray(value)) return `[${value.map(element => inlineText(element, quotes)).join(', ')}]`
  if (!isJsonObject(value)) return scalarText(value, quotes)
  const members = Object.entries(value).map(
    ([name, member]) => `${scalarText(name, quotes)}: ${inlineText(member, quotes)}`,
  )
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

/** Whether a value goes on the line of its key. */
export function isInline(value: Json, pointer: string, style: FileStyle): boolean {
  if (isJsonArray(value)) {
    const isShort = value.every(element => !isCollection(element)) && inlineText(value).length < oneLine
    return isShort || style.isFlow(pointer)
  }
  return !isJsonObject(value) || Object.keys(value).length === 0 || style.isFlow(pointer)
}

/** A member or an element in a block, `head` being its key with the colon or a dash; all lines but the first are indented. */
export function entryLines(
  head: string,
  value: Json,
  {
    column,
    pointer,
    style,
  }: { readonly column: number; readonly pointer: string; readonly style: FileStyle },
): string[] {
  if (isInline(value, pointer, style)) return [`${head} ${inlineText(value, style.quotes)}`]
  if (head === '-') {
    const inside = column + 2
    const [first = '', ...others] = blockLines(value, { column: inside, pointer, style })
    return [`- ${first.slice(inside)}`, ...others]
  }
  return [head, ...blockLines(value, { column: column + style.step, pointer, style })]
}

/** A map or list that is not empty as a block, indented. */
export function blockLines(
  value: Json,
  {
    column,
    pointer,
    style,
  }: { readonly column: number; readonly pointer: string; readonly style: FileStyle },
): string[] {
  const lead = ' '.repeat(column)
  const entries = isJsonArray(value)
    ? value.map((element, index) => ['-', element, index] as const)
    : isJsonObject(value)
      ? Object.entries(value).map(
          ([name, member]) => [`${scalarText(name, style.quotes)}:`, member, name] as const,
        )
      : []
  return entries.flatMap(([head, member, name]) => {
    const [first = '', ...others] = entryLines(head, member, {
      column,
      pointer: pointer + pointerOf(name),
      style,
    })
    return [`${lead}${first}`, ...others]
  })
}

function isCollection(value: Json): boolean {
  return isJsonArray(value) || isJsonObject(value)
}
