import type { Block, Provider, Resource } from '../../../src/terraform/provider.ts'
import type { Message } from '../../../src/terraform/serve/messages.ts'
import type { TerraformClient } from './client.ts'
import { providerOf, type Served, served } from './served.ts'

export const block: Block = {
  attributes: {
    id: { type: 'string', presence: 'computed' },
    title: { type: 'string', presence: 'required' },
    password: { type: 'string', presence: 'optional', sensitive: true },
    lines: {
      nesting: 'list',
      presence: 'optional',
      attributes: { text: { type: 'string', presence: 'required' } },
    },
  },
}
const schema = { version: 0, block }
export const type_name = 'notes_note'
export const refuse = () => {
  throw new Error('the service is away')
}

export const note = (id: string, title = 'a') => ({ id, title, password: null, lines: null })

let open: Served | undefined

/** A client of a provider with one resource that does as the test says. */
export async function clientOf(
  resource: Partial<Resource>,
  changes: Partial<Provider> = {},
): Promise<TerraformClient> {
  open = await served(() => ({ ...providerOf({ schema, ...resource }), ...changes }))
  return open.client
}

export async function closeClient(): Promise<void> {
  await open?.close()
}

/** Diagnostics in one line each. */
export function told(diagnostics: readonly Message<'Diagnostic'>[]): string[] {
  return diagnostics.map(({ severity, summary, detail }) =>
    [severity, summary, detail].filter(Boolean).join(': '),
  )
}
