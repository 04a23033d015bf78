import { everyCommand, type Scene } from '../scene.ts'
import { flagsPath, organization, repository, worldWith } from './world.ts'

const at = (percent: number) => ({ groups: [{ properties: [], rollout_percentage: percent }] })
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
export const mistakeScenes: readonly Scene[] = [
  {
    name: 'mistakes-in-flags',
    shows: 'mistakes in flags: names, types, shares, variants, payloads, operators, references',
    world: live,
    files: repository(`feature_flags:
  one: { actve: true, name: 5 }
  two:
    filters:
      groups:
        - { rollout_precentage: 10 }
        - { rollout_percentage: 150, variant: nobody }
        - { properties: [{ key: age, value: [1, 2], type: person, operator: gt }, { key: x, type: person, operator: no_such }, { value: y }] }
        - { properties: [{ key: three, value: "true", type: flag, operator: flag_evaluates_to }] }
      multivariate: { variants: [{ key: a, rollout_percentage: 60 }, { key: a, rollout_percentage: 60 }] }
      payloads: { nobody: 1 }
      group: []
    role_access: [suport]
    ensure: abscent
    allow: [rolout_step]
    ignore: [filters.groups.0.rollout, nothing]
  three: { active: "yes", only: [staging], environments: { nowhere: { active: true } } }
  "": {}
`),
    steps: [...everyCommand(), { vexil: 'validate --json' }, { vexil: 'apply --auto-approve --json' }],
  },
  {
    name: 'mistakes-in-files',
    shows: 'mistakes in files: syntax, duplicates, unknown sections, settings, what is not there',
    world: live,
    files: {
      'vexil.yaml': 'version: 1\nlimits: { delete: -1, rolout_step: 5 }\nroles: { support: not-a-uuid }\n',
      'a.yaml': 'feature_flags:\n  one: { active: true }\n  one: { active: false }\n',
      'b.yaml': 'feature_flags:\n  two: { active: true\n',
      'c.yaml': 'feature_flag:\n  three: {}\n',
      'd.yaml':
        'include: [missing.yaml]\nplugins:\n  p: { source: { index.ts: { file: missing.ts } }, icon: 5 }\n',
      'e.yaml':
        'feature_flags:\n  two: { active: true }\nevent_definitions:\n  paid: { tags: paid, post_to_chat: 1 }\n',
      'f.yaml': `feature_flags:\n  two: { name: "\${env:NOT_SET}" }\nfeature_flag_role_access:\n  - { flag: two }\n  - { role: nobody, flag: two }\n`,
    },
    steps: everyCommand({ between: [{ write: { 'vexil.yaml': 'version: 1\n' } }, { vexil: 'validate' }] }),
  },
  {
    name: 'duplicates',
    shows: 'one object is declared twice, in two files and as a grant in two places',
    world: live,
    files: {
      ...repository(
        'feature_flags:\n  one: { active: true, role_access: [support] }\n  two: { active: true }\n',
      ),
      'more.yaml':
        'feature_flags:\n  two: { active: false }\nfeature_flag_role_access:\n  - { flag: one, role: support }\n  - { flag: two, role: support }\n  - { flag: two, role: support }\nplugins:\n  clock: {}\n',
      'third.yaml': 'plugins:\n  clock: {}\nevent_definitions:\n  paid: {}\n  "paid ": {}\n',
    },
    steps: everyCommand(),
  },
  {
    name: 'warnings',
    shows: 'files without errors that deserve a warning',
    world: live,
    files: repository(`feature_flags:
  one: { filters: { groups: [{ rollout_percentage: 10, note: by Ada }], later: true } }
  two: { active: true, filters: { groups: [] } }
  empty: { filters: { groups: [{ properties: [{ key: age, value: 1e3, type: person, operator: exact }], rollout_percentage: 5 }] } }
  never: { active: true, filters: { groups: [{ rollout_percentage: 0 }] } }
`),
    steps: [...everyCommand(), { vexil: 'validate --json' }],
  },
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
    name: 'answers-lost',
    shows: 'answers to writes are lost after the work was done, and before, and cut off',
    world: live,
    files: declared,
    steps: everyCommand({
      before: [
        {
          faults: [
            'POST /feature_flags/ reset_after nth=1',
            'PATCH /feature_flags/1 reset_before nth=1',
            'PATCH /feature_flags/2 status=502 committed nth=1',
            'POST **/role_access/ truncate nth=1',
            'PATCH /event_definitions** reset_after nth=1',
          ],
        },
      ],
    }),
  },
  {
    name: 'slowed-down',
    shows: 'the service answers 429 and 503 with Retry-After, and lists are retried after 500',
    world: live,
    files: declared,
    steps: [
      {
        faults: [
          'GET /feature_flags nth=1 status=429 retry_after=2',
          'GET /event_definitions nth=1 status=500',
          'PATCH nth=1 status=429 retry_after=3',
          'POST nth=1 status=503 retry_after=1',
        ],
      },
      ...everyCommand(),
    ],
  },
  {
    name: 'written-twice',
    shows: 'a proxy sends requests twice: creates, changes and grants',
    world: worldWith({ feature_flags: [{ key: 'one', active: true, filters: at(10) }] }, [
      { name: 'clock', plugin_type: 'source' },
    ]),
    files: repository(`feature_flags:
  one: { name: Uno }
  fresh: { active: true, filters: { groups: [{ rollout_percentage: 5 }] }, role_access: [support] }
plugins:
  geo: { plugin_type: source, description: Geo }
`),
    steps: everyCommand({ before: [{ faults: ['POST twice', 'PATCH twice'] }], between: [{ faults: [] }] }),
  },
  {
    name: 'tags-dropped',
    shows: 'a service without tagging drops tags without a word, and definitions cannot be changed',
    world: live,
    service: { quirks: { tags: 'dropped' } },
    files: declared,
    steps: [
      { faults: ['PATCH /event_definitions status=402'] },
      ...everyCommand({ between: [{ vexil: 'plan' }, { vexil: 'apply --auto-approve --allow not_kept' }] }),
    ],
  },
  {
    name: 'profile-posthog',
    shows: 'the profile of the public service, with all kinds',
    world: worldWith(
      {
        feature_flags: [
          { key: 'one', name: 'One', active: true, filters: at(10), role_access: ['support'] },
          { key: 'gone', active: true, deleted: true, filters: at(10) },
          { key: 'survey_flag', active: true, filters: at(10), survey_targeting: true },
        ],
        event_definitions: [{ id: '01900000-0000-0000-0000-00000000e001', name: 'paid', tags: ['old'] }],
      },
      [{ name: 'clock', plugin_type: 'source', source: { 'index.ts': 'one' } }],
    ),
    service: { profile: 'posthog' },
    env: { VEXIL_PROFILE: 'posthog' },
    files: repository(`feature_flags:
  one: { name: Uno, filters: { groups: [{ rollout_percentage: 20 }] }, role_access: [growth] }
  gone: { active: true, filters: { groups: [{ rollout_percentage: 5 }] } }
  fresh: { active: true, filters: { groups: [{ rollout_percentage: 5 }] }, tags: [new], role_access: [support] }
event_definitions:
  paid: { tags: [new], post_to_chat: true }
plugins:
  clock: { description: A clock, source: { index.ts: two } }
`),
    steps: everyCommand(),
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
  {
    name: 'settings-wrong',
    shows: 'the settings name a project that is not there, and what is missing is told',
    world: live,
    files: {
      ...declared,
      'vexil.yaml': `version: 1\nenvironments:\n  here: { base_url: SERVICE, project: "1", organization: ${organization} }\n  lost: { base_url: SERVICE, project: "99", organization: ${organization} }\nroles: { support: 01900000-0000-0000-0000-0000000000aa, growth: 01900000-0000-0000-0000-0000000000bb }\n`,
    },
    env: { VEXIL_BASE_URL: undefined, VEXIL_PROJECT_ID: undefined, VEXIL_ORGANIZATION_ID: undefined },
    steps: [
      ...everyCommand({ at: '--env lost' }),
      { vexil: 'export --env here --json' },
      { vexil: 'plan --target feature_flag.one --env here' },
      { vexil: 'plan --target feature_flag.on --env here' },
    ],
  },
]
