import fc from 'fast-check'
import { expect, it } from 'vitest'
import { agingWorld, flagsAt } from '../scenario/stale/aging-world.ts'
import { rounds } from '../support/rounds.ts'

/** Ways to declare a flag, with what everybody gets by it; undefined where people may get different values. */
const ways = {
  all: ['active: true, filters: { groups: [{ rollout_percentage: 100 }] }', true],
  allInOtherWords: ['filters: { groups: [{}] }, active: true, name: Nav', true],
  some: ['active: true, filters: { groups: [{ rollout_percentage: 20 }] }', undefined],
  none: ['active: true, filters: { groups: [{ rollout_percentage: 0 }] }', false],
  off: ['active: false, filters: { groups: [{ rollout_percentage: 100 }] }', false],
  absent: ['ensure: absent', 'gone'],
} as const
type Value = (typeof ways)[keyof typeof ways][1]

const step = fc.record({
  way: fc.constantFrom(...(Object.keys(ways) as (keyof typeof ways)[])),
  days: fc.integer({ min: 0, max: 20 }),
  applies: fc.boolean(),
})
const history = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 4 }),
  wait: fc.integer({ min: 0, max: 40 }),
  days: fc.integer({ min: 1, max: 30 }),
  /** Whether any step is applied at all. */
  isApplied: fc.boolean(),
})

/** Of each outcome one, whatever else is generated. */
const examples: [typeof history extends fc.Arbitrary<infer History> ? History : never][] = [
  [{ steps: [{ way: 'all', days: 0, applies: true }], wait: 30, days: 30, isApplied: true }],
  [
    {
      steps: [
        { way: 'all', days: 0, applies: true },
        { way: 'absent', days: 9, applies: true },
      ],
      ...{ wait: 20, days: 20, isApplied: true },
    },
  ],
  [
    {
      steps: [
        { way: 'none', days: 3, applies: false },
        { way: 'off', days: 9, applies: false },
      ],
      ...{ wait: 20, days: 29, isApplied: false },
    },
  ],
  [
    {
      steps: [
        { way: 'some', days: 0, applies: true },
        { way: 'all', days: 1, applies: false },
      ],
      ...{ wait: 30, days: 30, isApplied: true },
    },
  ],
]

/** What something has been, and from which day on. */
interface Stretch {
  readonly value: Value
  readonly since: number
}

function next(before: Stretch | undefined, value: Value, day: number): Stretch {
  return before && before.value === value ? before : { value, since: day }
}

const reasons = new Map<Value, string>([
  [true, 'everyone'],
  [false, 'nobody'],
  ['gone', 'gone'],
])

it('no flag is told that has not been as it is for so long, and each that has', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(history, async ({ steps, wait, days, isApplied }) => {
      const { on, commit, deliver, stale } = await agingWorld({})
      let day = 0
      let [declared, live]: readonly (Stretch | undefined)[] = []
      for (const { way, days: later, applies } of steps) {
        const [words, value] = ways[way]
        day += later
        on(day)
        const files = flagsAt({ nav: words })
        declared = next(declared, value, day)
        if (isApplied && applies) {
          await deliver(files, '--allow rollout_step')
          live = next(live, value, day)
        } else await commit(files)
      }
      day += wait
      on(day + 0.5)
      const { code, told } = await stale(`--days ${days}`)
      const reason = declared && reasons.get(declared.value)
      const since = Math.max(declared?.since ?? 0, live?.since ?? 0)
      const isSo = live ? live.value === declared?.value : declared?.value !== 'gone'
      const isOld = reason !== undefined && isSo && day - since >= days
      const line = expect.stringMatching(new RegExp(`^nav ${reason} ${day - since} (commit|run)$`))
      expect({ code, told }).toEqual(isOld ? { code: 6, told: [line] } : { code: 0, told: [] })
      seen.add(isOld ? `${reason} ${live ? 'applied' : 'committed'}` : 'not told')
    }),
    { numRuns: rounds(20), examples },
  )
  expect([...seen].sort()).toEqual(
    expect.arrayContaining(['everyone applied', 'gone applied', 'nobody committed', 'not told']),
  )
})
