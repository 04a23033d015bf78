import { describe, it } from 'vitest'
import { complete, error, expectOneProblem, type ProblemCase } from './one-problem.ts'

const problems: ProblemCase[] = [
  [
    'a misspelt section',
    '¦feature_flgs: {}',
    error('unknown-key', '"feature_flgs" is not a section', 'did you mean "feature_flags"?', null),
  ],
  [
    'a section by its short name',
    '¦flags: {}',
    error('unknown-key', '"flags" is not a section', 'did you mean "feature_flags"?', null),
  ],
  [
    'settings in a declaration file',
    '¦roles: {}',
    error('unknown-key', '"roles" is not a section', 'write "roles" in vexil.yaml', null),
  ],
  [
    'a misspelt field',
    `feature_flags:\n  a: { ${complete}, ¦nmae: x }`,
    error('unknown-key', '"nmae" is not a field of a flag', 'did you mean "name"?'),
  ],
  [
    'the identity as a field',
    `feature_flags:\n  a: { ${complete}, ¦key: a }`,
    error('unknown-key', '"key" is not a field of a flag', 'the key of a flag is the text before its ":"'),
  ],
  [
    'the soft-delete marker',
    `feature_flags:\n  a: { ${complete}, ¦deleted: true }`,
    error('unknown-key', '"deleted" is not a field of a flag', 'write "ensure: absent" to delete it'),
  ],
  [
    'a field that the service sets',
    'event_definitions:\n  a: { ¦last_seen_at: 2020-01-01 }',
    error(
      'unknown-key',
      '"last_seen_at" is not a field of an event',
      'the service sets it; it cannot be declared',
      'event_definition.a',
    ),
  ],
  [
    'a part of the filters beside them',
    `feature_flags:\n  a: { ${complete}, ¦groups: [] }`,
    error('unknown-key', '"groups" is not a field of a flag', '"groups" belongs under "filters"'),
  ],
  [
    'a text for a switch',
    'feature_flags:\n  a: { active: ¦yes, filters: {} }',
    error('wrong-type', '"active" must be true or false, not "yes"', 'write true'),
  ],
  [
    'a number for a text',
    `feature_flags:\n  a: { ${complete}, name: ¦1.5 }`,
    error('wrong-type', '"name" must be text, not 1.5', 'write the value in quotes: "1.5"'),
  ],
  [
    'an empty value',
    'feature_flags:\n  a:\n    ¦active:\n    filters: {}',
    error('wrong-type', '"active" must be true or false, not empty', 'fill it in, or remove it'),
  ],
  [
    'filters that are no map',
    'feature_flags:\n  a: { active: true, filters: ¦[] }',
    error('wrong-type', '"filters" must be a map, not a list'),
  ],
  [
    'a tag that is no text',
    `feature_flags:\n  a: { ${complete}, tags: [x, ¦7] }`,
    error('wrong-type', 'element 2 of "tags" must be text, not 7', 'write the value in quotes: "7"'),
  ],
  [
    'one tag instead of a list',
    `feature_flags:\n  a: { ${complete}, tags: ¦x }`,
    error('wrong-type', '"tags" must be a list, not "x"', 'write a list: [x]'),
  ],
  [
    'an unknown choice',
    'plugins:\n  a: { plugin_type: ¦sauce }',
    error(
      'unknown-value',
      '"plugin_type" must be local, custom, repository or source, not "sauce"',
      'did you mean "source"?',
      'plugin.a',
    ),
  ],
  [
    'a source file without a path',
    'plugins:\n  a: { source: { ¦index.ts: {} } }',
    error('missing-key', '"file" is missing', 'add "file:"', 'plugin.a'),
  ],
  [
    'an unknown guard',
    `feature_flags:\n  a: { ${complete}, allow: [¦rolback] }`,
    error('unknown-value', 'element 1 of "allow" cannot be "rolback"', 'did you mean "rollback"?'),
  ],
  [
    'an unknown guard that resembles none',
    `feature_flags:\n  a: { ${complete}, allow: [¦everything] }`,
    error(
      'unknown-value',
      'element 1 of "allow" must be approval_pending, can_edit, delete_limit, experiment, feature, frozen, live_edit, not_kept, older_commit, protected_keys, rollback, rollout_step, soft_deleted, source_unreadable, survey, trail_unreadable or undeclared_majority, not "everything"',
    ),
  ],
  [
    'an unknown state',
    'feature_flags:\n  a: { ensure: ¦gone }',
    error('unknown-value', '"ensure" must be present or absent, not "gone"'),
  ],
]

describe('a problem in the shape of a declaration', () => {
  it.each(problems)('%s', async (_, marked, problem) => {
    await expectOneProblem(marked, problem)
  })
})
