import { type Door, definitions, flags, organization, plugins, support, worldWith } from './door.ts'
import { aFlagPath, type QuirkCases, statusOf, threeFlags } from './quirk-case.ts'

const variants = (...keys: readonly string[]) => ({
  groups: [{ rollout_percentage: 50 }],
  multivariate: { variants: keys.map(key => ({ key, rollout_percentage: 100 / keys.length })) },
})

async function codeOf(answer: ReturnType<Door['get']>): Promise<unknown> {
  const { status, body } = await answer
  return status < 300 ? status : `${status} ${body.code}`
}

/** Quirks of who may do what, of what is refused, and of what lists are asked for, in the services of today. */
export const policyQuirks = {
  flag_list_query: {
    probe: async door => {
      await threeFlags(door)
      await door.patch(`${flags}/1`, { active: false, tags: ['x'] })
      const queries = ['active=false', 'search=A', 'tags=["x"]', 'excluded_tags=["x"]', 'key=B', 'odd=1']
      const counts = []
      for (const query of queries) counts.push((await door.get(`${flags}?${query}`)).body.count)
      return counts
    },
    seen: [
      ['ignored', [3, 3, 3, 3, 3, 3]],
      ['without_key', [1, 1, 1, 2, 3, 3]],
      ['taken', [1, 1, 1, 2, 1, 3]],
    ],
  },
  grants_route: {
    probe: async door => {
      const controls = `${flags}/8/access_controls`
      const level = async (body: object) => statusOf(door.ask('PUT', controls, body))
      return [
        await statusOf(door.get(`${flags}/8/role_access`)),
        await level({ role: support, access_level: 'editor' }),
        (await door.get(controls)).body.access_controls?.map(
          (control: { role: string; access_level: string }) => [control.role, control.access_level],
        ),
        await level({ role: support, access_level: null }),
        await level({ role: '01900000-0000-0000-0000-0000000000ff', access_level: 'editor' }),
        (await door.get(controls)).body.access_controls?.length,
        (await door.get(flags)).body.count,
        await statusOf(door.get(`${flags}/9`)),
        await codeOf(door.post(flags, { key: 'secret' })),
        Object.keys((await door.get(`${organization}/roles`)).body.results[0]).includes('is_default'),
      ]
    },
    with: { roles_route: true },
    seed: worldWith({
      feature_flags: [
        { id: 8, key: 'open' },
        { id: 9, key: 'secret', access_level: 'none' },
      ],
    }),
    seen: [
      ['role_access', [200, 404, undefined, 404, 404, undefined, 2, 200, '400 unique', false]],
      ['both', [200, 200, [[support, 'editor']], 204, 400, 0, 1, 403, '400 unique', false]],
      ['access_controls', [404, 200, [[support, 'editor']], 204, 400, 0, 1, 403, '400 unique', true]],
    ],
  },
  plugins_route: {
    probe: async door => [
      await statusOf(door.get(plugins)),
      await statusOf(door.post(plugins, { plugin_type: 'source', name: 'p' })),
      await statusOf(door.get(`${plugins}/activity`)),
    ],
    seen: [
      ['served', [200, 201, 200]],
      ['gone', [404, 404, 404]],
    ],
  },
  definition_query: {
    probe: async door => [
      (await door.get(`${definitions}?names=paid,other`)).body.count,
      (await door.get(`${definitions}?names=other`)).body.count,
      await codeOf(door.get(`${definitions}?limit=many`)),
      await codeOf(door.get(`${definitions}?event_type=odd`)),
    ],
    seen: [
      ['2024', [1, 1, 200, 200]],
      ['2026', [1, 0, '400 invalid_input', '400 invalid_choice']],
    ],
  },
  local_evaluation: {
    probe: async door => [
      await statusOf(door.get(`${flags}/local_evaluation`)),
      await statusOf(door.get('/flags/definitions')),
      (await door.get('/api/feature_flag/local_evaluation')).body.flags.length,
    ],
    seed: worldWith({ feature_flags: [{ key: 'on' }, { key: 'off', active: false }] }),
    seen: [
      ['served', [200, 200, 1]],
      ['gone', [404, 200, 2]],
    ],
  },
  linked_flags: {
    probe: async door => [
      await codeOf(door.patch(`${flags}/7`, { filters: variants('a') })),
      await codeOf(door.patch(`${flags}/7`, { filters: variants('a', 'b', 'c') })),
      ...(await Promise.all(
        [7, 8, 9, 10].map(id => codeOf(door.patch(`${flags}/${id}`, { deleted: true }))),
      )),
    ],
    seed: worldWith({
      feature_flags: [
        { id: 7, key: 'running', experiment_set: [1], filters: variants('a', 'b') },
        { id: 8, key: 'stopped', experiment_set: [2], experiments_stopped: true },
        { id: 9, key: 'early', features: [{ id: 1 }] },
        { id: 10, key: 'replay', used_in_replay: true },
      ],
    }),
    seen: [
      ['free', [200, 200, 200, 200, 200, 200]],
      [
        'guarded',
        ['400 invalid_input', 200, '400 invalid_input', 200, '400 invalid_input', '400 invalid_input'],
      ],
    ],
  },
  deleted_key: {
    probe: async door => {
      const renamed = async (id: number, deleted: boolean) =>
        (await door.patch(`${flags}/${id}`, { deleted })).body.key
      const keys = [await renamed(7, true), await renamed(8, true), await renamed(8, false)]
      await door.post(flags, { key: 'tried' })
      return [...keys, await renamed(7, false)]
    },
    seed: worldWith({
      feature_flags: [
        { id: 7, key: 'tried', experiment_set: [1] },
        { id: 8, key: 'other', experiment_set: [] },
      ],
    }),
    seen: [
      ['kept', ['tried', 'other', 'other', 'tried']],
      ['renamed', ['tried:deleted:7', 'other', 'other', 'tried-2']],
    ],
  },
  approvals: {
    probe: async door => {
      const path = `${flags}/7`
      const { body } = await door.patch(path, { active: false })
      const moved = { ...variants('a'), groups: [{ rollout_percentage: 51 }] }
      return [
        body.code,
        Object.keys(body).includes('type'),
        await codeOf(door.patch(path, { filters: moved })),
        await codeOf(door.patch(path, { name: 'Other', filters: variants('a') })),
        (await door.get(path)).body.active,
        (await door.post(flags, { key: 'off', active: false })).status,
        (await door.post(flags, { key: 'on' })).status,
        (await door.get(flags)).body.count,
      ]
    },
    seed: worldWith({ feature_flags: [{ id: 7, key: 'gated', filters: variants('a') }] }),
    seen: [
      ['none', [undefined, false, 200, 200, false, 201, 201, 3]],
      ['required', ['approval_required', false, '409 approval_required', 200, true, 201, 409, 2]],
      ['pending', ['change_request_pending', false, '409 change_request_pending', 200, true, 201, 409, 2]],
      ['accepted', ['approval_required', false, 202, 200, true, 201, 202, 2]],
    ],
  },
  change_request: {
    probe: async door => {
      const { status, body } = await door.get(
        '/api/projects/1/change_requests/01900000-0000-0000-0000-000000000007',
      )
      return status === 200 ? body.state : status
    },
    seen: [
      ['none', 404],
      ...(['pending', 'approved', 'applied', 'rejected', 'expired', 'failed'] as const).map(
        state => [state, state] as const,
      ),
    ],
  },
  flag_state_operations: {
    probe: async door => {
      const states: unknown[] = []
      for (const operation of ['archive', 'enable', 'unarchive', 'unarchive', 'enable', 'disable']) {
        const { status, body } = await door.post(`${flags}/7/${operation}`)
        states.push(status === 200 ? [body.active, body.archived, body.version] : status)
      }
      return states
    },
    seed: worldWith({ feature_flags: [{ id: 7, key: 'put-away' }] }),
    with: { flag_fields: '2026', flag_version: true },
    seen: [
      [false, [404, 404, 404, 404, 404, 404]],
      [
        true,
        [[false, true, 2], 400, [false, false, 3], [false, false, 3], [true, false, 4], [false, false, 5]],
      ],
    ],
  },
  scoped_operations: {
    probe: async door => [
      await statusOf(door.get(`${flags}/my_flags`)),
      await statusOf(door.post(`${await aFlagPath(door)}/dashboard`)),
    ],
    scopes: ['*'],
    seen: [
      ['2024', [403, 403]],
      ['2026', [200, 403]],
    ],
  },
} satisfies Partial<QuirkCases>
