import { describe, expect, it } from 'vitest'
import type { Client } from '../../../src/api/index.ts'
import { longEnough, StartedLists } from '../../../src/core/read/read-record.ts'
import type { Json, JsonObject } from '../../../src/model/json/json.ts'
import { flagRecord } from '../../support/builders.ts'

/** A service of one flag that remembers which lists were asked for. */
function clientOf() {
  const asked: string[] = []
  const list = (kind: string) => ({
    inventory: { seen: 1, count: 1, stable: true, complete: true },
    async *pages(): AsyncGenerator<readonly JsonObject[]> {
      asked.push(kind)
      yield [flagRecord({ id: 7, key: 'checkout' })]
    },
  })
  // Only what reading a list asks of a client.
  return { client: { list } as unknown as Client, asked }
}

function started(...values: readonly Json[]) {
  const { client, asked } = clientOf()
  const lists = new StartedLists(client)
  for (const value of values) lists.sawFile({ value, text: 'x'.repeat(longEnough) })
  return { lists, asked }
}

describe('lists that are asked for while files are read', () => {
  it('are those of the kinds that are declared, each once', async () => {
    const flags = { feature_flags: { a: { name: 'One' } } }
    const { lists, asked } = started(flags, flags, { event_definitions: { paid: {} } })
    const list = await lists.of('feature_flag')
    expect(list?.rows.map(({ identity, id }) => ({ identity, id }))).toEqual([
      { identity: 'checkout', id: '7' },
    ])
    expect(list?.inventory).toEqual({ seen: 1, count: 1, complete: true })
    await lists.of('event_definition')
    expect(asked).toEqual(['feature_flag', 'event_definition'])
    expect(lists.of('plugin')).toBeUndefined()
  })

  it.each<[string, Json]>([
    ['is no map', 'feature_flags'],
    ['has sections without objects', { feature_flags: {}, plugins: null }],
    ['limits each object', { feature_flags: { a: { only: ['one'] }, b: { environments: {} } } }],
    ['has grants alone', { role_access: [{ flag: 'a', role: 'b' }] }],
  ])('are none where a file %s', (_, value) => {
    expect(started(value).asked).toEqual([])
  })

  it('are none before much has been read', () => {
    const { client, asked } = clientOf()
    const lists = new StartedLists(client)
    lists.sawFile({ value: { feature_flags: { a: {} } }, text: 'short' })
    expect(asked).toEqual([])
    lists.sawFile({ value: {}, text: 'x'.repeat(longEnough) })
    expect(asked).toEqual(['feature_flag'])
  })
})
