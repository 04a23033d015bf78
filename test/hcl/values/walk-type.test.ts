import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasSameMembers, mapMembers, type ObjectValue, type Value } from '../../../src/hcl/values/value.ts'

const anyName = fc.oneof(fc.constantFrom('__proto__', 'constructor', 'a', 'b'), fc.string())
const anyMembers = fc.uniqueArray(fc.tuple(anyName, fc.constantFrom<Value>(null, true, 'x', 1, ['x'])), {
  selector: ([name]) => name,
})
const anyObject: fc.Arbitrary<ObjectValue> = anyMembers.map(members => Object.fromEntries(members))

describe('the members of an object', () => {
  it('keep their names, whatever those are', () => {
    fc.assert(
      fc.property(anyObject, object => {
        const mapped = mapMembers<Value, string>(
          object,
          (member, name) => `${name}=${JSON.stringify(member)}`,
        )
        const expected = Object.entries(object).map(([name, member]) => [
          name,
          `${name}=${JSON.stringify(member)}`,
        ])
        expect(Object.entries(mapped)).toEqual(expected)
        expect(Object.getPrototypeOf(mapped)).toBe(Object.prototype)
      }),
    )
  })

  it('are the very same where none was put in place of another, left out or added', () => {
    fc.assert(
      fc.property(anyObject, anyName, (object, name) => {
        expect(hasSameMembers(object, { ...object })).toBe(true)
        const others = Object.entries(object).filter(([each]) => each !== name)
        const less = Object.fromEntries(others)
        const other = Object.fromEntries([...others, [name, ['x']]])
        const wasThere = Object.hasOwn(object, name)
        expect([hasSameMembers(object, less), hasSameMembers(object, other)]).toEqual([!wasThere, false])
        expect([hasSameMembers(less, object), hasSameMembers(other, object)]).toEqual([!wasThere, false])
      }),
    )
  })
})
