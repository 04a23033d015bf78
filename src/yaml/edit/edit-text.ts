import { Lexer } from 'yaml'
import {
  isJsonArray,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonArray,
  type JsonObject,
} from '../../model/json/json.ts'
import { getAt, pointerOf, segmentsOf } from '../../model/json/pointer.ts'
import type { Problem } from '../../model/problem.ts'
import { quote } from '../check/problem-order.ts'
import { type ParsedYaml, parseYaml } from '../parse/parse-yaml.ts'
import {
  blockLines,
  entryLines,
  type FileStyle,
  inlineText,
  isInline,
  scalarText,
  styleOf,
} from './render.ts'
import {
  type Collection,
  collectionOf,
  columnOf,
  type Entry,
  entryNamed,
  lineEnd,
  lineStart,
  nextLine,
  readTree,
  type Splice,
  splice,
} from './yaml-tree.ts'

/** The wanted value at a place of a file; undefined removes it. Missing parents are added. */
export interface TextChange {
  readonly pointer: string
  readonly value: Json | undefined
}

export type EditedText = { readonly text: string } | NotEdited

/** Why nothing is changed, and the change that was impossible. */
export interface NotEdited {
  readonly problem: Problem
  readonly pointer: string
}

/**
 * Changes values in the text of a file, and nothing else: comments, order, quotes and indentation stay, and
 * so does each line without these values.
 *
 * | the place holds                   | result                                                 |
 * |-----------------------------------|--------------------------------------------------------|
 * | a value                           | it is replaced; in a map or list, only the differences |
 * | nothing                           | it is added, after the members before it               |
 * | an alias, or it is in one         | the alias is written out with the change               |
 * | a value from a merge key          | it is written beside the merge key                     |
 * | an anchor that is used, or in one | nothing: its aliases would change too. A problem       |
 *
 * Afterwards the text is read again, and must have exactly the earlier value with these changes.
 */
export function editText(file: string, text: string, changes: readonly TextChange[]): EditedText {
  const parsed = parseYaml(text, file)
  if (parsed.value === undefined) return { problem: unreadable(file), pointer: '' }
  const wanted = changes.reduce<Json>(
    (value, change) => assigned(value, segmentsOf(change.pointer), change.value),
    parsed.value,
  )
  let current = parsed
  const most = 2 * stepsBetween(parsed.value, wanted).length + spareRounds
  for (let round = 0; round < most; round += 1) {
    const steps = stepsBetween(current.value ?? null, wanted)
    if (steps.length === 0) return { text: current.text }
    const taken = takeSteps(current, onePerObject(steps), wanted)
    if ('problem' in taken) return taken
    const next = parseYaml(taken.text, file)
    const [step] = steps
    if (next.value === undefined || taken.text === current.text) return notPossible(current, step?.path ?? [])
    current = next
  }
  return notPossible(current, stepsBetween(current.value ?? null, wanted)[0]?.path ?? [])
}

/** A step can make others possible: elements of a list come one at a time. */
const spareRounds = 500

/** A copy of a value with another value at one place; its members keep their order. */
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
 * The last step for each object of a section: the others are searched again when that one is done. An alias
 * comes after its anchor, and may have to be removed before it.
 */
function onePerObject(steps: readonly Step[]): Step[] {
  const seen = new Set<string>()
  return steps.toReversed().filter(({ path }) => {
    const object = pointerOf(...path.slice(0, 2))
    const isNew = !seen.has(object) && !seen.has(pointerOf(...path.slice(0, 1)))
    seen.add(object)
    return isNew
  })
}

function takeSteps(parsed: ParsedYaml, steps: readonly Step[], wanted: Json): EditedText {
  const { text } = parsed
  const root = collectionOf(readTree(text))
  const aliases = aliasesIn(text)
  const style = styleOf(text, root)
  const splices: Splice[] = []
  for (const step of steps) {
    if (!root) {
      if (parsed.value !== null || step.does !== 'set') return notPossible(parsed, step.path)
      const lines = Object.entries(isJsonObject(step.value) ? step.value : {}).flatMap(([name, value]) =>
        entryLines(`${name}:`, value, { column: 0, pointer: pointerOf(name), style }),
      )
      const open = text === '' || text.endsWith('\n') ? '' : style.lineBreak
      splices.push({
        start: text.length,
        end: text.length,
        text: open + lines.map(line => line + style.lineBreak).join(''),
      })
      continue
    }
    const found = findPlace(root, step)
    const used = found.anchors.find(name => aliases.has(name))
    if (used !== undefined) return inAnchor(parsed, found.path, used)
    const { collection, entry, path } = found
    const value =
      path.length === step.path.length && step.does === 'remove'
        ? undefined
        : getAt(wanted, pointerOf(...path))
    const pointer = pointerOf(...path)
    const target = { text, collection, pointer, style }
    if (value !== undefined && entry) splices.push(...setValue(target, entry, value))
    else if (value !== undefined) {
      const index =
        step.does === 'add' && path.length === step.path.length ? step.index : collection.entries.length
      const name = path.at(-1) ?? ''
      splices.push(...addEntry(target, { name, index: ownIndex(collection, index), value }))
    } else if (entry) splices.push(...removeEntry(text, collection, entry))
    else return merged(parsed, step.path)
  }
  return { text: splice(text, splices) }
}

/** Merged members count when values are read, and have no entry of their own. */
function ownIndex({ entries }: Collection, index: number): number {
  return Math.min(index, entries.length)
}

interface Place {
  readonly collection: Collection
  /** Undefined if nothing is written yet. */
  readonly entry?: Entry
  /** Shorter than that of the step if an alias or a merge key is in between: all of it is written there. */
  readonly path: readonly string[]
  /** The names of anchors around the place. */
  readonly anchors: readonly string[]
}

function findPlace(root: Collection, { path, does }: Step): Place {
  let collection = root
  const anchors: string[] = []
  for (const [depth, name] of path.entries()) {
    const isLast = depth === path.length - 1
    const here = path.slice(0, depth + 1)
    const entry = does === 'add' && isLast ? undefined : entryNamed(collection, name)
    if (!entry) return { collection, path: here, anchors }
    anchors.push(...entry.anchors)
    const inside = collectionOf(entry.value)
    // The value is no map or list but an alias, or there is none yet.
    if (isLast || !inside) return { collection, entry, path: here, anchors }
    collection = inside
  }
  return { collection, path, anchors }
}

function aliasesIn(text: string): Set<string> {
  const names = new Set<string>()
  if (!text.includes('*')) return names
  for (const lexeme of new Lexer().lex(text)) if (lexeme.startsWith('*')) names.add(lexeme.slice(1))
  return names
}

function unreadable(file: string): Problem {
  return {
    code: 'not-edited',
    severity: 'error',
    message: 'this file cannot be read, so nothing in it is changed',
    hint: 'mend it first; `vexil validate` shows its problems',
    source: { file, line: 1, column: 1 },
  }
}

function inAnchor(parsed: ParsedYaml, path: readonly string[], name: string): NotEdited {
  return stuckAt(parsed, path, {
    code: 'in-anchor',
    message: `${quote(path.at(-1))} stands in the anchor &${name}, and what uses it would change too`,
    hint: `write it out where *${name} is used, or change it by hand`,
  })
}

function merged(parsed: ParsedYaml, path: readonly string[]): NotEdited {
  return stuckAt(parsed, path, {
    code: 'merged',
    message: `${quote(path.at(-1))} comes from a merge key, and cannot be taken out here`,
    hint: 'write the members out in place of "<<"',
  })
}

function notPossible(parsed: ParsedYaml, path: readonly string[]): NotEdited {
  return stuckAt(parsed, path, {
    code: 'not-edited',
    message: `${quote(path.at(-1) ?? '')} cannot be changed here without changing something else`,
    hint: 'change it by hand',
  })
}

function stuckAt(
  parsed: ParsedYaml,
  path: readonly string[],
  problem: Pick<Problem, 'code' | 'message' | 'hint'>,
): NotEdited {
  const pointer = pointerOf(...path)
  return { problem: { ...problem, severity: 'error', source: parsed.locate(pointer, 'key') }, pointer }
}

/** One place at which a text does not have the wanted value yet. */
type Step =
  | { readonly does: 'set'; readonly path: readonly string[]; readonly value: Json }
  | { readonly does: 'add'; readonly path: readonly string[]; readonly value: Json; readonly index: number }
  | { readonly does: 'remove'; readonly path: readonly string[] }

/** Maps with a meaningful order: who matches first, and who gets which part of all people. */
const ordered: ReadonlySet<string> = new Set(['release', 'variants'])

/**
 * The steps that turn one value into another, as close to the leaves as possible. Steps in one list or map
 * use the positions before the other steps.
 */
function stepsBetween(old: Json, wanted: Json, path: readonly string[] = []): Step[] {
  if (isJsonObject(old) && isJsonObject(wanted)) return stepsInMap(old, wanted, path)
  if (isJsonArray(old) && isJsonArray(wanted)) return stepsInList(old, wanted, path)
  return isSameJson(old, wanted) ? [] : [{ does: 'set', path, value: wanted }]
}

function stepsInMap(old: JsonObject, wanted: JsonObject, path: readonly string[]): Step[] {
  const [before, after] = [Object.keys(old), Object.keys(wanted)]
  if (before.length > 0 && after.length === 0) return [{ does: 'set', path, value: wanted }]
  const kept = before.filter(name => Object.hasOwn(wanted, name))
  const inOrder = after.filter(name => Object.hasOwn(old, name))
  if (ordered.has(path.at(-1) ?? '') && kept.some((name, index) => inOrder[index] !== name))
    return [{ does: 'set', path, value: wanted }]
  return after
    .flatMap((name, index): Step[] => {
      const inside = [...path, name]
      const member = wanted[name] ?? null
      if (Object.hasOwn(old, name)) return stepsBetween(old[name] ?? null, member, inside)
      const above = after[index - 1]
      const place = above === undefined ? 0 : before.indexOf(above) + 1
      // A new member after another new one waits: once that is written, its place is known.
      if (above !== undefined && place === 0) return []
      return [{ does: 'add', path: inside, value: member, index: place }]
    })
    .concat(
      before.flatMap((name): Step[] =>
        Object.hasOwn(wanted, name) ? [] : [{ does: 'remove', path: [...path, name] }],
      ),
    )
}

function stepsInList(old: JsonArray, wanted: JsonArray, path: readonly string[]): Step[] {
  if (isSameJson(old, wanted)) return []
  if (old.length > 0 && wanted.length === 0) return [{ does: 'set', path, value: wanted }]
  if (old.length === wanted.length)
    return old.flatMap((element, index) =>
      stepsBetween(element, wanted[index] ?? null, [...path, String(index)]),
    )
  const [start, end] = commonEnds(old, wanted)
  const [from, to] = [old.slice(start, old.length - end), wanted.slice(start, wanted.length - end)]
  const [added] = to
  // One at a time: the later ones get another number then.
  if (from.length < to.length && added !== undefined)
    return [{ does: 'add', path: [...path, String(start)], value: added, index: start }]
  return [{ does: 'remove', path: [...path, String(start)] }]
}

/** How many elements are equal at the start, and how many of the others at the end. */
function commonEnds(old: JsonArray, wanted: JsonArray): [start: number, end: number] {
  const most = Math.min(old.length, wanted.length)
  let start = 0
  while (start < most && isSameJson(old[start] ?? null, wanted[start] ?? null)) start += 1
  let end = 0
  while (end < most - start && isSameJson(old.at(-1 - end) ?? null, wanted.at(-1 - end) ?? null)) end += 1
  return [start, end]
}

/** The place of a new value. */
interface Target {
  readonly text: string
  readonly collection: Collection
  /** The place of the new value. */
  readonly pointer: string
  readonly style: FileStyle
}

/** Gives an entry another value. Its key, its line's comment and everything around it stay. */
function setValue(target: Target, entry: Entry, value: Json): Splice[] {
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

/** The comment beside the mark of a text on lines of its own: `>- # why`. */
function headComment({ value }: Entry): string {
  const comment =
    value?.type === 'block-scalar' ? value.props.find(({ type }) => type === 'comment') : undefined
  return comment && 'source' in comment ? ` ${comment.source}` : ''
}

function hasComment(text: string, offset: number): boolean {
  return text.slice(offset, lineEnd(text, offset)).includes('#')
}

/** Adds a member to a map, or an element to a list, after the given number of others. */
function addEntry(
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

/** Removes an entry with the rest of its lines. Lines above it stay. It is not the only entry of a block. */
function removeEntry(text: string, collection: Collection, entry: Entry): Splice[] {
  const first = lineStart(text, entry.start)
  const isFirstInLine = text.slice(first, entry.start).trim() === ''
  if (collection.style === 'flow') return removeFromFlow(text, collection, entry, isFirstInLine)
  const next = nextLine(text, entry.end)
  if (isFirstInLine) return [{ start: first, end: next, text: '' }]
  // The dash of its list element comes before it, and the next member moves up to that.
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

/** The offset of the comma after an entry of a flow; undefined if the bracket comes first. */
function commaBehind(text: string, offset: number): number | undefined {
  for (let at = offset; at < text.length; at += 1) {
    const character = text[at]
    if (character === ',') return at
    if (character === '#') at = text.indexOf('\n', at) === -1 ? text.length : text.indexOf('\n', at)
    else if (character !== undefined && !/\s/.test(character)) return undefined
  }
  return undefined
}
