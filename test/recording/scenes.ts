import type { WorldFile } from '../../src/sandbox/index.ts'
import { everyCommand, type Files, type Scene } from './scene.ts'

type Organization = WorldFile['organizations'][number]
type Project = NonNullable<Organization['projects']>[number]

const organization = '01900000-0000-0000-0000-000000000001'
const support = '01900000-0000-0000-0000-0000000000aa'
const growth = '01900000-0000-0000-0000-0000000000bb'
/** No repository names this role. */
const ops = '01900000-0000-0000-0000-0000000000cc'

const flagsPath = '/api/projects/1/feature_flags'
const pluginsPath = `/api/organizations/${organization}/plugins`

/** One project, with what is live in it, and the plugins of its organization. */
function worldWith(project: Partial<Project> = {}, plugins: Organization['plugins'] = []): WorldFile {
  return worldOfProjects([{ id: 1, name: 'Production', ...project }], plugins)
}

function worldOfProjects(projects: readonly Project[], plugins: Organization['plugins'] = []): WorldFile {
  return {
    users: [
      { id: 1, email: 'ada@example.com', first_name: 'Ada', uuid: '01900000-0000-0000-0000-000000000101' },
    ],
    organizations: [
      {
        id: organization,
        name: 'Example',
        roles: [
          { id: support, name: 'support', feature_flags_access_level: 21 },
          { id: growth, name: 'growth', feature_flags_access_level: 37 },
          { id: ops, name: 'ops', feature_flags_access_level: 21 },
        ],
        projects,
        plugins,
      },
    ],
  }
}

/** A repository: its settings, after the version and the roles, and one file of declarations. */
function repository(declarations: string, settings = ''): Files {
  return {
    'vexil.yaml': `version: 1\nroles: { support: ${support}, growth: ${growth} }\n${settings}`,
    'flags.yaml': declarations,
  }
}

/** Flags: their life, their conditions, variants and payloads. */
const flagScenes: readonly Scene[] = [
  {
    name: 'first-flags',
    shows: 'an empty project gets its first flags, and undo takes them away',
    world: worldWith(),
    files: repository(`feature_flags:
  checkout:
    name: New checkout
    active: true
    filters: { groups: [{ properties: [{ key: country, value: [DE, AT], type: person, operator: exact }], rollout_percentage: 10 }] }
    tags: [shop, Checkout]
  dark_mode:
    active: false
    filters: { groups: [{ rollout_percentage: 100 }] }
  nothing_said: {}
`),
    steps: everyCommand(),
  },
  {
    name: 'changed-flags',
    shows: 'live flags differ in one field, in all, in none, and somebody edits one after the apply',
    world: worldWith({
      feature_flags: [
        {
          key: 'one_field',
          name: 'Old name',
          active: true,
          filters: { groups: [{ properties: [], rollout_percentage: 10 }] },
          tags: ['kept'],
        },
        {
          key: 'all_fields',
          name: 'Old',
          active: false,
          filters: { groups: [{ properties: [], rollout_percentage: 5 }] },
          tags: ['old'],
          ensure_experience_continuity: false,
        },
        {
          key: 'as_declared',
          name: 'Same',
          active: true,
          filters: { groups: [{ properties: [], rollout_percentage: 50 }] },
          tags: ['a', 'b'],
        },
        { key: 'not_declared', active: true, filters: { groups: [{ rollout_percentage: 1 }] } },
      ],
    }),
    files: repository(`feature_flags:
  one_field: { name: New name }
  all_fields:
    name: New
    active: true
    filters: { groups: [{ properties: [{ key: plan, value: plus, type: person, operator: exact }], rollout_percentage: 20 }, { rollout_percentage: 1 }] }
    tags: [new]
    ensure_experience_continuity: true
  as_declared: { name: Same, active: true, filters: { groups: [{ rollout_percentage: 50 }], payloads: {} }, tags: [b, a] }
`),
    steps: everyCommand({
      between: [
        { colleague: `PATCH ${flagsPath}/1/`, body: { name: 'Edited in the product', active: false } },
      ],
    }),
  },
]

/** Grants, plugins and event definitions. */
const otherScenes: readonly Scene[] = [
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
]

const at = (percent: number) => ({ groups: [{ properties: [], rollout_percentage: percent }] })
const owned = ['managed-by-vexil']

/** Deleting, pruning, and changes that are held back. */
const guardScenes: readonly Scene[] = [
  {
    name: 'prune-owned',
    shows: 'what carries the ownership tag and is declared nowhere is deleted',
    world: worldWith({
      feature_flags: [
        { key: 'declared', active: true, filters: at(10), tags: owned },
        { key: 'ours', active: true, filters: at(10), tags: owned, role_access: ['support'] },
        { key: 'theirs', active: true, filters: at(10) },
        { key: 'experiment', active: true, filters: at(10), tags: owned, experiment_set: [3] },
      ],
      event_definitions: [
        { id: '01900000-0000-0000-0000-00000000e001', name: 'paid', tags: owned },
        { id: '01900000-0000-0000-0000-00000000e002', name: 'seen', tags: owned },
      ],
    }),
    files: repository(
      'feature_flags:\n  declared: { active: true }\nevent_definitions:\n  paid: { tags: [payments] }\n',
      'ownership: { tag: managed-by-vexil, prune: owned }\n',
    ),
    steps: everyCommand(),
  },
  {
    name: 'protected',
    shows: 'protected flags are to be turned off, deleted and pruned, and undo leaves them alone',
    world: worldWith({
      feature_flags: [
        { key: 'turned_off', active: true, filters: at(100) },
        { key: 'absent', active: true, filters: at(100) },
        { key: 'changed', active: true, name: 'Old', filters: at(100) },
      ],
    }),
    files: repository(`feature_flags:
  turned_off: { active: false, protect: true }
  absent: { ensure: absent, protect: true }
  changed: { name: New, active: true, protect: true }
  fresh: { active: true, filters: { groups: [{ rollout_percentage: 5 }] }, protect: true }
`),
    steps: [...everyCommand(), { vexil: 'plan --fail-on-blocked --detailed-exitcode' }],
  },
  {
    name: 'environments',
    shows:
      'one repository for two projects, with overrides, skipped objects and limits of their own: staging',
    world: worldOfProjects([
      { id: 1, name: 'Production', feature_flags: [{ key: 'search', active: true, filters: at(10) }] },
      {
        id: 2,
        name: 'Staging',
        feature_flags: [{ key: 'search', active: true, filters: at(10), tags: ['lab'] }],
      },
    ]),
    env: { VEXIL_BASE_URL: undefined, VEXIL_PROJECT_ID: undefined, VEXIL_ORGANIZATION_ID: undefined },
    files: {
      'vexil.yaml': `version: 1
environments:
  staging: { base_url: SERVICE, project: "2", organization: ${organization}, limits: { rollout_step: 100 }, ownership: { tag: lab } }
  production: { base_url: SERVICE, project: "1", organization: ${organization} }
roles: { support: ${support} }
ownership: { tag: managed-by-vexil, prune: never }
limits: { rollout_step: 25 }
`,
      'flags.yaml': `feature_flags:
  search:
    active: true
    filters: { groups: [{ rollout_percentage: 20 }] }
    role_access: [support]
    environments: { staging: { filters: { groups: [{ rollout_percentage: 100 }] } } }
  pilot: { active: true, filters: { groups: [{ rollout_percentage: 1 }] }, environments: { staging: { skip: true } } }
  load_test: { only: [staging], active: true, filters: { groups: [{}] } }
`,
    },
    steps: [
      ...everyCommand({ at: '--env staging' }),
      { vexil: 'apply --auto-approve --env production' },
      { vexil: 'plan --env production' },
      { vexil: 'plan' },
      { vexil: 'plan --env stagin' },
      { vexil: 'undo last --auto-approve --env production' },
    ],
  },
  {
    name: 'changed-meanwhile',
    shows: 'somebody changes and deletes flags between plan and apply, and after the apply before the undo',
    world: worldWith({
      feature_flags: [
        { key: 'edited', active: true, filters: at(10) },
        { key: 'deleted', active: true, filters: at(10) },
        { key: 'left', active: true, filters: at(10) },
      ],
    }),
    files: repository(
      'feature_flags:\n' +
        ['edited', 'deleted', 'left']
          .map(key => `  ${key}: { name: Ours, filters: { groups: [{ rollout_percentage: 20 }] } }\n`)
          .join(''),
    ),
    steps: [
      { vexil: 'validate' },
      { vexil: 'plan --out made.plan.json' },
      { vexil: 'plan --json' },
      { vexil: 'drift' },
      { colleague: `PATCH ${flagsPath}/1/`, body: { filters: at(90) } },
      { colleague: `PATCH ${flagsPath}/2/`, body: { deleted: true } },
      { vexil: 'show made.plan.json' },
      { vexil: 'apply made.plan.json --all-or-nothing' },
      { vexil: 'apply made.plan.json' },
      { colleague: `PATCH ${flagsPath}/3/`, body: { name: 'Theirs' } },
      { vexil: 'drift --json' },
      { vexil: 'export' },
      { vexil: 'undo last --auto-approve' },
      { vexil: 'plan' },
      { vexil: 'apply --auto-approve --json' },
      { vexil: 'undo last --auto-approve --json' },
      { vexil: 'history' },
    ],
  },
]

const live = worldWith({
  feature_flags: [
    { key: 'one', name: 'One', active: true, filters: at(10), role_access: ['support'] },
    { key: 'two', name: 'Two', active: true, filters: at(20), tags: ['b', 'a'] },
  ],
  event_definitions: [{ id: '01900000-0000-0000-0000-00000000e001', name: 'paid', tags: ['old'] }],
})
const declared = repository(`feature_flags:
  one: { name: Uno, filters: { groups: [{ rollout_percentage: 15 }] }, role_access: [support, growth] }
  two: { tags: [c] }
  three: { active: true, filters: { groups: [{ rollout_percentage: 5 }] }, role_access: [growth] }
event_definitions:
  paid: { tags: [new] }
`)

/** Mistakes in files, and services that refuse, fail or answer otherwise. */
const mistakeScenes: readonly Scene[] = [
  {
    name: 'key-refused',
    shows: 'the service refuses the key with 401 and with 403, and works again',
    world: live,
    files: declared,
    steps: [
      { faults: ['status=401'] },
      { vexil: 'validate' },
      { vexil: 'plan' },
      { vexil: 'plan --json' },
      { faults: ['status=403'] },
      { vexil: 'plan' },
      { vexil: 'drift' },
      { vexil: 'apply --auto-approve' },
      { vexil: 'export' },
      { faults: [] },
      { vexil: 'apply --auto-approve' },
      { faults: ['PATCH status=403'] },
      { vexil: 'undo last --auto-approve' },
      { vexil: 'plan' },
    ],
  },
  {
    name: 'writes-fail',
    shows: 'writes are refused with 400, 403, 409 and 500, the rest goes on, and a second apply finishes',
    world: live,
    files: declared,
    steps: everyCommand({
      before: [
        {
          faults: [
            'PATCH /feature_flags/1 status=400',
            'POST /feature_flags/ status=500 times=9',
            'PATCH /event_definitions** status=403',
            'POST **/role_access/ status=409',
          ],
        },
      ],
      between: [{ vexil: 'plan' }, { faults: [] }, { vexil: 'apply --auto-approve' }],
    }),
  },
  {
    name: 'service-of-today',
    shows: 'a service that normalises filters, numbers versions and has small pages',
    world: worldWith({
      feature_flags: [
        {
          id: 1,
          key: 'one',
          name: 'One',
          active: true,
          filters: { groups: [{ rollout_percentage: 10 }], payloads: { true: { a: 1 } } },
        },
        ...Array.from({ length: 7 }, (_, index) => ({
          key: `flag_${index}`,
          active: true,
          filters: at(index),
        })),
      ],
    }),
    service: {
      quirks: {
        flag_version: true,
        page_size_cap: 3,
      },
    },
    files: repository(`feature_flags:
  one: { name: Uno, filters: { groups: [{ rollout_percentage: 10 }], payloads: { "true": { a: 1 } } } }
  flag_3: { active: false }
  flag_9: { active: true, filters: { groups: [{ rollout_percentage: 5 }] } }
`),
    steps: everyCommand({ between: [{ colleague: `PATCH ${flagsPath}/5/`, body: { deleted: true } }] }),
  },
]

export const scenes: readonly Scene[] = [...flagScenes, ...otherScenes, ...guardScenes, ...mistakeScenes]
