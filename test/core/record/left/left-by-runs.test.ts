import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Change } from '../../../../src/core/change.ts'
import { leftByRuns } from '../../../../src/core/live-edits/base-index.ts'
import type { RunEntry, RunRecord } from '../../../../src/core/record/run.ts'
import type { JsonObject } from '../../../../src/model/text/json.ts'
import { aChange } from '../../../support/builders.ts'

const roles = ['support', 'sales']
const flags = ['a', 'ab', 'a#2']
const grantsOf = (flag: string) => roles.map(role => `feature_flag_role_access.${flag}:${role}`)

function changeOf(address: string, action: Change['action']): Change {
  const [kind = '', identity = ''] = address.split('.')
  const written: JsonObject = kind === 'feature_flag' ? { name: 'x' } : { role_id: 'r' }
  return aChange({ address, kind, action, identity, after: action === 'delete' ? {} : written })
}

const entry: fc.Arbitrary<RunEntry> = fc
  .record({
    address: fc.constantFrom(...flags.flatMap(flag => [`feature_flag.${flag}`, ...grantsOf(flag)])),
    action: fc.constantFrom('create' as const, 'update' as const, 'delete' as const),
    outcome: fc.constantFrom('done' as const, 'already' as const, 'failed' as const, 'skipped' as const),
    isOpen: fc.boolean(),
  })
  .map(({ address, action, outcome, isOpen }) => ({
    change: changeOf(address, action),
    outcome,
    ...(outcome === 'failed' && isOpen ? { maybeWritten: true as const } : {}),
  }))

const recordOf = (startedAt: number, entries: readonly RunEntry[]): RunRecord => ({
  run: String(startedAt),
  command: 'apply',
  unchanged: 0,
  target: { baseUrl: 'https://flags.example.com', projectId: '1', profile: 'documented' },
  startedAt,
  blocked: [],
  notTargeted: [],
  isComplete: true,
  entries,
})

describe('how runs leave things', () => {
  it('knows nothing of what a run deleted or may have deleted, nor of what hung from it', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 30 }), fc.constantFrom(...flags), (entries, flag) => {
        const earlier = leftByRuns([{ record: recordOf(1, entries) }])
        const mine = new Set([`feature_flag.${flag}`, ...grantsOf(flag)])
        const others = Object.entries(earlier.base).filter(([address]) => !mine.has(address))
        const deletion = { change: changeOf(`feature_flag.${flag}`, 'delete') }
        for (const gone of [
          { ...deletion, outcome: 'done' as const },
          { ...deletion, outcome: 'already' as const },
          { ...deletion, outcome: 'failed' as const, maybeWritten: true as const },
        ]) {
          expect(leftByRuns([{ record: recordOf(2, [gone]) }], earlier).base).toEqual(
            Object.fromEntries(others),
          )
        }
        for (const outcome of ['failed', 'skipped', 'stale'] as const) {
          expect(leftByRuns([{ record: recordOf(2, [{ ...deletion, outcome }]) }], earlier).base).toEqual(
            earlier.base,
          )
        }
      }),
    )
  })
})

describe('what waits for approval', () => {
  const change = changeOf('feature_flag.a', 'update')
  const asking: RunEntry = { change, outcome: 'pending', changeRequest: 'cr-1' }
  const asked = recordOf(1, [asking])

  it.each<[string, Partial<RunRecord>, string | undefined]>([
    ['after an apply that found it as declared', {}, undefined],
    ['after one that was cut off', { isComplete: false }, 'cr-1'],
    [
      'after one that blocked it',
      { blocked: [{ address: change.address, rule: 'approval_pending' }] },
      'cr-1',
    ],
    ['after one that left it out', { notTargeted: [change.address] }, 'cr-1'],
    ['after one that failed at it', { entries: [{ change, outcome: 'failed' }] }, 'cr-1'],
    ['after one that made it', { entries: [{ change, outcome: 'done' }] }, undefined],
    ['after one that asked again', { entries: [{ ...asking, changeRequest: 'cr-2' }] }, 'cr-2'],
    ['after another command, which looks at other objects', { command: 'undo' }, 'cr-1'],
  ])('waits or not, %s', (_, more, request) => {
    const later: RunRecord = { ...recordOf(2, []), command: 'apply', ...more }
    expect(leftByRuns([{ record: asked }, { record: later }]).pending[change.address]?.changeRequest).toBe(
      request,
    )
  })
})
