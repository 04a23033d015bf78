interface MemberNote {
  readonly title: string
  readonly words: readonly string[]
  readonly file: string
  readonly text: string
}

/** The effects of the members beside the fields, each with an example that a test reads. */
export const memberNotes: readonly MemberNote[] = [
  {
    title: '`ensure`',
    words: [
      '`absent` deletes the object if it is there; what is not there is already absent. The other members may stay: they are',
      'checked and not used, so one added line retires a flag and its removal restores it. `protect: true` still holds the deletion',
      'back. Taking a declaration away deletes nothing, unless `ownership.prune` says so.',
    ],
    file: 'flags/gone.yaml',
    text: `
feature_flags:
  legacy_nav:
    ensure: absent
    name: The navigation of last year
    active: true
    filters: { groups: [{}] }
  older_nav: { ensure: absent }
`,
  },
  {
    title: '`id`',
    words: [
      'The id in the service, where the name is not enough: two plugins of one name, or a deleted flag that no list shows any',
      'more. An `environments` entry gives each place its own.',
    ],
    file: 'plugins.yaml',
    text: `
plugins:
  geoip:
    plugin_type: source
    environments:
      staging: { id: 7 }
      production: { id: 12 }
`,
  },
  {
    title: '`owner` and `expires`',
    words: [
      'Who answers for an object, and the last day on which it is wanted. In the service they are the tags `owner:payments` and',
      '`expires:2027-03-01`: beside the declared `tags` or, where none are declared, beside those that the object has. There is one of',
      'each, so another owner takes the place of the one before. Taken out of the declaration, the tag stays where `tags` is not',
      'declared, as every field that is declared no more; a declared `tags` is the whole list, so the tag goes. `null` says that there is none, in an',
      'override too. `live_tags: false` in the settings keeps both out of the service. `export` writes such tags as `owner` and `expires`.',
    ],
    file: 'flags/owned.yaml',
    text: `
feature_flags:
  gift_cards:
    owner: payments
    expires: 2027-03-01
    active: true
    filters: { groups: [{ rollout_percentage: 10 }] }
    environments:
      staging: { expires: null }
event_definitions:
  gift_card_bought: { owner: payments, tags: [revenue] }
`,
  },
  {
    title: '`payload_schema`',
    words: [
      'A JSON Schema, draft 2020-12, that every payload of the flag has to fit, whatever its variant: payloads are checked as the values that code',
      'receives, so one that is written as JSON text counts as its value. It stays in the repository. `validate` and plans tell of a payload that does not',
      'fit, in whichever environment; an override may have a schema of its own, and `null` says that there is none. `vexil keys` makes types of it.',
      'References stay inside of it (`#/$defs/...`), nothing is fetched, and patterns are those of RE2, without look-around and back references.',
    ],
    file: 'flags/payloads.yaml',
    text: `
feature_flags:
  checkout_layout:
    active: true
    rollout_percentage: 100
    variants: { one_page: 50, two_pages: 50 }
    payloads: { one_page: { steps: 1 }, two_pages: { steps: 2, hint: Nearly done } }
    payload_schema:
      type: object
      required: [steps]
      properties: { steps: { type: integer, minimum: 1 }, hint: { type: string } }
      additionalProperties: false
`,
  },
  {
    title: '`tests`',
    words: [
      'Who has to get what of a flag. `validate` and `vexil test` work it out without the service, for each environment in which the flag is',
      'declared present, or for those of `env`. A `person` is what is known of somebody, or the name of one of `persons`; a group is its key, or its',
      '`key` and `properties`; `groups` says by type and key what groups have. Both sections may be in any file, and so may `tests`, by the keys',
      'of flags. `expect` is the value, or a `value` with its `payload`. `because` names the condition that has to decide, also where the person is outside of its percentage. What depends on something that',
      'a test does not say is undecided, and never passes. Nothing of it is stored in the service, and no plan is refused for a test.',
    ],
    file: 'flags/tested.yaml',
    text: `
persons:
  ada: { distinct_id: ada, properties: { country: DE } }
  grace: { distinct_id: grace, properties: { country: FR }, groups: { "0": acme } }
groups:
  "0": { acme: { plan: enterprise } }
feature_flags:
  tested_checkout:
    active: true
    release:
      dach: { properties: { country: [DE, AT, CH] }, variant: one_page }
      rest: { rollout_percentage: 0 }
    variants: { one_page: 50, two_pages: 50 }
    payloads: { one_page: { steps: 1 } }
    tests:
      - { person: ada, expect: { value: one_page, payload: { steps: 1 } }, because: dach }
      - { person: grace, expect: false, because: rest, env: production }
      - { person: { properties: { country: CH } }, expect: one_page }
  tested_reports:
    active: true
    group_type_index: 0
    release: { enterprise: { properties: { plan: enterprise } } }
tests:
  tested_reports:
    - { person: grace, expect: true }
    - { person: { distinct_id: ada }, expect: false, because: no_group_type }
`,
  },
  {
    title: '`environments` and `only`',
    words: [
      '`environments` says what is different in one of them; a member given there replaces the whole member, `filters` too.',
      '`skip` leaves the object alone there. `only` names the environments that the object belongs to at all.',
    ],
    file: 'flags/places.yaml',
    text: `
feature_flags:
  new_search:
    active: true
    filters: { groups: [{ rollout_percentage: 10 }] }
    environments:
      staging: { filters: { groups: [{}] } }
  pilot:
    active: true
    filters: { groups: [{ rollout_percentage: 1 }] }
    environments: { staging: { skip: true } }
  load_test:
    only: [staging]
    active: true
    filters: { groups: [{}] }
`,
  },
  {
    title: '`protect`',
    words: ['Refuses every plan that would delete the object or turn it off. Only taking it away lifts it.'],
    file: 'flags/kill-switch.yaml',
    text: `
feature_flags:
  payments_enabled:
    protect: true
    active: true
    filters: { groups: [{}] }
`,
  },
  {
    title: '`sensitive`',
    words: [
      'Keeps values out of plans, reports, logs and records, whatever `redact` in the settings says: `true` all payloads and what conditions compare with, a',
      'list the payloads of these variants. What is shown still says that they change.',
    ],
    file: 'flags/prices.yaml',
    text: `
feature_flags:
  price_list:
    sensitive: [early]
    active: true
    filters:
      groups: [{}]
      multivariate: { variants: [ { key: early, rollout_percentage: 50 }, { key: usual, rollout_percentage: 50 } ] }
      payloads: { early: { price: 9 }, usual: { price: 12 } }
`,
  },
  {
    title: '`permanent`',
    words: [
      'Says that a flag is here to stay, as kill switches and settings are: `vexil retire` does not list it. It stays in the repository. `defaults` in the',
      'settings say so for all flags of a file, `permanent: false` of one says otherwise.',
    ],
    file: 'flags/permanent.yaml',
    text: `
feature_flags:
  maintenance_mode:
    permanent: true
    active: false
    filters: { groups: [{}] }
`,
  },
  {
    title: '`ignore`',
    words: [
      'Places that are left to the service or to people in the product, as dots or as a JSON pointer. They are neither compared',
      'nor changed. In a list, a place follows its condition, variant or property wherever that is moved; one that cannot be found in what is live blocks the change.',
    ],
    file: 'flags/by-hand.yaml',
    text: `
feature_flags:
  slow_rollout:
    active: true
    filters: { groups: [{ rollout_percentage: 5 }] }
    ignore: [filters.groups.0.rollout_percentage, /tags]
`,
  },
  {
    title: '`allow`',
    words: ['Rules that do not block this object; take it away again when the change is done.'],
    file: 'flags/whole-step.yaml',
    text: `
feature_flags:
  new_footer:
    active: true
    filters: { groups: [{ rollout_percentage: 100 }] }
    allow: [rollout_step]
`,
  },
  {
    title: '`live_edits`',
    words: [
      'What becomes of fields of this object that were changed in the product: one word for all of them, or a map of fields; `exists` is one',
      'as well. What is not named is as in the settings. An override replaces the whole member. It holds for the roles of `role_access` too:',
      'a role that was granted the flag in the product is held or loses its grant by `exists`.',
    ],
    file: 'flags/watched.yaml',
    text: `
feature_flags:
  checkout_v3:
    active: true
    filters: { groups: [{ rollout_percentage: 10 }] }
    live_edits: { filters: revert, tags: hold }
    environments:
      staging: { live_edits: revert }
`,
  },
  {
    title: '`role_access`',
    words: [
      'The roles that may edit a flag: all of them, so others lose their grant, and `[]` takes all grants back. To say',
      'something of one grant only, declare it in `feature_flag_role_access`. Where the service gives roles levels, a map says',
      'which: `role_access: { support: viewer }`, or `access_level: viewer` of one grant. A role without one may edit the flag,',
      'which is what a grant means on services that have no levels; there, a level is an error.',
    ],
    file: 'access.yaml',
    text: `
feature_flags:
  refunds:
    active: false
    filters: { groups: [{}] }
    role_access: [support]
feature_flag_role_access:
  - { flag: team_reports, role: support }
  - { flag: banner, role: 01900000-0000-0000-0000-0000000000cc, ensure: absent }
`,
  },
  {
    title: '`source`',
    words: [
      'The source files of a plugin, by name: written out, taken from a `file` beside this one, or null to remove it. A file that',
      'is not named is not managed.',
    ],
    file: 'plugins.yaml',
    text: `
plugins:
  mask_card_numbers:
    plugin_type: source
    source:
      index.ts: { file: sources/mask-card-numbers/index.ts }
      plugin.json: '{ "name": "mask_card_numbers", "config": [] }'
      old.js: null
`,
  },
]
