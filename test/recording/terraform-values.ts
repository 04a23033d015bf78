import { decode, ExtData, encode } from '@msgpack/msgpack'
import type { Message } from '../../src/terraform/wire/messages.ts'
import type { Plain, PlainObject } from './configuration.ts'

export type Attribute = Message<'Attribute'>

/** What Terraform sends for a value that is known only later. */
export const later: unique symbol = Symbol('known later')

export type Sent = Plain | typeof later | readonly Sent[] | { readonly [name: string]: Sent }
export type SentObject = { readonly [name: string]: Sent }

/** A value that Terraform itself refuses, before it asks a provider. */
export class Unsuited extends Error {}

/** A configuration with every attribute of a schema, converted to its types as Terraform does. */
export function suited(attributes: readonly Attribute[], given: SentObject, place = ''): SentObject {
  const names = new Set(attributes.map(({ name }) => name))
  const strange = Object.keys(given).find(name => !names.has(name))
  if (strange !== undefined) throw new Unsuited(`${place}${strange}: unsupported argument`)
  return Object.fromEntries(
    attributes.map(attribute => {
      const { name, required, nested_type: nested, type } = attribute
      const value = given[name] ?? null
      if (value === null && required) throw new Unsuited(`${place}${name}: missing required argument`)
      if (!nested)
        return [name, converted(JSON.parse(Buffer.from(type).toString()), value, `${place}${name}`)]
      if (value === null) return [name, null]
      if (!Array.isArray(value)) throw new Unsuited(`${place}${name}: a list is needed`)
      const elements = value.map((element, index) =>
        suited(nested.attributes, element as SentObject, `${place}${name}[${index}].`),
      )
      return [name, elements]
    }),
  )
}

/** What Terraform proposes: the configuration, and what was there before in the place of what it leaves to the provider. */
export function proposed(
  attributes: readonly Attribute[],
  prior: PlainObject | null,
  config: SentObject,
): SentObject {
  return Object.fromEntries(
    attributes.map(({ name, computed }) => {
      const own = config[name] ?? null
      return [name, own === null && computed && prior !== null ? (prior[name] ?? null) : own]
    }),
  )
}

export function toWire(value: Sent) {
  return { msgpack: encode(packed(value)) }
}

/** A value of the wire, where `later` is written as text. */
export function fromWire(wire: Message<'DynamicValue'> | undefined): Plain {
  if (!wire || wire.msgpack.length === 0) return null
  return unpacked(decode(wire.msgpack))
}

function converted(type: unknown, value: Sent, place: string): Sent {
  if (value === null || value === later) return value
  const unsuited = (needed: string) => new Unsuited(`${place}: ${needed} is needed`)
  if (Array.isArray(type)) {
    const [collection, of] = type
    if (collection === 'map') {
      if (typeof value !== 'object' || Array.isArray(value)) throw unsuited('a map')
      const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
      return Object.fromEntries(members.map(([name, member]) => [name, converted(of, member, place)]))
    }
    if (!Array.isArray(value)) throw unsuited(`a ${collection}`)
    const elements = value.map(element => converted(of, element, place))
    return collection === 'set' ? [...new Set(elements)].sort() : elements
  }
  if (typeof value === 'object') throw unsuited(`a ${type}`)
  if (type === 'string') return String(value)
  if (type === 'bool') {
    if (typeof value === 'boolean') return value
    if (value === 'true' || value === 'false') return value === 'true'
    throw unsuited('a bool')
  }
  const number =
    typeof value === 'number' ? value : typeof value === 'string' && value !== '' ? Number(value) : Number.NaN
  if (Number.isNaN(number)) throw unsuited('a number')
  return number
}

/** As Terraform writes it: text for a number that no double has, and an extension for what is known later. */
function packed(value: Sent): unknown {
  if (value === later) return new ExtData(0, new Uint8Array([0]))
  if (typeof value === 'number') return Number.isInteger(value * 1024) ? value : String(value)
  if (Array.isArray(value)) return value.map(packed)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, packed(member)]))
}

function unpacked(value: unknown): Plain {
  if (value instanceof ExtData) return '(known later)'
  if (Array.isArray(value)) return value.map(unpacked)
  if (typeof value !== 'object' || value === null) return value as Plain
  // Members have no order on this wire, and Terraform takes none from it.
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, unpacked(member)]))
}
