import type { Address } from './listen.ts'

/** What Terraform sets for the programs it starts as plugins; nobody else knows it. */
export const cookie = {
  TF_PLUGIN_MAGIC_COOKIE: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2',
} as const

const protocolVersion = 6

export function isStartedByTerraform(env: Readonly<Record<string, string | undefined>>): boolean {
  return env.TF_PLUGIN_MAGIC_COOKIE === cookie.TF_PLUGIN_MAGIC_COOKIE
}

/** For whoever started the file by hand. */
export const startedByHand = [
  'this program is a provider for Terraform, which starts it by itself.',
  'name it in the "required_providers" of a configuration and run "terraform init" there;',
  'to look into it while it runs, start it with --debug.',
  '',
].join('\n')

export interface Handshake {
  readonly address: Address
  /** Ours, where the connection is encrypted. */
  readonly certificate: Uint8Array | undefined
  /** Whether Terraform asked if one connection may carry several. It may not. */
  readonly isMultiplexAsked: boolean
}

/** The one line by which Terraform finds the provider that it started. */
export function handshakeLine({ address, certificate, isMultiplexAsked }: Handshake): string {
  const fields = [
    '1',
    String(protocolVersion),
    address.network,
    address.at,
    'grpc',
    // Go's reader refuses padding.
    Buffer.from(certificate ?? [])
      .toString('base64')
      .replace(/=+$/, ''),
    ...(isMultiplexAsked ? ['false'] : []),
  ]
  return `${fields.join('|')}\n`
}

/** What a person exports so that Terraform and OpenTofu use a provider that runs already, under each of its addresses. */
export function reattachSetting(sources: readonly string[], address: Address, processId: number): string {
  const running = {
    Protocol: 'grpc',
    ProtocolVersion: protocolVersion,
    Pid: processId,
    // Terraform neither stops a provider under test nor ends its process.
    Test: true,
    Addr: { Network: address.network, String: address.at },
  }
  const attached = Object.fromEntries(sources.map(source => [source, running]))
  return `TF_REATTACH_PROVIDERS='${JSON.stringify(attached)}'`
}
