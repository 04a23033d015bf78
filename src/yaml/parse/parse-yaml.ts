import {
  CORE_SCHEMA,
  constructFromEvents,
  type Event,
  mergeTag,
  parseEvents,
  SCALAR_STYLE,
  YAMLException,
} from 'js-yaml'
import type { Json } from '../../model/json/json.ts'
import { deepest } from '../../model/limits.ts'
import type { Problem, Source } from '../../model/problem.ts'
import { findDuplicateKeys } from './duplicate-keys.ts'
import { exactFloatTag, exactIntTag } from './exact-number-tags.ts'
import { type Inspection, inspectEvents, type ParseProblem } from './inspect-events.ts'
import { Positions } from './positions.ts'
import { quote } from './quote.ts'
import { lineStartsOf, positionAt } from './text-position.ts'

/** One YAML text, read. */
export interface ParsedYaml {
  readonly file: string
  readonly text: string
  /** Undefined when the text cannot be used; null when there is nothing in it. */
  readonly value: Json | undefined
  readonly problems: readonly Problem[]
  /** Where a value, or the key in front of it, was written. */
  locate(pointer: string, at?: 'key' | 'value'): Source
  /** The text of a scalar as it was written; undefined where something else stands, or nothing. */
  textAt(pointer: string): string | undefined
}

/**
 * Reads YAML 1.2 (so `no` is text) with merge keys. Every error in it becomes a problem; nothing that a file holds makes
 * this throw, hang or change an object's prototype.
 */
export function parseYaml(text: string, file: string): ParsedYaml {
  const { events, value, problems } = readText(text)
  const first = new Positions(text, events)
  const outline = first.outline()
  // What the parser saw takes ten times the text, and most files are asked for the places of their objects only.
  // It is made again in the rare case that somebody asks for more after it was collected.
  const locate = lazyPositions(text, first)
  let lineStarts: readonly number[] | undefined
  const sourceAt = (offset: number): Source => {
    lineStarts ??= lineStartsOf(text)
    return { file, ...positionAt(lineStarts, offset) }
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

/** Positions that may be forgotten and are found again. */
function lazyPositions(text: string, first: Positions): () => Positions {
  const isReadable = !first.isEmpty
  let kept = new WeakRef(first)
  return () => {
    const known = kept.deref()
    if (known) return known
    const again = new Positions(text, isReadable ? parseEvents(text, { maxDepth }) : [])
    kept = new WeakRef(again)
    return again
  }
}

interface Reading {
  readonly events: readonly Event[]
  readonly value: Json | undefined
  readonly problems: readonly ParseProblem[]
}

function readText(text: string): Reading {
  let events: Event[] = []
  if (countBreaks(text) > mostBreaks) return { events, value: undefined, problems: [tooMuch] }
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

/** The library counts the document and a scalar as levels too; the inspection counts as it is meant. */
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

function countBreaks(text: string): number {
  let count = 0
  for (const mark of ['\n', ',']) {
    for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) count += 1
  }
  return count
}

const schema = CORE_SCHEMA.withTags(mergeTag, exactIntTag, exactFloatTag)

/** The library counts merged keys one by one; what aliases may unfold into was limited before. */
const mostMergedKeys = 2_000_000

function buildValue(text: string, events: Event[], { typedKeys }: Inspection): Json {
  const asText = (event: Event): Event =>
    typedKeys.has(event) && 'valueStart' in event ? { ...event, style: SCALAR_STYLE.SINGLE_QUOTED } : event
  const documents = constructFromEvents(typedKeys.size === 0 ? events : events.map(asText), {
    source: text,
    schema,
    maxTotalMergeKeys: mostMergedKeys,
  })
  // The inspection let only those tags through whose values are JSON.
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

/** What people most often did when the library says this. */
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
