import { Lexer } from 'yaml'
import { declarableKinds } from '../../kinds/index.ts'
import { isJsonArray, isJsonObject, isSameJson, type Json, type JsonObject } from '../../model/json/json.ts'
import { type DeclarableKind, targetingField } from '../../model/kind.ts'
import type { Problem } from '../../model/problem.ts'
import { declarationSchema } from '../../schema/input/declaration-schema.ts'
import { shortMembers } from '../../targeting/short/short-form.ts'
import { fieldOrder } from '../declaration.ts'
import { parseYaml } from '../parse/parse-yaml.ts'
import {
  type Collection,
  columnOf,
  type Entry,
  isFirstInLine,
  lineBreakOf,
  lineStart,
  nextLine,
  readTree,
  type Splice,
  splice,
} from './yaml-tree.ts'

export type FormattedText = { readonly text: string } | { readonly problem: Problem }

/**
 * The formatted text of a file of declarations: members in their order, blocks indented by two columns, a
 * line break at the end. Conditions, variants and objects keep their order, texts their quotes, lines their
 * comments. Its value stays the same: a text with another value is not returned.
 */
export function formatText(file: string, text: string): FormattedText {
  const before = parseYaml(text, file)
  if (before.value === undefined) return { problem: notRead(file) }
  const ended = text === '' || text.endsWith('\n') ? text : text + lineBreakOf(text)
  const formatted = indentBlocks(orderMembers(ended))
  const after = parseYaml(formatted, file)
  const isSame =
    after.value !== undefined &&
    isSameButMembers(before.value, after.value) &&
    commentsIn(text) === commentsIn(formatted)
  return isSame ? { text: formatted } : { problem: notFormatted(file) }
}

/** How deep in a file the members of objects and of their overrides are. */
const orderedDepths: ReadonlySet<number> = new Set([2, 4])

/** Whether two values are equal, including all orders except that of members. */
function isSameButMembers(left: Json, right: Json, depth = 0): boolean {
  if (isJsonArray(left) && isJsonArray(right))
    return (
      left.length === right.length &&
      left.every((element, index) => isSameButMembers(element, right[index] ?? null, depth + 1))
    )
  if (!isJsonObject(left) || !isJsonObject(right)) return isSameJson(left, right)
  const [names, others] = [Object.keys(left), Object.keys(right)]
  const isInOrder = orderedDepths.has(depth) || names.every((name, index) => others[index] === name)
  return (
    isInOrder &&
    names.length === others.length &&
    names.every(
      name =>
        Object.hasOwn(right, name) && isSameButMembers(left[name] ?? null, right[name] ?? null, depth + 1),
    )
  )
}

function commentsIn(text: string): string {
  return [...new Lexer().lex(text)]
    .filter(lexeme => lexeme.startsWith('#'))
    .sort()
    .join('\n')
}

function notRead(file: string): Problem {
  return {
    code: 'not-formatted',
    severity: 'error',
    message: 'this file cannot be read, so it is not formatted',
    hint: 'mend it first; `vexil validate` shows its problems',
    source: { file, line: 1, column: 1 },
  }
}

function notFormatted(file: string): Problem {
  return {
    code: 'not-formatted',
    severity: 'error',
    message: 'this file cannot be formatted without changing its meaning',
    hint: 'indent it by hand, by two columns a level',
    source: { file, line: 1, column: 1 },
  }
}

/** By how many columns a block is indented. */
const step = 2

/**
 * A text with each block indented by two columns. Values over several lines, such as texts and flows, move
 * with their first line. Comments get the indentation of the line below them.
 */
function indentBlocks(text: string): string {
  const root = readTree(text)
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
  /** The start of the first line. */
  readonly from: number
  /** The start of the line after them. */
  readonly to: number
}

/** `from`: the start of the lines above its first entry that belong to it. */
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
  const inside = entry.inside
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

/** Moves lines by a number of columns, but not below a minimum. Empty lines stay empty. */
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

/** A text with the members of each declaration and override in their order. Comments move with the next line. */
function orderMembers(text: string): string {
  const rankings = new Map(declarableKinds.map(kind => [kind.section, memberOrder(kind)]))
  // Parts inside something that moves are put into order first.
  const inside = splice(text, splicesIn(text, rankings, 'overrides'))
  return splice(inside, splicesIn(inside, rankings, 'objects'))
}

type Rankings = ReadonlyMap<string, (name: string) => number>

function splicesIn(text: string, rankings: Rankings, which: 'overrides' | 'objects'): Splice[] {
  const root = readTree(text)
  return (root?.entries ?? []).flatMap(section => {
    const rank = rankings.get(section.name)
    const objects = rank ? (section.inside?.entries ?? []) : []
    const owners =
      which === 'objects'
        ? objects
        : objects.flatMap(object => object.inside?.named.get('environments')?.inside?.entries ?? [])
    return rank ? owners.flatMap(owner => orderedIn(text, owner, rank)) : []
  })
}

function orderedIn(text: string, owner: Entry, rank: (name: string) => number): Splice[] {
  const members = owner.inside
  if (members?.form !== 'map') return []
  const ordered = members.entries.toSorted((left, right) => rank(left.name) - rank(right.name))
  if (ordered.every((entry, index) => entry === members.entries[index])) return []
  const inside = text.slice(members.start, members.end)
  // An anchor has to come before its aliases.
  if (hasOwnAlias(inside)) return []
  if (members.style === 'flow') return inFlow(text, members, ordered)
  return owner.key ? inBlock(text, owner, members, ordered) : behindDash(text, members, ordered)
}

function hasOwnAlias(text: string): boolean {
  const anchors = [...text.matchAll(/(?<![^\s[{,])&([^\s,[\]{}]+)/g)]
  return anchors.some(([, name = '']) => text.includes(`*${name}`))
}

/** A flow over several lines stays: its comments cannot be assigned to members. */
function inFlow(text: string, members: Collection, ordered: readonly Entry[]): Splice[] {
  if (text.slice(members.start, members.end).includes('\n')) return []
  return exchanged(text, members, ordered)
}

/** The first member has the line of the dash. One with comments or empty lines in it stays. */
function behindDash(text: string, members: Collection, ordered: readonly Entry[]): Splice[] {
  const { entries } = members
  const isPlain = entries.every(({ end }, index) => {
    const gap = text.slice(end, entries[index + 1]?.start ?? nextLine(text, end))
    return /^[^\S\n]*(?:\n[^\S\n]*)?$/.test(gap)
  })
  return isPlain ? exchanged(text, members, ordered) : []
}

function exchanged(text: string, { entries }: Collection, ordered: readonly Entry[]): Splice[] {
  return entries.map((entry, index) => {
    const other = ordered[index] ?? entry
    return { start: entry.start, end: entry.end, text: text.slice(other.start, other.end) }
  })
}

function inBlock(text: string, owner: Entry, { entries }: Collection, ordered: readonly Entry[]): Splice[] {
  if (!entries.every(({ start }) => isFirstInLine(text, start))) return []
  const ends = entries.map(entry => linesBehind(text, entry))
  const places = entries.map((entry, index) => {
    const above = ends[index - 1] ?? nextLine(text, owner.head)
    // Empty lines separate groups, and do not move.
    const blank = /^(?:[^\S\n]*\n)*/.exec(text.slice(above, entry.start))?.[0].length ?? 0
    return { start: above + blank, end: ends[index] ?? entry.end }
  })
  return places.map((place, index) => {
    const from = places[entries.indexOf(ordered[index] as Entry)] ?? place
    return { ...place, text: text.slice(from.start, from.end) }
  })
}

/** First the members that identify an object, and its place; last its treatment and its overrides. */
const [first, last] = [
  ['<<', 'ensure', 'skip', 'id', 'only'],
  [
    'role_access',
    'ignore',
    'source',
    'protect',
    'sensitive',
    'permanent',
    'allow',
    'live_edits',
    'environments',
    'tests',
  ],
]

/**
 * The members of a declaration of a kind in writing order: fields in their order, the short form
 * in the place of `filters`. Any other member goes before the last group. Parts without a name of their own
 * start with the member that identifies them, and follow the order of their schema.
 */
function memberOrder(kind: DeclarableKind): (name: string) => number {
  const { items } = sectionSchema(kind)
  if (items !== undefined) {
    const names = ['<<', ...membersIn(items)]
    return name => (names.includes(name) ? names.indexOf(name) : names.length)
  }
  const targeting = targetingField(kind)
  const fields = fieldOrder(kind).flatMap(name => (name === targeting ? [name, ...shortMembers] : [name]))
  const placed = new Set([...first, ...fields, ...last])
  const others = schemaMembers(kind).filter(name => !placed.has(name))
  const before = [...first, ...fields, ...others]
  const ranks = new Map<string, number>([
    ...before.map((name, index) => [name, index] as const),
    ...last.map((name, index) => [name, before.length + 1 + index] as const),
  ])
  return name => ranks.get(name) ?? before.length
}

function schemaMembers(kind: DeclarableKind): string[] {
  return membersIn(sectionSchema(kind).additionalProperties)
}

function sectionSchema({ section }: DeclarableKind): JsonObject {
  const { properties } = declarationSchema()
  const schema = isJsonObject(properties) ? properties[section] : undefined
  return isJsonObject(schema) ? schema : {}
}

function membersIn(object: Json | undefined): string[] {
  const members = isJsonObject(object) ? object.properties : undefined
  return isJsonObject(members) ? Object.keys(members) : []
}

/**
 * The end of the lines of an entry of a block: those of its value, and comments right below them that are
 * indented further than the block: they are about something inside it.
 */
function linesBehind(text: string, entry: Entry): number {
  const column = columnOf(text, entry.start)
  let at = nextLine(text, entry.end)
  while (at < text.length) {
    const comment = /^( *)#/.exec(text.slice(at, nextLine(text, at)))
    if (!comment || (comment[1]?.length ?? 0) <= column) return at
    at = nextLine(text, at)
  }
  return at
}
