import { describe, expect, it } from 'vitest'
import { filtersPointer, type TypedPlace, typedPlace } from '../../src/derive/typed-places.ts'

const variants = ['a', 'b/c', undefined]

describe('a place in the typed attributes', () => {
  it.each<[string, TypedPlace]>([
    ['/groups', ['release']],
    ['/groups/0/rollout_percentage', ['release', 0, 'rollout_percentage']],
    ['/groups/1/properties/2/key', ['release', 1, 'properties', 2, 'key']],
    ['/multivariate/variants', ['variants']],
    ['/multivariate/variants/1/key', ['variants', 1, 'key']],
    ['/payloads/a', ['variants', 0, 'payload']],
    ['/payloads/b~1c', ['variants', 1, 'payload']],
    ['/payloads/true', ['payload']],
    ['/aggregation_group_type_index', ['group_type_index']],
  ])('is known by its place in the filters, and that by it: %s', (pointer, place) => {
    expect(typedPlace(pointer, variants)).toEqual(place)
    expect(filtersPointer(place, variants)).toBe(pointer)
  })

  it.each<[string, TypedPlace]>([
    ['', ['release']],
    ['/multivariate', ['variants']],
    ['/payloads', ['payload']],
    ['/payloads/gone', ['payload']],
  ])('is the nearest one for what has none: "%s"', (pointer, place) => {
    expect(typedPlace(pointer, variants)).toEqual(place)
  })

  it('has one member on the wire for one value and for several', () => {
    expect(filtersPointer(['release', 0, 'properties', 1, 'values'], [])).toBe('/groups/0/properties/1/value')
  })

  it.each<[TypedPlace]>([[['variants', 2, 'payload']], [['variants', 3, 'payload']]])(
    'is none in the filters for the payload of a variant without a key: %j',
    place => {
      expect(filtersPointer(place, variants)).toBeUndefined()
    },
  )
})
