import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../../src/model/text/json.ts'
import { getAt } from '../../../src/model/text/pointer.ts'
import { encodeFilters } from '../../../src/targeting/codec.ts'
import { variantKeys } from '../../../src/targeting/release.ts'
import { attributesOf, filtersPointer, type TypedPath, typedPath } from '../../../src/targeting/typed-form.ts'
import { someTypedOf } from './some-typed.ts'

const variants = ['a', 'b/c', undefined]

describe('a place in the typed attributes', () => {
  it.each<[string, TypedPath]>([
    ['/groups', ['release']],
    ['/groups/0/rollout_percentage', ['release', 0, 'rollout_percentage']],
    ['/groups/1/properties/2/key', ['release', 1, 'properties', 2, 'key']],
    ['/multivariate/variants', ['variants']],
    ['/multivariate/variants/1/key', ['variants', 1, 'key']],
    ['/payloads/a', ['variants', 0, 'payload']],
    ['/payloads/b~1c', ['variants', 1, 'payload']],
    ['/payloads/true', ['payload']],
    ['/aggregation_group_type_index', ['group_type_index']],
    ['/groups/1/aggregation_group_type_index', ['release', 1, 'group_type_index']],
    ['/early_exit', ['early_exit']],
  ])('is known by its place in the filters, and that by it: %s', (pointer, place) => {
    expect(typedPath(pointer, variants)).toEqual(place)
    expect(filtersPointer(place, variants)).toBe(pointer)
  })

  it.each<[string, TypedPath]>([
    ['', ['release']],
    ['/multivariate', ['variants']],
    ['/payloads', ['payload']],
    ['/payloads/gone', ['payload']],
  ])('is the nearest one for what has none: "%s"', (pointer, place) => {
    expect(typedPath(pointer, variants)).toEqual(place)
  })

  it('is the share of everybody where that stands for the conditions', () => {
    const given = ['rollout_percentage', 'payload']
    expect(typedPath('/groups/0/rollout_percentage', variants, given)).toEqual(['rollout_percentage'])
    expect(typedPath('', variants, given)).toEqual(['rollout_percentage'])
    expect(typedPath('/payloads/true', variants, given)).toEqual(['payload'])
    expect(filtersPointer(['rollout_percentage'], variants)).toBe('/groups')
  })

  it('has one member on the wire for one value and for several', () => {
    expect(filtersPointer(['release', 0, 'properties', 1, 'values'], [])).toBe('/groups/0/properties/1/value')
  })

  it.each<[TypedPath]>([[['variants', 2, 'payload']], [['variants', 3, 'payload']]])(
    'is none in the filters for the payload of a variant without a key: %j',
    place => {
      expect(filtersPointer(place, variants)).toBeUndefined()
    },
  )
})

describe('every place of the typed form', () => {
  it('is found again by its place in the filters, and what stands there is the same', () => {
    fc.assert(
      fc.property(someTypedOf(['person', 'group']), typed => {
        const filters = encodeFilters(typed)
        const keys = variantKeys(filters)
        for (const [place, value] of placesIn(typed)) {
          const pointer = filtersPointer(place, keys)
          expect(pointer && getAt(filters, pointer)).toEqual(value)
          expect(typedPath(pointer ?? '', keys)).toEqual(place)
        }
      }),
    )
  })

  it('is the one attribute for its member inside of a part, or the one for several values', () => {
    const parts = ['condition', 'property', 'variant'] as const
    const inside = parts.flatMap(part =>
      Object.entries(attributesOf(part)).flatMap(([name, { at, byKey, is }]) =>
        byKey || is === 'texts' ? [] : [`${part} ${name} ${at.join('.')}`],
      ),
    )
    const members = inside.map(each => each.replace(/ \w+ /, ' '))
    expect(inside.length).toBeGreaterThan(10)
    expect(new Set(members).size).toBe(members.length)
  })
})

/** Whatever says something, and its place: texts of people, whose values are the same on the wire. */
function placesIn(typed: JsonObject): [TypedPath, Json][] {
  const places = (value: Json, path: readonly (string | number)[]): [TypedPath, Json][] => {
    if (isJsonArray(value)) return value.flatMap((each, index) => places(each, [...path, index]))
    if (isJsonObject(value))
      return Object.entries(value).flatMap(([name, member]) => places(member, [...path, name]))
    // It starts with the name of an attribute.
    return value === null ? [] : [[path as unknown as TypedPath, value]]
  }
  return places(typed, [])
}
