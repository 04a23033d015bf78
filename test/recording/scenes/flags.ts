import { everyCommand, type Scene } from '../scene.ts'
import { flagsPath, repository, worldWith } from './world.ts'

/** Flags: their life, their conditions, variants and payloads. */
export const flagScenes: readonly Scene[] = [
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
  {
    name: 'soft-deleted',
    shows:
      'declared flags were soft-deleted: one is restored as it was, one with another release, one by its id',
    world: worldWith({
      feature_flags: [
        {
          id: 11,
          key: 'as_it_was',
          name: 'Old',
          active: true,
          deleted: true,
          filters: { groups: [{ properties: [], rollout_percentage: 10 }] },
          role_access: ['support'],
        },
        {
          id: 12,
          key: 'other_release',
          active: true,
          deleted: true,
          filters: { groups: [{ rollout_percentage: 100 }] },
          tags: ['old'],
        },
        { id: 13, key: 'by_id', active: false, deleted: true, filters: { groups: [] } },
        { id: 14, key: 'undeclared', active: true, deleted: true, filters: { groups: [] } },
      ],
    }),
    files: repository(`feature_flags:
  as_it_was: { name: Old, active: true, filters: { groups: [{ rollout_percentage: 10 }] } }
  other_release: { active: true, filters: { groups: [{ rollout_percentage: 5 }] }, tags: [new], role_access: [growth] }
  by_id: { id: 13, name: By id, active: true }
`),
    steps: everyCommand(),
  },
  {
    name: 'soft-deleted-hidden',
    shows: 'the service answers 404 for a soft-deleted flag, so that it is restored the other way round',
    world: worldWith({
      feature_flags: [
        {
          id: 21,
          key: 'hidden',
          name: 'Old',
          active: true,
          deleted: true,
          filters: { groups: [{ rollout_percentage: 100 }] },
        },
        { id: 22, key: 'live', active: true, filters: { groups: [{ rollout_percentage: 100 }] } },
      ],
    }),
    files: repository(`feature_flags:
  hidden: { name: New, active: true, filters: { groups: [{ rollout_percentage: 5 }] } }
  live: { ensure: absent }
`),
    steps: [
      { faults: ['/feature_flags/21 status=404'] },
      ...everyCommand({
        between: [{ faults: ['/feature_flags/21 status=404', '/feature_flags/22 status=404'] }],
      }),
    ],
  },
  {
    name: 'trail-refused',
    shows: 'nobody may read the activity trail, so that a new flag is held back until that is allowed',
    world: worldWith(),
    files: repository(
      'feature_flags:\n  fresh: { active: true, filters: { groups: [{ rollout_percentage: 5 }] } }\n',
    ),
    steps: [
      { faults: ['GET **/activity** status=403'] },
      ...everyCommand({ between: [{ vexil: 'apply --auto-approve --allow trail_unreadable' }] }),
    ],
  },
  {
    name: 'trail-fails',
    shows: 'the activity trail fails with 500, which fails the plan, and works again for the apply',
    world: worldWith({
      feature_flags: [{ key: 'gone', active: true, deleted: true, filters: { groups: [] } }],
    }),
    files: repository(
      'feature_flags:\n  gone: { active: true, filters: { groups: [{ rollout_percentage: 5 }] } }\n',
    ),
    steps: [{ faults: ['GET **/activity** status=500'] }, ...everyCommand({ before: [{ faults: [] }] })],
  },
  {
    name: 'variants-and-payloads',
    shows: 'variants with overrides, payloads as text, as values and for flags without variants',
    world: worldWith({
      feature_flags: [
        {
          key: 'button',
          active: true,
          filters: {
            groups: [{ properties: [], rollout_percentage: 100 }],
            multivariate: {
              variants: [
                { key: 'control', name: 'As it was', rollout_percentage: 50 },
                { key: 'bold', rollout_percentage: 50 },
              ],
            },
            payloads: { control: '{"text": "Buy"}' },
          },
        },
        {
          key: 'same_payloads',
          active: true,
          filters: {
            groups: [{ variant: null, properties: [], rollout_percentage: 100 }],
            multivariate: null,
            payloads: { true: '{"b":[1,2],"a":1.10}' },
          },
        },
      ],
    }),
    files: repository(`feature_flags:
  button:
    active: true
    filters:
      groups:
        - { properties: [{ key: email, value: "@example.com", type: person, operator: icontains }], variant: bold }
        - { rollout_percentage: 100 }
      multivariate:
        variants:
          - { key: control, name: As it was, rollout_percentage: 33.34 }
          - { key: bold, name: Bold, rollout_percentage: 33.33 }
          - { key: third, rollout_percentage: 33.33 }
      payloads: { control: { text: Buy, steps: [1, 2.50, null] }, bold: '"text"', third: not json at all }
  same_payloads: { filters: { groups: [{ rollout_percentage: 100 }], payloads: { "true": { a: 1.10, b: [1, 2] } } } }
  fresh:
    active: true
    filters:
      groups: [{ rollout_percentage: 0.5 }]
      multivariate: { variants: [{ key: a, rollout_percentage: 100 }] }
      payloads: { a: 9007199254740993 }
`),
    steps: everyCommand(),
  },
  {
    name: 'every-operator',
    shows: 'conditions with each operator and each type of property, changed from other ones',
    world: worldWith({
      group_types: ['company', 'team'],
      cohorts: [{ id: 5, name: 'Beta', persons: [] }],
      persons: [{ distinct_ids: ['ada'], properties: { country: 'DE' } }],
      feature_flags: [
        {
          id: 31,
          key: 'base',
          active: true,
          filters: { groups: [{ properties: [], rollout_percentage: 100 }] },
        },
        {
          id: 32,
          key: 'conditions',
          active: true,
          filters: {
            groups: [
              {
                properties: [
                  { key: 'country', value: ['AT', 'DE'], type: 'person', operator: 'exact' },
                  { key: 'id', value: 5, type: 'cohort' },
                ],
                rollout_percentage: 10,
              },
              {
                properties: [{ key: 'age', value: 18, type: 'person', operator: 'gt' }],
                rollout_percentage: null,
              },
            ],
          },
        },
      ],
    }),
    files: repository(`feature_flags:
  base: { active: true }
  conditions:
    filters:
      groups:
        - properties:
            - { key: country, value: [DE, AT], type: person, operator: exact }
            - { key: id, value: 5, type: cohort }
          rollout_percentage: 20
        - properties:
            - { key: age, value: "18", type: person, operator: gte }
            - { key: email, value: ".*@example", type: person, operator: regex }
            - { key: email, value: spam, type: person, operator: not_icontains }
            - { key: beta, value: is_set, type: person, operator: is_set }
            - { key: left, value: is_not_set, type: person, operator: is_not_set }
            - { key: joined, value: "2024-01-31", type: person, operator: is_date_after }
            - { key: plan, value: [free, trial], type: person, operator: is_not }
          rollout_percentage: 33.3
        - properties: [{ key: base, value: "true", type: flag, operator: flag_evaluates_to }]
          rollout_percentage: 5
  by_company:
    active: true
    filters:
      aggregation_group_type_index: 0
      groups: [{ properties: [{ key: industry, value: [retail], type: group, operator: exact, group_type_index: 0 }], rollout_percentage: 50 }]
`),
    steps: [...everyCommand(), { vexil: 'plan --estimates' }],
  },
  {
    name: 'ignored-places',
    shows: 'places of flags are left to the service, by dots and by pointers',
    world: worldWith({
      feature_flags: [
        {
          key: 'slow',
          name: 'Slow',
          active: true,
          filters: { groups: [{ properties: [], rollout_percentage: 42 }] },
          tags: ['theirs'],
        },
        {
          key: 'stray',
          active: true,
          filters: { groups: [{ rollout_percentage: 10, sort_key: 'x' }], early_exit: true },
        },
      ],
    }),
    files: repository(`feature_flags:
  slow: { name: Slower, active: true, filters: { groups: [{ rollout_percentage: 5 }] }, tags: [ours], ignore: [filters.groups.0.rollout_percentage, /tags] }
  stray: { active: false, filters: { groups: [{ rollout_percentage: 20 }] }, ignore: [filters.early_exit, filters.groups.0.sort_key] }
  fresh: { active: true, filters: { groups: [{ rollout_percentage: 5 }] }, ignore: [filters.groups.0.rollout_percentage] }
`),
    steps: everyCommand(),
  },
  {
    name: 'renamed-key',
    shows:
      'a key was changed in the files, so that a plan asks whether a rename was meant; another one is found by its id',
    world: worldWith({
      feature_flags: [
        {
          id: 41,
          key: 'checkout_v2',
          name: 'Checkout',
          active: true,
          filters: {
            groups: [
              {
                properties: [{ key: 'country', value: ['DE'], type: 'person', operator: 'exact' }],
                rollout_percentage: 10,
              },
            ],
          },
          role_access: ['support'],
        },
        { id: 42, key: 'search_old', active: true, filters: { groups: [{ rollout_percentage: 7 }] } },
      ],
    }),
    files: repository(`feature_flags:
  checkout_v3: { name: Checkout, active: true, filters: { groups: [{ properties: [{ key: country, value: [DE], type: person, operator: exact }], rollout_percentage: 10 }] }, role_access: [support] }
  search_new: { id: 42, active: true, filters: { groups: [{ rollout_percentage: 7 }] } }
`),
    steps: everyCommand(),
  },
  {
    name: 'moved-files',
    shows: 'declarations move to other files and folders, by include and by globs, and nothing changes',
    world: worldWith({
      feature_flags: [{ key: 'moved', active: true, filters: { groups: [{ rollout_percentage: 7 }] } }],
    }),
    files: {
      'vexil.yaml': 'version: 1\nfiles: ["teams/*/main.yaml"]\nparallelism: 2\n',
      'teams/a/main.yaml':
        'include: [../shared/*.yaml]\nfeature_flags:\n  first: { active: true, filters: { groups: [{ rollout_percentage: 5 }] } }\n',
      'teams/shared/moved.yaml':
        'feature_flags:\n  moved: { active: true, filters: { groups: [{ rollout_percentage: 7 }] } }\n',
      'docker-compose.yaml': 'services:\n  web: { image: web }\n',
    },
    steps: everyCommand({
      between: [
        {
          write: {
            'teams/a/main.yaml': 'include: [../shared/*.yaml]\n',
            'teams/b/main.yaml':
              'feature_flags:\n  first: { active: true, filters: { groups: [{ rollout_percentage: 5 }] } }\n',
          },
        },
      ],
    }),
  },
  {
    name: 'texts-and-numbers',
    shows: 'odd keys, texts that YAML takes for something else, variables, and numbers with all their digits',
    world: worldWith({
      feature_flags: [
        {
          key: 'a/b',
          name: 'yes',
          active: true,
          filters: { groups: [{ rollout_percentage: 1e-7 }], payloads: { true: '12345678901234567890.10' } },
        },
        { key: 'ümläut 😀', name: 'a\nb', active: true, filters: { groups: [] } },
      ],
    }),
    env: { STAFF_DOMAIN: 'example.com' },
    files: repository(`feature_flags:
  a/b: { name: "no", filters: { groups: [{ rollout_percentage: 0.0000001 }], payloads: { "true": 12345678901234567890.1 } } }
  "ümläut 😀": { name: "line one\\nline two\\u0007 end ", active: false }
  "0": { name: "null", active: true, filters: { groups: [{ properties: [{ key: version, value: 2.10, type: person, operator: exact }], rollout_percentage: 1e1 }] } }
  staff: { active: true, filters: { groups: [{ properties: [{ key: email, value: "@\${env:STAFF_DOMAIN}", type: person, operator: icontains }] }], payloads: { "true": { help: "write $\${env:NAME}" } } } }
`),
    steps: everyCommand(),
  },
]
