import { afterEach, describe, expect, it } from 'vitest'
import { unknown } from '../../../src/hcl/values/value.ts'
import { DiagnosticError, errorDiagnostic, type Resource } from '../../../src/terraform/provider.ts'
import { block, clientOf, closeClient, note, refuse, told, type_name } from '../support/one-resource.ts'
import { unwire, wire } from '../support/values.ts'

afterEach(closeClient)

describe('a read that fails', () => {
  it.each<[string, Resource['read']]>([
    ['throws', refuse],
    ['says so', () => ({ state: null, diagnostics: [errorDiagnostic('the service is away')] })],
  ])('never makes an object gone: it %s', async (_, read) => {
    const client = await clientOf({ read })
    const answer = await client.call('ReadResource', {
      type_name,
      current_state: wire(block, note('1')),
      private: Buffer.from('kept'),
    })
    expect(unwire(block, answer.new_state)).toEqual(note('1'))
    expect(Buffer.from(answer.private).toString()).toBe('kept')
    expect(told(answer.diagnostics)).toEqual(['error: the service is away'])
  })

  it('leaves nothing open', async () => {
    const client = await clientOf({ read: () => ({ state: { id: unknown } }) })
    const { new_state, diagnostics } = await client.call('ReadResource', {
      type_name,
      current_state: wire(block, note('1')),
    })
    expect(unwire(block, new_state)).toEqual(note('1'))
    expect(told(diagnostics)).toEqual([
      'error: the provider returned a value that does not fit its schema: id: the value is unknown, which is allowed only in a plan',
    ])
  })

  it('keeps private bytes that are not ours where the resource says nothing of them', async () => {
    const client = await clientOf({})
    const current_state = wire(block, note('1'))
    const kept = Buffer.from('of another provider')
    const answer = await client.call('ReadResource', { type_name, current_state, private: kept })
    expect(Buffer.from(answer.private)).toEqual(kept)
  })
})

describe('a plan', () => {
  const plan = async (resource: Partial<Resource>) => {
    const client = await clientOf(resource)
    const config = wire(block, { title: 'a' })
    const prior_state = wire(block, null)
    return client.call('PlanResourceChange', { type_name, prior_state, proposed_new_state: config, config })
  }

  it('that Terraform would refuse is refused with the name of the attribute', async () => {
    const answer = await plan({ plan: ({ proposed }) => ({ planned: { ...proposed, title: 'b' } }) })
    expect(answer.planned_state).toBe(undefined)
    expect(answer.diagnostics).toEqual([
      {
        severity: 'error',
        summary: 'the provider planned a value that Terraform does not allow',
        detail:
          'title: planned "b", but the configuration has "a"; this is a bug in the provider, please report it',
        attribute: {
          steps: [{ attribute_name: 'title', element_key_string: undefined, element_key_int: undefined }],
        },
      },
    ])
  })

  it('that does not fit the schema is refused', async () => {
    const answer = await plan({ plan: ({ proposed }) => ({ planned: { ...proposed, titel: 'b' } }) })
    expect(told(answer.diagnostics)).toEqual([
      'error: the provider returned a value that does not fit its schema: titel: no such attribute in the schema',
    ])
  })

  it('comes with its warnings', async () => {
    const answer = await plan({
      plan: ({ proposed }) => ({
        planned: proposed,
        diagnostics: [{ severity: 'warning', summary: 'mind the step' }],
      }),
    })
    expect(unwire(block, answer.planned_state)).toEqual({ ...note('1'), id: null })
    expect(told(answer.diagnostics)).toEqual(['warning: mind the step'])
  })
})

describe('what a provider throws', () => {
  it('is an answer of every call, and never an error of the transport', async () => {
    const client = await clientOf(
      { validate: refuse, import: refuse, plan: refuse },
      { configure: refuse, validateProvider: refuse, stop: refuse },
    )
    const config = wire(block, { title: 'a' })
    const ofProvider = wire({ attributes: { url: { type: 'string', presence: 'optional' } } }, {})
    const answers = [
      client.call('ValidateProviderConfig', { config: ofProvider }),
      client.call('ConfigureProvider', { config: ofProvider }),
      client.call('ValidateResourceConfig', { type_name, config }),
      client.call('PlanResourceChange', { type_name, proposed_new_state: config, config }),
      client.call('ImportResourceState', { type_name, id: '1' }),
    ]
    for (const { diagnostics } of await Promise.all(answers)) {
      expect(told(diagnostics)).toEqual(['error: the service is away'])
    }
    expect(await client.call('StopProvider', {})).toEqual({ Error: 'the service is away' })
  })

  it('can be several diagnostics with their places', async () => {
    const client = await clientOf({
      validate: () => {
        throw new DiagnosticError(
          errorDiagnostic('no text', 'give the line one', ['lines', 1, 'text']),
          errorDiagnostic('no title', undefined, ['title']),
        )
      },
    })
    const config = wire(block, { title: 'a' })
    const { diagnostics } = await client.call('ValidateResourceConfig', { type_name, config })
    // A path that goes on past an element would not be underlined.
    expect(
      diagnostics.map(({ summary, detail, attribute }) => [
        summary,
        detail,
        attribute?.steps.map(step => step.attribute_name ?? step.element_key_string ?? step.element_key_int),
      ]),
    ).toEqual([
      ['no text', 'lines[1].text: give the line one', ['lines', 1]],
      ['no title', '', ['title']],
    ])
  })

  it.each([
    ['ReadResource', 'error: the provider has no resource "other"'],
    ['PlanResourceChange', 'error: the provider has no resource "other"'],
    ['ApplyResourceChange', 'error: the provider has no resource "other"'],
    ['ReadDataSource', 'error: the provider has no data source "other"'],
    ['ImportResourceState', 'error: the provider has no resource "other"'],
  ] as const)('%s of a type that is not there says so', async (rpc, reason) => {
    const client = await clientOf({})
    const { diagnostics } = await client.call(rpc, { type_name: 'other' })
    expect(told(diagnostics)).toEqual([reason])
  })

  it('says so where a type cannot be imported', async () => {
    const client = await clientOf({})
    const { diagnostics } = await client.call('ImportResourceState', { type_name, id: '1' })
    expect(told(diagnostics)).toEqual(['error: a "notes_note" cannot be imported'])
  })

  it('is unimplemented where the provider has no such call', async () => {
    const client = await clientOf({})
    const path = (rpc: string) => `/tfplugin6.Provider/${rpc}`
    const unimplemented = expect.objectContaining({ code: 12 })
    await expect(client.raw(path('MoveResourceState'), Buffer.alloc(0))).rejects.toEqual(unimplemented)
    await expect(client.raw(path('OpenEphemeralResource'), Buffer.alloc(0))).rejects.toEqual(unimplemented)
    await expect(client.raw(path('OpenEphemeralResource'), Buffer.alloc(0))).rejects.toEqual(unimplemented)
  })
})
