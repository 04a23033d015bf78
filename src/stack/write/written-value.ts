import { deepestExpression } from '../../hcl/index.ts'
import type { BigNum } from '../../hcl/json.ts'
import { canonicalText, isJsonArray, isJsonObject, type Json } from '../../model/json/json.ts'
import { readJsonAsWritten, readJsonIfAny } from '../../model/json/json-text.ts'

/** A value of a configuration, before it is text of a language. */
export type WrittenValue =
  | { readonly is: 'value'; readonly value: null | string | boolean | number | BigNum }
  | { readonly is: 'list'; readonly elements: readonly WrittenValue[] }
  /** An object or a map: its names are attributes of ours, or any text. */
  | { readonly is: 'members'; readonly members: WrittenMembers }
  /** JSON text of what stands in it. */
  | { readonly is: 'json'; readonly of: WrittenValue }
  /** An attribute of another resource. */
  | { readonly is: 'reference'; readonly to: WrittenReference }
  /** What stands for itself: the address of a resource, or the name of an attribute. */
  | { readonly is: 'address'; readonly text: string }

export type WrittenMembers = Readonly<Record<string, WrittenValue>>

export interface WrittenReference {
  readonly type: string
  readonly name: string
  readonly attribute: string
}

/** JSON as a value of the language. */
export function writtenOf(json: Json): WrittenValue {
  if (isJsonArray(json)) return { is: 'list', elements: json.map(writtenOf) }
  if (!isJsonObject(json)) return { is: 'value', value: json }
  const members = Object.entries(json).map(([name, member]) => [name, writtenOf(member)] as const)
  return { is: 'members', members: Object.fromEntries(members) }
}

/** JSON as the text that an attribute takes: worked out from values, or the text itself where those would be others. */
export function jsonTextOf(json: Json): WrittenValue {
  return isKept(json) ? { is: 'json', of: writtenOf(json) } : { is: 'value', value: canonicalText(json) }
}

/** JSON text as values, where each number of it is written as it stands there. */
export function textOrJson(text: string): WrittenValue {
  const json = readJsonIfAny(text)
  const isPlain = json !== undefined && canonicalText(json) === canonicalText(readJsonAsWritten(text))
  return isPlain ? jsonTextOf(json) : { is: 'value', value: text }
}

/** Whether Terraform makes the same JSON of values: it reads numbers of some 150 digits, and so many levels. */
function isKept(json: Json, levels = deepestExpression / 2): boolean {
  if (isJsonArray(json) || isJsonObject(json))
    return levels > 0 && Object.values(json).every(member => isKept(member, levels - 1))
  if (json === null || typeof json === 'string' || typeof json === 'boolean') return true
  const text = canonicalText(json)
  const [, digits = '', exponent = '0'] = /^-?([\d.]+)(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  return digits.length <= 100 && Math.abs(Number(exponent)) <= 100
}

/** Whether Terraform leaves all texts of a value as they are: it makes one spelling of each letter with a mark. */
export function isHeldAsWritten(value: WrittenValue): boolean {
  switch (value.is) {
    case 'value':
      return typeof value.value !== 'string' || isTextHeld(value.value)
    case 'list':
      return value.elements.every(isHeldAsWritten)
    case 'members':
      return Object.entries(value.members).every(
        ([name, member]) => isTextHeld(name) && isHeldAsWritten(member),
      )
    case 'json':
      return isHeldAsWritten(value.of)
    case 'reference':
    case 'address':
      return true
  }
}

function isTextHeld(text: string): boolean {
  return text.normalize('NFC') === text && !/\p{Surrogate}/u.test(text)
}
