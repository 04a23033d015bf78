import { expect, it } from 'vitest'
import { unprovenEvidence } from '../../../src/core/live-edits/verdict.ts'
import { declarableKind } from '../../../src/kinds/index.ts'

const kind = declarableKind('feature_flag')

it.each([
  ['turned on, with runs on record', 'active', true, false, false, true, 'off'],
  ['turned on, with none', 'active', true, false, false, false, undefined],
  ['turned off', 'active', false, true, false, true, undefined],
  ['another switch', 'archived', true, false, false, true, undefined],
  ['turned off by a person', 'active', true, false, true, false, 'trail'],
  ['renamed by a person', 'name', 'a', 'b', true, true, 'trail'],
  ['renamed by nobody knows whom', 'name', 'a', 'b', false, true, undefined],
] as const)('%s', (_, field, declared, live, isByPerson, isOnRecord, evidence) => {
  expect(unprovenEvidence({ kind, field, declared, live, isByPerson, isOnRecord })).toBe(evidence)
})
