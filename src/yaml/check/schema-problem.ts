import { BigNum, doubleOf } from '../../hcl/json.ts'

import { isJsonArray, isJsonNumber, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { getAt, pointerOf, segmentsOf } from '../../model/json/pointer.ts'
import type { Problem } from '../../model/problem.ts'
import { didYouMean, meantHint } from '../../model/text/did-you-mean.ts'
import { listNames } from '../../model/text/list-names.ts'
import type { SchemaProblem } from '../../schema/validate-against.ts'
import type { ParsedYaml } from '../parse/parse-yaml.ts'
import { quote, shortened } from '../parse/quote.ts'
import { allowedTexts, type Example, exampleOf, memberNames, schemaAt } from './schema-at.ts'

/** What a schema cannot know about the keys that people try: what they are not, and what may have been meant. */
export type ExplainUnknownKey = (
  pointer: string,
  key: string,
) => { readonly noun: string; readonly hint?: string }

interface Words {
  readonly code: string
  readonly message: string
  readonly hint?: string | undefined
  /** The place, where it is another one than the value that does not fit. */
  readonly pointer?: string
  readonly at?: 'key' | 'value'
}

/**
 * Puts what a validator found into the words of the person who wrote the file. `parsed` is the file as written,
 * so that a value which came from the environment is never shown.
 */
export function violationProblem(
  violation: SchemaProblem,
  parsed: ParsedYaml,
  schema: JsonObject,
  explainUnknownKey: ExplainUnknownKey,
): Problem {
  const { keyword, pointer, params } = violation
  if (keyword !== 'additionalProperties') {
    const at = schemaAt(schema, pointer)
    return valueProblem(violation, parsed, { texts: allowedTexts(at), example: exampleOf(at) })
  }
  const words = unknownKey(pointer, String(params.additionalProperty), schema, explainUnknownKey)
  return problemOf(words, pointer, parsed)
}

/** What a schema says of the texts that may stand at a place. */
interface Texts {
  /** Empty where any text may stand there, or any that looks like the example. */
  readonly texts: readonly string[]
  readonly example?: Example | undefined
}

/** The same for a value. */
export function valueProblem(
  violation: SchemaProblem,
  parsed: ParsedYaml,
  said: Texts = { texts: [] },
): Problem {
  const value = getAt(parsed.value ?? null, violation.pointer)
  const written = isTextMeant(value) ? parsed.textAt(violation.pointer) : undefined
  return problemOf(wordsFor(violation, { value, written, ...said }), violation.pointer, parsed)
}

function problemOf(words: Words, pointer: string, { locate }: ParsedYaml): Problem {
  return {
    code: words.code,
    severity: 'error',
    message: words.message,
    ...(words.hint === undefined ? {} : { hint: words.hint }),
    source: locate(words.pointer ?? pointer, words.at ?? 'value'),
  }
}

/** A value that does not fit, and its text as it was written where that may be another one: `2.10` for 2.1. */
interface Unfit extends Texts {
  readonly value: Json | undefined
  readonly written: string | undefined
}

/** Numbers and truth values, which people write where text belongs. */
function isTextMeant(value: Json | undefined): value is Json {
  return isJsonNumber(value) || typeof value === 'boolean'
}

function wordsFor({ pointer, keyword, message, params }: SchemaProblem, unfit: Unfit): Words {
  const { value, example } = unfit
  const subject = subjectAt(pointer)
  switch (keyword) {
    case 'required':
      return {
        code: 'missing-key',
        message: `${quote(String(params.missingProperty))} is missing`,
        hint: `add "${params.missingProperty}:"`,
        at: 'key',
      }
    case 'type':
      return wrongType(subject, unfit, params.type)
    case 'enum':
      return notAllowed(subject, value, params.allowedValues)
    case 'format':
      return {
        code: 'wrong-format',
        message: `${subject} must be ${formats[String(params.format)] ?? params.format}, not ${quote(value)}`,
      }
    case 'minimum':
      return outOfRange(`${subject} must be ${params.limit} or more`, value)
    case 'maximum':
      return outOfRange(`${subject} must be ${params.limit} or less`, value)
    case 'pattern':
      return {
        code: 'wrong-value',
        message: example
          ? `${subject} must be ${example.title} such as ${listNames(example.texts.map(quote))}, not ${quote(value)}`
          : `${subject} ${message}`,
      }
    case 'minLength':
    case 'minItems':
      return {
        code: 'empty-value',
        message: `${subject} must not be empty`,
        hint: 'fill it in, or leave it out',
      }
    default:
      return { code: 'wrong-value', message: `${subject} ${message}` }
  }
}

function outOfRange(message: string, value: Json | undefined): Words {
  return { code: 'out-of-range', message: `${message}, not ${quote(value)}` }
}

/** What a pointer leads to, in words. */
function subjectAt(pointer: string): string {
  const segments = segmentsOf(pointer)
  const [parent, name] = segments.slice(-2)
  if (parent === undefined) return 'the file'
  if (name === undefined) return quote(parent)
  return /^\d+$/.test(name) && segments.length > 1
    ? `element ${Number(name) + 1} of ${quote(parent)}`
    : quote(name)
}

function unknownKey(pointer: string, key: string, schema: JsonObject, explain: ExplainUnknownKey): Words {
  const { noun, hint } = explain(pointer, key)
  const names = memberNames(schemaAt(schema, pointer))
  const listed = names.length > 10 ? undefined : `there are: ${listNames(names, 'and')}`
  return {
    code: 'unknown-key',
    message: `${quote(key)} is not ${noun}`,
    hint: hint ?? meantHint(key, names, listed),
    pointer: pointer + pointerOf(key),
    at: 'key',
  }
}

function wrongType(subject: string, unfit: Unfit, expected: unknown): Words {
  const types = (Array.isArray(expected) ? expected : [expected]).map(String)
  const named = types.filter(type => type !== 'null').map(type => typePhrase[type] ?? type)
  return {
    code: 'wrong-type',
    message: `${subject} must be ${listNames(named)}, not ${describe(unfit)}`,
    hint: typeHint(types, unfit),
  }
}

function typeHint(types: readonly string[], { value, written, texts, example }: Unfit): string | undefined {
  const isText = typeof value === 'string'
  if (types.includes('boolean') && isText && /^(yes|on|true|y)$/i.test(value)) return 'write true'
  if (types.includes('boolean') && isText && /^(no|off|false|n)$/i.test(value)) return 'write false'
  if (types.includes('integer') && isText && /^-?\d+$/.test(value)) return `write ${value}, without quotes`
  if (types.includes('string') && isTextMeant(value)) {
    if (example) return `write it as in ${listNames(example.texts.map(quote))}`
    return texts.length > 0 ? `write ${listNames(texts)}` : `write it in quotes: "${written ?? value}"`
  }
  if (value instanceof BigNum && types.includes('number'))
    return `write ${doubleOf(value)}, which is as near as it gets`
  if (types.includes('array') && isText) return `write a list: [${value.length > 20 ? '...' : value}]`
  if (value === null || value === undefined) return 'fill it in, or leave it out'
  return undefined
}

const mostListed = 5

function notAllowed(subject: string, value: Json | undefined, allowed: unknown): Words {
  const choices = Array.isArray(allowed) ? allowed.filter(choice => choice !== null).map(String) : []
  const meant = typeof value === 'string' ? didYouMean(value, choices) : undefined
  const listed = listNames(choices)
  // A long list would push what was meant out of sight.
  const message =
    meant !== undefined && choices.length > mostListed
      ? `${subject} cannot be ${quote(value)}`
      : `${subject} must be ${listed}, not ${quote(value)}`
  return { code: 'unknown-value', message, hint: meant && `did you mean "${meant}"?` }
}

const typePhrase: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
}

const formats: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  uri: 'an address',
  email: 'an e-mail address',
  'date-time': 'a date and time',
}

function describe({ value, written }: Unfit): string {
  if (written !== undefined) return shortened(written)
  if (value === null || value === undefined) return 'empty'
  if (isJsonArray(value)) return 'a list'
  return isJsonObject(value) ? 'a map' : quote(value)
}
