import { everyCommand, type Scene } from '../scene.ts'
import { flagsPath, repository, support, worldWith } from './world.ts'

const at = (percent: number) => ({ groups: [{ properties: [], rollout_percentage: percent }] })
const filled = (expression: string) => `\${${expression}}`

/** Corners that the other scenes leave out. */
export const moreScenes: readonly Scene[] = [
  {
    name: 'expressions',
    shows: 'a stack with variables, locals, functions, conditions, for_each, count and references',
    world: worldWith({
      feature_flags: [{ key: 'region-north', active: false, filters: at(1), tags: ['old'] }],
    }),
    env: { TF_VAR_countries: '["DE", "AT", "CH"]' },
    files: repository(
      'feature_flags:\n  plain: { active: true, filters: { groups: [{ rollout_percentage: 5 }] } }\n',
    ),
    stack: {
      variable: {
        share: { type: 'number', default: 5 },
        countries: { type: 'list(string)', default: ['DE'] },
        team: {
          type: 'object({ name = string, sizes = map(number) })',
          default: { name: 'Shop', sizes: { a: 1, b: 2 } },
        },
      },
      locals: {
        is_live: filled('var.share > 1 && length(var.countries) != 0'),
        label: filled('format("%s-%03d", lower(var.team.name), var.share)'),
        sizes: filled('values(var.team.sizes)'),
      },
      resource: {
        vexil_feature_flag: {
          region: {
            for_each: { north: { share: 3, label: 'North' }, south: { share: 99.5, label: 'South' } },
            key: filled('format("region-%s", each.key)'),
            name: filled('upper(each.value.label)'),
            active: filled('local.is_live'),
            release: [
              {
                rollout_percentage: filled('each.value.share'),
                properties: [{ key: 'country', values: filled('var.countries') }],
              },
            ],
            tags: filled('concat(["region"], [each.key], keys(var.team.sizes))'),
          },
          step: {
            count: 2,
            key: filled('format("step-%02d", count.index)'),
            active: false,
            filters: filled(
              'jsonencode({ groups = [{ properties = [], rollout_percentage = count.index * 50 }] })',
            ),
          },
          computed: {
            key: filled('join("_", [local.label, replace("a.b", ".", "-"), tostring(sum(local.sizes))])'),
            name: filled('var.share == 5 ? "five" : "other"'),
            active: true,
            release: [{ rollout_percentage: filled('floor(100 / 3)') }],
            payload: filled(
              'jsonencode(merge({ team = var.team.name }, { first = element(sort(var.countries), 0), last = try(var.countries[9], null) }))',
            ),
          },
        },
        vexil_feature_flag_role_access: {
          regions: {
            for_each: filled('vexil_feature_flag.region'),
            feature_flag_id: filled('each.value.id'),
            role_id: support,
          },
        },
      },
    },
    steps: [
      ...everyCommand(),
      { vexil: 'plan --var share=50' },
      { vexil: 'plan --var share=much' },
      { vexil: 'plan --var nothing=1' },
    ],
  },
  {
    name: 'expressions-refused',
    shows: 'a stack with expressions that cannot be worked out, each refused in its place',
    world: worldWith(),
    files: repository(
      'feature_flags:\n  plain: { active: true, filters: { groups: [{ rollout_percentage: 5 }] } }\n',
    ),
    stack: {
      variable: { missing: { type: 'string' }, share: { type: 'number', default: 'x' } },
      resource: {
        vexil_feature_flag: {
          syntax: { key: filled('upper('), active: false },
          unknown_function: { key: filled('no_such("a")'), active: false },
          impure: { key: filled('timestamp()'), active: false },
          wrong_type: { key: 'wrong', active: filled('"perhaps"'), tags: filled('5') },
          divided: { key: 'divided', active: true, release: [{ rollout_percentage: filled('1 / 0') }] },
          unset: { key: filled('var.missing'), active: false },
          circle: { key: filled('vexil_feature_flag.other_circle.key'), active: false },
          other_circle: { key: filled('vexil_feature_flag.circle.key'), active: false },
          later: { key: 'later', name: filled('vexil_feature_flag.r_plain.created_at'), active: false },
          strange: {
            key: 'strange',
            colour: 'red',
            active: false,
            provisioner: [{ 'local-exec': { command: 'ls' } }],
          },
          missing_key: { active: false },
        },
        aws_instance: { machine: { ami: 'x' } },
      },
    },
    steps: [
      ...everyCommand(),
      { vexil: 'validate --json' },
      { vexil: 'plan --var missing=there --var share=3' },
    ],
  },
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
