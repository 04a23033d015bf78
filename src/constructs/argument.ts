import { type IResolvable, Token } from 'cdktf'
import type { DeclarableKind, Scope } from '../model/kind.ts'
import { meantHint } from '../model/text/names.ts'
import { checkAllowed } from '../rules/check-field.ts'
import { checkOwner } from '../rules/check-object.ts'
import {
  asJson,
  brokenMarkIn,
  hasMark,
  isMarkedNumber,
  markedForm,
  markedNumberIn,
  replaceMarks,
  splitMarks,
  unresolvedIn,
} from './engine/engine-marks.ts'
import { isReference } from './templates.ts'

/**
 * Reads arguments of a construct, a condition or a policy in one place, so that nothing is misread or lost.
 * `name` is the argument's name for people.
 *
 * | given                                                        | read as                          |
 * |--------------------------------------------------------------|----------------------------------|
 * | a value of the expected type                                 | that value                       |
 * | a reference of any type, or one whose form fits              | a reference of the type          |
 * | a reference whose text or number was changed                 | an error: it would stay as it is |
 * | a reference of another form, and everything else             | an error                         |
 */
export type Reader<Value> = (value: unknown, name: string) => Value

/** A text that may contain references, or be one. */
export const text: Reader<string> = (value, name) => {
  if (typeof value === 'string') return wholeText(value, name)
  switch (markedForm(value)) {
    case 'any':
      return Token.asString(value)
    case 'number':
      return Token.asString(wholeNumber(value, name))
    default:
      // A number that was calculated from a reference is reported as such.
      if (typeof value === 'number') wholeNumber(value, name)
      throw notA('a text', value, name)
  }
}

/** A number. Text is not accepted, even if it looks like a number. */
export const number: Reader<number> = (value, name) => {
  if (typeof value === 'number') return wholeNumber(value, name)
  const form = markedForm(value)
  if (form !== 'any' && form !== 'text') throw notA('a number', value, name)
  return Token.asNumber(value)
}

/** A boolean, or a reference to one. */
export const truth: Reader<boolean | IResolvable> = (value, name) => {
  if (typeof value === 'boolean') return value
  const form = markedForm(value)
  if (form !== 'any' && form !== 'text') throw notA('true or false', value, name)
  return Token.asAny(value)
}

/** A list of texts, or a reference to one. */
export const texts: Reader<string[]> = (value, name) => {
  switch (markedForm(value)) {
    case 'any':
    case 'text':
      return Token.asList(value)
    case 'list':
      // A reference to a list of numbers has the same mark as a list of texts.
      return Token.asList(value)
    default:
      if (!Array.isArray(value)) throw notA('a list', value, name)
      return value.map((each, index) => text(each, `${name}[${index}]`))
  }
}

/** Texts by their names, or a reference to such a map. */
export const textMap: Reader<{ [name: string]: string }> = (value, name) => {
  switch (markedForm(value)) {
    case 'any':
    case 'text':
      return Token.asStringMap(value)
    case 'map':
      // A map of texts and any other map have the same mark.
      return value as { [name: string]: string }
    default:
      return Object.fromEntries(
        Object.entries(members(value, name)).map(([key, each]) => [
          text(key, name),
          text(each, `${name}.${key}`),
        ]),
      )
  }
}

/** Any JSON value that may contain references, or be one. */
export const json: Reader<unknown> = (value, name) => {
  requireWhole(value, name, [])
  return value
}

/** JSON values under known names. */
export const jsonMembers: Reader<{ readonly [member: string]: unknown }> = (value, name) => {
  const whole = members(value, name)
  requireWhole(whole, name, [])
  return whole
}

/** A text without references, for look-ups and names during synthesis. */
export const knownText: Reader<string> = (value, name) => {
  const known = text(value, name)
  if (hasMark(known)) throw notKnown(name)
  return known
}

export const knownTexts: Reader<readonly string[]> = (value, name) => {
  if (!Array.isArray(value))
    throw markedForm(value) === undefined ? notA('a list', value, name) : notKnown(name)
  if (markedForm(value) !== undefined) throw notKnown(name)
  return value.map((each, index) => knownText(each, `${name}[${index}]`))
}

export const knownTruth: Reader<boolean> = (value, name) => {
  const known = truth(value, name)
  if (typeof known !== 'boolean') throw notKnown(name)
  return known
}

export const knownNumber: Reader<number> = (value, name) => {
  const known = number(value, name)
  if (isMarkedNumber(known)) throw notKnown(name)
  return known
}

/** The members of a plain object. */
export function members(value: unknown, name: string): { readonly [member: string]: unknown } {
  if (markedForm(value) !== undefined) throw notKnown(name)
  if (!isPlainObject(value)) throw notA('an object', value, name)
  // The value is an object here.
  return { ...(value as object) }
}

/**
 * Whether an object consists only of its members, whatever realm created it. A promise, a date, a map or an
 * object of a class has a meaning beyond its members, and often no members.
 */
function isPlainObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** The error for an argument that is not known during synthesis, but has to be. */
export function notKnown(name: string, hint = 'use a value that is known during synthesis'): TypeError {
  return new TypeError(`"${name}" is known only in a plan; ${hint}`)
}

export function notA(what: string, value: unknown, name: string): TypeError {
  return new TypeError(`"${name}" is ${shown(value)}, not ${what}`)
}

/** A value in a message; a reference is described, without the engine's mark. */
export function shown(value: unknown): string {
  if (typeof value === 'string') {
    const text = replaceMarks(value, '(reference)')
    return brokenMarkIn(text) === undefined ? JSON.stringify(text) : 'a part of a reference'
  }
  const form = markedForm(value)
  if (form !== undefined) return form === 'any' ? 'a reference' : `a reference to a ${form}`
  if (value === undefined || value === null) return value === null ? 'null' : 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'bigint') return 'a big integer'
  return typeof value === 'object' ? classOf(value) : String(value)
}

/** The name of an object's class. */
function classOf(value: object): string {
  if (isPlainObject(value)) return 'an object'
  if (isInvalidDate(value)) return 'an invalid date'
  const name: unknown = value.constructor?.name
  return typeof name === 'string' && name !== ''
    ? `an object of the class ${name}`
    : 'an object of some class'
}

function wholeText(given: string, name: string): string {
  if (markedForm([given]) === 'list') {
    throw new TypeError(
      `"${name}" stands for a whole list; use the list alone, or let Terraform join lists: Fn.concat([list, ["more"]])`,
    )
  }
  const early = markedNumberIn(given)
  if (early !== undefined) {
    throw new TypeError(
      `"${name}" contains ${early}, a placeholder for a number that is known later, which became text too early; write Token.asString(number) in the text`,
    )
  }
  const unresolved = unresolvedIn(given)
  if (unresolved !== undefined) {
    throw new TypeError(
      `"${name}" contains ${unresolved}, which JSON.stringify writes for a reference; ${asJson}`,
    )
  }
  const rest = splitMarks(given).filter((_, index) => index % 2 === 0)
  const broken = rest.map(brokenMarkIn).find(found => found !== undefined)
  if (broken === undefined) return given
  throw new TypeError(
    `"${name}" contains ${JSON.stringify(broken)}, which was a reference before its text was changed; use the reference unchanged, or let Terraform change it: Fn.lower(...), Fn.replace(...), Fn.join(...)`,
  )
}

function wholeNumber(value: unknown, name: string): number {
  if (typeof value !== 'number' || Number.isNaN(value)) throw notA('a number', value, name)
  if (!isMarkedNumber(value) || markedForm(value) === 'number') return value
  throw new TypeError(
    `"${name}" was a reference before a calculation or before it was taken from a list; use the reference unchanged, or let Terraform calculate: Token.asNumber(Op.mul(number, 2))`,
  )
}

/**
 * Refuses nested values that JSON cannot represent, and broken references. A value that contains itself is
 * refused when its JSON is written.
 */
function requireWhole(value: unknown, name: string, around: readonly object[]): void {
  if (typeof value === 'string') wholeText(value, name)
  else if (typeof value === 'number' && isMarkedNumber(value)) wholeNumber(value, name)
  else if (!isJson(value)) throw notA('a JSON value', value, name)
  if (typeof value !== 'object' || value === null) return
  if (markedForm(value) !== undefined || around.includes(value)) return
  if (hasOwnJson(value)) {
    requireWhole(value.toJSON(''), name, [...around, value])
    return
  }
  for (const [key, member] of Object.entries(value)) {
    wholeText(key, name)
    requireWhole(member, Array.isArray(value) ? `${name}[${key}]` : `${name}.${key}`, [...around, value])
  }
}

/** Without a look at its members. Undefined members are omitted, as everywhere. */
function isJson(value: unknown): boolean {
  switch (typeof value) {
    case 'object':
      if (value === null || Array.isArray(value) || markedForm(value) !== undefined) return true
      return hasOwnJson(value) ? !isInvalidDate(value) : isPlainObject(value)
    case 'number':
      return Number.isFinite(value)
    default:
      return ['string', 'boolean', 'undefined'].includes(typeof value)
  }
}

/** Whether an object defines its own JSON, as a date does. */
export function hasOwnJson(value: object): value is { toJSON(name: string): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function'
}

/** The JSON of an invalid date would be null, which hides that a date was intended. */
function isInvalidDate(value: object): boolean {
  return Object.prototype.toString.call(value) === '[object Date]' && Number.isNaN(Number(value))
}

/** A regular expression of JavaScript. */
export const pattern: Reader<RegExp> = (value, name) => {
  if (value instanceof RegExp) return value
  throw isReference(value) ? notKnown(name) : notA('a regular expression', value, name)
}

/** One of a few texts, or a reference to one. */
export function choice<const Choice extends string>(
  choices: readonly Choice[],
): Reader<Choice | IResolvable> {
  return (value, name) => {
    const read = text(value, name)
    const known = choices.find(each => each === read)
    if (known === undefined && !hasMark(read)) {
      const listed = `use one of ${choices.map(each => `"${each}"`).join(', ')}`
      throw new TypeError(`"${name}" cannot be ${JSON.stringify(read)}; ${meantHint(read, choices, listed)}`)
    }
    // A reference is a text until the synthesis.
    return read as Choice
  }
}

/** The rules that are allowed for one object of a kind. */
export function allowed<Rule extends string>(kind: DeclarableKind): Reader<Rule[] | undefined> {
  return (value, name) => {
    const rules = texts(value, name)
    const known = rules.filter(rule => !hasMark(rule))
    const [problem] = checkAllowed(known, kind)
    if (problem) {
      const place = `${name}[${rules.findIndex(rule => checkAllowed([rule], kind).length > 0 && !hasMark(rule))}]`
      throw new TypeError(`"${place}": ${problem.message} (${problem.hint})`)
    }
    // The others are references.
    return rules as Rule[]
  }
}

/**
 * Reads an object that one of our classes created. It checks for a member, because the class may come from
 * another copy of this package. `later` is the hint for a reference; without it, references are refused.
 */
export function made<Value>(by: string, what: string, later?: string): Reader<Value> {
  return (value, name) => {
    if (later !== undefined && markedForm(value) !== undefined) throw notKnown(name, later)
    if (!has(value, by)) throw notA(what, value, name)
    // None of our other classes has that member.
    return value as Value
  }
}

/** The list has to be known during synthesis; parts of its elements may be unknown. */
export function listOf<Value>(one: Reader<Value>, what: string, later: string): Reader<readonly Value[]> {
  return (value, name) => {
    if (markedForm(value) !== undefined) throw notKnown(name, later)
    if (!Array.isArray(value)) throw notA(what, value, name)
    return value.map((each, index) => one(each, `${name}[${index}]`))
  }
}

function has(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && markedForm(value) === undefined && name in value
}

/** The id of a project or an organization, or a reference to one. */
export function ownerId(scope: Scope): Reader<string> {
  return (value, name) => {
    const id = text(value, name)
    const problem = hasMark(id) ? undefined : checkOwner(scope, id)
    if (problem?.severity === 'error') throw new TypeError(`"${name}": ${problem.message} (${problem.hint})`)
    return id
  }
}
