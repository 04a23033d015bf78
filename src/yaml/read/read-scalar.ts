import {
  floatCoreTag,
  getScalarValue,
  intCoreTag,
  NOT_RESOLVED,
  SCALAR_STYLE,
  type ScalarEvent,
} from 'js-yaml'
import { type BigNum, numberFrom, respelled } from '../../hcl/json.ts'
import type { Problem } from '../../model/problem.ts'
import type { Json } from '../../model/text/json.ts'
import { countedMembers } from '../../targeting/filter-parts.ts'
import { quote } from '../check/problem-order.ts'

/** A problem of one scalar, without its position. */
export type ScalarProblem = Pick<Problem, 'code' | 'severity' | 'message' | 'hint'>

/** The value of a scalar; null if there is an error. */
export interface ReadScalar {
  readonly value: Json
  readonly problem?: ScalarProblem
}

/** Names that every JavaScript object has, which a file must not use as keys. */
export const specialNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])
const nonFinite = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/
const loneSurrogate = /\p{Surrogate}/u

/** A key is text, even if YAML reads it as a number, a boolean or null. */
export function inspectKey(key: string, event: ScalarEvent): ScalarProblem | undefined {
  if (event.valueStart < 0)
    return error('missing-key', 'the key before this ":" is missing', 'write a key, or quote the ":"')
  if (specialNames.has(key)) return error('unsafe-key', `${quote(key)} cannot be a key`, 'use another name')
  return loneSurrogate.test(key) ? halfCharacter : undefined
}

/** `member`: the key of the innermost map around the scalar. */
export function readScalar(
  text: string,
  event: ScalarEvent,
  tag: string | undefined,
  member: string | undefined,
): ReadScalar {
  const written = event.valueStart < 0 ? '' : getScalarValue(text, event)
  if (event.style === SCALAR_STYLE.DOUBLE_QUOTED && !event.fast && loneSurrogate.test(written))
    return { value: null, problem: halfCharacter }
  if (tag === undefined ? event.style !== SCALAR_STYLE.PLAIN : tag === '!' || tag === '!!str')
    return { value: written }
  const read = canStartNumber(written.charCodeAt(0))
    ? readAsNumber(written, member)
    : readWord(written, member)
  if (tag === undefined) return read ?? { value: written }
  if (read && !read.problem && fits(tag, read.value)) return read
  const hint = 'remove the tag and write text'
  return {
    value: null,
    problem: error('unknown-tag', `${quote(written)} is not a valid value for the tag ${tag}`, hint),
  }
}

function fits(tag: string, value: Json): boolean {
  if (tag === '!!null') return value === null
  return tag === '!!bool' ? typeof value === 'boolean' : value !== null && typeof value !== 'boolean'
}

/** Words that YAML does not read as text. */
const words = new Map<string, boolean | null>([
  ['', null],
  ['~', null],
  ...['null', 'Null', 'NULL'].map(word => [word, null] as const),
  ...['true', 'True', 'TRUE'].map(word => [word, true] as const),
  ...['false', 'False', 'FALSE'].map(word => [word, false] as const),
])

function readWord(written: string, member: string | undefined): ReadScalar | undefined {
  if (written.length > 5) return undefined
  const value = words.get(written)
  if (value === undefined) return undefined
  // Vexil would send another text.
  const isRespelled = member === 'value' && written.length > 1 && written !== String(value)
  return isRespelled ? { value, problem: respelling(written, String(value)) } : { value }
}

/** The usual form of numbers, which are sent as written. */
export const plainNumber = /^(?:0|-?[1-9]\d{0,8})(?:\.\d{0,4}[1-9])?$/

function readAsNumber(written: string, member: string | undefined): ReadScalar | undefined {
  if (plainNumber.test(written)) return { value: Number(written) }
  const shown = shortened(written)
  const notJson = (message: string, hint: string) => ({
    value: null,
    problem: error('not-json', message, hint),
  })
  if (nonFinite.test(written))
    return notJson(`JSON cannot represent the number ${shown}`, 'write it in quotes')
  let value: number | BigNum | undefined
  try {
    value = readNumber(written)
  } catch {
    return notJson(`${shown} is too large for a number`, 'write it in quotes, as text')
  }
  if (value === undefined) return undefined
  const canonical = respelled(written, value)
  if (canonical === undefined) return { value }
  if (/^[-+]?0\d/.test(written)) {
    const message = `${shown} is read as the number ${shortened(canonical)}`
    const hint = 'write it in quotes to keep the zeros'
    return { value, problem: { code: 'leading-zero', severity: 'warning', message, hint } }
  }
  if (countedMembers.has(member ?? '')) return { value }
  return { value, problem: respelling(written, canonical, 'the number ') }
}

function respelling(written: string, read: string, kind = ''): ScalarProblem {
  const [was, is] = [shortened(written), shortened(read)]
  return {
    code: 'respelled-scalar',
    severity: 'warning',
    message: `${was} is read as ${kind}${is}`,
    hint: `write "${was}" in quotes if text is intended, or else ${is}`,
  }
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}...` : text
}

const halfCharacter = error(
  'lone-surrogate',
  'this text contains half a character (a lone surrogate)',
  'write the whole character',
)

function error(code: string, message: string, hint: string): ScalarProblem {
  return { code, severity: 'error', message, hint }
}

/** Whether the character is a digit, a sign or the point. */
function canStartNumber(code: number): boolean {
  return (code >= 48 && code <= 57) || code === 43 || code === 45 || code === 46
}

/** The number of a plain scalar; undefined if it is not a number. Throws a RangeError if it is too large. */
export function readNumber(source: string): number | BigNum | undefined {
  const whole = intCoreTag.resolve(source, false, intCoreTag.tagName)
  if (whole !== NOT_RESOLVED) {
    // The library rounds whole numbers beyond 2^53.
    if (Number.isSafeInteger(whole)) return whole
    const [, sign = '', digits = ''] = /^([-+]?)(.*)$/.exec(source) ?? []
    return numberFrom(`${sign}${BigInt(digits)}`)
  }
  // A double represents each decimal with up to fifteen digits exactly.
  const mayBeRounded = (source.length > 15 || /e/i.test(source)) && decimal.test(source)
  if (mayBeRounded) return numberFrom(source)
  const number = floatCoreTag.resolve(source, false, floatCoreTag.tagName)
  return number === NOT_RESOLVED ? undefined : number
}

/** The form of a number with a point or an exponent in the core schema of YAML 1.2. */
const decimal = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/
