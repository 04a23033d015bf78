import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Secrets } from '../../../src/api/index.ts'
import type { Block } from '../../../src/terraform/provider.ts'
import { createVexilProvider } from '../../../src/terraform/vexil-provider.ts'
import { type Service, startService } from '../../support/service.ts'
import { providerOf, type Served, served } from '../support/served.ts'
import { wire } from '../support/values.ts'

const key = 'phx_Law/0+"q\\u%41-Tail9'
const type_name = 'vexil_feature_flag'
const summary = "a value contains the service's key in clear text"

let service: Service
let provider: Served
let blocks: { provider: Block; flag: Block }

beforeEach(async () => {
  service = await startService({ apiKey: key })
  await service.send('POST', '/api/projects/1/feature_flags/', {
    key: 'leaking',
    name: `it is ${key}`,
    filters: { groups: [], payloads: { true: JSON.stringify({ key }) } },
  })
  provider = await served(
    ({ runtime }) => {
      const made = createVexilProvider({ env: service.env, runtime, directory: '/' })
      const flag = made.resources[type_name]
      if (!flag) throw new Error('there are no flags')
      blocks = { provider: made.schema.block, flag: flag.schema.block }
      return made
    },
    { env: { TF_LOG: 'TRACE' } },
  )
  await provider.client.call('ConfigureProvider', { config: wire(blocks.provider, {}) })
})
afterEach(async () => {
  await provider.close()
  await service.close()
})

/** Everything of an answer, bytes included, as one text. */
function textOf(answer: unknown): string {
  return JSON.stringify(answer, (_, value) =>
    value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
  )
}

describe('a value that holds the key', () => {
  it.each([
    [
      'is not read into state',
      async () => {
        const current_state = wire(blocks.flag, { id: '1', project_id: '1', key: 'leaking', name: 'before' })
        return provider.client.call('ReadResource', { type_name, current_state })
      },
    ],
    [
      'is not planned',
      () => {
        const config = wire(blocks.flag, { key: 'new', name: `it is ${key}` })
        return provider.client.call('PlanResourceChange', { type_name, config, proposed_new_state: config })
      },
    ],
    [
      'is not read by a data source',
      () => {
        const given = createVexilProvider({ env: {}, runtime: service.sandbox as never, directory: '/' })
        const block = given.dataSources.vexil_feature_flag?.schema.block
        if (!block) throw new Error('there is no such data source')
        return provider.client.call('ReadDataSource', { type_name, config: wire(block, { key: 'leaking' }) })
      },
    ],
  ])('%s', async (_, call) => {
    const answer = (await call()) as { diagnostics?: readonly { summary: string }[]; new_state?: unknown }
    const log = provider.witness.errors.join('')
    expect(answer.diagnostics?.map(each => each.summary)).toEqual([summary])
    for (const text of [textOf(answer), log]) {
      expect(text).not.toContain('Tail9')
      expect(text.toLowerCase()).not.toContain(key.toLowerCase())
    }
  })

  it('that was applied is overwritten, and the object is kept', async () => {
    const secrets = new Secrets()
    secrets.add(key)
    const block: Block = { attributes: { said: { type: 'string', presence: 'computed' } } }
    const made = await served(() => ({
      ...providerOf({
        schema: { version: 0, block },
        apply: () => ({ state: { said: `it is ${key}` } }),
      }),
      secrets,
    }))
    try {
      const config = wire(block, { said: null })
      const answer = await made.client.call('ApplyResourceChange', {
        type_name: 'notes_note',
        config,
        planned_state: config,
      })
      const { new_state, diagnostics } = answer as {
        new_state: { msgpack: Uint8Array }
        diagnostics: readonly { summary: string }[]
      }
      expect(Buffer.from(new_state.msgpack).toString('latin1')).toContain(`it is ${'*'.repeat(key.length)}`)
      expect(diagnostics.map(each => each.summary)).toContain(summary)
    } finally {
      await made.close()
    }
  })
})
