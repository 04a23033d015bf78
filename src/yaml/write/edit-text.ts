import type { Problem } from '../../model/problem.ts'
import {
  isJsonArray,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonArray,
  type JsonObject,
} from '../../model/text/json.ts'
import { pointerOf } from '../../model/text/pointer.ts'
import { quote } from '../check/problem-order.ts'
import { type ParsedYaml, parseYaml } from '../read/parse-yaml.ts'
import {
  blockLines,
  type Collection,
  columnOf,
  type Entry,
  entryLines,
  type FileStyle,
  inlineText,
  isFirstInLine,
  isInline,
  lineStart,
  nextLine,
  readTree,
  type Splice,
  scalarText,
  splice,
  styleOf,
} from './yaml-tree.ts'

/** Why nothing is changed, and the impossible change. */
export interface NotEdited {
  readonly problem: Problem
  readonly pointer: string
}

/** A copy of a value with one replaced member; members keep their order. */
export function assigned(value: Json, path: readonly string[], member: Json | undefined): Json {
  const [name, ...inside] = path
  if (name === undefined) return member ?? null
  if (isJsonArray(value)) {
    const index = Number(name)
    return value.map((element, at) => (at === index ? assigned(element, inside, member) : element))
  }
  const object = isJsonObject(value) ? value : {}
  if (inside.length === 0 && member === undefined) {
    const { [name]: _removed, ...others } = object
    return others
  }
  return { ...object, [name]: assigned(object[name] ?? null, inside, member) }
}

/**
 * Gives a file another value, and changes nothing else in its text: comments, order, quotes and indentation
 * stay, and so does each line without a changed value. A member at a pointer in `whole` is removed with the
 * comment right above it.
 *
 * | the place holds                   | result                                                 |
 * |-----------------------------------|--------------------------------------------------------|
 * | a value                           | it is replaced; in a map or list, only the differences |
 * | nothing                           | it is added, after the members before it               |
 * | an alias, or it is in one         | the alias is written out with the change               |
 * | a value from a merge key          | it is written beside the merge key                     |
 * | an anchor that is used, or in one | nothing: its aliases would change too. A problem       |
 *
 * Afterwards the text is read again, and must have exactly the wanted value.
 */
export function rewriteText(
  parsed: ParsedYaml,
  wanted: Json,
  whole: ReadonlySet<string> = new Set(),
): { readonly text: string } | NotEdited {
  const { text, file, value: old } = parsed
  if (old === undefined) return { problem: unreadable(file), pointer: '' }
  const root = readTree(text)
  const rewriting = new Rewriting(text, styleOf(text, root), whole)
  const splices = root
    ? rewriting.members(root, old, wanted, { path: [], anchor: undefined })
    : old === null && isJsonObject(wanted)
      ? rewriting.appended(wanted)
      : []
  const { merged, anchored, first = [] } = rewriting
  if (merged) return stuckAt(parsed, merged, mergedProblem)
  const after = splice(text, splices)
  if (isSameJson(parseYaml(after, file).value ?? null, wanted)) return { text: after }
  return anchored
    ? stuckAt(parsed, anchored.path, inAnchor(anchored.name))
    : stuckAt(parsed, first, notPossible)
}

function unreadable(file: string): Problem {
  return {
    code: 'not-edited',
    severity: 'error',
    message: 'this file cannot be read, so it is not changed',
    hint: 'fix it first; `vexil validate` shows its problems',
    source: { file, line: 1, column: 1 },
  }
}

interface Stuck {
  readonly code: string
  readonly message: string
  readonly hint: string
}

const inAnchor = (name: string): Stuck => ({
  code: 'in-anchor',
  message: `is part of the anchor &${name}: the change would also affect every alias of it`,
  hint: `replace *${name} by the written values, or change the file by hand`,
})

const mergedProblem: Stuck = {
  code: 'merged',
  message: 'comes from a merge key, so it cannot be removed here',
  hint: 'replace "<<" by its members',
}

const notPossible: Stuck = {
  code: 'not-edited',
  message: 'cannot be changed here without changing other values',
  hint: 'change the file by hand',
}

function stuckAt(parsed: ParsedYaml, path: readonly string[], { code, message, hint }: Stuck): NotEdited {
  const pointer = pointerOf(...path)
  const problem: Problem = {
    code,
    severity: 'error',
    message: `${quote(path.at(-1) ?? '')} ${message}`,
    hint,
    source: parsed.locate(pointer, 'key'),
  }
  return { problem, pointer }
}

interface Place {
  readonly path: readonly string[]
  /** The outermost anchor around the place. */
  readonly anchor: string | undefined
}

/**
 * A member or an element, with its old and new value. Undefined means: `old` for an addition, `wanted` for a
 * removal, both for a merge key, which stays.
 */
interface Row {
  readonly name: string
  readonly entry?: Entry
  readonly old?: Json | undefined
  readonly wanted?: Json | undefined
}

/** Finds the parts of a text to replace, and notes possible problems. */
class Rewriting {
  /** The first changed place. */
  first: readonly string[] | undefined
  /** The first changed place inside an anchor. */
  anchored: { readonly path: readonly string[]; readonly name: string } | undefined
  /** The first removed place without its own entry. */
  merged: readonly string[] | undefined
  readonly #text: string
  readonly #style: FileStyle
  readonly #whole: ReadonlySet<string>

  constructor(text: string, style: FileStyle, whole: ReadonlySet<string>) {
    this.#text = text
    this.#style = style
    this.#whole = whole
  }

  /** The sections of a file without content, after its comments. */
  appended(sections: JsonObject): Splice[] {
    const [text, { lineBreak }] = [this.#text, this.#style]
    const lines = blockLines(sections, { column: 0, pointer: '', style: this.#style })
    const open = text === '' || text.endsWith('\n') ? '' : lineBreak
    const added = open + lines.map(line => line + lineBreak).join('')
    return [{ start: text.length, end: text.length, text: added }]
  }

  members(collection: Collection, old: Json, wanted: Json, place: Place): Splice[] {
    const rows = this.#rows(collection, old, wanted, place)
    return collection.style === 'block'
      ? this.#block(collection, rows, place)
      : this.#flow(collection, rows, place)
  }

  #rows(collection: Collection, old: Json, wanted: Json, { path }: Place): Row[] {
    if (isJsonArray(old) && isJsonArray(wanted)) return rowsOfList(collection, old, wanted)
    if (!isJsonObject(old) || !isJsonObject(wanted)) return []
    const lost = Object.keys(old).find(name => !Object.hasOwn(wanted, name) && !collection.named.has(name))
    if (lost !== undefined) this.merged ??= [...path, lost]
    return rowsOfMap(collection, old, wanted)
  }

  /** The new text of an entry, if its value changes. Its key and its line's comment stay. */
  #value(around: Collection, { name, entry, old = null, wanted = null }: Row, place: Place): Splice[] {
    if (!entry || old === wanted) return []
    const here = inside(place, name, entry)
    if (entry.inside && keepsMembers(old, wanted, name)) return this.members(entry.inside, old, wanted, here)
    if (isSameJson(old, wanted) && !entry.inside) return []
    this.#note(here)
    return this.#replaced(around, entry, wanted, here)
  }

  #note({ path, anchor }: Place): void {
    this.first ??= path
    if (anchor !== undefined) this.anchored ??= { path, name: anchor }
  }

  #replaced(around: Collection, entry: Entry, value: Json, { path }: Place): Splice[] {
    const [text, style] = [this.#text, this.#style]
    const [pointer, old] = [pointerOf(...path), entry.inside]
    const isOneLine = isInline(value, pointer, style)
    if (old?.style === 'block') {
      if (!isOneLine) {
        const column = columnOf(text, old.start)
        const lines = blockLines(value, { column, pointer, style }).join(style.lineBreak)
        return [{ start: old.start, end: old.end, text: lines.slice(column) }]
      }
      const written = inlineText(value, style.quotes)
      if (lineStart(text, old.start) <= entry.head)
        return [{ start: entry.valueStart, end: old.end, text: written }]
      return [
        { start: entry.head, end: entry.head, text: ` ${written}` },
        { start: lineStart(text, old.start), end: nextLine(text, old.end), text: '' },
      ]
    }
    const beside = headComment(entry)
    const hasNote = beside !== '' || text.slice(entry.end, nextLine(text, entry.end)).includes('#')
    if (around.style === 'block' && !isOneLine && !hasNote) {
      const column = columnOf(text, entry.start)
      const lines = entryLines(text.slice(entry.start, entry.head), value, { column, pointer, style })
      return [{ start: entry.start, end: entry.end, text: lines.join(style.lineBreak) }]
    }
    const written = inlineText(value, (typeof value === 'string' && quotesOf(entry)) || style.quotes)
    if (entry.value || entry.valueStart !== entry.head)
      return [{ start: entry.valueStart, end: entry.end, text: written + beside }]
    const colon = around.form === 'map' && text[entry.head - 1] !== ':' ? ':' : ''
    return [{ start: entry.head, end: entry.head, text: `${colon} ${written}` }]
  }

  #block(collection: Collection, rows: readonly Row[], place: Place): Splice[] {
    const text = this.#text
    const { entries } = collection
    const isBehindDash = !isFirstInLine(text, collection.start)
    const firstKept = rows.find(row => row.entry && isKept(row))?.entry
    let before: Entry | undefined
    return rows.flatMap(row => {
      const { entry, name } = row
      const here = inside(place, name, entry)
      if (!entry) return this.#addition(collection, row, before, here)
      before = entry
      if (isKept(row)) return this.#value(collection, row, place)
      this.#note(here)
      // The next member moves up to the dash.
      if (isBehindDash && firstKept && entry.start < firstKept.start)
        return [
          { start: entry.start, end: entries[entries.indexOf(entry) + 1]?.start ?? entry.end, text: '' },
        ]
      const lines = { start: lineStart(text, entry.start), end: nextLine(text, entry.end) }
      const isWhole = this.#whole.has(pointerOf(...here.path))
      return [{ ...(isWhole ? withComment(text, entry, entry === entries[0]) : lines), text: '' }]
    })
  }

  #addition(
    { form, start }: Collection,
    { name, wanted = null }: Row,
    before: Entry | undefined,
    place: Place,
  ): Splice[] {
    this.#note(place)
    const [text, style] = [this.#text, this.#style]
    const column = columnOf(text, start)
    const head = form === 'list' ? '-' : `${scalarText(name, style.quotes)}:`
    const lines = entryLines(head, wanted, { column, pointer: pointerOf(...place.path), style }).join(
      style.lineBreak,
    )
    const lead = ' '.repeat(column)
    if (!before && !isFirstInLine(text, start))
      return [{ start, end: start, text: lines + style.lineBreak + lead }]
    const at = before ? nextLine(text, before.end) : lineStart(text, start)
    const isOpen = at === text.length && !text.endsWith('\n')
    const added = isOpen ? style.lineBreak + lead + lines : lead + lines + style.lineBreak
    return [{ start: at, end: at, text: added }]
  }

  #flow(collection: Collection, rows: readonly Row[], place: Place): Splice[] {
    const [text, { quotes, lineBreak }] = [this.#text, this.#style]
    const { start, end, form } = collection
    if (rows.every(row => row.entry && isKept(row)))
      return rows.flatMap(row => this.#value(collection, row, place))
    const pieces = rows.flatMap((row): Piece[] => {
      const { entry, name, wanted = null } = row
      if (!entry || !isKept(row)) this.#note(inside(place, name, entry))
      if (entry)
        return isKept(row) ? [{ entry, text: splice(text, this.#value(collection, row, place), entry) }] : []
      const head = form === 'list' ? '' : `${scalarText(name, quotes)}: `
      return [{ text: head + inlineText(wanted, quotes) }]
    })
    return [{ start, end, text: flowText(text, collection, pieces, lineBreak) }]
  }
}

function inside({ path, anchor }: Place, name: string, entry?: Entry): Place {
  return { path: [...path, name], anchor: anchor ?? entry?.anchor }
}

function isKept({ entry, wanted }: Row): boolean {
  return wanted !== undefined || entry?.isMerge === true
}

/** Maps with a meaningful order, which decides who gets what. */
const ordered: ReadonlySet<string> = new Set(['release', 'variants'])

/** Whether a value changes member by member. Otherwise the whole value is written again. */
function keepsMembers(old: Json, wanted: Json, name: string): boolean {
  if (isJsonArray(old) && isJsonArray(wanted)) return old.length === 0 || wanted.length > 0
  if (!isJsonObject(old) || !isJsonObject(wanted)) return false
  const kept = Object.keys(old).filter(each => Object.hasOwn(wanted, each))
  if (kept.length === 0) return Object.keys(old).length === 0
  const inOrder = Object.keys(wanted).filter(each => Object.hasOwn(old, each))
  return !ordered.has(name) || kept.every((each, index) => inOrder[index] === each)
}

function rowsOfMap({ entries, named }: Collection, old: JsonObject, wanted: JsonObject): Row[] {
  const valueIn = (value: JsonObject, name: string) => (Object.hasOwn(value, name) ? value[name] : undefined)
  const rows = entries.map(
    (entry): Row =>
      entry.isMerge
        ? { name: entry.name, entry }
        : { name: entry.name, entry, old: valueIn(old, entry.name), wanted: valueIn(wanted, entry.name) },
  )
  let at = 0
  for (const [name, value] of Object.entries(wanted)) {
    if (named.has(name)) at = rows.findIndex(row => row.name === name) + 1
    else if (!Object.hasOwn(old, name)) {
      rows.splice(at, 0, { name, wanted: value })
      at += 1
    } else if (!isSameJson(old[name] ?? null, value)) rows.push({ name, wanted: value })
  }
  return rows
}

/** Equal elements at the start and the end stay; the others are paired as far as both lists have them. */
function rowsOfList({ entries }: Collection, old: JsonArray, wanted: JsonArray): Row[] {
  const most = Math.min(old.length, wanted.length)
  const isSame = (left: number, right: number) => isSameJson(old.at(left) ?? null, wanted.at(right) ?? null)
  let start = 0
  while (start < most && isSame(start, start)) start += 1
  let end = 0
  while (end < most - start && isSame(-1 - end, -1 - end)) end += 1
  const added = Math.max(0, wanted.length - old.length)
  const removed = Math.max(0, old.length - wanted.length)
  const rows = entries.map((entry, index): Row => {
    const isRemoved = index >= start && index < start + removed
    const value = wanted[index < start ? index : index + added - removed]
    return { name: String(index), entry, old: old[index], wanted: isRemoved ? undefined : value }
  })
  const more = wanted
    .slice(start, start + added)
    .map((value): Row => ({ name: String(start), wanted: value }))
  return [...rows.slice(0, start), ...more, ...rows.slice(start)]
}

function quotesOf({ value }: Entry) {
  if (value?.type === 'double-quoted-scalar') return 'double'
  return value?.type === 'single-quoted-scalar' ? 'single' : undefined
}

/** The comment next to the mark of a block text: `>- # why`. */
function headComment({ value }: Entry): string {
  const comment =
    value?.type === 'block-scalar' ? value.props.find(({ type }) => type === 'comment') : undefined
  return comment && 'source' in comment ? ` ${comment.source}` : ''
}

/** The lines of a member, the comment right above it, and the blank line that would be one too many without them. */
function withComment(text: string, { start, end }: Entry, isFirst: boolean): { start: number; end: number } {
  const own = lineStart(text, start)
  const lead = text.slice(own, start)
  const isBlank = (at: number) => text.slice(at, nextLine(text, at)).trim() === ''
  const behind = nextLine(text, end)
  let first = own
  while (first > 0 && text.startsWith(`${lead}#`, lineStart(text, first - 1)))
    first = lineStart(text, first - 1)
  const above = lineStart(text, first - 1)
  const isBlankBehind = behind >= text.length || isBlank(behind)
  if (first > 0 && isBlank(above)) return { start: isBlankBehind ? above : first, end: behind }
  return { start: first, end: isFirst && isBlankBehind ? nextLine(text, behind) : behind }
}

/** A member of a flow collection, kept or new. */
interface Piece {
  readonly entry?: Entry
  readonly text: string
}

/**
 * A flow collection with new members. Each member keeps its separator. If each has its own line, new ones do
 * too.
 */
function flowText(text: string, collection: Collection, pieces: readonly Piece[], lineBreak: string): string {
  const { entries, start, end, form } = collection
  const [first, last] = [entries[0], entries.at(-1)]
  if (!first || !last) {
    const rest = text.slice(start + 1, end)
    const padding = form === 'map' ? ' ' : ''
    const added = pieces.map(piece => piece.text).join(', ')
    return (
      text.slice(start, start + 1) + padding + added + (rest.trim().length > 1 ? rest : padding + rest.trim())
    )
  }
  const close = text.slice(last.end, end)
  const isByLine = close.includes('\n') && entries.every(entry => isFirstInLine(text, entry.start))
  const newLine = lineBreak + ' '.repeat(columnOf(text, first.start))
  const beside = (gap: string) => (isByLine ? gap.replace(/\r?\n[^\n]*$/, '') : '')
  const tail = isByLine ? close.slice(beside(close).length) : close
  const hasComma = /^\s*,/.test(close)
  const gapBehind = ({ end: from }: Entry) =>
    text.slice(from, entries.find(entry => entry.start >= from)?.start ?? from)
  const parts = pieces.map((piece, index) => {
    const { entry } = piece
    if (index === pieces.length - 1) {
      if (entry === last) return piece.text + close
      return piece.text + (entry ? beside(gapBehind(entry)) : isByLine && hasComma ? ',' : '') + tail
    }
    if (entry === last)
      return piece.text + (hasComma && isByLine ? '' : ',') + beside(close) + (isByLine ? newLine : ' ')
    return piece.text + (entry ? gapBehind(entry) : isByLine ? `,${newLine}` : ', ')
  })
  return text.slice(start, first.start) + (pieces.length === 0 ? tail : parts.join(''))
}
