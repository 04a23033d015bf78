import type { Json } from '../../src/model/text/json.ts'
import { getAt } from '../../src/model/text/pointer.ts'
import { aFlag, type Door, flags } from './door.ts'
import { aFlagPath, type QuirkCases, statusOf } from './quirk-case.ts'

/** Percentages of conditions, and what they are once they are opened. */
const sent = [0, null, 7]
const opened = [100, 100, 7]
const condition = { groups: [{ rollout_percentage: 7 }] }

/** The status and the code of a POST of a flag with these filters. */
async function refusalOf(door: Door, key: string, filters: object) {
  const { status, body } = await door.post(flags, { key, filters })
  return status === 201 ? 201 : `${status} ${body.code}`
}

interface TrailRow {
  readonly activity: string
  readonly detail: { readonly changes: readonly { readonly field: string }[] | null }
}

/** Quirks by which the flags of 2026 differ from those of 2024. */
export const laterFlagQuirks = {
  filters_without_groups: {
    probe: async door => {
      const created = [
        await statusOf(door.post(flags, { key: 'a', filters: {} })),
        await statusOf(door.post(flags, { key: 'b', filters: { groups: [] } })),
      ]
      const { id } = await aFlag(door, { filters: condition })
      const { body } = await door.patch(`${flags}/${id}`, { filters: { payloads: { true: '1' } } })
      return [...created, body.filters]
    },
    seen: [
      ['stored', [201, 201, { payloads: { true: '1' } }]],
      ['lost', [500, 201, condition]],
      ['refused', [400, 400, condition]],
    ],
  },
  filters_patch: {
    probe: async door => {
      const path = await aFlagPath(door, { filters: { ...condition, payloads: { true: '1' } } })
      const payloads = { true: '2' }
      return [
        (await door.patch(path, { filters: {} })).body.filters,
        (await door.patch(path, { filters: { groups: [] } })).body.filters,
        (await door.patch(path, { filters: { payloads } })).body.filters,
      ]
    },
    with: { filters_without_groups: 'lost' },
    seen: [
      ['replaced', [{ ...condition, payloads: { true: '1' } }, { groups: [] }, { groups: [] }]],
      [
        'merged',
        [
          { ...condition, payloads: { true: '1' } },
          { groups: [], payloads: { true: '1' } },
          { groups: [], payloads: { true: '2' } },
        ],
      ],
    ],
  },
  no_filters: {
    probe: async door => [(await aFlag(door)).filters, (await door.get(`${flags}/my_flags`)).body[0].value],
    seen: [
      ['everybody', [{ groups: [{ properties: [], rollout_percentage: null }] }, true]],
      ['nobody', [{ groups: [] }, false]],
    ],
  },
  filter_rules: {
    probe: async door => {
      const { id } = await aFlag(door, { key: 'off', active: false })
      const onFlag = { key: String(id), type: 'flag', operator: 'flag_evaluates_to', value: true }
      const withProperty = (property: object) => ({ groups: [{ properties: [property] }] })
      const variant = { key: 'a b', rollout_percentage: 100 }
      const wrong = {
        too_much: { groups: [{ rollout_percentage: 101 }] },
        text: { groups: [{ rollout_percentage: '7' }] },
        operator: withProperty({ key: 'a', type: 'person', operator: 'like', value: 'b' }),
        no_key: withProperty({ type: 'person', value: 'b' }),
        variant: { groups: [], multivariate: { variants: [variant] } },
        waits: withProperty(onFlag),
        version: { ...condition, version: 2 },
      }
      const refused = []
      for (const [key, filters] of Object.entries(wrong)) refused.push(await refusalOf(door, key, filters))
      return refused
    },
    seen: [
      ['2024', [201, 201, 201, 201, 201, 201, 201]],
      [
        '2026',
        ['input', 'input', 'operator', 'input', 'input', 'input']
          .map(what => `400 invalid_${what}`)
          .concat('400 reserved_config_version'),
      ],
    ],
  },
  unsettled_operators: {
    with: { filter_rules: '2026' },
    probe: async door => {
      const refused = []
      for (const operator of ['semver_gt', 'between', 'not_between', 'starts_with', 'not_ends_with']) {
        const property = { key: 'a', type: 'person', operator, value: '1' }
        refused.push(await refusalOf(door, operator, { groups: [{ properties: [property] }] }))
      }
      return refused
    },
    seen: [
      ['kept', [201, 201, 201, 201, 201]],
      ['refused', [201, ...Array.from({ length: 4 }, () => '400 unsupported_operator')]],
    ],
  },
  flag_version: {
    probe: async door => {
      const { version } = await aFlag(door, { tags: ['a'] })
      await door.patch(`${flags}/1`, { active: false, tags: ['b', 'a'] })
      const patch = async (body: object) => {
        const answer = await door.patch(`${flags}/1`, { version: 1, ...body })
        return [answer.status, answer.body.code ?? answer.body.active]
      }
      const was = { active: true, name: '', tags: ['a'] }
      return [
        version,
        await patch({ name: 'alone' }),
        await patch({ name: 'mine', tags: ['c'], original_flag: { ...was, name: 'alone' } }),
        await patch({ name: 'mine', active: true, original_flag: { ...was, name: 'alone' } }),
        await patch({ tags: ['a', 'b'], original_flag: was }),
        await patch({ active: true, original_flag: {} }),
      ]
    },
    seen: [
      [false, [undefined, [200, false], [200, false], [200, true], [200, true], [200, true]]],
      [true, [1, [200, false], [409, 'conflict'], [200, false], [200, false], [200, true]]],
    ],
  },
  stale_patch: {
    probe: async door => {
      await aFlag(door, { name: 'before' })
      await door.patch(`${flags}/1`, { name: 'theirs' })
      const original_flag = { name: 'before', active: true }
      const { status, body } = await door.patch(`${flags}/1`, {
        ...{ name: 'ours', active: false, version: 1, original_flag },
      })
      return [status, body.name, body.active, (await door.get(`${flags}/1`)).body.version]
    },
    with: { flag_version: true },
    seen: [
      ['refused', [409, undefined, undefined, 2]],
      ['dropped', [200, 'theirs', false, 3]],
    ],
  },
  remote_rollout: {
    probe: async door => {
      const rollouts = async (answer: Promise<{ readonly body: { filters: { groups: Json[] } } }>) =>
        (await answer).body.filters.groups.map(group => getAt(group, '/rollout_percentage'))
      const groups = sent.map(rollout_percentage => ({ rollout_percentage }))
      const remote = { is_remote_configuration: true, filters: { groups } }
      return [
        await rollouts(door.post(flags, { key: 'a', ...remote })),
        await rollouts(door.get(`${flags}/1`)),
        await rollouts(door.patch(`${flags}/1`, { filters: { groups } })),
        await rollouts(door.post(flags, { key: 'b', ...remote, is_remote_configuration: false })),
      ]
    },
    with: { flag_fields: '2026' },
    seen: [
      ['kept', [sent, sent, sent, sent]],
      ['on_create', [opened, opened, sent, sent]],
      ['always', [opened, opened, opened, sent]],
    ],
  },
  trail_rows: {
    probe: async door => {
      const path = await aFlagPath(door, { filters: condition })
      for (const body of [{ active: false }, { tags: ['a'] }, { deleted: true }, { deleted: false }])
        await door.patch(path, body)
      const { results } = (await door.get(`${path}/activity`)).body
      return (results as TrailRow[])
        .toReversed()
        .map(({ activity, detail: { changes } }) =>
          [activity, ...(changes ?? []).map(({ field }) => field)].join(' '),
        )
    },
    seen: [
      ['fields', ['created', 'updated active', 'updated tags', 'updated deleted', 'updated deleted']],
      [
        'columns',
        [
          ...['created', 'updated active version', 'updated version'],
          ...['deleted deleted version', 'restored deleted version'],
        ],
      ],
    ],
  },
  unchanged_patch: {
    probe: async door => {
      await aFlag(door)
      await door.patch(`${flags}/1`, { name: '' })
      const { version } = (await door.patch(`${flags}/1`, {})).body
      return [version, (await door.get(`${flags}/1/activity`)).body.total_count]
    },
    with: { flag_version: true },
    seen: [
      ['unseen', [1, 1]],
      ['counted', [3, 1]],
    ],
  },
  flag_fields: {
    probe: async door => {
      const old = await aFlag(door, { active: false, archived: true, evaluation_contexts: ['web'] })
      const both = await door.patch(`${flags}/1`, { active: true })
      const { archived, evaluation_contexts, status, is_simple_flag, updated_at } = old
      return [
        [archived, evaluation_contexts, status, is_simple_flag, updated_at !== undefined],
        both.status,
        (await door.get(flags)).body.count,
        (await door.get(`${flags}?archived=true`)).body.count,
      ]
    },
    seen: [
      ['2024', [[undefined, undefined, undefined, true, false], 200, 1, 1]],
      ['2026', [[true, ['web'], 'ARCHIVED', undefined, true], 400, 0, 1]],
    ],
  },
  flag_created_at: {
    probe: async door => (await aFlag(door, { created_at: '2024-05-01T00:00:00Z' })).created_at,
    seen: [
      ['writable', '2024-05-01T00:00:00Z'],
      ['ignored', '2026-01-01T00:00:00Z'],
    ],
  },
  flag_key_characters: {
    probe: async door => {
      const { status, body } = await door.post(flags, { key: 'a.b' })
      return [status, body.code]
    },
    seen: [
      ['any', [201, undefined]],
      ['checked', [400, 'invalid_key']],
    ],
  },
  usage_dashboard: {
    probe: async door => (await aFlag(door)).usage_dashboard,
    seen: [
      ['made', 1],
      ['null', null],
    ],
  },
  blast_radius: {
    probe: async door =>
      (await door.post(`${flags}/user_blast_radius`, { condition: { properties: [] } })).body,
    seen: [
      ['users_affected', { users_affected: 1, total_users: 1 }],
      ['affected', { affected: 1, total: 1 }],
    ],
  },
} satisfies Partial<QuirkCases>
