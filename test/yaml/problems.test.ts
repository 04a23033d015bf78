import { describe, it } from 'vitest'
import { complete, expectOneProblem, type ProblemCase } from './one-problem.ts'

const problems: ProblemCase[] = [
  [
    'a misspelt section',
    '¦feature_flgs: {}',
    {
      code: 'unknown-key',
      message: '"feature_flgs" is not a section',
      hint: 'did you mean "feature_flags"?',
    },
  ],
  [
    'a section by its short name',
    '¦flags: {}',
    { code: 'unknown-key', message: '"flags" is not a section', hint: 'did you mean "feature_flags"?' },
  ],
  [
    'settings in a declaration file',
    '¦roles: {}',
    { code: 'unknown-key', message: '"roles" is not a section', hint: '"roles" belongs into vexil.yaml' },
  ],
  [
    'a misspelt field',
    `feature_flags:\n  a: { ${complete}, ¦nmae: x }`,
    {
      code: 'unknown-key',
      message: '"nmae" is not a field of a flag',
      hint: 'did you mean "name"?',
      address: 'feature_flag.a',
    },
  ],
  [
    'the identity as a field',
    `feature_flags:\n  a: { ${complete}, ¦key: a }`,
    {
      code: 'unknown-key',
      message: '"key" is not a field of a flag',
      hint: 'the key of a flag is what stands before its ":"',
      address: 'feature_flag.a',
    },
  ],
  [
    'the soft-delete marker',
    `feature_flags:\n  a: { ${complete}, ¦deleted: true }`,
    {
      code: 'unknown-key',
      message: '"deleted" is not a field of a flag',
      hint: 'write "ensure: absent" to delete it',
      address: 'feature_flag.a',
    },
  ],
  [
    'a field that the service sets',
    'event_definitions:\n  a: { ¦last_seen_at: 2020-01-01 }',
    {
      code: 'unknown-key',
      message: '"last_seen_at" is not a field of an event',
      hint: 'the service sets it; it cannot be declared',
      address: 'event_definition.a',
    },
  ],
  [
    'a part of the filters beside them',
    `feature_flags:\n  a: { ${complete}, ¦groups: [] }`,
    {
      code: 'unknown-key',
      message: '"groups" is not a field of a flag',
      hint: '"groups" belongs under "filters"',
      address: 'feature_flag.a',
    },
  ],
  [
    'a text for a switch',
    'feature_flags:\n  a: { active: ¦yes, filters: {} }',
    {
      code: 'wrong-type',
      message: '"active" must be true or false, not "yes"',
      hint: 'write true',
      address: 'feature_flag.a',
    },
  ],
  [
    'a number for a text',
    `feature_flags:\n  a: { ${complete}, name: ¦1.5 }`,
    {
      code: 'wrong-type',
      message: '"name" must be text, not 1.5',
      hint: 'write it in quotes: "1.5"',
      address: 'feature_flag.a',
    },
  ],
  [
    'an empty value',
    'feature_flags:\n  a:\n    ¦active:\n    filters: {}',
    {
      code: 'wrong-type',
      message: '"active" must be true or false, not empty',
      hint: 'fill it in, or leave it out',
      address: 'feature_flag.a',
    },
  ],
  [
    'filters that are no map',
    'feature_flags:\n  a: { active: true, filters: ¦[] }',
    { code: 'wrong-type', message: '"filters" must be a map, not a list', address: 'feature_flag.a' },
  ],
  [
    'a tag that is no text',
    `feature_flags:\n  a: { ${complete}, tags: [x, ¦7] }`,
    {
      code: 'wrong-type',
      message: 'element 2 of "tags" must be text, not 7',
      hint: 'write it in quotes: "7"',
      address: 'feature_flag.a',
    },
  ],
  [
    'one tag instead of a list',
    `feature_flags:\n  a: { ${complete}, tags: ¦x }`,
    {
      code: 'wrong-type',
      message: '"tags" must be a list, not "x"',
      hint: 'write a list: [x]',
      address: 'feature_flag.a',
    },
  ],
  [
    'an unknown choice',
    'plugins:\n  a: { plugin_type: ¦sauce }',
    {
      code: 'unknown-value',
      message: '"plugin_type" must be local, custom, repository or source, not "sauce"',
      hint: 'did you mean "source"?',
      address: 'plugin.a',
    },
  ],
  [
    'a source file without a path',
    'plugins:\n  a: { source: { ¦index.ts: {} } }',
    { code: 'missing-key', message: '"file" is missing', hint: 'add "file:"', address: 'plugin.a' },
  ],
  [
    'an unknown guard',
    `feature_flags:\n  a: { ${complete}, allow: [¦rolback] }`,
    {
      code: 'unknown-value',
      message: 'element 1 of "allow" cannot be "rolback"',
      hint: 'did you mean "rollback"?',
      address: 'feature_flag.a',
    },
  ],
  [
    'an unknown guard that resembles none',
    `feature_flags:\n  a: { ${complete}, allow: [¦everything] }`,
    {
      code: 'unknown-value',
      message:
        'element 1 of "allow" must be approval_pending, can_edit, delete_limit, experiment, feature, frozen, live_edit, not_kept, older_commit, protected_keys, rollback, rollout_step, soft_deleted, source_unreadable, survey, trail_unreadable or undeclared_majority, not "everything"',
      address: 'feature_flag.a',
    },
  ],
  [
    'an unknown state',
    'feature_flags:\n  a: { ensure: ¦gone }',
    {
      code: 'unknown-value',
      message: '"ensure" must be present or absent, not "gone"',
      address: 'feature_flag.a',
    },
  ],
]

describe('a problem in the shape of a declaration', () => {
  it.each(problems)('%s', async (_, marked, problem) => {
    await expectOneProblem(marked, problem)
  })
})
