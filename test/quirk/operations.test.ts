import { describe, expect, it } from 'vitest'
import type { QuirkName, Quirks } from '../../src/sandbox/index.ts'
import { sitDown } from './desk.ts'

/** An operation of the interface that a plan does not need, with each answer of the service to it. */
interface Operation<Name extends QuirkName> {
  readonly quirk: Name
  readonly line: string
  /** Each value of the quirk, with the exit code and what is said. */
  readonly answers: readonly (readonly [Quirks[Name], number, string])[]
  readonly first?: string
  readonly with?: Partial<Quirks>
}

function operation<Name extends QuirkName>(given: Operation<Name>): Operation<Name> {
  return given
}

const operations = [
  operation({
    quirk: 'event_envelope',
    line: 'event.list --all',
    answers: [
      ['counted', 0, '['],
      ['next_only', 0, '['],
    ],
  }),
  operation({
    quirk: 'event_id_checked',
    line: 'event.read id=nothing',
    answers: [
      [false, 1, '404 not_found'],
      [true, 1, '400 '],
    ],
  }),
  operation({
    quirk: 'static_cohort_status',
    line: 'feature_flag.createStaticCohort id=14',
    answers: [
      ['200', 0, '"cohort"'],
      ['201', 0, '"cohort"'],
    ],
  }),
  operation({
    quirk: 'action_answers',
    line: 'feature_flag.dashboard id=14',
    answers: [
      ['record', 0, '"key": "not_ours"'],
      ['own', 0, '"success": true'],
    ],
  }),
  operation({
    quirk: 'evaluation_id_required',
    line: 'feature_flag.evaluationReasons',
    answers: [
      [false, 0, '"changed"'],
      [true, 1, '400 '],
    ],
  }),
  operation({
    quirk: 'enrich_checked',
    line: 'feature_flag.enrichUsageDashboard id=14',
    first: 'feature_flag.dashboard id=14',
    answers: [
      [false, 0, '"success": true'],
      [true, 1, 'No enriched analytics available'],
    ],
  }),
  operation({
    quirk: 'analytics_dashboards',
    line: 'feature_flag.create --body {"key":"linked","analytics_dashboards":[]}',
    answers: [
      ['accepted', 0, '"key": "linked"'],
      ['error', 1, '500 error'],
    ],
  }),
  operation({
    quirk: 'variant_sum',
    line: 'feature_flag.update id=14 --body {"filters":{"groups":[],"multivariate":{"variants":[{"key":"a","rollout_percentage":1}]}}}',
    answers: [
      ['on_create', 0, '"key": "not_ours"'],
      ['always', 1, '400 invalid_input'],
    ],
  }),
  operation({
    quirk: 'definition_unknown',
    line: 'event_definition.read id=01900000-0000-0000-0000-00000000ffff',
    answers: [
      ['not_found', 1, '404 not_found'],
      ['error', 1, '500 error'],
    ],
  }),
  operation({
    quirk: 'role_access_query',
    line: 'feature_flag_role_access.list parent_lookup_feature_flag_id=11 --all',
    answers: [
      ['accepted', 0, '"name": "support"'],
      ['error', 0, '"name": "support"'],
    ],
  }),
  operation({
    quirk: 'plugin_without_url',
    line: 'plugin.create --body {"plugin_type":"custom","name":"no_url"}',
    answers: [
      ['accepted', 0, '"name": "no_url"'],
      ['error', 1, '500 error'],
    ],
  }),
] as const

const cases = operations.flatMap(({ answers, ...operation }) =>
  answers.map(([value, code, said]) => ({ ...operation, value, code, said })),
)

describe('an operation that can be answered either way', () => {
  it.each(cases)('is told as it is: $line where $quirk is $value', async each => {
    const desk = await sitDown({ quirks: { [each.quirk]: each.value } })
    if ('first' in each) await desk.vexil(`call ${each.first}`)
    const { code, stdout, stderr } = await desk.vexil(`call ${each.line}`)
    expect(stdout + stderr).toContain(each.said)
    expect(code).toBe(each.code)
  })
})
