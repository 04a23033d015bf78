import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isWrite, type Workspace } from '../support/workspace.ts'
import { applyKilledAt, type KilledApply } from './killed-apply.ts'
import { numberedRequests } from './numbered-requests.ts'
import { startFaultService, stateOf } from './repository.ts'

type State = Awaited<ReturnType<typeof stateOf>>

const untouched = await startFaultService()
const before = await stateOf(untouched)
await untouched.close()

/** The same command again, twice. */
async function applyAgain({ service, vexil }: Workspace) {
  const second = await vexil('apply --auto-approve')
  const third = await service.watch(() => vexil('apply --auto-approve'))
  return { second, third, state: await stateOf(service) }
}

/** Undoes the last run; answers with what it said and what is live then, without what it created and deleted softly. */
async function undoLast({ service, vexil }: Workspace) {
  const undone = await vexil('undo last --auto-approve')
  const state = await stateOf(service)
  const known = new Set(before.flags.map(({ key }) => key))
  const left = { ...state, flags: state.flags.filter(({ key, deleted }) => known.has(key) || !deleted) }
  return { undone, left: left as State }
}

const clean = await applyKilledAt(Number.POSITIVE_INFINITY, 'before')
const again = await applyAgain(clean.same)

describe('a process that is not killed', () => {
  afterAll(clean.remove)

  it('finishes by itself', () => {
    expect(clean.ended).toBe('0')
    expect(again.second.code).toBe(0)
  })

  it('leaves a record, from which it is undone', async () => {
    const { undone, left } = await undoLast(clean.left)
    expect(undone.code, undone.stdout + undone.stderr).toBe(0)
    expect(undone.stderr).not.toContain('cut off')
    expect(left).toEqual(before)
  })
})

// The service is the same before and after it has read something.
const moments = numberedRequests(clean.requests).flatMap(([nth, line]) => [
  [nth, 'before'] as const,
  ...(isWrite(line) ? [[nth, 'after'] as const] : []),
])

describe.each(moments)('a process that is killed at request %i, %s the service has done it', (nth, when) => {
  let killed: KilledApply
  beforeAll(async () => {
    killed = await applyKilledAt(nth, when)
  })
  afterAll(() => killed.remove())

  it('leaves nothing that the next run does not finish', async () => {
    expect(killed.ended).toBe('SIGKILL')
    expect(await stateOf(killed.same.service)).toEqual(await stateOf(killed.left.service))
    const { second, third, state } = await applyAgain(killed.same)
    expect(second.code, second.stdout + second.stderr).toBe(0)
    expect(third.requests.filter(isWrite)).toEqual([])
    expect(state).toEqual(again.state)
  })

  it('is undone as far as it got', async () => {
    const { undone, left } = await undoLast(killed.left)
    const told = undone.stdout + undone.stderr
    expect(left, told).toEqual(before)
    // Where no request for a change had left, there is nothing to undo.
    if (undone.code === 0) expect(undone.stderr).toContain('was cut off and left no record')
    else expect(undone.stderr, told).toContain('there is no run to undo')
  })
})
