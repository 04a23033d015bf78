import { describe, expect, it } from 'vitest'
import { decodeValue, encodeValue } from '../../../src/hcl/msgpack.ts'
import { attributeType, type Type } from '../../../src/hcl/values/type.ts'
import { typeOfBlock } from '../../../src/terraform/provider.ts'
import { compiled, decodeMessage, encodeMessage } from '../../../src/terraform/serve/codec.ts'
import type { MessageName, RpcName } from '../../../src/terraform/serve/messages.ts'
import { defineVexil } from '../../../src/terraform/vexil-provider.ts'
import { terraform } from '../../acceptance/support/binary.ts'
import { testRuntime } from '../../support/test-runtime.ts'
import { withoutLeftOut } from './pieces.ts'
import { publishedNames } from './published-names.ts'
import recorded from './recorded-requests.json' with { type: 'json' }
import { type Request, recordRequests } from './tap.ts'

const requests: readonly Request[] = recorded.requests.map(line => {
  const [rpc, hex = ''] = line.split(' ')
  return { rpc: rpc as RpcName, bytes: Buffer.from(hex, 'hex') }
})

const ownFields = (name: string) => new Set(compiled.get(name)?.byNumber.keys())

// 12.5 is a float there and a text here: most fractions are no float exactly, and Terraform reads both.
const [float, text] = ['cb4029000000000000', 'a431322e35']

/** What a request is before and after the codec; what ours leaves out is left out of both. */
function roundTrip({ rpc, bytes }: Request) {
  const name: MessageName = `${rpc}Request`
  const [published = name] = publishedNames(name)
  const sent = withoutLeftOut(published, bytes, ownFields)
  const again = encodeMessage(name, decodeMessage(name, bytes))
  return { sent: sent.bytes.toString('hex'), again: again.toString('hex'), leftOut: sent.leftOut }
}

describe(`what Terraform ${recorded.terraform} sent`, () => {
  it('is every call of a life of a few objects', () => {
    expect([...new Set(requests.map(({ rpc }) => rpc))]).toEqual([
      'ApplyResourceChange',
      'CallFunction',
      'ConfigureProvider',
      'GetProviderSchema',
      'ImportResourceState',
      'PlanResourceChange',
      'ReadDataSource',
      'ReadResource',
      'UpgradeResourceState',
      'ValidateDataResourceConfig',
      'ValidateProviderConfig',
      'ValidateResourceConfig',
    ])
  })

  it.each(requests.map(request => [request.rpc, request] as const))(
    'is the same bytes again once it was read and written: %s',
    (_, request) => {
      const { sent, again } = roundTrip(request)
      expect(again).toBe(sent)
    },
  )

  it('has of what is left out only what the client can do', () => {
    const leftOut = requests.flatMap(request => roundTrip(request).leftOut)
    expect(leftOut.length).toBeGreaterThan(5)
    expect(leftOut.filter(field => !field.endsWith('.client_capabilities'))).toEqual([])
  })

  it('holds values that are the same bytes again once they were read and written', () => {
    const values = requests.flatMap(valuesIn)
    expect(values.length).toBeGreaterThan(20)
    for (const { type, bytes } of values) {
      const again = Buffer.from(encodeValue(type, decodeValue(type, bytes))).toString('hex')
      expect(again).toBe(Buffer.from(bytes).toString('hex').replaceAll(float, text))
    }
  })
})

describe.skipIf(!terraform)('what the real Terraform sends', () => {
  it('is read and written again without a loss', { timeout: 60_000 }, async () => {
    const live = await recordRequests()
    const calls = (all: readonly Request[]) => [...new Set(all.map(({ rpc }) => rpc))].sort()
    expect(calls(live)).toEqual(calls(requests))
    for (const request of live) {
      const { sent, again } = roundTrip(request)
      expect(again).toBe(sent)
    }
  })
})

/** The values of a request, with their types. */
function valuesIn({ rpc, bytes }: Request) {
  const { resources, dataSources, schema } = provider
  const message: Readonly<Record<string, unknown>> = decodeMessage(`${rpc}Request`, bytes)
  const name = String(message.type_name)
  const block =
    rpc === 'ConfigureProvider' || rpc === 'ValidateProviderConfig'
      ? schema.block
      : (/Data/.test(rpc) ? dataSources[name]?.schema : resources[name]?.schema)?.block
  if (!block) return []
  return Object.values(message).flatMap(member => {
    if (typeof member !== 'object' || member === null || !('msgpack' in member)) return []
    return member.msgpack instanceof Uint8Array
      ? [{ type: inOrder(typeOfBlock(block)), bytes: member.msgpack }]
      : []
  })
}

/** A type whose attributes stand in the order in which Terraform writes them. */
function inOrder(type: Type): Type {
  if (typeof type === 'string' || type[0] === 'tuple') return type
  if (type[0] !== 'object') return [type[0], inOrder(type[1])]
  const names = Object.keys(type[1]).sort()
  return ['object', Object.fromEntries(names.map(name => [name, inOrder(attributeType(type, name))]))]
}

const provider = defineVexil({ env: {}, runtime: testRuntime() })
