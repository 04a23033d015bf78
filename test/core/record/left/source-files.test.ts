import { describe, expect, it } from 'vitest'
import type { Desired } from '../../../../src/core/desired.ts'
import { shortDigest } from '../../../../src/core/diff.ts'
import { leftByRuns } from '../../../../src/core/live-edits/base-index.ts'
import type { RunOnRecord } from '../../../../src/core/live-edits/base-of-runs.ts'
import type { RunEntry, RunRecord } from '../../../../src/core/record/run.ts'
import { type DeclaredDigests, declaredDigests } from '../../../../src/core/record/run-folder.ts'
import { aChange } from '../../../support/builders.ts'
import { runAt } from './runs.ts'

const plugin = 'plugin.geoip'
const target = { baseUrl: 'https://flags.example.com', organizationId: '1', profile: 'documented' }

const run = (at: number, over: Partial<RunRecord>, declared?: DeclaredDigests) =>
  runAt(at, { target, ...over }, declared)

const files = { 'a.ts': 'new', 'b.ts': null }
const change = aChange({ address: plugin, kind: 'plugin', identity: 'geoip', files })
const entry = (over: Partial<RunEntry> = {}): RunEntry => ({ change, outcome: 'done', ...over })

const [old, written, none] = ['old', 'new', null].map(shortDigest)
const asking = (a: string, b: string): DeclaredDigests => ({
  [plugin]: { fields: {}, files: { 'a.ts': a, 'b.ts': b } },
})
const first = run(1, {}, asking(old ?? '', old ?? ''))
const second = asking(written ?? '', none ?? '')
const fieldsAfter = (...runs: RunOnRecord[]) => leftByRuns([first, ...runs]).base[plugin]?.fields
const origin = { run: 'r1', at: 1 }

describe('the base of source files', () => {
  it.each<[string, Partial<RunRecord>, object]>([
    ['left them as declared', {}, { a: { digest: written }, b: { digest: none } }],
    [
      'held one of them',
      { held: [{ address: plugin, fields: ['source/a.ts'] }] },
      { a: { digest: old, origin }, b: { digest: none } },
    ],
    ['was refused', { entries: [entry({ outcome: 'failed' })] }, { a: { digest: old }, b: { digest: old } }],
    [
      'failed, and may have written them',
      { entries: [entry({ outcome: 'failed', maybeWritten: true })] },
      { a: { digest: old, maybe: [written] }, b: { digest: old, maybe: [none] } },
    ],
  ])('after a run that %s', (_, over, { a, b }: { a?: object; b?: object }) => {
    expect(fieldsAfter(run(2, over, second))).toEqual({ 'source/a.ts': a, 'source/b.ts': b })
  })

  it('is what was sent where a run has no table', () => {
    expect(fieldsAfter(run(2, { entries: [entry()] }))).toEqual({
      'source/a.ts': { digest: written, origin: { run: 'r2', at: 2 } },
      'source/b.ts': { digest: none, origin: { run: 'r2', at: 2 } },
    })
  })

  it('is not what an undo wrote, which is remembered until an apply writes the file again', () => {
    const undone = run(2, { command: 'undo', entries: [entry()] })
    expect(leftByRuns([first, undone]).outsideWrites[plugin]).toEqual([
      { by: 'undo', run: 'r2', at: 2, fields: { 'source/a.ts': written, 'source/b.ts': none } },
    ])
    expect(leftByRuns([first, undone, run(3, { entries: [entry()] }, second)]).outsideWrites).toEqual({})
    expect(leftByRuns([first, undone, run(3, {}, second)]).outsideWrites).toEqual({})
  })
})

describe('what is on record of declared source files', () => {
  const desired: Desired = {
    address: plugin,
    kind: 'plugin',
    identity: 'geoip',
    ensure: 'present',
    fields: {},
    files: { 'a.ts': 'new', 'b.ts': null, 'c.ts': 'secret' },
    fromEnvironment: ['source/c.ts'],
  }
  const policy = { ownership: { prune: 'never' } } as const
  const filesOf = (found: Parameters<typeof declaredDigests>[0][number]['found']) =>
    declaredDigests([{ desired, found, policy }])[plugin]

  it('is a digest of each that is the same on every machine', () => {
    const files = { 'a.ts': written, 'b.ts': none }
    expect(filesOf([])).toEqual({ fields: {}, files })
    expect(filesOf([{ id: '7' }])).toEqual({ fields: {}, files, id: '7' })
  })

  it('is nothing where the service does not show them', () => {
    expect(filesOf([{ id: '7', filesUnreadable: 'not shown' }])).toEqual({ fields: {}, id: '7' })
  })
})
