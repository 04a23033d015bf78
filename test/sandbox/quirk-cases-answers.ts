import { aFlag, events, flags, organization, plugins, support, worldWith } from './door.ts'
import { aFlagPath, definition, event, type QuirkCases, statusOf, threeFlags } from './quirk-case.ts'

/** Quirks of lists and of the shapes of answers. */
export const answerQuirks = {
  page_size_cap: {
    probe: async door => {
      await threeFlags(door)
      const { body } = await door.get(`${flags}?limit=3`)
      return [body.results.length, body.next]
    },
    seen: [
      [0, [3, null]],
      [2, [2, `http://sandbox.test${flags}?limit=2&offset=2`]],
    ],
  },
  survey_flags: {
    probe: async door => {
      await threeFlags(door)
      const { body } = await door.get(`${flags}?limit=2`)
      return [
        ...[body.count, ...body.results.map((flag: { key: string }) => flag.key), body.next],
        (await door.get(`${flags}/9`)).body.key,
        (await door.post(flags, { key: 'survey-1' })).body.code,
      ]
    },
    seed: worldWith({ feature_flags: [{ id: 9, key: 'survey-1', survey_targeting: true }] }),
    seen: [
      ['shown', [4, 'c', 'b', `http://sandbox.test${flags}?limit=2&offset=2`, 'survey-1', 'unique']],
      ['hidden', [3, 'c', 'b', `http://sandbox.test${flags}?limit=2&offset=2`, 'survey-1', 'unique']],
    ],
  },
  event_envelope: {
    probe: async door => {
      const { results: _rows, ...rest } = (await door.get(`${events}?limit=1`)).body
      return rest
    },
    seen: [
      ['counted', { count: 2, next: `http://sandbox.test${events}?limit=1&offset=1`, previous: null }],
      ['next_only', { next: `http://sandbox.test${events}?limit=1&before=2025-12-02T00%3A00%3A00Z` }],
    ],
  },
  shapes: {
    probe: async door => {
      await door.post(`${await aFlagPath(door)}/role_access`, { role_id: support })
      const grant = (await door.get(`${flags}/1/role_access/1`)).body
      const { surveys, features } = grant.feature_flag
      const { members, associated_flags } = grant.role
      const seen = (await door.get(`${events}/${event}`)).body
      const kept = (await door.get(definition)).body
      return [
        surveys,
        features,
        members,
        associated_flags,
        seen.properties,
        seen.elements,
        kept.is_action,
        'action_id' in kept,
      ]
    },
    seen: [
      ['documented', [{}, {}, '', 'checkout', '{}', '[]', 'false', true]],
      ['real', [[], [], [], [{ id: 1, key: 'checkout' }], {}, [], false, false]],
    ],
  },
  action_answers: {
    probe: async door => {
      await aFlag(door)
      await door.post(plugins, { plugin_type: 'custom', name: 'p' })
      return [
        Object.keys((await door.post(`${flags}/1/dashboard`)).body).length,
        Object.keys((await door.post(`${flags}/1/create_static_cohort_for_flag`)).body).length,
        Object.keys((await door.get(`${plugins}/1/check_for_updates`)).body).length,
      ]
    },
    seen: [
      ['record', [22, 22, 15]],
      ['own', [1, 1, 1]],
    ],
  },
  static_cohort_status: {
    probe: async door => statusOf(door.post(`${await aFlagPath(door)}/create_static_cohort_for_flag`)),
    seen: [
      ['200', 200],
      ['201', 201],
    ],
  },
  post_to_chat_name: {
    probe: async door => {
      await door.patch(definition, { post_to_slack: true })
      await door.patch(definition, { post_to_chat: true })
      const { body } = await door.get(definition)
      return [body.post_to_chat, body.post_to_slack]
    },
    seen: [
      ['post_to_chat', [true, undefined]],
      ['post_to_slack', [undefined, true]],
    ],
  },
  roles_route: {
    probe: async door => {
      const { status, body } = await door.get(`${organization}/roles/`)
      return [status, body.results?.map((role: { name: string }) => role.name)]
    },
    seen: [
      [false, [404, undefined]],
      [true, [200, ['growth', 'support']]],
    ],
  },
} satisfies Partial<QuirkCases>
