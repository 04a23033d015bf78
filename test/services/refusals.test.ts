import { describe, expect, it } from 'vitest'
import { type RefusalName, refusalOf, refusalRemedy, refusals } from '../../src/services/refusals.ts'

const flag = 'Cannot delete this feature flag because other flags depend on it: naming (ID: 2).'

/** What the service of today says, as far as its words are known; several where they have been seen to differ. */
const said: Readonly<Record<RefusalName, readonly string[]>> = {
  dependents: [flag, 'Cannot disable this feature flag because 1 flag depends on it: naming.'],
  dependency_turned_off: ['Cannot enable this feature flag because a flag it depends on is disabled: base.'],
  dependency_off: ['Flag dependency references a flag that is disabled: base'],
  dependency_by_key: [
    "Flag dependencies must reference flag IDs (integers), not flag keys. Invalid reference: 'base'",
  ],
  dependency_missing: ['Flag dependency references non-existent flag "99"'],
  dependency_circle: ['Circular dependency detected: a → b → a', "Feature flag 'a' cannot depend on itself"],
  variant_of_experiment: ['Cannot remove variants of a running experiment: red.'],
  key_of_experiment: ['Feature flag with this key already exists and is used in an experiment.'],
  experiment: ['Cannot delete a feature flag that is linked to a running experiment.'],
  early_access_feature: ['Cannot delete a feature flag that is in use with early access features.'],
  session_replay: ['Cannot delete a feature flag that session replay goes by.'],
  survey: ['Cannot delete a feature flag that a survey is shown by.'],
  cohort_missing: ['Cohort with id 9 does not exist'],
  key_characters: ['Only letters, numbers, hyphens (-) & underscores (_) are allowed.'],
  rules_version: ['This operation does not support the configuration version of this feature flag.'],
  reserved_version: ['Filters may not have a version.'],
  dependency_version: ['Flag dependency references a flag whose configuration version is not supported: 7'],
  tags_required: ['At least one tag is required for feature flags.'],
  contexts_required: ['At least one evaluation context is required for feature flags.'],
  flag_limit: ['This project has reached the maximum number of feature flags (1000).'],
  scope: ["API key missing required scope 'feature_flag:write'"],
  no_key: ['This action does not support personal API key access.'],
}

describe('refusals', () => {
  it.each(
    Object.entries(said).flatMap(([name, details]) => details.map(detail => [name as RefusalName, detail])),
  )('tell %s by what is said: %s', (name, detail) => {
    const { status, ...row } = refusals[name as RefusalName]
    const code = 'code' in row ? row.code : 'invalid_input'
    expect(refusalOf({ status, code, detail })).toBe(name)
    expect(refusalRemedy({ status, code, detail })).not.toContain('$')
  })

  it('name the scope that is missing', () => {
    const [detail] = said.scope
    expect(refusalRemedy({ status: 403, code: 'permission_denied', detail })).toBe(
      'add the scope feature_flag:write to the key, or use another key',
    )
  })

  it.each([
    ['another status', { status: 500, detail: flag }],
    ['words that nobody knows', { status: 400, detail: 'No.' }],
    ['no words', { status: 400 }],
  ])('say nothing of %s', (_, refused) => {
    expect(refusalRemedy(refused)).toBeUndefined()
  })
})
