import { describe, expect, it } from 'vitest'
import { cli } from '../support/cli.ts'
import { applyKilledAt, type KilledApply } from './killed-apply.ts'
import { stateOf } from './repository.ts'

/** The same command again, twice. */
async function applyAgain({ service, path }: KilledApply) {
  const apply = () => cli('apply --auto-approve', { directory: path, env: service.env })
  const second = await apply()
  const third = await service.watch(apply)
  return { second, third, state: await stateOf(service) }
}

const clean = await applyKilledAt(Number.POSITIVE_INFINITY, 'before', applyAgain)

describe('a process that is killed', () => {
  it('would have finished by itself', () => {
    expect(clean).toMatchObject({ ended: '0', second: { code: 0 } })
  })

  const each = Array.from({ length: clean.seen }, (_, index) => index + 1)
  it.each(each.flatMap(nth => [[nth, 'before'] as const, [nth, 'after'] as const]))(
    'at request %i, %s the service has done it, leaves nothing that the next run does not finish',
    async (nth, when) => {
      const { ended, second, third, state } = await applyKilledAt(nth, when, applyAgain)
      expect(ended).toBe('SIGKILL')
      expect(second.code, second.stdout + second.stderr).toBe(0)
      expect(third.requests.filter(line => !line.startsWith('GET '))).toEqual([])
      expect(state).toEqual(clean.state)
    },
  )
})
