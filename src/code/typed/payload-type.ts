import { numberText } from '../../model/json/big-num.ts'
import { isJsonArray, isJsonNumber, isJsonObject, type Json } from '../../model/json/json.ts'
import { compareTexts } from '../../model/text/compare-texts.ts'

/** The type of a payload, in words that every language has something for. */
export type PayloadType =
  | { readonly is: 'unknown' | 'null' | 'boolean' | 'integer' | 'number' | 'string' }
  /** One of these values: texts, numbers, booleans and null. */
  | { readonly is: 'choice'; readonly values: readonly (string | number | boolean | null)[] }
  | { readonly is: 'list'; readonly of: PayloadType }
  /** Any names, each with such a value. */
  | { readonly is: 'map'; readonly of: PayloadType }
  | { readonly is: 'object'; readonly members: readonly PayloadMember[] }
  | { readonly is: 'either'; readonly types: readonly PayloadType[] }

export interface PayloadMember {
  readonly name: string
  readonly type: PayloadType
  readonly isOptional: boolean
}

export const unknown: PayloadType = { is: 'unknown' }

/** A type for all of some: the same one once, objects member by member, anything else as one of several. */
export function typeOfAll(types: readonly PayloadType[]): PayloadType {
  const flat = types.flatMap(type => (type.is === 'either' ? type.types : [type]))
  if (flat.some(({ is }) => is === 'unknown')) return unknown
  const hasNumber = flat.some(({ is }) => is === 'number')
  const rest = flat.filter(({ is }) => is !== 'object' && is !== 'list' && !(is === 'integer' && hasNumber))
  const objects = flat.flatMap(type => (type.is === 'object' ? [type.members] : []))
  const lists = flat.flatMap(type => (type.is === 'list' ? [type.of] : []))
  const all = [
    ...distinct(rest),
    ...(lists.length === 0 ? [] : [{ is: 'list', of: typeOfAll(lists) } as const]),
    ...(objects.length === 0 ? [] : [{ is: 'object', members: membersOfAll(objects) } as const]),
  ]
  const [only = unknown, ...others] = all
  return others.length === 0 ? only : { is: 'either', types: all }
}

function distinct(types: readonly PayloadType[]): PayloadType[] {
  return [...new Map(types.map(type => [JSON.stringify(type), type])).values()].sort((one, other) =>
    compareTexts(JSON.stringify(one), JSON.stringify(other)),
  )
}

/** A member that one of the objects lacks is optional. */
function membersOfAll(objects: readonly (readonly PayloadMember[])[]): PayloadMember[] {
  const names = [...new Set(objects.flatMap(members => members.map(({ name }) => name)))].sort(compareTexts)
  return names.map(name => {
    const found = objects.map(members => members.find(member => member.name === name))
    return {
      name,
      type: typeOfAll(found.flatMap(member => (member ? [member.type] : []))),
      isOptional: found.some(member => member === undefined || member.isOptional),
    }
  })
}

/** The type of values that were declared, with no more in it than they show: an empty list may hold anything. */
export function typeOfValues(values: readonly Json[]): PayloadType {
  return typeOfAll(values.map(typeOfValue))
}

function typeOfValue(value: Json): PayloadType {
  if (value === null) return { is: 'null' }
  if (typeof value === 'boolean') return { is: 'boolean' }
  if (typeof value === 'string') return { is: 'string' }
  if (isJsonNumber(value)) return { is: /^-?\d+$/.test(numberText(value)) ? 'integer' : 'number' }
  if (isJsonArray(value)) return { is: 'list', of: value.length === 0 ? unknown : typeOfValues(value) }
  if (!isJsonObject(value)) return unknown
  const members = Object.entries(value).map(([name, member]) => ({
    name,
    type: typeOfValue(member),
    isOptional: false,
  }))
  return { is: 'object', members: members.sort((one, other) => compareTexts(one.name, other.name)) }
}
