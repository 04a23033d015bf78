import { describe, expect, it } from 'vitest'
import { cli } from '../support/cli.ts'
import { applyKilledAt, type KilledApply } from './killed-apply.ts'
import { startFaultService, stateOf } from './repository.ts'

type State = Awaited<ReturnType<typeof stateOf>>

const untouched = await startFaultService()
const before = await stateOf(untouched)
await untouched.close()

/** Undoes the last run; answers with what it said and what is live then, without what it created and deleted softly. */
async function undoLast({ service, path, env }: KilledApply) {
  const undone = await cli('undo last --auto-approve', { directory: path, env })
  const state = await stateOf(service)
  const known = new Set(before.flags.map(({ key }) => key))
  const left = { ...state, flags: state.flags.filter(({ key, deleted }) => known.has(key) || !deleted) }
  return { undone, left: left as State }
}

const clean = await applyKilledAt(Number.POSITIVE_INFINITY, 'before', undoLast)

describe('a run that was killed', () => {
  it('would have finished by itself, and then is undone from its record', () => {
    expect(clean.ended).toBe('0')
    expect(clean.undone.code, clean.undone.stdout + clean.undone.stderr).toBe(0)
    expect(clean.undone.stderr).not.toContain('cut off')
    expect(clean.left).toEqual(before)
  })

  const each = Array.from({ length: clean.seen }, (_, index) => index + 1)
  it.each(each.flatMap(nth => [[nth, 'before'] as const, [nth, 'after'] as const]))(
    'at request %i, %s the service has done it, is undone as far as it got',
    async (nth, when) => {
      const { ended, undone, left } = await applyKilledAt(nth, when, undoLast)
      expect(ended).toBe('SIGKILL')
      const told = undone.stdout + undone.stderr
      expect(left, told).toEqual(before)
      // Where no request for a change had left, there is nothing to undo.
      if (undone.code === 0) expect(undone.stderr).toContain('was cut off and left no record')
      else expect(undone.stderr, told).toContain('there is no run to undo')
    },
  )
})
