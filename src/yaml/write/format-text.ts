import { Lexer } from 'yaml'
import { declarableKinds } from '../../kinds/index.ts'
import { type DeclarableKind, targetingField } from '../../model/kind.ts'
import type { Problem } from '../../model/problem.ts'
import { isJsonObject, isSameJson, type Json, type JsonObject } from '../../model/text/json.ts'
import { declarationSchema } from '../../schema/declaration-schema.ts'
import { shortMembers } from '../../targeting/short/short-form.ts'
import { fieldOrder } from '../declaration.ts'
import { parseYaml } from '../read/parse-yaml.ts'
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
 * Formats a file of declarations: members in the standard order, blocks indented by two columns, a line break
 * at the end. Conditions, variants and objects keep their order, texts their quotes, lines their comments. A
 * text with another value is never returned.
 */
export function formatText(file: string, text: string): FormattedText {
  const before = parseYaml(text, file)
  if (before.value === undefined) return { problem: notRead(file) }
  const ended = text === '' || text.endsWith('\n') ? text : text + lineBreakOf(text)
  const formatted = indentBlocks(orderMembers(ended))
  const after = parseYaml(formatted, file)
  const isSame =
    after.value !== undefined &&
    isSameJson(before.value, after.value) &&
    commentsIn(text) === commentsIn(formatted)
  return isSame ? { text: formatted } : { problem: notFormatted(file) }
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
    hint: 'fix it first; `vexil validate` shows its problems',
    source: { file, line: 1, column: 1 },
  }
}

function notFormatted(file: string): Problem {
  return {
    code: 'not-formatted',
    severity: 'error',
    message: 'this file cannot be formatted without changing its meaning',
    hint: 'indent the file by hand: two columns for each level',
    source: { file, line: 1, column: 1 },
  }
}

/** The indentation of a block, in columns. */
const step = 2

/**
 * A text with each block indented by two columns. Values over several lines, such as texts and flows, move
 * with their first line.
 *
 * | a comment                               | gets the indentation of                    |
 * |-----------------------------------------|--------------------------------------------|
 * | right below an entry, and deeper        | that entry, and as much more as it has now |
 * | right below an entry, and not deeper    | the block of its column, or the line below |
 * | after an empty line, or below a key     | the line below                             |
 */
function indentBlocks(text: string): string {
  const root = readTree(text)
  if (root?.style !== 'block') return text
  const first = new Map<number, FirstLine>()
  const splices = placeLines(text, root, 0, [], first)
  const rest = [...first]
  let [levels, end, isBelow]: [readonly Level[], number, boolean] = [[], 0, false]
  for (let at = 0; at < text.length; at = nextLine(text, at)) {
    const indent = (/^ */.exec(text.slice(at, nextLine(text, at)))?.[0] ?? '').length
    const [mark = '', last] = [text[at + indent], levels.at(-1)]
    const moved = last ? indent + last.is - last.was : indent
    const line = first.get(at)
    let column = indent
    if (line) {
      rest.shift()
      ;({ levels, end, isBelow, column } = line)
    } else if (at < end) column = /[\r\n]/.test(mark) && indent === 0 ? 0 : Math.max(0, moved)
    else if (mark === '#') {
      const below = rest[0]?.[1].column ?? 0
      if (isBelow && last && indent > last.was) column = Math.max(last.is + 1, moved)
      else if (isBelow) column = Math.max(below, levels.find(({ was }) => was >= indent)?.is ?? 0)
      else column = below
    } else isBelow = false
    if (column !== indent) splices.push({ start: at, end: at + indent, text: ' '.repeat(column) })
  }
  return splice(text, splices)
}

/** The column of a block before and after. */
interface Level {
  readonly was: number
  readonly is: number
}

interface FirstLine {
  readonly column: number
  /** The levels of the surrounding blocks, and its own. */
  readonly levels: readonly Level[]
  /** The end of its value, unless that is a block. */
  readonly end: number
  /** Whether comments right below belong to the entry: not if a block begins there. */
  readonly isBelow: boolean
}

/** Finds the first lines of all entries; returns the spaces to replace within lines. */
function placeLines(
  text: string,
  { entries }: Collection,
  column: number,
  above: readonly Level[],
  lines: Map<number, FirstLine>,
): Splice[] {
  return entries.flatMap(({ start, end, head, inside }) => {
    const levels = [...above, { was: columnOf(text, start), is: column }]
    const at = lineStart(text, start)
    const isBlock = inside?.style === 'block'
    const own = lines.get(at)?.column ?? column
    lines.set(at, { column: own, levels, end: isBlock ? 0 : end, isBelow: !isBlock })
    if (!isBlock) return []
    const isApart = lineStart(text, inside.start) > start
    const isSpace = !isApart && text.slice(head, inside.start).trim() === ''
    const here = isApart || isSpace ? column + step : column + inside.start - start
    const more = placeLines(text, inside, here, levels, lines)
    return isSpace ? [{ start: head, end: inside.start, text: ' ' }, ...more] : more
  })
}

/** A text with the members of each declaration and override in their order. Comments move with the next line. */
function orderMembers(text: string): string {
  const ranks = new Map(declarableKinds.map(kind => [kind.section, memberOrder(kind)]))
  const splices = (readTree(text)?.entries ?? []).flatMap(section => {
    const rank = ranks.get(section.name)
    if (!rank || !section.inside) return []
    return section.inside.entries.flatMap(object => {
      const overrides = object.inside?.named.get('environments')?.inside?.entries ?? []
      const inside = overrides.flatMap(override => orderedIn(text, override, rank, []))
      return orderedIn(text, object, rank, inside)
    })
  })
  return splice(text, splices)
}

interface Range {
  readonly start: number
  readonly end: number
}

/** `inside`: other changes inside the members, which move with them. */
function orderedIn(
  text: string,
  owner: Entry,
  rank: (name: string) => number,
  inside: readonly Splice[],
): readonly Splice[] {
  const members = owner.inside
  if (members?.form !== 'map') return inside
  const { entries, start, end } = members
  const ordered = entries.toSorted((left, right) => rank(left.name) - rank(right.name))
  const ranges = rangesOf(text, owner, members)
  // An anchor has to come before its aliases.
  if (!ranges || hasOwnAlias(text.slice(start, end)) || ordered.every((entry, at) => entry === entries[at]))
    return inside
  return ordered.map((entry, index) => {
    const from = ranges[entries.indexOf(entry)] ?? entry
    const own = inside.filter(one => one.start >= from.start && one.end <= from.end)
    return { ...(ranges[index] ?? entry), text: splice(text, own, from) }
  })
}

function hasOwnAlias(text: string): boolean {
  const anchors = [...text.matchAll(/(?<![^\s[{,])&([^\s,[\]{}]+)/g)]
  return anchors.some(([, name = '']) => text.includes(`*${name}`))
}

/** The parts of a text to move: members of a flow, or the lines of a block. Undefined if a comment has no clear place. */
function rangesOf(
  text: string,
  owner: Entry,
  { style, entries, start, end }: Collection,
): readonly Range[] | undefined {
  if (style === 'flow') return text.slice(start, end).includes('\n') ? undefined : entries
  if (!isFirstInLine(text, start)) {
    const isPlain = entries.every((entry, index) => {
      const gap = text.slice(entry.end, entries[index + 1]?.start ?? nextLine(text, entry.end))
      return /^[^\S\n]*(?:\n[^\S\n]*)?$/.test(gap)
    })
    return isPlain ? entries : undefined
  }
  const ends = entries.map(entry => linesBehind(text, entry))
  return entries.map((entry, index) => {
    const above = ends[index - 1] ?? nextLine(text, owner.head)
    // Empty lines separate groups, and do not move.
    const blank = /^(?:[^\S\n]*\n)*/.exec(text.slice(above, entry.start))?.[0].length ?? 0
    return { start: above + blank, end: ends[index] ?? entry.end }
  })
}

/** The first members identify an object and its environments; the last are its handling and its overrides. */
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
