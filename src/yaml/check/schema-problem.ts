import { BigNum, doubleOf } from '../../hcl/json.ts'
import { declarableKinds } from '../../kinds/index.ts'
import { type DeclarableKind, objectAddress, targetingField } from '../../model/kind.ts'
import type { Problem } from '../../model/problem.ts'
import { isJsonArray, isJsonNumber, isJsonObject, type Json, type JsonObject } from '../../model/text/json.ts'
import { didYouMean, listNames, meantHint } from '../../model/text/names.ts'
import { getAt, pointerOf, segmentsOf } from '../../model/text/pointer.ts'
import { declarationSchema } from '../../schema/declaration-schema.ts'
import { settingsSchema } from '../../schema/settings-schema.ts'
import { type SchemaProblem, validateAgainst } from '../../schema/validate-against.ts'
import type { DeclarationFile } from '../declaration.ts'
import type { ParsedYaml } from '../read/parse-yaml.ts'
import { quote, shortened, withArticle } from './problem-order.ts'

/** Hints about wrong keys that a schema cannot give: why a key is wrong, and which one may have been meant. */
export type ExplainUnknownKey = (
  pointer: string,
  key: string,
) => { readonly noun: string; readonly hint?: string }

interface Words {
  readonly code: string
  readonly message: string
  readonly hint?: string | undefined
  /** The place, if it is not that of the invalid value. */
  readonly pointer?: string
  readonly at?: 'key' | 'value'
}

/**
 * Puts the findings of a validator into words for the author of the file. `parsed` is the file as written,
 * so that a value from the environment is never shown.
 */
export function violationProblem(
  violation: SchemaProblem,
  parsed: ParsedYaml,
  schema: JsonObject,
  explainUnknownKey: ExplainUnknownKey,
): Problem {
  const { keyword, pointer, params } = violation
  if (keyword !== 'additionalProperties') return valueProblem(violation, parsed, schemaAt(schema, pointer))
  const words = unknownKey(pointer, String(params.additionalProperty), schema, explainUnknownKey)
  return problemOf(words, pointer, parsed)
}

/** The problem of a single value. `schema` is the part of the schema for this value. */
export function valueProblem(violation: SchemaProblem, parsed: ParsedYaml, schema?: JsonObject): Problem {
  const value = getAt(parsed.value ?? null, violation.pointer)
  const written = isTextMeant(value) ? parsed.textAt(violation.pointer) : undefined
  return problemOf(wordsFor(violation, { value, written, schema }), violation.pointer, parsed)
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

/** An invalid value, and its source text if that may differ: `2.10` for 2.1. */
interface Unfit {
  readonly value: Json | undefined
  readonly written: string | undefined
  readonly schema: JsonObject | undefined
}

/** Whether the value is a number or boolean, which people often write in place of text. */
function isTextMeant(value: Json | undefined): value is Json {
  return isJsonNumber(value) || typeof value === 'boolean'
}

function wordsFor({ pointer, keyword, message, params }: SchemaProblem, unfit: Unfit): Words {
  const { value, schema } = unfit
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
    case 'pattern': {
      const examples = examplesOf(schema)
      const meant = `${subject} must be ${schema?.title} such as ${listNames(examples)}, not ${quote(value)}`
      return { code: 'wrong-value', message: examples.length > 0 ? meant : `${subject} ${message}` }
    }
    case 'minLength':
    case 'minItems':
      return {
        code: 'empty-value',
        message: `${subject} must not be empty`,
        hint: 'fill it in, or remove it',
      }
    default:
      return { code: 'wrong-value', message: `${subject} ${message}` }
  }
}

function outOfRange(message: string, value: Json | undefined): Words {
  return { code: 'out-of-range', message: `${message}, not ${quote(value)}` }
}

/** The value at a pointer, in words. */
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

function typeHint(types: readonly string[], { value, written, schema }: Unfit): string | undefined {
  const isText = typeof value === 'string'
  if (types.includes('boolean') && isText && /^(yes|on|true|y)$/i.test(value)) return 'write true'
  if (types.includes('boolean') && isText && /^(no|off|false|n)$/i.test(value)) return 'write false'
  if (types.includes('integer') && isText && /^-?\d+$/.test(value)) return `write ${value}, without quotes`
  if (types.includes('string') && isTextMeant(value)) {
    const [texts, examples] = [allowedTexts(schema), examplesOf(schema)]
    if (examples.length > 0) return `write a value such as ${listNames(examples)}`
    return texts.length > 0 ? `write ${listNames(texts)}` : `write the value in quotes: "${written ?? value}"`
  }
  if (value instanceof BigNum && types.includes('number'))
    return `write ${doubleOf(value)}, the nearest possible number`
  if (types.includes('array') && isText) return `write a list: [${value.length > 20 ? '...' : value}]`
  if (value === null || value === undefined) return 'fill it in, or remove it'
  return undefined
}

const mostListed = 5

function notAllowed(subject: string, value: Json | undefined, allowed: unknown): Words {
  const choices = Array.isArray(allowed) ? allowed.filter(choice => choice !== null).map(String) : []
  const meant = typeof value === 'string' ? didYouMean(value, choices) : undefined
  const listed = listNames(choices)
  // A long list would hide the intended value.
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

/** The subschema for the value at a pointer; undefined if there is none. */
function schemaAt(schema: JsonObject, pointer: string): JsonObject | undefined {
  return segmentsOf(pointer).reduce<JsonObject | undefined>(
    (at, segment) => at && schemaOf(at, segment),
    schema,
  )
}

function memberNames(schema: JsonObject | undefined): string[] {
  return isJsonObject(schema?.properties) ? Object.keys(schema.properties) : []
}

/** The texts that a schema allows, if it does not allow all; if it also takes a map, the texts beside it. */
function allowedTexts(schema: JsonObject | undefined): string[] {
  const { enum: own, then } = schema ?? {}
  const choices = own ?? (isJsonObject(then) ? then.enum : undefined)
  return choices !== undefined && isJsonArray(choices)
    ? choices.filter(choice => typeof choice === 'string')
    : []
}

/** Examples of texts that the pattern of a schema allows, in quotes; the title describes them. */
function examplesOf({ pattern, title, examples = null }: JsonObject = {}): string[] {
  if (pattern === undefined || typeof title !== 'string' || !isJsonArray(examples)) return []
  return examples.filter(text => typeof text === 'string').map(quote)
}

function schemaOf(
  { properties, additionalProperties, items }: JsonObject,
  segment: string,
): JsonObject | undefined {
  const named =
    isJsonObject(properties) && Object.hasOwn(properties, segment) ? properties[segment] : undefined
  const others = [additionalProperties, items]
  // A list or a map, whichever the author wrote: a member of a map never has a number as its name.
  return [named, ...(/^\d+$/.test(segment) ? others.reverse() : others)].find(isJsonObject)
}

/**
 * Everything in a file that violates the schema of declarations, except values of fields, which have their
 * own rules. References to unset environment variables are reported elsewhere.
 */
export function checkFile({ parsed, value, unfilled }: DeclarationFile): Problem[] {
  const violations = validateAgainst('declarations', value ?? {}).filter(
    ({ pointer }) => !unfilled.has(pointer),
  )
  if (violations.length === 0) return []
  const schema = declarationSchema()
  return violations.map(violation => {
    const address = addressAt(parsed.value ?? null, violation.pointer)
    const problem = violationProblem(violation, parsed, schema, explainUnknownKey)
    return address === undefined ? problem : { ...problem, address }
  })
}

/** The intended key for a wrong key in a declaration, if the spelling is not similar. */
const explainUnknownKey: ExplainUnknownKey = (pointer, key) => {
  const [section, identity, ...inside] = segmentsOf(pointer)
  if (section === undefined) return { noun: 'a section', ...sectionHint(key) }
  const kind = kindOf(section)
  if (!kind || identity === undefined || inside.includes('source')) return { noun: 'a known field' }
  return { noun: `a field of ${withArticle(kind.title)}`, ...fieldHint(kind, key) }
}

function fieldHint(kind: DeclarableKind, key: string): { readonly hint?: string } {
  if (kind.identity.by === 'field' && kind.identity.field === key)
    return { hint: `the ${key} of ${withArticle(kind.title)} is the text before its ":"` }
  if (kind.lifecycle.softDelete?.field === key) return { hint: 'write "ensure: absent" to delete it' }
  const targeting = targetingField(kind)
  if (targeting !== undefined && key === 'tests')
    return { hint: 'write tests next to the flag; "env: NAME" in a test sets its environment' }
  if (targeting !== undefined && percentages.has(key)) return { hint: 'did you mean "rollout_percentage"?' }
  if (targeting !== undefined && filterMembers.has(key))
    return { hint: `"${key}" belongs under "${targeting}"` }
  const field = kind.fields[key]
  return field && field.access !== 'managed' ? { hint: 'the service sets it; it cannot be declared' } : {}
}

const filterMembers = new Set(['groups', 'multivariate'])
const percentages = new Set(['rollout', 'percentage'])

function sectionHint(key: string): { readonly hint?: string } {
  const kind = kindMeantBy(key)
  if (kind) return { hint: `did you mean "${kind.section}"?` }
  return settingNames.has(key) ? { hint: `write "${key}" in vexil.yaml` } : {}
}

function addressAt(value: Json, pointer: string): string | undefined {
  const [section = '', name] = segmentsOf(pointer)
  const kind = kindOf(section)
  if (!kind || name === undefined) return undefined
  if (!kind.lifecycle.parent) return objectAddress(kind.name, name.trim())
  const list = isJsonObject(value) ? value[section] : undefined
  const grant = isJsonArray(list) ? list[Number(name)] : undefined
  if (!isJsonObject(grant) || typeof grant.flag !== 'string' || typeof grant.role !== 'string')
    return undefined
  return objectAddress(kind.name, grant.role, grant.flag)
}

function kindOf(section: string): DeclarableKind | undefined {
  return declarableKinds.find(kind => kind.section === section)
}

/** The names of settings, which people write into declaration files by mistake. */
export const settingNames: ReadonlySet<string> = new Set(memberNames(settingsSchema()))

/** The kind that another word for its section means: `flag`, `flags`, `feature_flag`. */
function kindMeantBy(key: string): DeclarableKind | undefined {
  return declarableKinds.find(({ name, title }) => key === name || key === title || key === `${title}s`)
}

export function isSectionWord(key: string): boolean {
  return kindMeantBy(key) !== undefined
}
