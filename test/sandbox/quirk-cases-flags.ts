import { expect } from 'vitest'
import { aFlag, flags } from './door.ts'
import { aDeletedFlag, aFlagPath, definition, type QuirkCases, statusOf } from './quirk-case.ts'

/** Quirks of flags. */
export const flagQuirks = {
  filters: {
    probe: async door => {
      await door.post(`${await aFlagPath(door)}/create_static_cohort_for_flag`)
      const properties = [{ key: 'id', type: 'cohort', value: 1 }]
      await door.patch(`${flags}/1`, { filters: { groups: [{ properties }], payloads: { true: { a: 1 } } } })
      return (await door.get(`${flags}/1`)).body.filters
    },
    seen: [
      [
        'verbatim',
        { groups: [{ properties: [{ key: 'id', type: 'cohort', value: 1 }] }], payloads: { true: { a: 1 } } },
      ],
      [
        'rewritten',
        {
          groups: [
            {
              properties: [
                { key: 'id', type: 'cohort', value: 1, cohort_name: expect.stringContaining('checkout') },
              ],
              aggregation_group_type_index: null,
            },
          ],
          payloads: { true: '{"a": 1}' },
          aggregation_group_type_index: null,
        },
      ],
    ],
  },
  bad_property: {
    probe: async door =>
      statusOf(
        door.post(flags, { key: 'a', filters: { groups: [{ properties: [{ key: 'a', type: 'person' }] }] } }),
      ),
    seen: [
      ['invalid', 400],
      ['error', 500],
    ],
  },
  flag_dependencies: {
    probe: async door => {
      await aFlag(door, { key: 'base' })
      const naming = (key: string) => ({ key, type: 'flag', operator: 'flag_evaluates_to', value: true })
      const statusFor = (name: string) =>
        statusOf(
          door.post(flags, {
            key: `by_${name}`,
            filters: { groups: [{ properties: [naming(name)] }] },
          }),
        )
      return [
        await statusFor('1'),
        await statusFor('base'),
        await statusOf(door.patch(`${flags}/1`, { active: false })),
      ]
    },
    seen: [
      ['id_or_key', [201, 201, 400]],
      ['id', [201, 400, 400]],
      ['refused', [400, 400, 200]],
    ],
  },
  tags: {
    probe: async door => {
      const created = await aFlag(door, { tags: ['beta'] })
      const patched = await door.patch(definition, { tags: ['beta'] })
      return [created.tags, patched.body.tags]
    },
    seen: [
      ['kept', [['beta'], ['beta']]],
      ['dropped', [[], []]],
    ],
  },
  tag_order: {
    probe: async door => {
      const tags = Array.from('abcdefgh')
      await aFlag(door, { tags })
      const orders = new Set<string>()
      for (let round = 0; round < 8; round++) orders.add((await door.get(`${flags}/1`)).body.tags.join(''))
      return orders.size > 1 ? 'many orders' : [...orders]
    },
    seen: [
      ['shuffled', 'many orders'],
      ['sorted', ['abcdefgh']],
    ],
  },
  restore_own_key_trap: {
    probe: async door => {
      await aDeletedFlag(door)
      return (await door.patch(`${flags}/1`, { key: 'checkout', deleted: false })).body.tags
    },
    seen: [
      [true, []],
      [false, ['beta']],
    ],
  },
  variant_sum: {
    probe: async door => {
      const multivariate = { variants: [{ key: 'a', rollout_percentage: 10 }] }
      return statusOf(door.patch(`${await aFlagPath(door)}`, { filters: { groups: [], multivariate } }))
    },
    seen: [
      ['on_create', 200],
      ['always', 400],
    ],
  },
  analytics_dashboards: {
    probe: async door => statusOf(door.post(flags, { key: 'a', analytics_dashboards: [] })),
    seen: [
      ['accepted', 201],
      ['error', 500],
    ],
  },
  evaluation_id_required: {
    probe: async door => statusOf(door.get(`${flags}/evaluation_reasons`)),
    seen: [
      [false, 200],
      [true, 400],
    ],
  },
  enrich_checked: {
    probe: async door => {
      await aFlag(door)
      const enrich = () => statusOf(door.post(`${flags}/1/enrich_usage_dashboard`))
      const first = await enrich()
      await door.patch(`${flags}/1`, { has_enriched_analytics: true })
      return [first, await enrich(), await enrich()]
    },
    seen: [
      [false, [200, 200, 200]],
      [true, [400, 200, 400]],
    ],
  },
} satisfies Partial<QuirkCases>
