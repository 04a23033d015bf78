import { tmpdir } from 'node:os'
import type { Provider, Resource } from '../../../src/terraform/provider.ts'
import { type DefineProvider, type ProviderHost, startProvider } from '../../../src/terraform/serve/serve.ts'
import { testRuntime } from '../../support/test-runtime.ts'
import { connectTerraform, type TerraformClient } from './client.ts'

/** What became of a process that does not exist. */
export interface Witness {
  readonly out: string[]
  readonly errors: string[]
  readonly exits: number[]
  readonly signals: Map<string, () => void>
  divert: (bytes: Uint8Array) => void
  /** What the process would do last. */
  atExit: () => void
}

export function aHost(changes: Partial<ProviderHost> = {}): { host: ProviderHost; witness: Witness } {
  const witness: Witness = {
    out: [],
    errors: [],
    exits: [],
    signals: new Map(),
    divert: () => undefined,
    atExit: () => undefined,
  }
  const host: ProviderHost = {
    env: {},
    platform: 'linux',
    temporaryDirectory: tmpdir(),
    runtime: testRuntime(),
    writeOut: text => void witness.out.push(text),
    writeError: text => void witness.errors.push(text),
    divertStdout: listener => {
      witness.divert = listener
    },
    parentId: () => 7,
    isRunning: () => true,
    onExit: listener => {
      witness.atExit = listener
    },
    onSignal: (signal, listener) => void witness.signals.set(signal, listener),
    exit: code => void witness.exits.push(code),
    ...changes,
  }
  return { host, witness }
}

export interface Served {
  readonly client: TerraformClient
  readonly witness: Witness
  close(): Promise<void>
}

/** A provider that is served in this process, and a client that is connected to it. */
export async function served(define: DefineProvider, changes: Partial<ProviderHost> = {}): Promise<Served> {
  const { host, witness } = aHost(changes)
  const started = await startProvider(define, host, () => undefined)
  const { network, at } = started.address
  const client = connectTerraform(network === 'unix' ? `unix:${at}` : at)
  return {
    client,
    witness,
    async close() {
      client.close()
      await started.close()
    },
  }
}

/** A provider with one resource, `notes_note`, that does as the test says and nothing else. */
export function providerOf(resource: Partial<Resource> & Pick<Resource, 'schema'>): Provider {
  return {
    schema: { version: 0, block: { attributes: { url: { type: 'string', presence: 'optional' } } } },
    resources: {
      notes_note: {
        read: ({ state }) => ({ state }),
        plan: ({ proposed }) => ({ planned: proposed }),
        apply: ({ planned }) => ({ state: planned }),
        ...resource,
      },
    },
    dataSources: {},
    functions: {},
    configure: () => [],
  }
}
