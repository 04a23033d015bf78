import type { Profile, Quirks, WorldFile } from '../../src/sandbox/index.ts'
import { type Service, startService } from '../support/service.ts'
import { type TestRuntime, testRuntime } from '../support/test-runtime.ts'

export const flags = '/api/projects/1/feature_flags'
export const definitions = '/api/projects/1/event_definitions'
export const organization = '01900000-0000-0000-0000-000000000001'
export const plugins = `/api/organizations/${organization}/plugins`
export const roles = {
  support: '01900000-0000-0000-0000-0000000000aa',
  growth: '01900000-0000-0000-0000-0000000000bb',
} as const
export const paid = '01900000-0000-0000-0000-00000000e001'
export const retired = '01900000-0000-0000-0000-00000000e002'
/** The id of the flag that was deleted in the product. */
export const comesBack = 12

/** A repository whose apply makes every kind of write: creates, PATCHes, a restore, deletions, grants, source files. */
export function filesOf({ postToChat = false } = {}): Readonly<Record<string, string>> {
  return {
    'vexil.yaml': `version: 1\nroles: { support: ${roles.support}, growth: ${roles.growth} }\n`,
    'declarations.yaml': `feature_flags:
  brand_new:
    name: Brand new
    active: true
    ensure_experience_continuity: true
    filters:
      groups:
        - { properties: [ { key: country, value: [DE], type: person, operator: exact } ], rollout_percentage: 40 }
        - { properties: [ { key: email, value: "@example.com", type: person, operator: icontains } ], variant: b }
      multivariate: { variants: [ { key: a, rollout_percentage: 50 }, { key: b, rollout_percentage: 50 } ] }
      payloads: { a: { theme: night }, b: '"plain"' }
    tags: [One, two]
    role_access: [support]
  changed:
    name: After
    active: true
    filters: { payloads: { "true": { limit: 3 } } }
    tags: [three]
    role_access: [growth]
  comes_back: { name: Back again, active: true, role_access: [growth, support] }
  goes_away: { ensure: absent }
plugins:
  geoip: { plugin_type: source, description: After, source: { index.ts: "export const after = 1" } }
  fresh: { plugin_type: source, is_global: false, source: { index.ts: "export {}" } }
event_definitions:
  paid: { tags: [money]${postToChat ? ', post_to_chat: true' : ''} }
  retired: { ensure: absent }
`,
  }
}

/** The service before that apply. */
const seed: WorldFile = {
  users: [{ email: 'caller@example.com', first_name: 'Caller' }, { email: 'colleague@example.com' }],
  organizations: [
    {
      id: organization,
      name: 'Quirks',
      roles: Object.entries(roles).map(([name, id]) => ({ id, name })),
      plugins: [
        { name: 'geoip', plugin_type: 'source', description: 'Before', source: { 'index.ts': 'old' } },
      ],
      projects: [
        {
          id: 1,
          name: 'Quirks',
          event_definitions: [
            { name: 'paid', id: paid },
            { name: 'retired', id: retired },
          ],
          feature_flags: [
            {
              id: 11,
              key: 'changed',
              name: 'Before',
              tags: ['before'],
              created_by: 'colleague@example.com',
              role_access: ['support'],
            },
            { id: comesBack, key: 'comes_back', name: 'Gone', tags: ['kept'], role_access: ['growth'] },
            { id: 13, key: 'goes_away', name: 'Goes away', created_by: 'colleague@example.com' },
            { id: 14, key: 'not_ours', name: 'Nobody declared this', tags: ['theirs'] },
          ],
        },
      ],
    },
  ],
}

export type QuirkService = Service & { readonly world: TestRuntime }

/** Starts that service in a world whose time only passes by sleeping, with one flag deleted in the product. */
export async function startQuirkService(
  profile: Profile,
  quirks: Partial<Quirks> = {},
  scopes?: readonly string[],
): Promise<QuirkService> {
  const runtime = testRuntime()
  const service = await startService({ runtime, seed, profile, quirks, ...(scopes ? { scopes } : {}) })
  await service.send('PATCH', `${flags}/${comesBack}/`, { deleted: true })
  return { ...service, world: runtime }
}
