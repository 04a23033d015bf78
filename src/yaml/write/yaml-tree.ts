import { CST, Parser } from 'yaml'
import { isJsonArray, isJsonNumber, isJsonObject, type Json } from '../../model/text/json.ts'
import { isUuid } from '../../model/text/json-shape.ts'
import { writeJson } from '../../model/text/json-text.ts'
import { pointerOf, segmentsOf } from '../../model/text/pointer.ts'

/** A map or a list as it is written in a text. */
export interface Collection {
  readonly form: 'map' | 'list'
  readonly style: 'block' | 'flow'
  /** The start of the first member of a block, or of the bracket of a flow. */
  readonly start: number
  /** The end of the last member of a block, or of the bracket of a flow. */
  readonly end: number
  readonly entries: readonly Entry[]
  /** The members without merge keys, by their names. */
  readonly named: ReadonlyMap<string, Entry>
}

/** A member of a map or an element of a list. */
export interface Entry {
  /** The key; for an element, its number. */
  readonly name: string
  /** The key as it is written; undefined for an element. */
  readonly key: CST.Token | undefined
  readonly isMerge: boolean
  /** The start of the key, or of the element; in a block, of the dash. */
  readonly start: number
  /** The offset after the colon or the dash. */
  readonly head: number
  /** The start of the value with its tag and anchor; if there is none, where it would be. */
  readonly valueStart: number
  /** The end of the value, not the end of its last line. */
  readonly end: number
  readonly value: CST.Token | undefined
  /** The value, if it is a map or a list. */
  readonly inside: Collection | undefined
  /** The name of the anchor of its key or of its value. */
  readonly anchor: string | undefined
}

/** The map or list that a text contains; undefined if it contains something else, or several documents. */
export function readTree(text: string): Collection | undefined {
  const documents = [...new Parser().parse(text)].filter(({ type }) => type === 'document')
  const [only, ...others] = documents
  return only?.type === 'document' && others.length === 0 ? collectionOf(only.value) : undefined
}

function collectionOf(token: CST.Token | undefined): Collection | undefined {
  if (token?.type !== 'block-map' && token?.type !== 'block-seq' && token?.type !== 'flow-collection')
    return undefined
  const isFlow = token.type === 'flow-collection'
  const isMap = isFlow ? token.start.type === 'flow-map-start' : token.type === 'block-map'
  const entries: Entry[] = []
  // The library has a narrower type for each, with the same members.
  for (const item of token.items as readonly Item[]) {
    const entry = entryOf(item, isMap, String(entries.length))
    if (entry) entries.push(entry)
  }
  return {
    form: isMap ? 'map' : 'list',
    style: isFlow ? 'flow' : 'block',
    start: isFlow ? token.offset : (entries[0]?.start ?? token.offset),
    end: isFlow ? endOf(token) : (entries.at(-1)?.end ?? token.offset),
    entries,
    named: new Map(entries.filter(({ isMerge }) => !isMerge).map(entry => [entry.name, entry])),
  }
}

/** The offset after the last character of a value; the line end of a text of several lines does not count. */
function endOf(token: CST.Token): number {
  switch (token.type) {
    case 'flow-collection': {
      const bracket = token.end.find(({ type }) => type === 'flow-map-end' || type === 'flow-seq-end')
      return bracket ? behind(bracket) : (token.items.at(-1)?.start.at(-1)?.offset ?? token.offset)
    }
    case 'block-scalar': {
      const last = token.props.at(-1)
      const start = last ? endOf(last) : token.offset
      return start + token.source.replace(/\r?\n$/, '').length
    }
    default:
      return 'source' in token ? behind(token) : token.offset
  }
}

function behind({ offset, source }: { readonly offset: number; readonly source: string }): number {
  return offset + source.length
}

type Item = (CST.BlockMap | CST.BlockSequence | CST.FlowCollection)['items'][number]

/** Tokens other than space: marks, anchors and tags. */
function marksIn(tokens: readonly CST.SourceToken[] | undefined): CST.SourceToken[] {
  return (tokens ?? []).filter(
    ({ type }) => type !== 'space' && type !== 'newline' && type !== 'comment' && type !== 'comma',
  )
}

/** Undefined if there is only a comment or a comma. */
function entryOf(
  { start: before, key, sep, value }: Item,
  isMap: boolean,
  number: string,
): Entry | undefined {
  const [above, between] = [marksIn(before), marksIn(sep)]
  const marks = [...above, ...between]
  const first = above[0]?.offset ?? key?.offset ?? between[0]?.offset ?? value?.offset
  if (first === undefined) return undefined
  const head = [...between, ...above].find(({ type }) => type === 'map-value-ind' || type === 'seq-item-ind')
  const properties = (head?.type === 'seq-item-ind' ? above : between).filter(
    ({ type }) => type === 'anchor' || type === 'tag',
  )
  const behindHead = head ? behind(head) : key ? endOf(key) : first
  const inside = collectionOf(value)
  const last = marks.at(-1)
  return {
    name: isMap && key ? (CST.resolveAsScalar(key)?.value ?? '') : number,
    key: isMap && key ? key : undefined,
    isMerge: isMap && key?.type === 'scalar' && key.source === '<<',
    start: first,
    head: behindHead,
    valueStart: properties[0]?.offset ?? value?.offset ?? behindHead,
    end: inside?.end ?? (value ? endOf(value) : Math.max(last ? behind(last) : 0, behindHead)),
    value,
    inside,
    anchor: marks.find(({ type }) => type === 'anchor')?.source.slice(1),
  }
}

export interface Splice {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** A text, or a part of it, with its parts replaced. At the same place, later ones of the list go behind. */
export function splice(
  text: string,
  splices: readonly Splice[],
  { start: from, end: to } = { start: 0, end: text.length },
): string {
  const ordered = splices.toSorted((left, right) => left.start - right.start)
  let [result, at] = ['', from]
  for (const { start, end, text: replacement } of ordered) {
    result += text.slice(at, start) + replacement
    at = Math.max(at, end)
  }
  return result + text.slice(at, to)
}

export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1
}

/** The start of the next line; the end of the text if there is none. */
export function nextLine(text: string, offset: number): number {
  const found = text.indexOf('\n', offset)
  return found === -1 ? text.length : found + 1
}

export function lineBreakOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n'
}

/** How many characters come before an offset in its line. */
export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset)
}

/** Whether only blanks come before an offset in its line. */
export function isFirstInLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === ''
}

/** The style of a file: new parts are written in the same style. */
export interface FileStyle {
  /** The indentation of a block, in columns. */
  readonly step: number
  readonly lineBreak: string
  /** Those around all texts, if the file is JSON. */
  readonly quotes?: Quotes
  /** Whether the map or list at a pointer goes on one line. */
  isFlow(pointer: string): boolean
}

/** The longest list of single values on one line. */
const oneLine = 80

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
    const isPlain = value.every(element => !isCollection(element) && !hasLines(element))
    const isShort = isPlain && inlineText(value).length < oneLine
    return isShort || style.isFlow(pointer)
  }
  return !isJsonObject(value) || Object.keys(value).length === 0 || style.isFlow(pointer)
}

interface BlockPlace {
  readonly column: number
  readonly pointer: string
  readonly style: FileStyle
}

/** A member or an element in a block. `head` is its key with the colon, or a dash. Later lines are indented. */
export function entryLines(head: string, value: Json, { column, pointer, style }: BlockPlace): string[] {
  if (hasLines(value) && style.quotes === undefined) {
    const lead = ' '.repeat(column + style.step)
    const lines = value.replace(/\n$/, '').split('\n')
    return [`${head} ${value.endsWith('\n') ? '|' : '|-'}`, ...lines.map(line => line && lead + line)]
  }
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
    const key = scalarText(name, style.quotes)
    const head = isList ? '-' : key.length > longestKey ? `? ${key}\n${lead}:` : `${key}:`
    const place = { column, pointer: pointer + pointerOf(name), style }
    const [first = '', ...others] = entryLines(head, member, place)
    return [`${lead}${first}`, ...others]
  })
}

/** The longest key without a mark before it. */
const longestKey = 1000

/** Whether a text has several lines that begin and end as they look. */
function hasLines(value: Json): value is string {
  return (
    typeof value === 'string' && value.includes('\n') && !value.endsWith('\n\n') && plainLines.test(value)
  )
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
  const isPlain = (plain.test(value) && !words.test(value)) || isUuid(value)
  if (quotes === undefined && isPlain) return value
  const isSingle =
    quotes === 'single' || (quotes === undefined && value.includes('"') && !value.includes("'"))
  if (isSingle && !mustBeEscaped.test(value)) return `'${value.replaceAll("'", "''")}'`
  return JSON.stringify(value).replace(everyEscaped, escapeCharacter)
}

/** Texts that are read as texts at any place. */
const plain = /^(?!.*[ :](?:[ :]|$))[\p{L}_$^(/][\p{L}\w ./@+$^()'"*?=<>;!|&%~\\:-]*$/u
/** Words that some version of parsers reads as something else. */
const words = /^(?:true|false|null|yes|no|on|off|y|n)$/i

/** Characters that quotes cannot hold unescaped, and characters that people would not see. */
const mustBeEscaped = /[\p{Cc}\u2028\u2029\ufeff\ufffe\uffff\p{Cs}]/u
/** Lines without a character that only quotes can hold; the first one has the common indentation. */
const plainLines =
  /^(?!\s)[\t\n -~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]*$/u
const everyEscaped = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
