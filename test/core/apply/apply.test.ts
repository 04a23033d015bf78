import { describe, expect, it } from 'vitest'
import type { Client } from '../../../src/api/index.ts'
import { apply } from '../../../src/core/apply/apply.ts'
import type { ApplyEvent } from '../../../src/core/apply/apply-event.ts'
import type { Change } from '../../../src/core/change.ts'
import type { JsonObject } from '../../../src/model/text/json.ts'
import { aFlag, declare, declaredFlag, flagRecord, planned } from '../../support/builders.ts'
import { testRuntime } from '../../support/test-runtime.ts'

const keys = ['first', 'second', 'third', 'fourth']

function turnOff(): readonly Change[] {
  return planned(
    declare(keys.map(key => declaredFlag(key, { active: false }))),
    keys.map((key, id) => aFlag({ id, key })),
  ).changes
}

interface Run {
  readonly events: readonly string[]
  readonly error: unknown
  readonly begun: readonly string[]
  readonly finished: readonly string[]
}

/** A client that knows of each write when it began and when it was over. Only what `perform` asks of a client. */
function watchedClient() {
  const [begun, finished]: [string[], string[]] = [[], []]
  const client = {
    target: { projectId: '1' },
    async call(_kind: string, endpoint: string, options: { params: { id: string }; body?: JsonObject }) {
      const id = Number(options.params.id)
      const record = { ...flagRecord({ id, key: keys[id] ?? '' }), ...options.body }
      if (endpoint !== 'update') return { status: 200, body: record }
      begun.push(keys[id] ?? '')
      // Later ones take longer, so that the first is over while the second is under way.
      for (let turn = 0; turn < 10 * (id + 1); turn++) await new Promise(resolve => setImmediate(resolve))
      finished.push(keys[id] ?? '')
      return { status: 200, body: record }
    },
  }
  return { client: client as unknown as Client, begun, finished }
}

/** Turns four flags off, two at a time, with a journal that fails from some event on. */
async function runWithJournal(isLost: (event: ApplyEvent) => boolean): Promise<Run> {
  const { client, begun, finished } = watchedClient()
  const events: string[] = []
  let isBroken = false
  let error: unknown
  try {
    const running = apply({
      changes: turnOff(),
      client,
      runtime: testRuntime(),
      parallelism: 2,
      async record(event) {
        isBroken ||= isLost(event)
        if (isBroken) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
      },
    })
    for await (const event of running) {
      const name = event.address.replace('feature_flag.', '')
      if (event.type !== 'change_start' && event.type !== 'change_attempt')
        events.push(`${name} ${event.type}${event.type === 'change_skipped' ? `: ${event.reason}` : ''}`)
    }
  } catch (caught) {
    error = caught
  }
  return { events: events.sort(), error, begun, finished }
}

const stopped = expect.objectContaining({
  message:
    'the journal cannot be written (ENOSPC): running changes were finished and no others were started; fix this, then run the same command again',
})
const skipped = (key: string) => `${key} change_skipped: the journal cannot be written`

describe('an apply whose journal fails', () => {
  it('finishes what is in flight, begins nothing more, and says so', async () => {
    const run = await runWithJournal(event => event.type === 'change_done')
    // The first flag to be over is in flight together with one other.
    const [one = '', other = ''] = run.begun
    expect(run).toEqual({
      events: [
        `${one} change_done`,
        `${other} change_done`,
        ...keys.filter(key => key !== one && key !== other).map(skipped),
      ].sort(),
      error: stopped,
      begun: [one, other],
      finished: [one, other],
    })
  })

  it('sends no request that is not on record', async () => {
    const run = await runWithJournal(event => event.type === 'change_attempt')
    expect(run).toEqual({ events: keys.map(skipped).sort(), error: stopped, begun: [], finished: [] })
  })

  it('goes on to its end while the journal holds', async () => {
    const run = await runWithJournal(() => false)
    expect(run).toMatchObject({ events: keys.map(key => `${key} change_done`).sort(), error: undefined })
    expect(run.finished).toHaveLength(4)
  })
})

/** Turns four flags off, two at a time, and leaves at the first event that is meant. */
async function leaveAt(isMeant: (event: ApplyEvent) => boolean, leave: () => 'break' | never) {
  const { client, begun, finished } = watchedClient()
  const recorded: ApplyEvent[] = []
  const record = async (event: ApplyEvent) => void recorded.push(event)
  const running = apply({ changes: turnOff(), client, runtime: testRuntime(), parallelism: 2, record })
  let error: unknown
  try {
    for await (const event of running) if (isMeant(event) && leave() === 'break') break
  } catch (caught) {
    error = caught
  }
  const seen = { begun: [...begun], finished: [...finished] }
  for (let turn = 0; turn < 100; turn++) await new Promise(resolve => setImmediate(resolve))
  expect({ begun, finished }).toEqual(seen)
  return { ...seen, recorded, error }
}

describe('an apply whose reader leaves early', () => {
  const mine = new Error('the reader has a bug')
  const throwing = () => {
    throw mine
  }
  const types: ApplyEvent['type'][] = ['change_start', 'change_attempt', 'change_done']
  describe.each(types)('at the first %s', type => {
    it.each([
      { name: 'break', leave: () => 'break' as const, error: undefined },
      { name: 'throw', leave: throwing, error: mine },
    ])('by $name: finishes what is under way, on record, and begins nothing more', async wanted => {
      const { begun, finished, recorded, error } = await leaveAt(event => event.type === type, wanted.leave)
      expect(error).toBe(wanted.error)
      expect([...finished].sort()).toEqual([...begun].sort())
      expect(begun.length).toBeLessThan(keys.length)
      const ends = recorded.filter(({ type: is }) => is === 'change_done' || is === 'change_skipped')
      expect(ends.map(({ address }) => address).sort()).toEqual(keys.map(key => `feature_flag.${key}`).sort())
      expect(ends.filter(({ type: is }) => is === 'change_done')).toHaveLength(begun.length)
    })
  })

  it('says so where that cannot be put on record any more', async () => {
    const { client } = watchedClient()
    const running = apply({
      changes: turnOff(),
      client,
      runtime: testRuntime(),
      parallelism: 2,
      async record({ type }) {
        if (type === 'change_done') throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
      },
    })
    const leaving = async () => {
      for await (const _ of running) break
    }
    await expect(leaving()).rejects.toEqual(stopped)
  })
})
