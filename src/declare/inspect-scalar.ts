import { getScalarValue, SCALAR_STYLE, type ScalarEvent } from 'js-yaml'
import { numberFrom } from '../model/big-num.ts'
import type { Problem } from '../model/problem.ts'
import { decimal } from './exact-number-tags.ts'
import { quote } from './quote.ts'

/** What is wrong with one scalar, wherever it stands. */
export type ScalarFinding = Pick<Problem, 'code' | 'severity' | 'message' | 'hint'>

const unsafeKeys = new Set(['__proto__', 'constructor', 'prototype'])
const integer = /^(?:[-+]?\d+|0o[0-7]+|0x[\da-fA-F]+)$/
const nonFinite = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/
const loneSurrogate = /\p{Surrogate}/u

/** A plain key that YAML reads as something else than text. */
export function isTypedKey(text: string, event: ScalarEvent): boolean {
  if (event.style !== SCALAR_STYLE.PLAIN || event.valueStart < 0) return false
  return /^(?:[-+.\d][^']*|~|null|true|false)$/i.test(getScalarValue(text, event))
}

export function inspectKey(text: string, event: ScalarEvent): ScalarFinding | undefined {
  if (event.valueStart < 0)
    return error('missing-key', 'there is no key before this ":"', 'write one, or quote the ":"')
  const key = getScalarValue(text, event)
  if (unsafeKeys.has(key)) return error('unsafe-key', `${quote(key)} cannot be a key`, 'choose another name')
  return loneSurrogate.test(key) ? halfCharacter : undefined
}

export function inspectScalar(
  text: string,
  event: ScalarEvent,
  tag: string | undefined,
): ScalarFinding | undefined {
  if (event.style === SCALAR_STYLE.DOUBLE_QUOTED && !event.fast) {
    if (loneSurrogate.test(getScalarValue(text, event))) return halfCharacter
  }
  const isNumber =
    tag === undefined ? event.style === SCALAR_STYLE.PLAIN : tag === '!!int' || tag === '!!float'
  if (!isNumber || !canStartNumber(text.charCodeAt(event.valueStart))) return undefined
  return inspectNumber(getScalarValue(text, event))
}

function inspectNumber(text: string): ScalarFinding | undefined {
  const shown = text.length > 40 ? `${text.slice(0, 40)}...` : text
  if (nonFinite.test(text))
    return error('not-json', `${shown} is not a number that JSON can hold`, 'quote it')
  if (integer.test(text)) {
    const value = Math.abs(Number(text.replace(/^[-+]/, '')))
    if (/^[-+]?0\d/.test(text))
      return {
        code: 'leading-zero',
        severity: 'warning',
        message: `${shown} is read as the number ${value}`,
        hint: 'quote it to keep the zeros',
      }
  } else if (decimal.test(text) && !isHeld(text)) {
    return error('not-json', `${shown} is too large for a number`, 'write it in quotes, as text')
  }
  return undefined
}

/** Of a number whose exponent has no end nobody can count the digits. */
function isHeld(text: string): boolean {
  try {
    numberFrom(text)
    return true
  } catch {
    return false
  }
}

const halfCharacter = error(
  'lone-surrogate',
  'this text has half a character in it (a lone surrogate)',
  'write the whole character',
)

function error(code: string, message: string, hint: string): ScalarFinding {
  return { code, severity: 'error', message, hint }
}

/** Digits, signs and the point. */
function canStartNumber(code: number): boolean {
  return (code >= 48 && code <= 57) || code === 43 || code === 45 || code === 46
}
