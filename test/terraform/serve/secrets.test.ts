import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Block } from '../../../src/terraform/provider.ts'
import { createVexilProvider } from '../../../src/terraform/vexil-provider.ts'
import { type Served, served } from '../support/served.ts'
import { wire } from '../support/values.ts'

/** Nothing in its form tells that it is a key. */
const key = 'correct horse/battery+staple=9'.replaceAll(' ', '-')
const forms = [key, encodeURIComponent(key), Buffer.from(key).toString('base64').slice(0, 24)]
const env = { TF_LOG: 'TRACE' }

let service: Server
let requests: string[]
let provider: Served
let blocks: { provider: Block; flag: Block }

beforeEach(async () => {
  // A service that tells everybody how it was asked, in a refusal and in what is no answer at all.
  requests = []
  service = createServer((request, response) => {
    requests.push(`${request.method} ${request.url?.replace(/\/?(\?.*)?$/, '')}`)
    const isRead = request.method === 'GET'
    response.writeHead(isRead ? 500 : 400, { 'content-type': isRead ? 'text/html' : 'application/json' })
    const said = JSON.stringify(request.headers)
    response.end(isRead ? `<b>${said}</b>` : JSON.stringify({ type: 'invalid', code: said, detail: said }))
  })
  service.listen(0, '127.0.0.1')
  await once(service, 'listening')
  provider = await served(
    ({ runtime, onRequest }) => {
      const made = createVexilProvider({ env: {}, runtime, onRequest, directory: '/' })
      const flag = made.resources.vexil_feature_flag
      if (!flag) throw new Error('there are no flags')
      blocks = { provider: made.schema.block, flag: flag.schema.block }
      return made
    },
    { env },
  )
})
afterEach(async () => {
  await provider.close()
  service.closeAllConnections()
  service.close()
})

async function configure(settings: Readonly<Record<string, string>>): Promise<unknown> {
  const { port } = service.address() as AddressInfo
  const config = { base_url: `http://127.0.0.1:${port}`, api_key: key, project_id: '1', ...settings }
  return provider.client.call('ConfigureProvider', { config: wire(blocks.provider, config) })
}

/** Everything that a run of Terraform's asks of one flag. */
async function runOnce(): Promise<readonly unknown[]> {
  const type_name = 'vexil_feature_flag'
  const config = wire(blocks.flag, { key: 'checkout', active: false })
  const state = wire(blocks.flag, { id: '1', project_id: '1', key: 'checkout', active: true })
  const { client } = provider
  return [
    await client.call('ImportResourceState', { type_name, id: 'checkout' }),
    await client.call('ReadResource', { type_name, current_state: state }),
    await client.call('ApplyResourceChange', { type_name, planned_state: config, config }),
    await client.call('ApplyResourceChange', { type_name, prior_state: state, planned_state: state, config }),
    await client.call('ReadDataSource', { type_name: 'no_such_source', config }),
  ]
}

describe('the key', () => {
  it.each<[string, Record<string, string>, string]>([
    ['a service that echoes it', {}, 'failed with 500'],
    [
      'an address that holds it',
      { base_url: `https://me:${encodeURIComponent(key)}@example.com` },
      'password',
    ],
    [
      'a key that no header can hold',
      { api_key: `${key}\u0000` },
      'characters that are not allowed in a key',
    ],
    ['plain http to somebody else', { base_url: 'http://example.com' }, 'plain http'],
  ])('is in no answer and no line of the log: %s', async (_, settings, said) => {
    const answers = JSON.stringify([await configure(settings), ...(await runOnce())])
    const log = provider.witness.errors.join('')
    expect(answers).toContain(said)
    expect(log).toContain('"rpc":"ReadResource"')
    for (const form of forms) {
      expect(answers).not.toContain(form)
      expect(log).not.toContain(form)
    }
  })
})

describe('a request', () => {
  it('is one line of the log at the level debug, with the names of its parameters alone', async () => {
    await configure({})
    await runOnce()
    const lines = provider.witness.errors.map(line => JSON.parse(line))
    const told = lines.filter(line => 'method' in line)
    expect(told.length).toBeGreaterThan(2)
    expect(told.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([...requests].sort())
    expect(new Set(told.map(line => line['@level']))).toEqual(new Set(['debug']))
    expect(told.filter(line => line['@message'].includes('='))).toEqual([])
  })
})
