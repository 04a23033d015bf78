import { TerraformVariable } from 'cdktf'
import { describe, expect, it } from 'vitest'
import { EventDefinition, Flag, Plugin, Variants, When } from '../../src/constructs/own-constructs.ts'
import { aStack, refusal } from './a-stack.ts'

const later = new TerraformVariable(aStack(), 'later', {}).stringValue
const country = When.person('country').is('DE')

describe('a flag with problems is refused with its key and its place', () => {
  it.each([
    [
      'a share over 100',
      { release: [country.at(250)] },
      'condition 1: 250 is not a percentage (write a number from 0 to 100)',
    ],
    [
      'no variants at all',
      { release: [], variants: Variants.even() },
      '"variants" has no variants: remove it',
    ],
    [
      'a property of a group in a flag for persons',
      { release: [When.group('plan').is('pro')] },
      'condition 1, property "plan": a property of type "group" in a flag that is released to persons (set groupTypeIndex to release to groups)',
    ],
    [
      'a property of a person in a flag for groups',
      { release: [country], groupTypeIndex: 0 },
      'condition 1, property "country": a property of type "person" in a flag that is released to groups (use type: group)',
    ],
    [
      'a group type that is none',
      { release: [], groupTypeIndex: 5 as never },
      'groupTypeIndex must be an integer from 0 to 4 (remove it to release to persons)',
    ],
    [
      'a payload of a reference that is no variant',
      { release: [], variants: Variants.even('a', 'b'), payloads: { [`x ${later}`]: 1 } },
      'there is a payload for "x (reference)", which is not a variant (the variants are "a", "b")',
    ],
    [
      'variants and nobody who gets them',
      { variants: Variants.even('a', 'b') },
      'nothing defines who gets the flag: set "release", or [] for nobody',
    ],
    [
      'a release in two ways',
      { release: [], filters: { groups: [] } },
      '"release" and "filters.groups" mean the same: remove one of them',
    ],
    [
      'payloads in two ways',
      { release: [], payload: 1, payloads: {} },
      '"payload" and "payloads" mean the same: remove one of them',
    ],
    [
      'a payload that is no JSON',
      { release: [], payload: { a: [() => 1] } },
      '"payload.a[0]" is a function, not a JSON value',
    ],
    [
      'a number that is no JSON',
      { release: [], payload: { a: Number.NaN } },
      '"payload.a" is NaN, not a JSON value',
    ],
    [
      'a whole number that is no JSON',
      { release: [], payload: 1n },
      '"payload" is a big integer, not a JSON value',
    ],
    [
      'a promise in JSON, which has no members',
      { release: [], payload: { a: Promise.resolve(1) } },
      '"payload.a" is an object of the class Promise, not a JSON value',
    ],
    [
      'a date that is none in JSON',
      { release: [], payload: { since: new Date('soon') } },
      '"payload.since" is an invalid date, not a JSON value',
    ],
    [
      'a map where members belong',
      { release: [], payloads: new Map() as never },
      '"payloads" is an object of the class Map, not an object',
    ],
  ])('%s', (_, props, words) => {
    expect(refusal(props as never)).toBe(`flag "checkout" at "flags/Checkout": ${words}`)
  })

  it('all at once', () => {
    expect(refusal({ release: [country.at(101), When.everyone().serve('a')], payloads: { b: 1 } })).toBe(
      'flag "checkout" at "flags/Checkout": condition 1: 101 is not a percentage (write a number from 0 to 100); ' +
        'condition 2: "a" is not a variant of this flag (the flag has no variants); ' +
        'there is a payload for "b", but the flag has no variants (name the payload "true": a flag without variants has only this payload)',
    )
  })

  it('a JSON value that contains itself', () => {
    const payload: Record<string, unknown> = {}
    payload.self = payload
    expect(refusal({ release: [], payload })).toBe(
      'flag "checkout" at "flags/Checkout": a value that contains itself at "self" cannot be written as JSON',
    )
  })

  it.each([
    ['a flag', () => new Flag(aStack(), 'One', {} as never), 'flag nothing at "flags/One": "key" is missing'],
    [
      'a plugin',
      () => new Plugin(aStack(), 'One', {} as never),
      'plugin nothing at "flags/One": "name" is missing',
    ],
    [
      'an event definition',
      () => new EventDefinition(aStack(), 'One', { tags: ['a'] } as never),
      'event nothing at "flags/One": "name" is missing',
    ],
  ])('%s without what it is called, which only a compiler minds else', (_, make, words) => {
    expect(make).toThrow(words)
  })
})
