import {
  defineScalarTag,
  floatCoreTag,
  getScalarValue,
  intCoreTag,
  NOT_RESOLVED,
  SCALAR_STYLE,
  type ScalarEvent,
} from 'js-yaml'
import { type BigNum, numberFrom, respelled } from '../../hcl/json.ts'
import type { Problem } from '../../model/problem.ts'
import { countedMembers } from '../../targeting/filter-parts.ts'
import { quote } from '../check/problem-order.ts'

/** Problems of one scalar, at any place. */
export type ScalarProblem = Pick<Problem, 'code' | 'severity' | 'message' | 'hint'>

/** Names that every JavaScript object has: no key of a file may use them. */
export const specialNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])
const nonFinite = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/
const loneSurrogate = /\p{Surrogate}/u

/** A plain key that YAML does not read as text. */
export function isTypedKey(key: string, event: ScalarEvent): boolean {
  if (event.style !== SCALAR_STYLE.PLAIN || event.valueStart < 0) return false
  return /^(?:[-+.\d][^']*|~|null|true|false)$/i.test(key)
}

export function inspectKey(key: string, event: ScalarEvent): ScalarProblem | undefined {
  if (event.valueStart < 0)
    return error('missing-key', 'there is no key before this ":"', 'write one, or quote the ":"')
  if (specialNames.has(key))
    return error('unsafe-key', `${quote(key)} cannot be a key`, 'choose another name')
  return loneSurrogate.test(key) ? halfCharacter : undefined
}

/** `member`: the key of the innermost map around the scalar. */
export function inspectScalar(
  text: string,
  event: ScalarEvent,
  tag: string | undefined,
  member: string | undefined,
): ScalarProblem | undefined {
  if (event.style === SCALAR_STYLE.DOUBLE_QUOTED && !event.fast) {
    if (loneSurrogate.test(getScalarValue(text, event))) return halfCharacter
  }
  const isPlain = tag === undefined && event.style === SCALAR_STYLE.PLAIN
  if (!isPlain && tag !== '!!int' && tag !== '!!float') return undefined
  if (canStartNumber(text.charCodeAt(event.valueStart)))
    return inspectNumber(getScalarValue(text, event), member)
  if (member !== 'value' || event.valueStart < 0) return undefined
  const read = otherText[getScalarValue(text, event)]
  return read === undefined ? undefined : respelling(getScalarValue(text, event), read)
}

/** Words that YAML does not read as text, and that are sent as another one. */
const otherText: Readonly<Record<string, string>> = {
  True: 'true',
  TRUE: 'true',
  False: 'false',
  FALSE: 'false',
  Null: 'null',
  NULL: 'null',
}

/** Most numbers are written this way, and are sent as written. */
export const plainNumber = /^(?:0|-?[1-9]\d{0,8})(?:\.\d{0,4}[1-9])?$/

function inspectNumber(text: string, member: string | undefined): ScalarProblem | undefined {
  if (plainNumber.test(text)) return undefined
  const shown = shortened(text)
  if (nonFinite.test(text))
    return error('not-json', `${shown} is not a number that JSON can hold`, 'quote it')
  let read: number | BigNum | undefined
  try {
    read = readNumber(text)
  } catch {
    return error('not-json', `${shown} is too large for a number`, 'write it in quotes, as text')
  }
  const canonical = read === undefined ? undefined : respelled(text, read)
  if (canonical === undefined) return undefined
  if (/^[-+]?0\d/.test(text))
    return {
      code: 'leading-zero',
      severity: 'warning',
      message: `${shown} is read as the number ${shortened(canonical)}`,
      hint: 'quote it to keep the zeros',
    }
  return countedMembers.has(member ?? '') ? undefined : respelling(text, canonical, 'the number ')
}

function respelling(written: string, read: string, kind = ''): ScalarProblem {
  const [was, is] = [shortened(written), shortened(read)]
  return {
    code: 'respelled-scalar',
    severity: 'warning',
    message: `${was} is read as ${kind}${is}`,
    hint: `write "${was}" in quotes where the text is meant, else ${is}`,
  }
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}...` : text
}

const halfCharacter = error(
  'lone-surrogate',
  'this text has half a character in it (a lone surrogate)',
  'write the whole character',
)

function error(code: string, message: string, hint: string): ScalarProblem {
  return { code, severity: 'error', message, hint }
}

/** Digits, signs and the point. */
function canStartNumber(code: number): boolean {
  return (code >= 48 && code <= 57) || code === 43 || code === 45 || code === 46
}

/** YAML's whole numbers with all their digits; the library's own tag rounds those beyond 2^53. */
export const exactIntTag = defineScalarTag<number | BigNum>(intCoreTag.tagName, {
  ...intCoreTag,
  resolve: (source, isExplicit, tagName) => {
    const near = intCoreTag.resolve(source, isExplicit, tagName)
    if (near === NOT_RESOLVED || Number.isSafeInteger(near)) return near
    const [, sign = '', digits = ''] = /^([-+]?)(.*)$/.exec(source) ?? []
    return numberFrom(`${sign}${BigInt(digits)}`)
  },
})

/** The number that a plain scalar is read as; undefined for any other. Throws a RangeError if it is too large. */
export function readNumber(source: string): number | BigNum | undefined {
  for (const tag of [exactIntTag, exactFloatTag]) {
    const number = tag.resolve(source, false, tag.tagName)
    if (number !== NOT_RESOLVED) return number
  }
  return undefined
}

/** The form of a number with a point or an exponent in the core schema of YAML 1.2. */
const decimal = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/

/** The same for decimals; a double holds each of them exactly up to fifteen digits. */
export const exactFloatTag = defineScalarTag<number | BigNum>(floatCoreTag.tagName, {
  ...floatCoreTag,
  resolve: (source, isExplicit, tagName) => {
    const mayBeRounded = (source.length > 15 || /e/i.test(source)) && decimal.test(source)
    return mayBeRounded ? numberFrom(source) : floatCoreTag.resolve(source, isExplicit, tagName)
  },
})
