import {
  CORE_SCHEMA,
  constructFromEvents,
  EVENT_ID,
  type Event,
  getScalarValue,
  mergeTag,
  parseEvents,
  SCALAR_STYLE,
  YAMLException,
} from 'js-yaml'
import { deepest } from '../../hcl/json.ts'
import type { Json } from '../../model/json/json.ts'
import type { Problem, Source } from '../../model/problem.ts'
import { lineStartsOf, positionAt } from '../../model/text/text-position.ts'
import { quote } from '../check/problem-order.ts'
import {
  type Inspection,
  inspectEvents,
  mostProblems,
  offsetOf,
  type ParseProblem,
} from './inspect-events.ts'
import { exactFloatTag, exactIntTag } from './inspect-scalar.ts'
import { Positions } from './positions.ts'
import { readPlainly } from './read-plainly.ts'

/** The result of reading one YAML text. */
export interface ParsedYaml {
  readonly file: string
  readonly text: string
  /** Undefined when the text cannot be used; null when there is nothing in it. */
  readonly value: Json | undefined
  readonly problems: readonly Problem[]
  /** The place of a value, or of the key in front of it. */
  locate(pointer: string, at?: 'key' | 'value'): Source
  /** The text of a scalar as it was written; undefined if the value is no scalar, or there is none. */
  textAt(pointer: string): string | undefined
}

/** Reads a text, or returns an earlier result for the same text. */
export type ParseYaml = (text: string, file: string) => ParsedYaml

/**
 * Reads YAML 1.2 (so `no` is text) with merge keys. Every error in it becomes a problem; no content of a file
 * makes this throw, run forever or change an object's prototype.
 */
export function parseYaml(text: string, file: string): ParsedYaml {
  const { value, problems, outline, locate } = readText(text)
  let lineStarts: readonly number[] | undefined
  const sourceAt = (offset: number): Source => {
    lineStarts ??= lineStartsOf(text)
    const { line, column } = positionAt(lineStarts, offset)
    return { file, line, column }
  }
  return {
    file,
    text,
    value,
    problems: problems.map(({ offset, ...problem }) => ({ ...problem, source: sourceAt(offset) })),
    locate: (pointer, at = 'value') => {
      const known = at === 'key' ? outline.get(pointer) : undefined
      return sourceAt(known ?? locate().offsetOf(pointer, at))
    },
    textAt: pointer => locate().textAt(pointer),
  }
}

/**
 * Positions that may be dropped and computed again: the parser's events take ten times the text. Most files
 * only need the places of their objects, which the outline has.
 */
function lazyPositions(text: string, first?: Positions): () => Positions {
  const isReadable = !first?.isEmpty
  let kept = first && new WeakRef(first)
  return () => {
    const known = kept?.deref()
    if (known) return known
    const again = new Positions(text, isReadable ? parseEvents(text, { maxDepth }) : [])
    kept = new WeakRef(again)
    return again
  }
}

interface Reading {
  readonly value: Json | undefined
  readonly problems: readonly ParseProblem[]
  /** The offsets of the keys of the first two levels, by pointer. */
  readonly outline: ReadonlyMap<string, number>
  readonly locate: () => Positions
}

function readText(text: string): Reading {
  const plain = holdsTooMuch(text) ? undefined : readPlainly(text)
  if (plain) return { ...plain, problems: [], locate: lazyPositions(text) }
  const { events, ...read } = readEvents(text)
  const positions = new Positions(text, events)
  return { ...read, outline: positions.outline(), locate: lazyPositions(text, positions) }
}

/** What the library reads from a text, beside its events. */
export interface EventReading {
  /** Undefined when the text cannot be used; null when there is nothing in it. */
  readonly value: Json | undefined
  readonly problems: readonly ParseProblem[]
  readonly events: readonly Event[]
}

/** Reads any text with the library, and checks its events before values are made from them. Never throws. */
export function readEvents(text: string): EventReading {
  let events: Event[] = []
  if (holdsTooMuch(text)) return { events, value: undefined, problems: [tooMuch] }
  try {
    events = parseEvents(text, { maxDepth })
  } catch (error) {
    return { events, value: undefined, problems: [syntaxProblem(error, text)] }
  }
  const inspection = inspectEvents(text, events)
  const { problems } = inspection
  if (problems.some(({ severity }) => severity === 'error')) return { events, value: undefined, problems }
  try {
    return { events, value: buildValue(text, events, inspection), problems }
  } catch (error) {
    const duplicates = duplicateProblems(text, events)
    const reasons = duplicates.length > 0 ? duplicates : [syntaxProblem(error, text)]
    return { events, value: undefined, problems: [...problems, ...reasons] }
  }
}

/** The library counts the document and a scalar as levels too; the inspection counts the real levels. */
const maxDepth = deepest + 2

/** More lines and commas than this would take seconds and gigabytes to read: 100,000 flags have fewer. */
const mostBreaks = 2_000_000

const tooMuch: ParseProblem = {
  code: 'too-many-values',
  severity: 'error',
  message: 'there are more than two million lines and commas in this file',
  hint: 'split it into several files',
  offset: 0,
}

/** Whether a text is refused for its size, whatever its content. */
function holdsTooMuch(text: string): boolean {
  // Each needs at least one character.
  if (text.length <= mostBreaks) return false
  let count = 0
  for (const mark of ['\n', ',']) {
    for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) count += 1
  }
  return count > mostBreaks
}

const schema = CORE_SCHEMA.withTags(mergeTag, exactIntTag, exactFloatTag)

/** The library counts merged keys one by one; the size of aliases was limited before. */
const mostMergedKeys = 2_000_000

function buildValue(text: string, events: Event[], { typedKeys }: Inspection): Json {
  const asText = (event: Event): Event =>
    typedKeys.has(event) && 'valueStart' in event ? { ...event, style: SCALAR_STYLE.SINGLE_QUOTED } : event
  const documents = constructFromEvents(typedKeys.size === 0 ? events : events.map(asText), {
    source: text,
    schema,
    maxTotalMergeKeys: mostMergedKeys,
  })
  // The inspection allowed only tags whose values are JSON.
  return (documents[0] ?? null) as Json
}

function duplicateProblems(text: string, events: readonly Event[]): ParseProblem[] {
  const lineStarts = lineStartsOf(text)
  return findDuplicateKeys(text, events).map(({ key, offset, first }) => ({
    code: 'duplicate-key',
    severity: 'error',
    message: `${quote(key)} stands here a second time; the first is on line ${positionAt(lineStarts, first).line}`,
    hint: 'keep one of them',
    offset,
  }))
}

function syntaxProblem(error: unknown, text: string): ParseProblem {
  const reason = error instanceof YAMLException ? error.reason : String(error)
  const offset = error instanceof YAMLException ? (error.mark?.position ?? 0) : 0
  const hint = syntaxHints.find(([pattern]) => pattern.test(reason))?.[1]
  return {
    code: 'yaml-syntax',
    severity: 'error',
    message: reason.startsWith('nesting exceeded')
      ? `values are nested more than ${deepest} levels deep`
      : `this is not YAML: ${reason}`,
    ...(hint === undefined ? {} : { hint }),
    offset: Math.min(offset, text.length),
  }
}

/** The most frequent mistake behind each message of the library. */
const syntaxHints: readonly (readonly [RegExp, string])[] = [
  [/^nesting exceeded/, 'flatten them'],
  [/tab character/, 'indent with spaces, not tabs'],
  [/bad indentation|multiline key/, 'align it with the lines around it; quote text that contains ": "'],
  [/end of the stream or a document separator/, 'quote text that starts with a special character'],
  [/cannot merge mappings/, '"<<" takes an alias of a map, or a list of such aliases'],
  [/unexpected end of the stream within a (double|single) quoted/, 'close the quotation marks'],
  [/deficient indentation/, 'indent this line further, or close the bracket above it'],
  [
    /missed comma|within a flow collection/,
    'close the bracket, add the comma, or quote text that has brackets in it',
  ],
  [/non-printable|null byte/, 'remove the control character, or write it as an escape in double quotes'],
]

/** A key that one mapping has more than once. */
export interface DuplicateKey {
  readonly key: string
  readonly offset: number
  /** The offset of its first use. */
  readonly first: number
}

/** The repeated keys of a text. Runs only when there is one: remembering each key costs more than reading them. */
function findDuplicateKeys(text: string, events: readonly Event[]): DuplicateKey[] {
  const duplicates: DuplicateKey[] = []
  const frames: (Frame | undefined)[] = []
  for (const event of events) {
    if (duplicates.length === mostProblems) break
    if (event.type === EVENT_ID.POP) {
      frames.pop()
      continue
    }
    const frame = frames.at(-1)
    if (frame) {
      if (frame.expectsKey && event.type === EVENT_ID.SCALAR) {
        const key = getScalarValue(text, event)
        const offset = offsetOf(event) ?? 0
        const first = frame.keys.get(key)
        if (first === undefined) frame.keys.set(key, offset)
        else duplicates.push({ key, offset, first })
      }
      frame.expectsKey = !frame.expectsKey
    }
    if (event.type === EVENT_ID.MAPPING) frames.push({ keys: new Map(), expectsKey: true })
    if (event.type === EVENT_ID.SEQUENCE || event.type === EVENT_ID.DOCUMENT) frames.push(undefined)
  }
  return duplicates
}

interface Frame {
  readonly keys: Map<string, number>
  expectsKey: boolean
}
