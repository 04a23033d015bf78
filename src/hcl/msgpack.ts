import { Decoder, Encoder, ExtData, type ExtensionCodecType } from '@msgpack/msgpack'
import { type BigNum, byteOrderMark, numberFrom, numberFromFloat } from './json.ts'
import type { Type } from './values/type.ts'
import {
  type AttributePath,
  isNumberValue,
  mapElements,
  type NumberValue,
  Unknown,
  unknown,
  type Value,
  ValueError,
} from './values/value.ts'

/** The most levels of a value for Terraform: those of a read value, plus the types around them. */
const deepestEncoded = 1000

/** Encodes a value for Terraform. A value that does not fit its type is refused with its path. */
export function encodeValue(type: Type, value: Value): Uint8Array {
  // Each encoder is used once, because its buffer stays as large as the largest value.
  return new Encoder({ extensionCodec: extensions, maxDepth: deepestEncoded }).encode(toWire(type, value, []))
}

export function decodeValue(type: Type, bytes: Uint8Array): Value {
  const rawStrings = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(markBytes)
  const decoder = new Decoder({ extensionCodec: extensions, useBigInt64: true, rawStrings })
  return fromWire(type, decoder.decode(bytes), [])
}

/** The library removes the mark from the start of long texts, so such texts are decoded here. */
const markBytes = Buffer.from(byteOrderMark)

/** The library decodes dates itself; here every extension is an unknown value. */
const extensions: ExtensionCodecType<undefined> = {
  tryToEncode: value => (value instanceof ExtData ? value : null),
  decode: (data, type) => new ExtData(type, data),
}

function toWire(type: Type, value: Value, path: AttributePath): unknown {
  if (value instanceof Unknown) return unknownToExt(value)
  if (value === null) return null
  switch (type) {
    case 'string':
      if (typeof value === 'string') return value
      break
    case 'bool':
      if (typeof value === 'boolean') return value
      break
    case 'number':
      if (isNumberValue(value) && !isEndless(value)) return numberToWire(value)
      break
    case 'dynamic':
      break
    default:
      return mapElements(type, value, path, toWire)
  }
  throw new ValueError(path, `a ${type} is needed`)
}

function isEndless(value: NumberValue): boolean {
  return typeof value === 'number' && !Number.isFinite(value)
}

function fromWire(type: Type, wire: unknown, path: AttributePath): Value {
  if (wire instanceof ExtData) return extToUnknown(wire)
  if (wire === null) return null
  if (wire instanceof Uint8Array) return fromWire(type, Buffer.from(wire).toString(), path)
  switch (type) {
    case 'string':
      if (typeof wire === 'string') return wire
      break
    case 'bool':
      if (typeof wire === 'boolean') return wire
      break
    case 'number': {
      const number = numberFromWire(wire)
      if (number !== undefined) return number
      break
    }
    case 'dynamic':
      return fromDynamic(wire, path)
    default:
      // A container is an array or an object in both forms, and the visitor refuses everything else.
      return mapElements<Value>(type, wire as Value, path, (of, element, at) => fromWire(of, element, at))
  }
  throw new ValueError(path, `a ${type} is needed`)
}

/** Decodes a dynamic value, which contains its type. The provider itself sends none. */
function fromDynamic(wire: unknown, path: AttributePath): Value {
  const [type, value] = Array.isArray(wire) && wire.length === 2 ? wire : []
  if (!(type instanceof Uint8Array)) throw new ValueError(path, 'a value with its type is needed')
  // Terraform writes types like `typeJson`, and the visitor refuses invalid ones.
  return fromWire(JSON.parse(Buffer.from(type).toString()) as Type, value, path)
}

const plainUnknown = new ExtData(0, new Uint8Array(1))
const refinedUnknown = 12

/** Terraform's refinement of an unknown value is returned unchanged, because only Terraform needs it. */
function unknownToExt({ refinement }: Unknown): ExtData {
  return refinement === undefined ? plainUnknown : new ExtData(refinedUnknown, refinement)
}

/** Every extension means an unknown value. */
function extToUnknown({ type, data }: ExtData): Unknown {
  return type === refinedUnknown && data instanceof Uint8Array ? new Unknown('', undefined, data) : unknown
}

/** Whole numbers are sent as numbers. All others are sent as text, because a float is not exact. */
function numberToWire(value: NumberValue): number | string {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : String(value)
}

/** Decodes a number in any form that Terraform sends. */
function numberFromWire(wire: unknown): number | BigNum | undefined {
  if (typeof wire === 'number') return numberFromFloat(wire)
  if (typeof wire === 'bigint') return numberFrom(wire.toString())
  return typeof wire === 'string' ? numberFrom(wire) : undefined
}
