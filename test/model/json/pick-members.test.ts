import { describe, expect, it } from 'vitest'
import { formMembers, type JsonObject, pickMembers } from '../../../src/model/text/json.ts'

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

describe('formMembers', () => {
  it('keeps what is made of members, in their order', () => {
    const value = { b: 1, a: null, c: [2] }
    const formed = formMembers(value, (member, name) => (name === 'a' ? undefined : [name, member]))
    expect(Object.entries(formed)).toEqual([
      ['b', ['b', 1]],
      ['c', ['c', [2]]],
    ])
  })

  it('keeps a member that is called as the prototype is', () => {
    const formed = formMembers(JSON.parse('{"__proto__": 1}') as JsonObject, member => member)
    expect(JSON.stringify(formed)).toBe('{"__proto__":1}')
    expect(Object.getPrototypeOf(formed)).toBe(Object.prototype)
  })
})
