import { everyCommand, type Scene } from '../scene.ts'
import { flagsPath, growth, ops, pluginsPath, repository, support, worldWith } from './world.ts'

/** Grants, plugins and event definitions. */
export const otherScenes: readonly Scene[] = [
  {
    name: 'grants',
    shows: 'grants are given and taken: all of a flag, single ones, on a flag that is new, and none',
    world: worldWith({
      feature_flags: [
        { key: 'all', active: true, filters: { groups: [] }, role_access: ['support'] },
        { key: 'single', active: true, filters: { groups: [] }, role_access: ['growth'] },
        { key: 'none', active: true, filters: { groups: [] }, role_access: ['support', 'growth'] },
        { key: 'undeclared', active: true, filters: { groups: [] }, role_access: ['support'] },
      ],
    }),
    files: repository(`feature_flags:
  all: { role_access: [growth] }
  none: { role_access: [] }
  fresh: { active: false, filters: { groups: [{ rollout_percentage: 0 }] }, role_access: [support, ${growth}] }
feature_flag_role_access:
  - { flag: single, role: support }
  - { flag: single, role: growth, ensure: absent }
  - { flag: undeclared, role: growth }
  - { flag: undeclared, role: ${support} }
`),
    steps: everyCommand({
      between: [{ colleague: `POST ${flagsPath}/3/role_access/`, body: { role_id: ops } }],
    }),
  },
  {
    name: 'grants-fail',
    shows: 'a grant is refused and a list of grants cannot be read, while the rest goes on',
    world: worldWith({
      feature_flags: [
        { key: 'unreadable', active: true, filters: { groups: [] }, role_access: ['support'] },
        { key: 'fine', active: true, filters: { groups: [] } },
      ],
    }),
    files: repository(`feature_flags:
  unreadable: { role_access: [growth] }
  fine: { role_access: [growth] }
  fresh: { active: false, filters: { groups: [{ rollout_percentage: 0 }] }, role_access: [support] }
feature_flag_role_access:
  - { flag: missing, role: support }
`),
    steps: [
      { faults: ['GET /feature_flags/1/role_access** status=403', 'POST /role_access** status=403 nth=2'] },
      ...everyCommand({ between: [{ faults: [] }] }),
    ],
  },
  {
    name: 'plugins',
    shows: 'plugins are created, changed and deleted, with source files that come, change and go',
    world: worldWith({}, [
      {
        id: 5,
        name: 'clock',
        plugin_type: 'source',
        description: 'Old',
        source: { 'index.ts': 'one\n', 'old.ts': 'old\n' },
      },
      { id: 6, name: 'geo', plugin_type: 'custom', url: 'https://plugins.example.com/geo', tag: '1.2.0' },
      { id: 7, name: 'gone', plugin_type: 'source', source: { 'index.ts': 'x' } },
      { id: 8, name: 'undeclared', plugin_type: 'local' },
    ]),
    files: {
      ...repository(`plugins:
  clock: { plugin_type: source, description: New, source: { index.ts: { file: src/clock.ts }, old.ts: null, new.ts: "new\\n" } }
  geo: { description: Adds the country, config_schema: [{ key: city, type: string }], is_global: false }
  gone: { ensure: absent }
  fresh: { plugin_type: source, description: Fresh, source: { index.ts: "export const a = 1\\n" }, public_jobs: { clear: { days: { type: number } } } }
`),
      'src/clock.ts': 'export function processEvent(event) {\n  return event\n}\n',
    },
    steps: everyCommand({
      between: [{ colleague: `PATCH ${pluginsPath}/5/update_source/`, body: { 'index.ts': 'theirs\n' } }],
    }),
  },
  {
    name: 'two-plugins-of-a-name',
    shows: 'two plugins have the declared name, and an id says which one is meant of others',
    world: worldWith({}, [
      { id: 5, name: 'twin', plugin_type: 'source' },
      { id: 6, name: 'twin', plugin_type: 'custom' },
      { id: 7, name: 'chosen', plugin_type: 'source', description: 'first' },
      { id: 8, name: 'chosen', plugin_type: 'source', description: 'second' },
      { id: 9, name: null, plugin_type: 'source' },
    ]),
    files: repository(
      'plugins:\n  twin: { description: Which }\n  chosen: { id: 8, description: The second }\n',
    ),
    steps: everyCommand(),
  },
  {
    name: 'event-definitions',
    shows: 'definitions are adopted and tagged; one was not seen yet, one is absent, one is deleted',
    world: worldWith({
      event_definitions: [
        { id: '01900000-0000-0000-0000-00000000e001', name: 'paid', tags: ['old'], post_to_chat: false },
        { id: '01900000-0000-0000-0000-00000000e002', name: '$pageview' },
        { id: '01900000-0000-0000-0000-00000000e003', name: 'legacy', tags: ['old'] },
        { id: '01900000-0000-0000-0000-00000000e004', name: 'undeclared', tags: ['theirs'] },
      ],
    }),
    files: repository(`event_definitions:
  paid: { tags: [payments, Revenue], post_to_chat: true }
  $pageview: { tags: [] }
  legacy: { ensure: absent }
  never_seen: { tags: [new] }
  not_there: { ensure: absent }
`),
    steps: everyCommand(),
  },
  {
    name: 'everything-at-once',
    shows: 'all kinds in one repository, with an ownership tag',
    world: worldWith(
      {
        feature_flags: [
          {
            key: 'checkout',
            active: true,
            filters: { groups: [{ rollout_percentage: 5 }] },
            role_access: ['support'],
          },
          { key: 'legacy', active: true, filters: { groups: [] }, tags: ['managed-by-vexil'] },
        ],
        event_definitions: [{ id: '01900000-0000-0000-0000-00000000e001', name: 'paid', tags: ['old'] }],
      },
      [{ name: 'clock', plugin_type: 'source', source: { 'index.ts': 'one' } }],
    ),
    files: repository(
      `feature_flags:
  checkout: { name: Checkout, tags: [shop], role_access: [support, growth] }
  search: { active: true, filters: { groups: [{ rollout_percentage: 5 }] } }
plugins:
  clock: { description: A clock, source: { index.ts: two } }
event_definitions:
  paid: { tags: [payments] }
`,
      'ownership: { tag: managed-by-vexil, prune: never }\n',
    ),
    steps: everyCommand(),
  },
]
