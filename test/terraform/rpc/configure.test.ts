import { afterEach, describe, expect, it } from 'vitest'
import { type ObjectValue, unknown } from '../../../src/hcl/values/value.ts'
import { block, clientOf, closeClient, note, told, type_name } from '../support/one-resource.ts'
import { wire } from '../support/values.ts'

afterEach(closeClient)

describe('a configuration', () => {
  it('of the provider may be unknown', async () => {
    const seen: ObjectValue[] = []
    const client = await clientOf(
      {},
      {
        configure: config => {
          seen.push(config)
          return []
        },
      },
    )
    const config = wire({ attributes: { url: { type: 'string', presence: 'optional' } } }, { url: unknown })
    expect(await client.call('ConfigureProvider', { config })).toEqual({ diagnostics: [] })
    expect(seen).toEqual([{ url: unknown }])
  })
})

describe('a stop', () => {
  it('aborts the calls under way and to come, until the next run is configured', async () => {
    const seen: boolean[] = []
    let begin: () => void
    const begun = new Promise<void>(resolve => {
      begin = resolve
    })
    const client = await clientOf({
      apply: ({ planned }, { signal }) => {
        begin()
        return new Promise((resolve, reject) => {
          if (planned?.title === 'quick') return resolve({ state: planned })
          signal.addEventListener('abort', () => reject(signal.reason))
        })
      },
      read: ({ state }, { signal }) => {
        seen.push(signal.aborted)
        return { state }
      },
    })
    const config = wire(block, { title: 'slow' })
    const slow = client.call('ApplyResourceChange', { type_name, planned_state: config, config })
    await begun
    const read = () => client.call('ReadResource', { type_name, current_state: wire(block, note('1')) })
    await read()
    expect(await client.call('StopProvider', {})).toEqual({ Error: '' })
    expect(told((await slow).diagnostics)).toEqual(["error: stopped at Terraform's request"])
    await read()
    await client.call('ConfigureProvider', {
      config: wire({ attributes: { url: { type: 'string', presence: 'optional' } } }, {}),
    })
    await read()
    expect(seen).toEqual([false, true, false])
  })

  it('may find any number of calls under way, without a word on stderr', async () => {
    const warnings: string[] = []
    const note = ({ name, message }: Error) => void warnings.push(`${name}: ${message}`)
    process.on('warning', note)
    let begun = 0
    const client = await clientOf({
      read: ({ state }, { signal }) => {
        begun += 1
        return new Promise(resolve => signal.addEventListener('abort', () => resolve({ state })))
      },
    })
    const reads = Array.from({ length: 50 }, () =>
      client.call('ReadResource', { type_name, current_state: wire(block, { id: '1', title: 'a' }) }),
    )
    while (begun < reads.length) await new Promise(resolve => setImmediate(resolve))
    await client.call('StopProvider', {})
    await Promise.all(reads)
    process.off('warning', note)
    expect(warnings).toEqual([])
  })
})
