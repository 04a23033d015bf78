import {
  CORE_SCHEMA,
  constructFromEvents,
  type Event,
  mergeTag,
  parseEvents,
  SCALAR_STYLE,
  YAMLException,
} from 'js-yaml'
import { deepest } from '../../hcl/json.ts'
import type { Json } from '../../model/json/json.ts'
import { lineStartsOf, positionAt } from '../../model/text/text-position.ts'
import { findDuplicateKeys } from './duplicate-keys.ts'
import { exactFloatTag, exactIntTag } from './exact-number-tags.ts'
import { type Inspection, inspectEvents, type ParseProblem } from './inspect-events.ts'
import { quote } from './quote.ts'

/** What the library makes of a text, beside what it saw on the way. */
export interface EventReading {
  /** Undefined when the text cannot be used; null when there is nothing in it. */
  readonly value: Json | undefined
  readonly problems: readonly ParseProblem[]
  readonly events: readonly Event[]
}

/** Reads any text with the library, and looks through what it saw before values are made of it. Never throws. */
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

/** The library counts the document and a scalar as levels too; the inspection counts as it is meant. */
export const maxDepth = deepest + 2

/** More lines and commas than this would take seconds and gigabytes to read: 100,000 flags have fewer. */
const mostBreaks = 2_000_000

const tooMuch: ParseProblem = {
  code: 'too-many-values',
  severity: 'error',
  message: 'there are more than two million lines and commas in this file',
  hint: 'split it into several files',
  offset: 0,
}

/** Whether a text is refused for its size, whatever it says. */
export function holdsTooMuch(text: string): boolean {
  // Each takes a character at least.
  if (text.length <= mostBreaks) return false
  let count = 0
  for (const mark of ['\n', ',']) {
    for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) count += 1
  }
  return count > mostBreaks
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
