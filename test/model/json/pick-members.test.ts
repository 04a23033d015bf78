import { describe, expect, it } from 'vitest'
import { type JsonObject, pickMembers } from '../../../src/model/json/json.ts'

describe('pickMembers', () => {
  it('keeps members in their order', () => {
    const value = { b: 1, a: null, c: [2] }
    expect(Object.entries(pickMembers(value, (_, name) => name !== 'a'))).toEqual([
      ['b', 1],
      ['c', [2]],
    ])
    expect(pickMembers(value, member => member === null)).toEqual({ a: null })
  })

  it('keeps a member that is called as the prototype is, and changes nothing else by it', () => {
    const value = JSON.parse('{"__proto__": {"a": 1}, "b": 2}') as JsonObject
    const kept = pickMembers(value, () => true)
    expect(JSON.stringify(kept)).toBe('{"__proto__":{"a":1},"b":2}')
    expect(Object.getPrototypeOf(kept)).toBe(Object.prototype)
    expect(kept.a).toBeUndefined()
  })
})
