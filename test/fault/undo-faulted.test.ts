import { describe, expect, it } from 'vitest'
import { aWorkspace, isWrite } from '../support/workspace.ts'
import { triedWith } from './numbered-requests.ts'
import { faultFiles, startFaultService, stateOf } from './repository.ts'

/** One apply with faults at requests that are counted; then `undo last` without them. */
async function applyAndUndo(...faults: readonly string[]) {
  const service = await startFaultService()
  const { vexil, remove } = await aWorkspace(service, faultFiles(service))
  try {
    const before = await stateOf(service)
    service.faults(...faults)
    const applied = await service.watch(() => vexil('apply --auto-approve'))
    service.faults()
    const undone = await vexil('undo last --auto-approve')
    const state = await stateOf(service)
    const known = new Set(before.flags.map(({ key }) => key))
    const flags = state.flags.filter(({ key, deleted }) => known.has(key) || !deleted)
    return { before, applied, undone, left: { ...state, flags } }
  } finally {
    await service.close()
    await remove()
  }
}

const clean = await applyAndUndo()
const writes = clean.applied.requests.flatMap((line, index) =>
  isWrite(line) ? [[index + 1, line] as const] : [],
)

/** Each with the writes at which it is tried. */
function withWrites(all: readonly (readonly [string, string])[]) {
  return all.map((fault, index) => [...fault, triedWith(index, writes)] as const)
}

describe('an apply and its undo', () => {
  it('leave everything as it was before', () => {
    expect(writes.length).toBeGreaterThanOrEqual(11)
    expect(clean.applied.result.code).toBe(0)
    expect(clean.undone.code, clean.undone.stdout).toBe(0)
    expect(clean.left).toEqual(clean.before)
  })
})

const faults = [
  ['500', 'status=500'],
  ['500 after the work was done', 'status=500 committed'],
  ['a refusal', 'status=400'],
  ['a reset before the work', 'reset_before'],
  ['a reset after the work', 'reset_after'],
  ['a truncated answer', 'truncate'],
] as const

describe.each(withWrites(faults))('an apply with %s and its undo', (_, effect, tried) => {
  it.each(tried)('leave everything as it was before: request %i, %s', async nth => {
    const { before, undone, left } = await applyAndUndo(`nth=${nth} ${effect}`)
    expect(undone.code, undone.stdout + undone.stderr).toBe(0)
    expect(left, undone.stdout).toEqual(before)
  })
})

/** The look says something of itself, and nothing of the write before it. */
const looks = [
  ['401', 'status=401'],
  ['403', 'status=403'],
  ['500', 'status=500'],
] as const
const lost = 'an apply that loses an answer and is told %s when it looks, and its undo'

describe.each(withWrites(looks))(lost, (_, effect, tried) => {
  it.each(tried)('leave everything as it was before: request %i, %s', async nth => {
    const { before, undone, left } = await applyAndUndo(`nth=${nth} reset_after`, `nth=${nth + 1} ${effect}`)
    expect(undone.code, undone.stdout + undone.stderr).toBe(0)
    expect(left, undone.stdout).toEqual(before)
  })
})
