import { describe, expect, it } from 'vitest'
import { declarableKind } from '../../src/kinds/index.ts'
import { isJsonArray, isJsonObject, type Json } from '../../src/model/text/json.ts'
import { checkObject, checkTargeting } from '../../src/rules/check-object.ts'
import { type PartlyKnown, unknownHere } from '../../src/rules/contradictions.ts'

const flag = declarableKind('feature_flag')

/** A flag that breaks no rule, with every member that the rules look at. */
const right: Json = {
  key: 'checkout',
  name: 'Checkout',
  active: true,
  tags: ['a', 'b'],
  filters: {
    groups: [
      {
        properties: [
          { key: 'country', type: 'person', value: ['DE'], operator: 'exact' },
          { key: 'id', type: 'cohort', value: 12 },
          { key: '7', type: 'flag', value: true, operator: 'flag_evaluates_to' },
          { key: 'since', type: 'person', value: '-7d', operator: 'is_date_after' },
        ],
        rollout_percentage: 50,
        variant: 'x',
      },
    ],
    multivariate: {
      variants: [
        { key: 'x', rollout_percentage: 50 },
        { key: 'y', rollout_percentage: 50 },
      ],
    },
    payloads: { x: '{"a": 1}' },
  },
}
const ofGroups: Json = {
  key: 'plans',
  filters: {
    aggregation_group_type_index: 1,
    groups: [{ properties: [{ key: 'plan', type: 'group', group_type_index: 1, value: ['pro'] }] }],
  },
}

/** The value as often as it has parts, each time with another one of them that is not known. */
function partsUnknown(value: Json): PartlyKnown[] {
  const inside = (part: Json): PartlyKnown[] => [unknownHere, ...partsUnknown(part)]
  if (isJsonArray(value)) {
    return value.flatMap((element, index) =>
      inside(element).map(part => [...value.slice(0, index), part, ...value.slice(index + 1)]),
    )
  }
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) =>
    inside(member).map(part => ({ ...value, [name]: part })),
  )
}

type Fields = Parameters<typeof checkObject>[1]

describe('what is not known yet', () => {
  it.each([
    ['to persons', right],
    ['to groups', ofGroups],
  ])('breaks no rule, wherever it stands in a flag that is released %s', (_, whole) => {
    const parts = partsUnknown(whole)
    expect(parts.length).toBeGreaterThan(8)
    expect(checkObject(flag, whole as Fields)).toEqual([])
    for (const part of parts) expect(checkObject(flag, part as Fields)).toEqual([])
  })

  it.each<[string, Json, PartlyKnown[], string[]]>([
    ['no type', null, [{ key: 'a', value: unknownHere }], ['property-type']],
    ['no key', null, [{ type: 'person', value: unknownHere }], ['missing-key']],
    ['another type', null, [{ key: 'a', type: 'group', value: unknownHere }], ['property-type']],
    ['no type of group', 0, [{ key: 'a', type: 'group', value: unknownHere }], ['group-type-index']],
    [
      'another type of group',
      0,
      [{ key: 'a', type: 'group', group_type_index: 1, value: unknownHere }],
      ['group-type-index'],
    ],
    ['nothing known', 0, [unknownHere], []],
    ['a type that is unknown', 0, [{ key: 'a', type: unknownHere, group_type_index: 0, value: 'b' }], []],
  ])('hides nothing else that is wrong with a property: %s', (_, groupType, properties, codes) => {
    const filters = {
      groups: [{ properties }],
      ...(groupType === null ? {} : { aggregation_group_type_index: groupType }),
    }
    expect(checkTargeting('filters', filters).map(({ code }) => code)).toEqual(codes)
  })

  it('leaves the types of groups open only where they are not known', () => {
    const groups: PartlyKnown = [
      { properties: [{ key: 'a', type: 'group', group_type_index: 0, value: 'b' }] },
      {
        properties: [{ key: 'a', type: 'group', group_type_index: 0, value: 'b' }],
        aggregation_group_type_index: unknownHere,
      },
    ]
    const told = (filters: PartlyKnown) => checkTargeting('filters', filters).map(({ inside }) => inside)
    expect(told({ groups })).toEqual(['/groups/0/properties/0/type'])
    expect(told({ groups, aggregation_group_type_index: 7 })).toEqual([
      '/aggregation_group_type_index',
      '/groups/0/properties/0/group_type_index',
    ])
    expect(told({ groups, aggregation_group_type_index: unknownHere })).toEqual([])
  })
})
