import { describe, expect, it } from 'vitest'
import { profiles } from '../../src/model/connection.ts'
import { type Quirk, type QuirkName, quirksOf, quirkTable } from '../../src/sandbox/index.ts'
import { isFull } from '../suites.ts'
import { type QuirkRow, quirkRows } from './quirk-rows.ts'
import { type Round, type RoundOptions, runRound } from './round.ts'

/** Where a quirk has the value that the profile gives it, the service is the same for all quirks, and so is the round. */
const played = new Map<string, Promise<Round>>()

function roundOf(options: RoundOptions): Promise<Round> {
  const { profile, quirks, postToChat = false } = options
  const service = JSON.stringify([profile, postToChat, quirksOf(profile, quirks)])
  const round = played.get(service) ?? runRound(options)
  played.set(service, round)
  return round
}

const rows = Object.entries<QuirkRow>(quirkRows)
const cases = rows.flatMap(([name, { rounds, ...row }]) =>
  rounds.map(([value, expected]) => ({ name, value, expected, ...row })),
)

// On one service a quirk is the same as on another, but for what both do to each other.
describe.each(isFull() ? profiles : profiles.slice(0, 1))(
  'with the %s profile, plan and apply and plan again',
  profile => {
    it.concurrent.each(cases)(
      'where $name is $value',
      async ({ name, value, expected, postToChat, ...row }) => {
        const quirks = { ...row.with, [name]: value }
        const round = await roundOf({ profile, quirks, postToChat })
        expect(round).toEqual(typeof expected === 'function' ? expected(profile) : expected)
      },
    )
  },
)

describe('the matrix', () => {
  it.each(rows)('tries %s with each value it can have', (name, { rounds }) => {
    const quirk: Quirk = quirkTable[name as QuirkName]
    const tried = rounds.map(([value]) => value)
    if (quirk.type === 'choice') expect([...tried].sort()).toEqual([...quirk.of].sort())
    else expect(new Set(tried).size).toBe(2)
  })
})
