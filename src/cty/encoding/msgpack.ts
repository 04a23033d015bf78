import { Decoder, Encoder, ExtData, type ExtensionCodecType } from '@msgpack/msgpack'
import { deepestEncoded } from '../../model/limits.ts'
import { byteOrderMark } from '../../model/text/literal-template.ts'
import { type AttributePath, ValueError } from '../attribute-path.ts'
import type { Type } from '../type.ts'
import { Unknown } from '../unknown.ts'
import { isNumberValue, type NumberValue, type Value } from '../value.ts'
import { mapElements } from '../walk-type.ts'
import { extToUnknown, numberFromWire, numberToWire, unknownToExt } from './refinement.ts'

/** A value as Terraform takes it. What does not fit the type is refused with its place. */
export function encodeValue(type: Type, value: Value): Uint8Array {
  // An encoder is not shared: its buffer would stay as large as the largest value ever sent.
  return new Encoder({ extensionCodec: extensions, maxDepth: deepestEncoded }).encode(toWire(type, value, []))
}

export function decodeValue(type: Type, bytes: Uint8Array): Value {
  const rawStrings = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(markBytes)
  const decoder = new Decoder({ extensionCodec: extensions, useBigInt64: true, rawStrings })
  return fromWire(type, decoder.decode(bytes), [])
}

/** The library takes it away where a long text begins with it, so such texts are decoded here. */
const markBytes = Buffer.from(byteOrderMark)

/** The library knows a type of its own for dates; here every extension is something unknown. */
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
      // What holds elements is an array or an object here as there, and the walk refuses anything else.
      return mapElements<Value>(type, wire as Value, path, (of, element, at) => fromWire(of, element, at))
  }
  throw new ValueError(path, `a ${type} is needed`)
}

/** What may be anything travels with its type. Nothing that the provider sends is of that kind. */
function fromDynamic(wire: unknown, path: AttributePath): Value {
  const [type, value] = Array.isArray(wire) && wire.length === 2 ? wire : []
  if (!(type instanceof Uint8Array)) throw new ValueError(path, 'a value with its type is needed')
  // Terraform writes types as `typeJson` does, and the walk refuses what is none.
  return fromWire(JSON.parse(Buffer.from(type).toString()) as Type, value, path)
}
