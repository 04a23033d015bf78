import { describe, expect, it } from 'vitest'
import { behaviourOf, type EvaluationBehaviour } from '../../../src/services/differences.ts'
import { evaluateFlag } from '../../../src/targeting/index.ts'
import { cohorts, groups, key, person, type RuleCases, ruleCases } from './rule-cases.ts'

const now = Date.UTC(2024, 2, 31, 12)
const rows = Object.entries<RuleCases>(ruleCases).flatMap(([rule, { source, rows }]) =>
  rows.flatMap(({ seen, ...one }) =>
    Object.entries(seen).map(([way, expected]) => ({ rule, way, expected, source, ...one })),
  ),
)

describe('a rule of evaluation', () => {
  it.each(rows)(
    '$rule = $way, $says: $expected [$source]',
    ({ rule, way, filters, properties, expected }) => {
      const rules: EvaluationBehaviour = { ...behaviourOf('documented'), [rule]: way }
      const { value, undecided } = evaluateFlag(
        { key, filters },
        { distinctId: person, properties, groups },
        { now, isComplete: true, groupTypes: { 0: 'company' }, rules, cohorts, zoneOffsetMinutes: 0 },
      )
      expect(undecided === undefined ? value : 'open').toBe(expected)
    },
  )
})
