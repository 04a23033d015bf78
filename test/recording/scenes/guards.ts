import { everyCommand, type Scene } from '../scene.ts'
import { flagsPath, organization, repository, support, worldOfProjects, worldWith } from './world.ts'

const at = (percent: number) => ({ groups: [{ properties: [], rollout_percentage: percent }] })
const owned = ['managed-by-vexil']

/** Deleting, pruning, and changes that are held back. */
export const guardScenes: readonly Scene[] = [
  {
    name: 'ensure-absent',
    shows: 'objects of each kind are declared absent: there, soft-deleted already, and never there',
    world: worldWith(
      {
        feature_flags: [
          {
            key: 'there',
            name: 'There',
            active: true,
            filters: at(10),
            role_access: ['support'],
            tags: ['shop'],
          },
          { key: 'deleted', active: true, deleted: true, filters: at(10) },
        ],
      },
      [{ name: 'clock', plugin_type: 'source' }],
    ),
    files: repository(`feature_flags:
  there: { ensure: absent, name: Retired, active: true, filters: { groups: [{ rollout_percentage: 10 }] } }
  deleted: { ensure: absent }
  never: { ensure: absent }
plugins:
  clock: { ensure: absent }
  none: { ensure: absent }
`),
    steps: everyCommand(),
  },
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
    name: 'prune-all',
    shows: 'everything that is declared nowhere is deleted, within the limit and past it',
    world: worldWith(
      {
        feature_flags: ['declared', 'one', 'two', 'three'].map(key => ({
          key,
          active: true,
          filters: at(10),
        })),
      },
      [
        { name: 'clock', plugin_type: 'source' },
        { name: 'geo', plugin_type: 'source' },
      ],
    ),
    files: repository(
      'feature_flags:\n  declared: { name: Declared }\nplugins:\n  clock: { description: Kept }\n',
      'limits: { delete: 3 }\n',
    ),
    steps: [
      ...everyCommand({ planning: '--prune all' }),
      { vexil: 'apply --auto-approve --prune all --allow delete_limit' },
      { vexil: 'undo last --auto-approve' },
    ],
  },
  {
    name: 'prune-of-one-kind',
    shows: 'pruning asks only for the kinds that are declared, page by page',
    world: worldWith(
      {
        feature_flags: [
          { key: 'one', active: true, filters: at(10) },
          { key: 'two', active: true, filters: at(10) },
        ],
      },
      [
        { name: 'clock', plugin_type: 'source' },
        { name: 'geo', plugin_type: 'source' },
      ],
    ),
    service: { quirks: { page_size_cap: 1 } },
    files: repository('plugins:\n  clock: { description: Kept }\n', 'ownership: { prune: all }\n'),
    steps: everyCommand(),
  },
  {
    name: 'rollout-step',
    shows: 'releases are widened within the limit, past it, past it with leave, and for more people in all',
    world: worldWith({
      feature_flags: [
        { key: 'within', active: true, filters: at(10) },
        { key: 'past', active: true, filters: at(10) },
        { key: 'with_leave', active: true, filters: at(10) },
        {
          key: 'wider',
          active: true,
          filters: {
            groups: [
              {
                properties: [{ key: 'country', value: ['DE'], type: 'person', operator: 'exact' }],
                rollout_percentage: 100,
              },
            ],
          },
        },
        { key: 'turned_on', active: false, filters: at(100) },
      ],
    }),
    files: repository(
      `feature_flags:
  within: { filters: { groups: [{ rollout_percentage: 30 }] } }
  past: { filters: { groups: [{ rollout_percentage: 60 }] } }
  with_leave: { filters: { groups: [{ rollout_percentage: 100 }] }, allow: [rollout_step] }
  wider: { filters: { groups: [{ properties: [{ key: country, value: [DE, AT], type: person, operator: exact }], rollout_percentage: 100 }] } }
  turned_on: { active: true }
  fresh: { active: true, filters: { groups: [{ rollout_percentage: 80 }] } }
`,
      'limits: { rollout_step: 25 }\n',
    ),
    steps: everyCommand({
      between: [{ vexil: 'apply --auto-approve --allow rollout_step=feature_flag.past' }],
    }),
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
    name: 'connected-flags',
    shows:
      'flags with an experiment, a survey, an early access feature, a rollback, and one that nobody may edit',
    world: worldWith({
      feature_flags: [
        { key: 'experiment', active: true, filters: at(10), experiment_set: [1] },
        {
          key: 'survey',
          active: true,
          filters: at(10),
          surveys: [{ id: '01900000-0000-0000-0000-00000000f001', name: 'Why' }],
        },
        {
          key: 'feature',
          active: true,
          filters: at(10),
          features: [{ id: '01900000-0000-0000-0000-00000000f002', name: 'Early' }],
        },
        {
          key: 'rolled_back',
          active: false,
          filters: at(10),
          performed_rollback: true,
          rollback_conditions: [{ threshold: 1.5, operator: 'gt' }],
        },
        { key: 'locked', active: true, filters: at(10), can_edit: false },
      ],
    }),
    files: repository(`feature_flags:
  experiment: { filters: { groups: [{ rollout_percentage: 20 }] } }
  survey: { ensure: absent }
  feature: { active: false }
  rolled_back: { active: true, filters: { groups: [{ rollout_percentage: 50 }] } }
  locked: { name: Locked }
`),
    steps: everyCommand({
      between: [{ vexil: 'apply --auto-approve --allow experiment --allow survey=survey --allow can_edit' }],
    }),
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
    name: 'variables-against-env',
    shows: 'a variable leads elsewhere than the environment that was chosen, and writing is refused',
    world: worldOfProjects([
      { id: 1, name: 'Production', feature_flags: [{ key: 'search', active: true, filters: at(10) }] },
      { id: 2, name: 'Staging' },
    ]),
    env: { VEXIL_BASE_URL: undefined, VEXIL_PROJECT_ID: '2' },
    files: {
      'vexil.yaml': `version: 1\nenvironments:\n  production: { base_url: SERVICE, project: "1", organization: ${organization} }\n`,
      'flags.yaml': 'feature_flags:\n  search: { active: false }\n',
    },
    steps: everyCommand({
      at: '--env production',
      between: [{ vexil: 'apply --auto-approve --env production --project 2' }],
    }),
  },
  {
    name: 'live-only-mistakes',
    shows: 'live flags hold what would be refused in a new one, are declared as they are, and one gets worse',
    existing: 'imported',
    world: worldWith({
      feature_flags: [
        {
          key: 'old_variants',
          active: true,
          filters: {
            groups: [{ properties: [], rollout_percentage: 100 }],
            multivariate: {
              variants: [
                { key: 'a', rollout_percentage: 50 },
                { key: 'b', rollout_percentage: 40 },
              ],
            },
          },
        },
        {
          key: 'old_number',
          active: true,
          filters: {
            groups: [
              {
                properties: [{ key: 'age', value: 18, type: 'person', operator: 'regex' }],
                rollout_percentage: 150,
              },
            ],
          },
        },
        { key: 'stray_member', active: true, filters: { groups: [{ rollout_precentage: 10 }] } },
      ],
    }),
    files: repository(`feature_flags:
  old_variants:
    name: As it is
    filters: { groups: [{ rollout_percentage: 100 }], multivariate: { variants: [{ key: a, rollout_percentage: 50 }, { key: b, rollout_percentage: 40 }] } }
  old_number: { filters: { groups: [{ properties: [{ key: age, value: 18, type: person, operator: regex }], rollout_percentage: 150 }] } }
`),
    steps: everyCommand({
      between: [
        {
          write: {
            'flags.yaml': `feature_flags:
  old_variants:
    filters: { groups: [{ rollout_percentage: 100 }], multivariate: { variants: [{ key: a, rollout_percentage: 50 }, { key: b, rollout_percentage: 45 }] } }
`,
          },
        },
      ],
    }),
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
