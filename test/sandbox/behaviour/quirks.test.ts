import { describe, expect, it } from 'vitest'
import { type Quirk, type QuirkName, quirksOf, quirkTable } from '../../../src/sandbox/index.ts'
import { flags, openDoor } from '../door.ts'
import { type QuirkCase, type QuirkCases, seed, statusOf } from '../quirk-case.ts'
import { answerQuirks } from '../quirk-cases-answers.ts'
import { evaluationQuirks } from '../quirk-cases-evaluation.ts'
import { flagQuirks } from '../quirk-cases-flags.ts'
import { laterFlagQuirks } from '../quirk-cases-later-flags.ts'
import { otherQuirks } from '../quirk-cases-others.ts'
import { policyQuirks } from '../quirk-cases-policies.ts'

/** A quirk that is tried nowhere does not compile. */
const cases: QuirkCases = {
  ...answerQuirks,
  ...flagQuirks,
  ...evaluationQuirks,
  ...laterFlagQuirks,
  ...policyQuirks,
  ...otherQuirks,
}

const rows = Object.entries<QuirkCase>(cases).flatMap(([name, { seen, ...tried }]) =>
  seen.map(([value, expected]) => ({ name, value, expected, ...tried })),
)

describe('a quirk', () => {
  it.each(rows)('$name = $value is seen', async row => {
    const { scopes } = row
    const door = await openDoor({
      seed: row.seed ?? seed,
      quirks: { ...row.with, [row.name]: row.value },
      ...(scopes ? { scopes } : {}),
    })
    expect(await row.probe(door)).toEqual(row.expected)
  })

  it.each(Object.entries<Quirk>(quirkTable))('%s is tried with each value it can have', (name, quirk) => {
    const tried = cases[name as QuirkName].seen.map(([value]) => value)
    if (quirk.type === 'choice') expect([...tried].sort()).toEqual([...quirk.of].sort())
    else expect(new Set(tried).size).toBe(2)
  })

  it('throttle lets requests through again when the window is over', async () => {
    const door = await openDoor({
      quirks: { throttle: 2, throttle_seconds: 10 },
      faults: [{ match: { nth: 4 }, effect: { type: 'slow', ms: 10_000 } }],
    })
    const statuses = []
    for (let count = 0; count < 6; count++) statuses.push(await statusOf(door.get(flags)))
    expect(statuses).toEqual([200, 200, 429, 200, 200, 429])
  })
})

describe('the profiles', () => {
  it('take single quirks over their own', () => {
    expect(quirksOf('posthog', { shapes: 'documented' })).toMatchObject({
      shapes: 'documented',
      roles_route: true,
    })
  })
})
