import { CST, Parser } from 'yaml'

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
  readonly key?: CST.Token
  readonly isMerge: boolean
  /** The start of the key, or of the element; in a block, of the dash. */
  readonly start: number
  /** The offset after the colon or the dash. */
  readonly head: number
  /** The start of the value with its tag and anchor; if there is none, where it would be. */
  readonly valueStart: number
  /** The end of the value, not the end of its last line. */
  readonly end: number
  readonly value?: CST.Token
  /** The names of anchors of the entry itself: of its key or of its value. */
  readonly anchors: readonly string[]
}

/** The value of a text as it is written; undefined if there is none, or if it is no single document. */
export function readTree(text: string): CST.Token | undefined {
  const documents = [...new Parser().parse(text)].filter(({ type }) => type === 'document')
  const [only, ...others] = documents
  return only?.type === 'document' && others.length === 0 ? (only.value ?? undefined) : undefined
}

/** The results for tokens that are still in use: a section is needed as often as it has members. */
const known = new WeakMap<CST.Token, Collection>()

/** The members of a map or list; undefined for anything else. */
export function collectionOf(token: CST.Token | undefined): Collection | undefined {
  const found = token && known.get(token)
  if (found) return found
  const read = readCollection(token)
  if (token && read) known.set(token, read)
  return read
}

function readCollection(token: CST.Token | undefined): Collection | undefined {
  switch (token?.type) {
    case 'block-map':
    case 'block-seq': {
      const isMap = token.type === 'block-map'
      // The library has a narrower type for each, with the same members.
      const entries = entriesOf(token.items, isMap)
      const [start, end] = [entries[0]?.start ?? token.offset, entries.at(-1)?.end ?? token.offset]
      return { form: isMap ? 'map' : 'list', style: 'block', start, end, entries, named: byName(entries) }
    }
    case 'flow-collection': {
      const isMap = token.start.type === 'flow-map-start'
      const entries = entriesOf(token.items, isMap)
      const [start, end] = [token.offset, endOf(token)]
      return { form: isMap ? 'map' : 'list', style: 'flow', start, end, entries, named: byName(entries) }
    }
    default:
      return undefined
  }
}

function byName(entries: readonly Entry[]): Map<string, Entry> {
  return new Map(entries.filter(({ isMerge }) => !isMerge).map(entry => [entry.name, entry]))
}

/** The member or element with that name. */
export function entryNamed(collection: Collection | undefined, name: string): Entry | undefined {
  return collection?.named.get(name)
}

/** The offset after the last character of a value; the line end of a text of several lines does not count. */
export function endOf(token: CST.Token): number {
  switch (token.type) {
    case 'block-map':
    case 'block-seq':
      return collectionOf(token)?.end ?? token.offset
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

function entriesOf(items: readonly Item[], isMap: boolean): Entry[] {
  const entries: Entry[] = []
  for (const item of items) {
    const entry = entryOf(item, isMap, String(entries.length))
    if (entry) entries.push(entry)
  }
  return entries
}

/** Tokens other than space: marks, anchors and tags. */
function marksIn(tokens: readonly CST.SourceToken[] | undefined): CST.SourceToken[] {
  return (tokens ?? []).filter(
    ({ type }) => type !== 'space' && type !== 'newline' && type !== 'comment' && type !== 'comma',
  )
}

/** Undefined if there is only a comment or a comma. */
function entryOf(
  { start: before, key = null, sep, value }: Item,
  isMap: boolean,
  number: string,
): Entry | undefined {
  const [above, between] = [marksIn(before), marksIn(sep)]
  const first = above[0]?.offset ?? key?.offset ?? between[0]?.offset ?? value?.offset
  if (first === undefined) return undefined
  const head = [...between, ...above].find(({ type }) => type === 'map-value-ind' || type === 'seq-item-ind')
  const properties = (head?.type === 'seq-item-ind' ? above : between).filter(
    ({ type }) => type === 'anchor' || type === 'tag',
  )
  const behindHead = head ? behind(head) : key ? endOf(key) : first
  const last = [...above, ...between].at(-1)
  const name = isMap && key ? keyText(key) : number
  return {
    name,
    ...(isMap && key ? { key } : {}),
    isMerge: isMap && key?.type === 'scalar' && key.source === '<<',
    start: first,
    head: behindHead,
    valueStart: properties[0]?.offset ?? value?.offset ?? behindHead,
    end: value ? endOf(value) : Math.max(last ? behind(last) : 0, behindHead, key ? endOf(key) : 0),
    ...(value ? { value } : {}),
    anchors: [...above, ...between]
      .filter(({ type }) => type === 'anchor')
      .map(({ source }) => source.slice(1)),
  }
}

function keyText(key: CST.Token): string {
  const scalar = CST.resolveAsScalar(key)
  return scalar?.value ?? ''
}

/** A part of a text and its replacement. */
export interface Splice {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The text with its parts replaced; they do not overlap. At the same place, later ones of the list go behind. */
export function splice(text: string, splices: readonly Splice[]): string {
  const ordered = splices.toSorted((left, right) => left.start - right.start)
  let [result, at] = ['', 0]
  for (const { start, end, text: replacement } of ordered) {
    result += text.slice(at, start) + replacement
    at = Math.max(at, end)
  }
  return result + text.slice(at)
}

/** The start of the line of an offset. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1
}

/** The end of the line of an offset, before its line break. */
export function lineEnd(text: string, offset: number): number {
  const found = text.indexOf('\n', offset)
  if (found === -1) return text.length
  return found > offset && text[found - 1] === '\r' ? found - 1 : found
}

/** The start of the next line; the end of the text if there is none. */
export function nextLine(text: string, offset: number): number {
  const found = text.indexOf('\n', offset)
  return found === -1 ? text.length : found + 1
}

/** The line break that a text uses. */
export function lineBreakOf(text: string): string {
  const found = text.indexOf('\n')
  return found > 0 && text[found - 1] === '\r' ? '\r\n' : '\n'
}

/** How many characters come before an offset in its line. */
export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset)
}
