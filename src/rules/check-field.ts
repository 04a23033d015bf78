import {
  type ArrayField,
  type Field,
  isDay,
  memberOfTag,
  type StringField,
  type TagMember,
  tagMemberNames,
  tagMembers,
  tagOfMember,
} from '../model/field.ts'
import { guardsOfKind, objectGuards } from '../model/guard-rules.ts'
import { type DeclarableKind, identityField } from '../model/kind.ts'
import { oncePer } from '../model/runtime.ts'
import { canonicalText, isJsonArray, isJsonNumber, type Json } from '../model/text/json.ts'
import { isUuid } from '../model/text/json-shape.ts'
import { pointerOf } from '../model/text/pointer.ts'
import { escapeText } from '../model/text/printable.ts'
import type { Tolerance } from '../targeting/check/filter-mistakes.ts'

/**
 * A rule that a declared object breaks. Each front end finds the position for the pointer, and shows
 * `message` and `hint`.
 */
export type ObjectProblem = Worded & Rule

interface Worded {
  /** The place in the object: `/tags/1`, `/filters/groups/0`. */
  readonly pointer: string
  /** The field with the problem. */
  readonly field: string
  /** A stable name, such as `name-too-long`. */
  readonly code: string
  readonly severity: 'error' | 'warning'
  /** One line, lower case, values quoted. */
  readonly message: string
  readonly hint?: string
  /** The message without values of conditions, if removing quoted parts is not enough. */
  readonly hidden?: string
  /** The live value that makes the broken rule acceptable. */
  readonly requires?: Requirement
}

type Rule =
  | { readonly rule: 'empty' | 'characters' | 'uuid' | 'length' | 'count' | 'together' | 'engines' }
  | { readonly rule: 'manifest' | 'manifest-text' }
  | { readonly rule: 'choice'; readonly choices: readonly string[] }
  /** `types` are those of JSON Schema. */
  | { readonly rule: 'type'; readonly types: readonly string[] }
  /** `missing` are the fields that would solve the problem. */
  | { readonly rule: 'open'; readonly missing: readonly string[] }
  /** `inside` is the pointer into the value. */
  | { readonly rule: 'targeting'; readonly inside: string }

export type RuleName = ObjectProblem['rule']

export type ProblemOf<Name extends RuleName> = Extract<ObjectProblem, { readonly rule: Name }>

export type Requirement =
  /** The live filters must break the same rule at this place. */
  | { readonly is: 'filters'; readonly pointer: string; readonly tolerance: Tolerance }
  /** The live source file must have the same text. */
  | { readonly is: 'file'; readonly name: string }

/**
 * The rules for the value of a single field. Other rules check the inside of JSON.
 *
 * | the field      | the rule                                                          |
 * |----------------|-------------------------------------------------------------------|
 * | any            | a value, and each element of it, is of its type                   |
 * | `required`     | a text is more than blanks                                        |
 * | `oneOf`        | a text is one of the choices                                      |
 * | `format: uuid` | a text is a UUID                                                  |
 * | `maxLength`    | a text is not longer, and neither is a text of a set              |
 * | `characters`   | a text has only these characters, if newer services require that  |
 * | a set          | each text of it is more than blanks                               |
 * | `maxElements`  | a list or a set has no more elements                              |
 *
 * [service-behaviour 2.1, 2.6, 5; service-today 2]
 */
export function checkField(kind: DeclarableKind, name: string, value: Json): ObjectProblem[] {
  const field = kind.fields[name]
  if (!field) return []
  const types = takenTypes(field)
  const broken: ObjectProblem[] = []
  if (!types.includes(typeOf(value))) broken.push(wrongType(name, pointerOf(name), `"${name}"`, types))
  if (field.type === 'string') {
    broken.push(...checkChoice(field, name, value))
    if (typeof value !== 'string') return broken
    broken.push(...checkText(field, name, value, identityField(kind) === name))
    return broken.length > 0 ? broken : checkCharacters(field, name, value)
  }
  if (isJsonArray(value) && isList(field)) broken.push(...checkElements(field, name, value))
  return broken
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

function checkChoice(field: StringField, name: string, value: Json): ObjectProblem[] {
  if (!field.oneOf) return []
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
      hint: `use one of ${choices.map(choice => `"${choice}"`).join(', ')}`,
    },
  ]
}

function checkText(field: StringField, name: string, text: string, isIdentity: boolean): ObjectProblem[] {
  const at = () => ({ pointer: pointerOf(name), field: name, severity: 'error' }) as const
  const { required, format, doc } = field
  const problems: ObjectProblem[] = []
  if (required && text.trim() === '')
    problems.push({ ...at(), rule: 'empty', code: 'empty-name', message: `the ${name} is empty`, hint: doc })
  if (format === 'uuid' && !isUuid(text))
    problems.push({
      ...at(),
      rule: 'uuid',
      code: 'wrong-format',
      message: `${JSON.stringify(text)} is not a UUID`,
      hint: 'an id looks like 01900000-0000-0000-0000-0000000000aa',
    })
  if (isTooLong(field, text)) {
    const code = isIdentity ? 'name-too-long' : 'value-too-long'
    problems.push({ ...at(), ...tooLong(field, `the ${name}`, text.trim()), code })
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
      hint: `use only ${characters.words}`,
    },
  ]
}

function isList(field: Field): field is ArrayField {
  return field.type === 'list' || field.type === 'set'
}

/** A set is compared as text, so its elements are texts unless the kind has another element type. */
function checkElements(field: ArrayField, name: string, elements: readonly Json[]): ObjectProblem[] {
  const of = field.of ?? (field.type === 'set' ? 'string' : undefined)
  const broken: ObjectProblem[] = []
  for (const [index, element] of elements.entries())
    if (of !== undefined && typeOf(element) !== of)
      broken.push(wrongType(name, pointerOf(name, index), `element ${index + 1} of "${name}"`, [of]))
  const tags = field.type === 'set' ? checkTags(field, name, elements) : []
  return broken.concat(tags, checkCount(field, name, elements.length))
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
      hint: `the service accepts at most ${most}`,
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
        hint: 'fill it in, or remove it',
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
  return { rule: 'length', message, hint: `the service accepts at most ${maxLength}` } as const
}

/**
 * Whether the service refuses a text of a field, or of a set, because of its length. Surrounding blanks do
 * not count. A character counts once, even if JavaScript needs two units for it. [service-behaviour 2.1, 2.6]
 */
export function isTooLong({ maxLength = Number.POSITIVE_INFINITY }: Field, text: string): boolean {
  const trimmed = text.trim()
  return trimmed.length > maxLength && [...trimmed].length > maxLength
}

/**
 * Problems of guards that are switched off outside a repository: for one object of a kind or, without a kind,
 * for everything. Terraform and stacks have the same guards, so both accept the same.
 */
export function checkAllowed(
  rules: readonly string[],
  kind?: DeclarableKind,
): readonly { readonly message: string; readonly hint: string }[] {
  const known: readonly string[] = kind ? guardsOfKind(kind) : objectGuards()
  const choices = known.map(rule => `"${rule}"`).join(', ')
  const hint = kind ? `use ${known.length > 1 ? 'any of ' : ''}${choices}` : `there are ${choices}`
  const refused = kind ? `a rule that blocks a ${kind.title}` : 'a rule that can be allowed'
  return rules
    .filter(rule => !known.includes(rule))
    .map(rule => ({ message: `${JSON.stringify(rule)} is not ${refused}`, hint }))
}

/** The rules for a member that is stored as a tag. A text that the service would change is invalid. */
export function checkTagMember(kind: DeclarableKind, member: TagMember, value: Json): ObjectProblem[] {
  const at = { pointer: pointerOf(member), field: member, severity: 'error' } as const
  if (typeof value !== 'string')
    return [
      { ...at, rule: 'type', types: ['string'], code: 'wrong-type', message: `"${member}" must be text` },
    ]
  if (value.trim() === '')
    return [{ ...at, rule: 'empty', code: 'empty-value', message: `"${member}" must not be empty` }]
  const shown = JSON.stringify(escapeText(value))
  const refuse = (code: string, message: string, hint: string): ObjectProblem[] => [
    { ...at, rule: 'characters', code, message, hint },
  ]
  if (tagMembers[member].type === 'day')
    return isDay(value)
      ? []
      : refuse('wrong-format', `"${member}" must be a day, not ${shown}`, 'write it like 2027-03-01')
  if (escapeText(value) !== value)
    return refuse('tag-characters', `${shown} has invisible characters`, 'remove the invisible characters')
  const kept = value.trim().toLowerCase()
  if (kept !== value)
    return refuse(
      'tag-characters',
      `the service would change ${shown}: it trims tags and puts them into lower case`,
      `write ${JSON.stringify(kept)}`,
    )
  const field = kind.fields[kind.lifecycle.ownedBy ?? '']
  return field && isTooLong(field, tagOfMember(member, value))
    ? refuse('tag-too-long', `the tag for this "${member}" is too long for the service`, 'shorten it')
    : []
}

/** A declared tag, and the member that it contradicts. */
export interface TagConflict {
  readonly index: number
  readonly tag: string
  readonly member: TagMember
}

/** The tags of an object that contradict its members. */
export function conflictsOfTags(
  tags: Json,
  members: { readonly [Name in TagMember]?: string | null },
): TagConflict[] {
  if (!isJsonArray(tags)) return []
  return tags.flatMap((tag, index) => {
    const member = typeof tag === 'string' ? memberOfTag(tag.trim().toLowerCase()) : undefined
    const declared = member && members[member.member]
    if (!member || typeof declared !== 'string' || declared === member.value) return []
    return [{ index, tag: String(tag), member: member.member }]
  })
}

/** Splits the tags of a live object into members and other tags. A member needs exactly one valid tag. */
export function splitTags(
  kind: DeclarableKind,
  tags: Json,
): { readonly members: { readonly [Name in TagMember]?: string }; readonly tags: Json } {
  if (!isJsonArray(tags)) return { members: {}, tags }
  const named = tags.map(tag => (typeof tag === 'string' ? memberOfTag(tag) : undefined))
  const entries = tagMemberNames.flatMap(member => {
    const [one, ...others] = named.filter(each => each?.member === member)
    const isRead = one && others.length === 0 && checkTagMember(kind, member, one.value).length === 0
    return isRead ? [[member, one.value] as const] : []
  })
  const members: { readonly [Name in TagMember]?: string } = Object.fromEntries(entries)
  const isOther = (one: (typeof named)[number]) => one === undefined || members[one.member] === undefined
  return { members, tags: tags.filter((_, index) => isOther(named[index])) }
}
