import { everyCommand, type Scene } from '../scene.ts'
import { flagsPath, repository, support, worldWith } from './world.ts'

const at = (percent: number) => ({ groups: [{ properties: [], rollout_percentage: percent }] })

/** Corners that the other scenes leave out. */
export const moreScenes: readonly Scene[] = [
  {
    name: 'patterns-and-dates',
    shows:
      'regular expressions, dates, versions and cohorts, right and wrong, and how many people they reach',
    world: worldWith({
      persons: ['ada', 'bob', 'eve'].map((name, index) => ({
        distinct_ids: [name],
        properties: {
          email: `${name}@example.com`,
          age: 20 + index,
          joined: `2024-0${index + 1}-01`,
          version: `1.${index}.0`,
        },
      })),
      cohorts: [
        {
          id: 7,
          name: 'Adults',
          properties: { type: 'AND', values: [{ key: 'age', value: '21', operator: 'gte', type: 'person' }] },
        },
      ],
      feature_flags: [
        {
          key: 'narrow',
          active: true,
          filters: {
            groups: [
              {
                properties: [{ key: 'email', value: '^a', type: 'person', operator: 'regex' }],
                rollout_percentage: 100,
              },
            ],
          },
        },
      ],
    }),
    files: repository(`feature_flags:
  narrow: { filters: { groups: [{ properties: [{ key: email, value: "^(a|b).*@example\\\\.com$", type: person, operator: regex }], rollout_percentage: 100 }] } }
  named: { active: true, filters: { groups: [{ properties: [{ key: email, value: "(?P<who>[a-z]{1,3})@(?:example|sample)", type: person, operator: not_regex }], rollout_percentage: 50 }] } }
  dated: { active: true, filters: { groups: [{ properties: [{ key: joined, value: "-30d", type: person, operator: is_date_after }, { key: joined, value: "2024-02-28", type: person, operator: is_date_before }] }] } }
  aged: { active: true, filters: { groups: [{ properties: [{ key: age, value: "21", type: person, operator: gt }, { key: id, value: 7, type: cohort }], rollout_percentage: 10 }] } }
  versioned: { active: true, filters: { groups: [{ properties: [{ key: version, value: "1.1.0", type: person, operator: semver_gte }] }, { properties: [{ key: version, value: "2.0.0", type: person, operator: semver_lt }], rollout_percentage: 5 }] } }
`),
    steps: [
      { vexil: 'plan --estimates' },
      ...everyCommand(),
      { faults: ['POST **/user_blast_radius** status=403'] },
      { vexil: 'plan --estimates' },
      {
        write: {
          'flags.yaml': `feature_flags:
  broken: { active: true, filters: { groups: [{ properties: [{ key: email, value: "(unclosed[", type: person, operator: regex }, { key: email, value: "(?<=x)y\\\\1", type: person, operator: regex }], rollout_percentage: 5 }] } }
  dated: { filters: { groups: [{ properties: [{ key: joined, value: "2024-02-30", type: person, operator: is_date_before }] }] } }
  versioned: { filters: { groups: [{ properties: [{ key: version, value: one, type: person, operator: semver_lt }] }] } }
`,
        },
      },
      { vexil: 'validate' },
      { vexil: 'plan' },
    ],
  },
  {
    name: 'exported-and-edited',
    shows:
      'a whole project is exported into files that plan nothing, then edited in the product and put back',
    world: worldWith(
      {
        feature_flags: [
          {
            key: 'checkout',
            name: 'yes',
            active: true,
            filters: {
              groups: [{ variant: null, properties: [], rollout_percentage: 5 }],
              payloads: {},
              multivariate: null,
            },
            role_access: ['support', 'ops'],
            tags: ['Shop'],
          },
          {
            key: '*odd key',
            name: ' a: b #c\n---\n',
            active: true,
            filters: {
              groups: [{ properties: [{ key: 'plan', value: null, type: 'person', operator: 'is_set' }] }],
              super_groups: null,
              holdout_groups: [{ variant: 'holdout-1', rollout_percentage: 10 }],
            },
          },
          {
            key: 'old',
            active: false,
            filters: { properties: [{ key: 'a', value: 'b', type: 'person' }], rollout_percentage: 30 },
          },
          { key: 'constructor', active: true, filters: { groups: [{ rollout_percentage: 150 }] } },
        ],
        event_definitions: [
          { id: '01900000-0000-0000-0000-00000000e001', name: ' paid', tags: ['b', 'a'], post_to_chat: true },
        ],
      },
      [
        { name: 'geo', plugin_type: 'source', source: { 'index.ts': 'export {}\n', '../odd': 'x' } },
        { name: 'geo', plugin_type: 'custom' },
        { name: null, plugin_type: 'local' },
      ],
    ),
    files: { 'vexil.yaml': `version: 1\nroles: { support: ${support} }\n` },
    steps: [
      { vexil: 'validate' },
      { vexil: 'export' },
      { vexil: 'export --json --no-grants' },
      { vexil: 'export --kind feature_flag -d elsewhere' },
      { vexil: 'export -d exported' },
      { vexil: 'validate' },
      { vexil: 'plan' },
      { vexil: 'export -d exported' },
      { colleague: `PATCH ${flagsPath}/1/`, body: { active: false, filters: at(80), tags: [] } },
      { colleague: `PATCH ${flagsPath}/3/`, body: { deleted: true } },
      { vexil: 'drift' },
      { vexil: 'plan --json --show-unchanged' },
      { vexil: 'plan --target feature_flag.checkout' },
      { vexil: 'apply --auto-approve --json' },
      { vexil: 'undo last --auto-approve' },
      { vexil: 'history --json' },
      { vexil: 'call feature_flag.list --query limit=1' },
      { vexil: 'apply' },
      { vexil: 'plan --prune sometimes' },
    ],
  },
]
