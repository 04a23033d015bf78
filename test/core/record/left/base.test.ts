import { describe, expect, it } from 'vitest'
import type { Change } from '../../../../src/core/change.ts'
import { shortDigest } from '../../../../src/core/diff.ts'
import { leftByRuns } from '../../../../src/core/live-edits/base-index.ts'
import type { RunOnRecord } from '../../../../src/core/live-edits/base-of-runs.ts'
import type { RunEntry, RunRecord } from '../../../../src/core/record/run.ts'
import type { DeclaredDigests } from '../../../../src/core/record/run-folder.ts'
import type { JsonObject } from '../../../../src/model/text/json.ts'
import { aChange } from '../../../support/builders.ts'
import { runAt } from './runs.ts'

const flag = 'feature_flag.a'
const revision = { commit: 'c'.repeat(40), dirty: false }

const changed = (action: Change['action'] = 'update', after: JsonObject = { name: 'x', active: true }) =>
  aChange({ address: flag, identity: 'a', action, after: action === 'delete' ? {} : after })

const run = (at: number, over: Partial<RunRecord> = {}, declared?: DeclaredDigests) =>
  runAt(at, { revision, ...over }, declared)
const asking = (name: string, active = name): DeclaredDigests => ({ [flag]: { fields: { name, active } } })
const originOf = (at: number) => ({ run: `r${at}`, at, revision })
const first = run(1, {}, asking('one'))
const baseOne = {
  ensure: 'present',
  fields: { name: { digest: 'one' }, active: { digest: 'one' } },
  origin: originOf(1),
}
const entry = (over: Partial<RunEntry> = {}): RunEntry => ({ change: changed(), outcome: 'done', ...over })
const left = (...runs: RunOnRecord[]) => leftByRuns([first, ...runs]).base[flag]
const baseTwo = {
  ensure: 'present',
  fields: { name: { digest: 'two' }, active: { digest: 'two' } },
  origin: originOf(2),
}

describe('the base of an object', () => {
  it.each<[string, Partial<RunRecord>, object | undefined]>([
    ['was as declared', {}, baseTwo],
    ['was changed', { entries: [entry({ id: '7' })] }, { ...baseTwo, id: '7' }],
    ['had been changed', { entries: [entry({ outcome: 'already' })] }, baseTwo],
    ['was blocked', { blocked: [{ address: flag, rule: 'rollout_step' }] }, baseOne],
    ['was refused', { entries: [entry({ outcome: 'failed' })] }, baseOne],
    ['was skipped', { entries: [entry({ outcome: 'skipped' })] }, baseOne],
    ['had moved', { entries: [entry({ outcome: 'stale' })] }, baseOne],
    ['was as declared in a run that was stopped', { isComplete: false }, baseTwo],
    ['was deleted for want of a declaration', { entries: [entry({ change: changed('delete') })] }, undefined],
  ])('after a run in which it %s', (_, over, base) => {
    const isPruned = over.entries?.[0]?.change.action === 'delete'
    expect(left(run(2, over, isPruned ? {} : asking('two')))).toEqual(base)
  })

  it('is the earlier one where a run left it out, or is of another command', () => {
    expect(left(run(2, { notTargeted: [flag] }, {}))).toEqual(baseOne)
    for (const command of ['undo', 'claim', 'unclaim', 'disable', 'enable'] as const) {
      expect(left(run(2, { command, entries: [entry()] }))).toEqual(baseOne)
      expect(left(run(2, { command, entries: [entry({ change: changed('delete') })] }))).toEqual(baseOne)
    }
  })

  it('says that it is absent where it was declared so', () => {
    const absent = { ensure: 'absent', fields: {}, origin: originOf(2) }
    expect(left(run(2, {}, { [flag]: { ensure: 'absent' } }))).toEqual(absent)
    const entries = [entry({ change: changed('delete') })]
    expect(left(run(2, { entries }, { [flag]: { ensure: 'absent' } }))).toEqual(absent)
  })

  it('has the fields that were held from the run that left them as declared, however often they are held', () => {
    const held = [{ address: flag, fields: ['active'] }]
    const runs = [run(2, { held }, asking('two')), run(3, { held }, asking('three'))]
    expect(left(...runs)).toEqual({
      ensure: 'present',
      fields: { name: { digest: 'three' }, active: { digest: 'one', origin: originOf(1) } },
      origin: originOf(3),
    })
    expect(leftByRuns([first, ...runs]).heldSince).toEqual({ [flag]: { active: 2 } })
    expect(leftByRuns([first, ...runs, run(4, {}, asking('three'))]).heldSince).toEqual({})
  })

  it('has none of a field that was held before anything was known of it', () => {
    const held = [{ address: flag, fields: ['active'] }]
    expect(leftByRuns([run(2, { held }, asking('two'))]).base[flag]?.fields).toEqual({
      name: { digest: 'two' },
    })
  })

  it('stays whole where the object itself was held', () => {
    expect(left(run(2, { held: [{ address: flag, fields: ['exists'] }] }, asking('two')))).toEqual(baseOne)
  })

  it.each<[string, Partial<RunEntry>]>([
    ['an answer was lost', { outcome: 'failed', maybeWritten: true }],
    ['somebody has to approve it', { outcome: 'pending', changeRequest: 'cr' }],
  ])('may be what a run was to write, where %s', (_, over) => {
    const entries = [entry({ change: changed('update', { active: true }), ...over })]
    expect(left(run(2, { entries }, asking('two')))).toEqual({
      ...baseOne,
      fields: { name: { digest: 'one' }, active: { digest: 'one', maybe: ['two'] } },
    })
    expect(left(run(2, { entries }, asking('two')), run(3, {}, asking('two')))?.fields.active).toEqual({
      digest: 'two',
    })
  })

  it('has no field that the service did not keep, until it is sent and kept or declared otherwise', () => {
    const lost = run(2, { entries: [entry({ notKept: ['active'] })] }, asking('two'))
    const known = { name: { digest: 'two' } }
    expect(left(lost)?.fields).toEqual(known)
    expect(left(lost, run(3, {}, asking('two')))?.fields).toEqual(known)
    const kept = run(3, { entries: [entry()] }, asking('two'))
    expect(left(lost, kept)?.fields).toEqual(baseTwo.fields)
    expect(left(lost, run(3, {}, asking('two', 'three')))?.fields.active).toEqual({ digest: 'three' })
  })

  it('knows of a run without its table what that has written', () => {
    const sent = run(2, {
      entries: [entry({ change: changed('update', { active: true, tags: ['t', 'ours'] }) })],
    })
    expect(left(sent)).toEqual({
      ...baseOne,
      fields: { name: { digest: 'one' }, active: { digest: shortDigest(true), origin: originOf(2) } },
    })
  })
})

describe('what no declaration asked for', () => {
  const undo = run(2, { command: 'undo', who: { name: 'ada', from: 'git' }, entries: [entry()] })
  const disable = run(3, {
    command: 'disable',
    reason: 'payments fail',
    entries: [entry({ change: changed('update', { active: false }) })],
  })
  const outside = (...runs: RunOnRecord[]) => leftByRuns([first, undo, disable, ...runs]).outsideWrites[flag]
  const undone = { by: 'undo', run: 'r2', at: 2, who: 'ada', fields: { name: shortDigest('x') } }
  const disabled = {
    by: 'disable',
    run: 'r3',
    at: 3,
    reason: 'payments fail',
    fields: { active: shortDigest(false) },
  }

  it('is told of each field by the last run that wrote it', () => {
    expect(outside()).toEqual([disabled, undone])
  })

  it.each<[string, RunOnRecord, object | undefined]>([
    [
      'an apply wrote it',
      run(4, { entries: [entry({ change: changed('update', { active: true }) })] }, {}),
      [undone],
    ],
    [
      'an enable wrote it',
      run(4, { command: 'enable', entries: [entry({ change: changed('update', { active: true }) })] }),
      [undone],
    ],
    ['an apply found it as declared', run(4, {}, asking('two')), undefined],
    [
      'an apply that held one found the other as declared',
      run(4, { held: [{ address: flag, fields: ['active'] }] }, asking('two')),
      [disabled],
    ],
    [
      'an apply that was blocked',
      run(4, { blocked: [{ address: flag, rule: 'protected' }] }, asking('two')),
      [disabled, undone],
    ],
    ['a claim', run(4, { command: 'claim', entries: [entry()] }), [disabled, undone]],
  ])('is over, or is not, after %s', (_, later, left) => {
    expect(outside(later)).toEqual(left)
  })

  it('is that an object is gone, or is back', () => {
    const [gone, back] = ['delete' as const, 'restore' as const].map(action =>
      run(4, { command: 'undo', entries: [entry({ change: changed(action, {}) })] }),
    )
    expect(outside(gone!)?.[0]?.fields).toEqual({ exists: shortDigest(false) })
    expect(outside(gone!, { ...back!, record: { ...back!.record, run: 'r5' } })?.[0]).toMatchObject({
      run: 'r5',
      fields: { exists: shortDigest(true) },
    })
  })
})
