import { describe, expect, it } from 'vitest'
import { createCallScope, handlersFor, streamHandlersFor } from '../../../src/terraform/serve/handlers.ts'
import { enums, type MessageTable, messages } from '../../../src/terraform/serve/messages.ts'
import { defineVexil } from '../../../src/terraform/vexil-provider.ts'
import { testRuntime } from '../../support/test-runtime.ts'
import { enumNames, messageNames, ownNames, publishedNames } from './published-names.ts'
import protocol from './published-protocol.json' with { type: 'json' }

// The file says so of every name; TypeScript would know only those that it holds.
const published: Readonly<Record<string, readonly string[]>> = protocol.messages
const publishedEnums: Readonly<Record<string, readonly string[]>> = protocol.enums
const methods: Readonly<Record<string, string>> = protocol.methods

/** A field as the file of facts has it: number, name, type and how often it stands there. */
function rowsOf(table: MessageTable): string[] {
  return Object.entries(table).map(([name, [number, type, label]]) =>
    [number, name, type, ...(label ? [label] : [])].join(' '),
  )
}

/** A published field with our name for its type. */
function withOwnType(row: string): string {
  const [number, name, type = '', ...label] = row.split(' ')
  return [number, name, ownNames.get(type) ?? type, ...label].join(' ')
}

/** What the published messages have and ours do not: what is skipped when it is read, and never sent. */
const leftOut: Readonly<Record<string, readonly string[]>> = {
  ApplyResourceChangeRequest: ['provider_meta'],
  Attribute: ['deprecation_message'],
  Block: ['block_types', 'computed', 'deprecation_message'],
  ConfigureProviderRequest: ['client_capabilities'],
  GetMetadataResponse: ['state_stores', 'actions'],
  GetProviderSchemaResponse: [
    'provider_meta',
    'ephemeral_resource_schemas',
    'state_store_schemas',
    'action_schemas',
  ],
  ImportResourceStateRequest: ['client_capabilities'],
  ImportResourceStateResponse: ['deferred'],
  MoveResourceStateRequest: ['source_identity', 'source_identity_schema_version'],
  Object: ['min_items', 'max_items'],
  PlanResourceChangeRequest: ['provider_meta', 'client_capabilities', 'planned_private'],
  PlanResourceChangeResponse: ['deferred'],
  ReadDataSourceRequest: ['provider_meta', 'client_capabilities'],
  ReadDataSourceResponse: ['deferred'],
  ReadResourceRequest: ['provider_meta', 'client_capabilities'],
  ReadResourceResponse: ['deferred'],
  ValidateListResourceConfigRequest: ['include_resource_object', 'limit'],
  ValidateResourceConfigRequest: ['client_capabilities'],
}

describe(`the messages on the wire, beside the published ${protocol.protocol}`, () => {
  it.each(messageNames)('have in %s the numbers, types and labels of the published fields', name => {
    for (const publishedName of publishedNames(name)) {
      const theirs = published[publishedName]?.map(withOwnType) ?? []
      expect(Object.keys(published)).toContain(publishedName)
      expect(rowsOf(messages[name]).filter(row => !theirs.includes(row))).toEqual([])
    }
  })

  it('leave out only what is known to be left out', () => {
    const missing = messageNames.map(name => {
      const own = Object.keys(messages[name])
      const theirs = publishedNames(name).flatMap(each => published[each] ?? [])
      const names = theirs.map(row => row.split(' ')[1] ?? '')
      return [name, names.filter(field => !own.includes(field))] as const
    })
    const found = Object.fromEntries(missing.filter(([, fields]) => fields.length > 0))
    expect(sortedFields(found)).toEqual(sortedFields(leftOut))
  })

  it.each(enumNames)('number the members of %s as the published enum does', name => {
    for (const publishedName of publishedNames(name))
      expect(publishedEnums[publishedName]?.map(member => member.toLowerCase())).toEqual(enums[name])
  })
})

describe('the calls that are answered', () => {
  const provider = defineVexil({ env: {}, runtime: testRuntime() })
  const names = Object.keys(handlersFor(provider, createCallScope(provider)))
  const streams = Object.keys(streamHandlersFor(provider, createCallScope(provider)))

  it('are published, each with the request and the response of its name', () => {
    const theirs = names.map(name => methods[`tfplugin6.Provider/${name}`])
    expect(theirs).toEqual(names.map(name => `${name}.Request -> ${name}.Response`))
    const streamed = streams.map(name => methods[`tfplugin6.Provider/${name}`])
    expect(streamed).toEqual(['ListResource.Request -> stream ListResource.Event'])
  })

  it('are all but those of what this provider has none of', () => {
    const others = Object.keys(methods)
      .filter(path => path.startsWith('tfplugin6.'))
      .map(path => path.slice('tfplugin6.Provider/'.length))
      .filter(name => ![...names, ...streams].includes(name))
    expect(others.sort()).toEqual([
      'CloseEphemeralResource',
      'ConfigureStateStore',
      'DeleteState',
      'GenerateResourceConfig',
      'GetStates',
      'InvokeAction',
      'LockState',
      'OpenEphemeralResource',
      'PlanAction',
      'ReadStateBytes',
      'RenewEphemeralResource',
      'UnlockState',
      'ValidateActionConfig',
      'ValidateEphemeralResourceConfig',
      'ValidateStateStoreConfig',
      'WriteStateBytes',
    ])
  })
})

function sortedFields(table: Readonly<Record<string, readonly string[]>>) {
  return Object.fromEntries(Object.entries(table).map(([name, fields]) => [name, [...fields].sort()]))
}
