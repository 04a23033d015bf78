import { parse } from 'lossless-json'
import { BigNum, numberFrom, numberText } from './big-num.ts'

/** JSON whose numbers say exactly what was written. `JSON.parse` rounds them, and a rounded one is a change. */
export type ExactJson = null | boolean | number | BigNum | string | ExactArray | ExactObject
export type ExactArray = readonly ExactJson[]
export interface ExactObject {
  readonly [member: string]: ExactJson
}

/** Throws a SyntaxError where the text is no JSON, or names a member twice. */
export function parseExactJson(text: string): ExactJson {
  // With this reader of numbers the library makes nothing but what the type says.
  return parse(text, undefined, numberFrom) as ExactJson
}

/** The one text of a value: members sorted by code unit, no white space, numbers in one form. */
export function exactJsonText(value: ExactJson): string {
  if (isExactNumber(value)) return numberText(value)
  if (isExactArray(value)) return `[${value.map(exactJsonText).join(',')}]`
  if (!isExactObject(value)) return JSON.stringify(value)
  const members = Object.keys(value)
    .sort()
    .map(name => `${JSON.stringify(name)}:${exactJsonText(value[name] ?? null)}`)
  return `{${members.join(',')}}`
}

export function isExactArray(value: ExactJson | undefined): value is ExactArray {
  return Array.isArray(value)
}

export function isExactObject(value: ExactJson | undefined): value is ExactObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof BigNum)
}

function isExactNumber(value: ExactJson): value is number | BigNum {
  return typeof value === 'number' || value instanceof BigNum
}
