import { describe, expect, it } from 'vitest'
import type { Change } from '../../../../src/core/change.ts'
import { leftByRuns } from '../../../../src/core/live-edits/base-index.ts'
import type { RunOnRecord } from '../../../../src/core/live-edits/base-of-runs.ts'
import { surplusBase } from '../../../../src/core/live-edits/verdict.ts'
import type { RunRecord } from '../../../../src/core/record/run.ts'
import { type DeclaredDigests, isDeclaredDigests } from '../../../../src/core/record/run-folder.ts'
import { aChange, supportRole } from '../../../support/builders.ts'
import { runAt } from './runs.ts'

const flag = 'feature_flag.a'
const address = 'feature_flag_role_access.a:support'

const kind = 'feature_flag_role_access'
const taking = aChange({ address, kind, action: 'delete', identity: supportRole })

/** A run that declared the list of a flag, or no list (`undefined`). */
function run(at: number, roles: readonly string[] | undefined, over: Partial<RunRecord> = {}): RunOnRecord {
  const declared: DeclaredDigests = {
    [flag]: { fields: {}, ...(roles ? { grants: roles } : {}) },
    ...(roles?.includes(supportRole) ? { [address]: { fields: {} } } : {}),
  }
  return runAt(at, { declared: `t${at}`, ...over }, declared)
}

/** What a live grant that is not in the list is measured from after these runs: its existence, and the run that says it. */
function measured(...runs: readonly RunOnRecord[]) {
  const left = leftByRuns(runs)
  const base = surplusBase(left.grantLists[flag], left.base[address], { address, identity: supportRole })
  return base && `${base.ensure} ${base.origin.run}`
}

const held = { held: [{ address, fields: ['exists'] }] }
const failed = { entries: [{ change: taking, outcome: 'failed' as const }] }
const lost = { entries: [{ change: taking, outcome: 'failed' as const, maybeWritten: true as const }] }
const taken = { entries: [{ change: taking, outcome: 'done' as const }] }
const blocked = { blocked: [{ address, rule: 'can_edit' as const }] }
const withIt = [supportRole]

describe('a grant that is not in the list of its flag', () => {
  it.each<[string, RunOnRecord[], string | undefined]>([
    ['no run', [], undefined],
    ['a run without a list', [run(1, undefined)], undefined],
    ['a list without it', [run(1, [])], 'absent r1'],
    ['a list with it', [run(1, withIt)], 'present r1'],
    ['a list with it, then one that took it', [run(1, withIt), run(2, [], taken)], 'absent r2'],
    ['a list with it, then one that could not take it', [run(1, withIt), run(2, [], failed)], 'present r1'],
    ['a list with it, then one that may have taken it', [run(1, withIt), run(2, [], lost)], 'present r1'],
    ['a list without it, then it was held', [run(1, []), run(2, [], held)], 'absent r1'],
    ['however often it was held', [run(1, []), run(2, [], held), run(3, [], held)], 'absent r1'],
    ['a list without it, then it could not be taken', [run(1, []), run(2, [], failed)], 'absent r1'],
    ['held, and gone since', [run(1, []), run(2, [], held), run(3, [])], 'absent r3'],
    ['a first list, and it was blocked', [run(1, [], blocked)], undefined],
    ['a first list, and it was not taken', [run(1, [], failed)], undefined],
    ['the same, and it was gone later', [run(1, [], failed), run(2, [])], 'absent r2'],
    ['a list that is declared no more', [run(1, []), run(2, undefined)], undefined],
    ['held, and the list is declared no more', [run(1, []), run(2, [], held), run(3, undefined)], undefined],
    ['a run for others', [run(1, []), { ...run(2, undefined), declared: {} }], 'absent r1'],
    ['a list, and an undo', [run(1, []), run(2, withIt, { command: 'undo' })], 'absent r1'],
  ])('is measured, after %s', (_, runs, expected) => {
    expect(measured(...runs)).toBe(expected)
  })

  it('is held no longer once it is gone', () => {
    const runs = [run(1, []), run(2, [], held)]
    expect(leftByRuns(runs).heldSince).toEqual({ [address]: { exists: 2 } })
    expect(leftByRuns([...runs, run(3, [])]).heldSince).toEqual({})
  })

  it('is of a flag that was deleted, and of nothing then', () => {
    const gone: Change = { ...taking, address: flag, kind: 'feature_flag', identity: 'a' }
    const pruned = { ...run(2, undefined, { entries: [{ change: gone, outcome: 'done' }] }), declared: {} }
    expect(measured(run(1, []), pruned)).toBeUndefined()
  })
})

it('tables tell lists of roles, and nothing else there', () => {
  expect(isDeclaredDigests({ [flag]: { fields: {}, grants: [supportRole] } })).toBe(true)
  expect(isDeclaredDigests({ [flag]: { fields: {}, grants: [1] } })).toBe(false)
  expect(isDeclaredDigests({ [flag]: { fields: {}, grants: supportRole } })).toBe(false)
})
