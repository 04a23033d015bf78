import type { ArrayField, Field, StringField } from '../model/field.ts'
import { guardsOfKind, objectGuards } from '../model/guard-rules.ts'
import { canonicalText, isJsonArray, isJsonNumber, type Json } from '../model/json/json.ts'
import { pointerOf } from '../model/json/pointer.ts'
import { type DeclarableKind, identityField } from '../model/kind.ts'
import { oncePer } from '../model/runtime.ts'
import { isUuid } from '../model/text/uuid.ts'
import type { ObjectProblem } from './object-problem.ts'

/**
 * The rules that the value of one field breaks by itself. Other rules check the inside of JSON.
 *
 * | the field      | the rule                                                          |
 * |----------------|-------------------------------------------------------------------|
 * | any            | a value, and each element of it, is of its type                   |
 * | `required`     | a text is more than blanks                                        |
 * | `oneOf`        | a text is one of them                                             |
 * | `format: uuid` | a text is a UUID                                                  |
 * | `maxLength`    | a text is no longer, and so is each text of a set                 |
 * | `characters`   | a text that is right otherwise has no others: newer services refuse them |
 * | a set          | each text of it is more than blanks                               |
 * | `maxElements`  | a list or a set has no more elements                              |
 *
 * [service-behaviour 2.1, 2.6, 5; service-today 2]
 */
export function checkField(kind: DeclarableKind, name: string, value: Json): ObjectProblem[] {
  const field = kind.fields[name]
  if (!field) return []
  const broken = checkType(field, name, value).concat(checkChoice(field, name, value))
  if (field.type === 'string' && typeof value === 'string') {
    broken.push(...checkText(field, name, value, identityField(kind) === name))
    return broken.length > 0 ? broken : checkCharacters(field, name, value)
  }
  return isJsonArray(value) && isList(field) ? broken.concat(checkElements(field, name, value)) : broken
}

function checkType(field: Field, name: string, value: Json): ObjectProblem[] {
  const types = takenTypes(field)
  return types.includes(typeOf(value)) ? [] : [wrongType(name, pointerOf(name), `"${name}"`, types)]
}

function wrongType(field: string, pointer: string, subject: string, types: readonly string[]): ObjectProblem {
  const words = types.filter(type => type !== 'null').map(type => typePhrase[type] ?? type)
  const message = `${subject} must be ${words.join(' or ')}`
  return { pointer, field, rule: 'type', types, severity: 'error', code: 'wrong-type', message }
}

const takenTypes = oncePer((field: Field): readonly string[] => [
  ...typesOf(field),
  ...(field.nullable ? ['null'] : []),
])

/** The types of JSON Schema that a field accepts. */
function typesOf(field: Field): readonly string[] {
  switch (field.type) {
    case 'string':
    case 'integer':
    case 'boolean':
      return [field.type]
    case 'json':
      return field.orArray ? ['object', 'array'] : ['object']
    case 'list':
    case 'set':
      return ['array']
    case 'structure':
      return ['object']
  }
}

function typeOf(value: Json): string {
  if (isJsonArray(value)) return 'array'
  if (isJsonNumber(value)) return Number.isInteger(value) ? 'integer' : 'number'
  return value === null ? 'null' : typeof value
}

const typePhrase: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

function checkChoice(field: Field, name: string, value: Json): ObjectProblem[] {
  if (field.type !== 'string' || !field.oneOf) return []
  const { oneOf: choices } = field
  const isNothing = value === null && field.nullable
  if (isNothing || choices.some(choice => choice === value)) return []
  return [
    {
      pointer: pointerOf(name),
      field: name,
      rule: 'choice',
      choices,
      severity: 'error',
      code: 'unknown-value',
      message: `${canonicalText(value)} is not a ${name}`,
      hint: `take one of ${choices.map(choice => `"${choice}"`).join(', ')}`,
    },
  ]
}

function checkText(field: StringField, name: string, text: string, isIdentity: boolean): ObjectProblem[] {
  const at = { pointer: pointerOf(name), field: name, severity: 'error' } as const
  const { required, format, doc } = field
  const problems: ObjectProblem[] = []
  if (required && text.trim() === '')
    problems.push({ ...at, rule: 'empty', code: 'empty-name', message: `the ${name} is empty`, hint: doc })
  if (format === 'uuid' && !isUuid(text))
    problems.push({
      ...at,
      rule: 'uuid',
      code: 'wrong-format',
      message: `${JSON.stringify(text)} is not a UUID`,
      hint: 'an id looks like 01900000-0000-0000-0000-0000000000aa',
    })
  if (isTooLong(field, text)) {
    const code = isIdentity ? 'name-too-long' : 'value-too-long'
    problems.push({ ...at, ...tooLong(field, `the ${name}`, text.trim()), code })
  }
  return problems
}

function checkCharacters({ characters }: StringField, name: string, text: string): ObjectProblem[] {
  if (characters === undefined || characters.pattern.test(text.trim())) return []
  return [
    {
      pointer: pointerOf(name),
      field: name,
      rule: 'characters',
      severity: 'warning',
      code: 'key-characters',
      message: `newer services refuse this ${name}`,
      hint: `use ${characters.words} only`,
    },
  ]
}

function isList(field: Field): field is ArrayField {
  return field.type === 'list' || field.type === 'set'
}

/** A set is compared as text, so its elements are text unless the kind has another type. */
function checkElements(field: ArrayField, name: string, elements: readonly Json[]): ObjectProblem[] {
  const of = field.of ?? (field.type === 'set' ? 'string' : undefined)
  const unfit = elements.flatMap((element, index) =>
    of === undefined || typeOf(element) === of
      ? []
      : [wrongType(name, pointerOf(name, index), `element ${index + 1} of "${name}"`, [of])],
  )
  const tags = field.type === 'set' ? checkTags(field, name, elements) : []
  return unfit.concat(tags, checkCount(field, name, elements.length))
}

function checkCount({ maxElements: most }: ArrayField, name: string, count: number): ObjectProblem[] {
  if (most === undefined || count <= most) return []
  return [
    {
      pointer: pointerOf(name),
      field: name,
      rule: 'count',
      severity: 'error',
      code: 'too-many-elements',
      message: `"${name}" has ${count} elements`,
      hint: `the service takes ${most} at most`,
    },
  ]
}

function checkTags(field: Field, name: string, elements: readonly Json[]): ObjectProblem[] {
  const isWrong = (text: Json) => typeof text === 'string' && (text.trim() === '' || isTooLong(field, text))
  if (!elements.some(isWrong)) return []
  const texts = elements.flatMap((text, index) => (typeof text === 'string' ? [{ text, index }] : []))
  const at = (index: number) => ({ pointer: pointerOf(name, index), field: name, severity: 'error' }) as const
  const empty = texts.filter(({ text }) => text.trim() === '')
  const long = texts.filter(({ text }) => isTooLong(field, text))
  return [
    ...empty.map(
      ({ index }): ObjectProblem => ({
        ...at(index),
        rule: 'empty',
        code: 'empty-value',
        message: `element ${index + 1} of "${name}" must not be empty`,
        hint: 'fill it in, or leave it out',
      }),
    ),
    ...long.map(
      ({ text, index }): ObjectProblem => ({
        ...at(index),
        ...tooLong(field, 'this tag', text),
        code: 'tag-too-long',
      }),
    ),
  ]
}

function tooLong({ maxLength = 0 }: Field, subject: string, text: string) {
  const message = `${subject} has ${[...text].length} characters`
  return { rule: 'length', message, hint: `the service takes ${maxLength} at most` } as const
}

/**
 * Whether the service refuses a text of a field for its length, or a text of a set. Surrounding blanks do not
 * count. A character counts once, even if JavaScript needs two units for it. [service-behaviour 2.1, 2.6]
 */
export function isTooLong({ maxLength = Number.POSITIVE_INFINITY }: Field, text: string): boolean {
  const trimmed = text.trim()
  return trimmed.length > maxLength && [...trimmed].length > maxLength
}

/**
 * Problems of guards that are allowed outside of a repository: for one object of a kind or, without a kind,
 * for everything. Terraform and stacks have the same guards, so both accept the same.
 */
export function checkAllowed(
  rules: readonly string[],
  kind?: DeclarableKind,
): readonly { readonly message: string; readonly hint: string }[] {
  const known: readonly string[] = kind ? guardsOfKind(kind) : objectGuards()
  const choices = known.map(rule => `"${rule}"`).join(', ')
  const hint = kind ? `take ${known.length > 1 ? 'any of ' : ''}${choices}` : `there are ${choices}`
  const refused = kind ? `a rule that blocks a ${kind.title}` : 'a rule that can be allowed'
  return rules
    .filter(rule => !known.includes(rule))
    .map(rule => ({ message: `${JSON.stringify(rule)} is not ${refused}`, hint }))
}
