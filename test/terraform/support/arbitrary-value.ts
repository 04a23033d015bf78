import fc, { type Arbitrary } from 'fast-check'
import { type BigNum, numberFrom } from '../../../src/hcl/json.ts'
import { elementType, type Type } from '../../../src/hcl/values/type.ts'
import { Unknown, type Value } from '../../../src/hcl/values/value.ts'

const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,5}$/)

export const aType: Arbitrary<Type> = fc.letrec<{ type: Type }>(tie => ({
  type: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Type>('string', 'number', 'bool'),
    fc.tuple(fc.constantFrom('list' as const, 'set' as const, 'map' as const), tie('type')),
    fc.tuple(fc.constant('tuple' as const), fc.array(tie('type'), { maxLength: 3 })),
    fc.tuple(
      fc.constant('object' as const),
      fc.dictionary(name, tie('type'), { maxKeys: 3, noNullPrototype: true }),
    ),
  ),
})).type

export const aNumber: Arbitrary<number | BigNum> = fc.oneof(
  fc.integer(),
  fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n }).map(value => numberFrom(value.toString())),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(value => numberFrom(String(value))),
  fc
    .tuple(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.integer({ min: -60, max: 60 }))
    .map(([digits, exponent]) => numberFrom(`${digits}e${exponent}`)),
)

/** A value of a type. What is `known` can stand in a state. */
export function aValueOf(type: Type, known = false): Arbitrary<Value> {
  const others = known ? [fc.constant(null)] : [fc.constant(null), anUnknown]
  return fc.oneof(
    { weight: 6, arbitrary: aPresent(type, known) },
    ...others.map(arbitrary => ({ weight: 1, arbitrary })),
  )
}

export const aTypedValue = aType.chain(type => aValueOf(type).map(value => ({ type, value })))
export const aTypedState = aType.chain(type => aValueOf(type, true).map(value => ({ type, value })))

function aPresent(type: Type, known: boolean): Arbitrary<Value> {
  switch (type) {
    case 'string':
      return fc.string({ unit: 'grapheme' })
    case 'bool':
      return fc.boolean()
    case 'number':
      return aNumber
    case 'dynamic':
      return fc.constant(null)
  }
  switch (type[0]) {
    case 'list':
    case 'set':
      return fc.array(aValueOf(elementType(type), known), { maxLength: 3 })
    case 'tuple':
      return fc.tuple(...type[1].map(of => aValueOf(of, known)))
    case 'map':
      return fc.dictionary(
        fc.string().filter(key => key !== '__proto__'),
        aValueOf(elementType(type), known),
        { maxKeys: 3, noNullPrototype: true },
      )
    case 'object': {
      const members = Object.entries(type[1]).map(([key, of]) => [key, aValueOf(of, known)] as const)
      return fc.record(Object.fromEntries(members), { noNullPrototype: true })
    }
    default:
      return type satisfies never
  }
}

/** With what Terraform knows of it, or without. */
const anUnknown = fc
  .oneof(fc.constant(undefined), fc.uint8Array({ minLength: 1, maxLength: 20 }))
  .map(refinement => new Unknown('', undefined, refinement))
