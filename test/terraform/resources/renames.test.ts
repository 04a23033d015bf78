import { describe, expect, it } from 'vitest'
import { startService } from '../../support/service.ts'
import { type Kept, type Player, playTerraform } from './play.ts'

type Name = 'a' | 'b'

/** What each of two flags is called, before and after; `b` is given the key that `a` has. */
interface Move {
  readonly a: string
  readonly b: string
}

const before: Move = { a: 'left', b: 'right' }
const passedOn: Move = { a: 'free', b: 'left' }
const swapped: Move = { a: 'right', b: 'left' }

/** When Terraform shows the state of the other flag: it plans what depends on nothing in any order. */
const shown = ['before all plans', 'right before its own plan', 'never, being of another state'] as const

/** What the plan of each flag says of its new key. */
async function warningsOf(
  move: Move,
  order: readonly Name[],
  when: (typeof shown)[number],
  allow: readonly string[],
): Promise<Partial<Record<Name, readonly string[]>>> {
  const service = await startService()
  const player = await playTerraform(service)
  const flag = (key: string) => ({ key, active: false, ...(allow.length > 0 ? { allow } : {}) })
  const kept: Record<Name, Kept> = {
    a: await player.apply('feature_flag', flag(before.a)),
    b: await player.apply('feature_flag', flag(before.b)),
  }
  await player.begin()
  const show = (player: Player, name: Name) =>
    player.provider.resources.vexil_feature_flag?.noteState?.(kept[name].state)
  if (when === 'before all plans') for (const name of order) show(player, name)
  const said: Partial<Record<Name, readonly string[]>> = {}
  for (const name of order) {
    if (when === 'right before its own plan') show(player, name)
    const { warnings } = await player.plan('feature_flag', flag(move[name]), kept[name])
    said[name] = warnings.map(({ summary }) => summary).filter(text => text.includes('already exists'))
  }
  await service.close()
  return said
}

const taken = (from: string, to: string) =>
  `flag "${to}" already exists; an apply can rename flag "${from}" to it only after that object has another key`

describe.each(shown)('renames, where a state is shown %s', when => {
  describe.each([[[]], [['soft_deleted']]])('with allow = %j', allow => {
    it('say nothing of a key that was given up before', async () => {
      expect(await warningsOf(passedOn, ['a', 'b'], when, allow)).toEqual({ a: [], b: [] })
    })

    it.each<readonly Name[][]>([[['b', 'a']], [['b']]])(
      'warn of a key that is not given up before: plan of %j',
      async order => {
        const said = await warningsOf(passedOn, order, when, allow)
        expect(said.b).toEqual([taken('right', 'left')])
        expect(said.a ?? []).toEqual([])
      },
    )

    it.each<readonly Name[][]>([[['a', 'b']], [['b', 'a']]])('warn of a swap: plan of %j', async order => {
      const said = await warningsOf(swapped, order, when, allow)
      const expected = { a: [taken('left', 'right')], b: [taken('right', 'left')] }
      const [first = 'a', second = 'b'] = order
      expect(said[first]).toEqual(expected[first])
      // The other one's key was given up by the plan so far.
      expect(said[second]).toEqual([])
    })
  })
})
