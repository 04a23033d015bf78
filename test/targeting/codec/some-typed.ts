import fc from 'fast-check'
import { propertyTypes } from '../../../src/targeting/filter-parts.ts'
import { knownOperators } from '../../../src/targeting/operators.ts'

const orNothing = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null })
const text = fc.constantFrom('DE', 'a/b', '5', '~', 'true', '__proto__', 'ä ö', '')
const percent = fc.double({ min: 0, max: 100, noNaN: true })
const groupType = fc.integer({ min: 0, max: 4 })

const compared = fc.oneof(
  fc.record({ value: orNothing(text), values: fc.constant(null) }),
  fc.record({ value: fc.constant(null), values: fc.array(text) }),
)

function property(types: readonly string[]) {
  return fc
    .tuple(
      fc.record({
        key: text,
        type: orNothing(fc.constantFrom(...types)),
        operator: orNothing(fc.constantFrom(...Object.keys(knownOperators))),
        group_type_index: orNothing(groupType),
        negation: orNothing(fc.boolean()),
      }),
      compared,
    )
    .map(([members, value]) => ({ ...members, ...value }))
}

/** Typed attributes as a configuration can hold them, with properties of some types. */
export function someTypedOf(types: readonly string[]) {
  return fc.record({
    release: orNothing(
      fc.array(
        fc.record({
          properties: orNothing(fc.array(property(types), { minLength: 1, maxLength: 3 })),
          rollout_percentage: orNothing(percent),
          variant: orNothing(text),
          group_type_index: orNothing(groupType),
          description: orNothing(text),
        }),
        { maxLength: 4 },
      ),
    ),
    variants: orNothing(
      fc.uniqueArray(
        fc.record({
          key: text.filter(key => key !== 'true'),
          name: orNothing(text),
          rollout_percentage: percent,
          payload: orNothing(fc.constantFrom('1.10', '{"a":1}', '"x"', '[]')),
        }),
        { selector: ({ key }) => key, minLength: 1, maxLength: 4 },
      ),
    ),
    payload: orNothing(fc.constantFrom('1.10', '{"a":1}')),
    group_type_index: orNothing(groupType),
    early_exit: orNothing(fc.boolean()),
  })
}

export const someTyped = someTypedOf(Object.keys(propertyTypes))
