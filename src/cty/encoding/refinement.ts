import { decode, ExtData, encode } from '@msgpack/msgpack'
import { type BigNum, numberFrom, numberFromFloat } from '../../model/json/big-num.ts'
import { type Bound, type Refinement, Unknown, unknown } from '../unknown.ts'
import type { NumberValue } from '../value.ts'

const plainUnknown = new ExtData(0, new Uint8Array(1))
const refinedUnknown = 12

/** The keys of what is known of an unknown value. */
const key = { nullness: 1, prefix: 2, min: 3, max: 4, minLength: 5, maxLength: 6 } as const

export function unknownToExt({ refinement }: Unknown): ExtData {
  const { isNull, prefix, min, max, minLength, maxLength } = refinement
  const known: readonly (readonly [number, unknown])[] = [
    [key.nullness, isNull],
    [key.prefix, prefix],
    [key.min, min && boundToWire(min)],
    [key.max, max && boundToWire(max)],
    [key.minLength, minLength],
    [key.maxLength, maxLength],
  ]
  const entries = known.filter(([, value]) => value !== undefined)
  return entries.length === 0 ? plainUnknown : new ExtData(refinedUnknown, encodeEntries(entries))
}

/** Every extension stands for something unknown. A refinement that cannot be read is a help that is not there. */
export function extToUnknown({ type, data }: ExtData): Unknown {
  if (type !== refinedUnknown || !(data instanceof Uint8Array)) return unknown
  try {
    const read = decode(data, { useBigInt64: true })
    return typeof read === 'object' && read !== null
      ? new Unknown(refinementOf(new Map(Object.entries(read))))
      : unknown
  } catch {
    return unknown
  }
}

function refinementOf(known: ReadonlyMap<string, unknown>): Refinement {
  const at = (name: keyof typeof key) => known.get(String(key[name]))
  const [isNull, prefix, min, max] = [
    at('nullness'),
    at('prefix'),
    boundFrom(at('min')),
    boundFrom(at('max')),
  ]
  const [minLength, maxLength] = [lengthFrom(at('minLength')), lengthFrom(at('maxLength'))]
  return {
    ...(typeof isNull === 'boolean' ? { isNull } : {}),
    ...(typeof prefix === 'string' ? { prefix } : {}),
    ...(min ? { min } : {}),
    ...(max ? { max } : {}),
    ...(minLength === undefined ? {} : { minLength }),
    ...(maxLength === undefined ? {} : { maxLength }),
  }
}

/** A map whose keys are numbers, which no JavaScript object has. */
function encodeEntries(entries: readonly (readonly [number, unknown])[]): Uint8Array {
  const header = Uint8Array.of(0x80 | entries.length)
  return Buffer.concat([header, ...entries.flatMap(([number, value]) => [encode(number), encode(value)])])
}

function boundToWire({ value, isInclusive }: Bound): readonly [unknown, boolean] {
  return [numberToWire(value), isInclusive]
}

function boundFrom(wire: unknown): Bound | undefined {
  if (!Array.isArray(wire)) return undefined
  const value = numberFromWire(wire[0])
  return value === undefined ? undefined : { value, isInclusive: wire[1] === true }
}

function lengthFrom(wire: unknown): number | undefined {
  return typeof wire === 'number' || typeof wire === 'bigint' ? Number(wire) : undefined
}

/** Whole numbers travel as such, all others as text: a float is only nearly what was meant. */
export function numberToWire(value: NumberValue): number | string {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : String(value)
}

/** A number in any of the forms in which Terraform sends one. */
export function numberFromWire(wire: unknown): number | BigNum | undefined {
  if (typeof wire === 'number') return numberFromFloat(wire)
  if (typeof wire === 'bigint') return numberFrom(wire.toString())
  return typeof wire === 'string' ? numberFrom(wire) : undefined
}
