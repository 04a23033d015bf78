import { isJsonArray, isJsonNumber, isJsonObject, type Json } from '../../model/json/json.ts'
import { writeJson } from '../../model/json/json-text.ts'
import { pointerOf, segmentsOf } from '../../model/json/pointer.ts'
import { type Collection, columnOf, lineBreakOf } from './yaml-tree.ts'

/** The style of a file: new parts are written in the same style. */
export interface FileStyle {
  /** By how many columns a block is indented. */
  readonly step: number
  readonly lineBreak: string
  /** Those around all texts, if the file is JSON. */
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

/** The place of a new part of a block. */
interface BlockPlace {
  readonly column: number
  readonly pointer: string
  readonly style: FileStyle
}

/** A member or an element in a block. `head` is its key with the colon, or a dash. Later lines are indented. */
export function entryLines(head: string, value: Json, { column, pointer, style }: BlockPlace): string[] {
  if (isInline(value, pointer, style)) return [`${head} ${inlineText(value, style.quotes)}`]
  if (head === '-') {
    const inside = column + 2
    const [first = '', ...others] = blockLines(value, { column: inside, pointer, style })
    return [`- ${first.slice(inside)}`, ...others]
  }
  return [head, ...blockLines(value, { column: column + style.step, pointer, style })]
}

/** A map or list that is not empty as a block, indented. */
export function blockLines(value: Json, { column, pointer, style }: BlockPlace): string[] {
  const lead = ' '.repeat(column)
  const isList = isJsonArray(value)
  return Object.entries<Json>(isList || isJsonObject(value) ? value : {}).flatMap(([name, member]) => {
    const head = isList ? '-' : `${scalarText(name, style.quotes)}:`
    const place = { column, pointer: pointer + pointerOf(name), style }
    const [first = '', ...others] = entryLines(head, member, place)
    return [`${lead}${first}`, ...others]
  })
}

function isCollection(value: Json): boolean {
  return isJsonArray(value) || isJsonObject(value)
}

/** The style of a file, as far as it is visible. */
export function styleOf(text: string, root: Collection | undefined): FileStyle {
  const isBlockMap = (one: Collection | undefined) => one?.style === 'block' && one.form === 'map'
  const below = root && isBlockMap(root) ? root.entries.find(({ inside }) => isBlockMap(inside)) : undefined
  return {
    step: below?.inside ? columnOf(text, below.inside.start) - columnOf(text, below.start) : 2,
    lineBreak: lineBreakOf(text),
    ...(root?.entries[0]?.key?.type === 'double-quoted-scalar' ? { quotes: 'double' } : {}),
    isFlow: pointer => isFlowAt(root, segmentsOf(pointer)),
  }
}

/** Whether new values go on one line, as at this place, for other environments, for all of them, or beside it. */
function isFlowAt(root: Collection | undefined, path: readonly string[]): boolean {
  const [section = '', name = '', member = '', , ...inside] = path
  const isOverride = member === 'environments' && inside.length > 0
  const environments = isOverride ? collectionAt(root, [section, name, member])?.named.keys() : undefined
  const others = [...(environments ?? [])].map(each => [section, name, member, each, ...inside])
  for (const each of isOverride ? [path, ...others, [section, name, ...inside]] : [path]) {
    const above = collectionAt(root, each.slice(0, -1))
    const own = above?.named.get(each.at(-1) ?? '')?.inside
    if (own) return own.style === 'flow'
    const beside = above?.entries.find(one => one.inside?.form === 'map')?.inside
    // The members of an object may differ in style.
    if (beside && each.length > 3) return beside.style === 'flow'
  }
  return false
}

function collectionAt(root: Collection | undefined, path: readonly string[]): Collection | undefined {
  return path.reduce((at, segment) => at?.named.get(segment)?.inside, root)
}

type Quotes = 'single' | 'double'

/** A text, number, boolean or null on one line; a text in quotes if it would be read as something else. */
export function scalarText(value: string | number | boolean | null | Json, quotes?: Quotes): string {
  if (typeof value !== 'string') return isJsonNumber(value) ? writeJson(value) : String(value)
  if (quotes === undefined && plain.test(value) && !words.test(value)) return value
  if (quotes === 'single' && !mustBeEscaped.test(value)) return `'${value.replaceAll("'", "''")}'`
  return JSON.stringify(value).replace(everyEscaped, escapeCharacter)
}

/** Texts that are read as texts at any place. */
const plain = /^[A-Za-z_][\w./@+-]*(?: [\w./@+-]+)*$/
/** Words that some version of parsers reads as something else. */
const words = /^(?:true|false|null|yes|no|on|off|y|n)$/i

/** Characters that quotes cannot hold unescaped, and characters that people would not see. */
const mustBeEscaped = /[\p{Cc}\u2028\u2029\ufeff\ufffe\uffff\p{Cs}]/u
const everyEscaped = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
