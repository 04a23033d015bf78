/** A block of Terraform's language: its labels, and which blocks may stand in it. */
export interface BlockType {
  readonly labels: number | 'any'
  readonly example?: string
  /** `any` where nobody reads it, or another one refuses it by name. */
  readonly blocks: 'any' | { readonly [type: string]: BlockType }
  /** Attributes that are no expressions. */
  readonly raw?: { readonly [attribute: string]: RawAttribute }
}

/** A value without references, a type, an address without quotes, or addresses that may be in quotes too. */
export type RawAttribute = 'constant' | 'type' | 'address' | 'reference'

/** Whatever stands in it. */
export const any: BlockType = { labels: 'any', blocks: 'any' }
const plain: BlockType = { labels: 0, blocks: {} }
const check = { precondition: plain, postcondition: plain }
const lifecycle: BlockType = {
  labels: 0,
  blocks: check,
  raw: { ignore_changes: 'reference', replace_triggered_by: 'reference' },
}
const depends = { depends_on: 'reference' } as const
const moved = { from: 'address', to: 'address' } as const
const ofResource = { ...depends, provider: 'reference' } as const
const resource = { lifecycle, provisioner: any, connection: any, dynamic: any }

/** What may stand at the top of a file. */
export const topLevel: { readonly [type: string]: BlockType } = {
  terraform: { labels: 0, blocks: 'any' },
  provider: { labels: 1, example: 'provider "vexil" { ... }', blocks: {} },
  variable: {
    labels: 1,
    example: 'variable "name" { ... }',
    blocks: { validation: plain },
    raw: { default: 'constant', type: 'type' },
  },
  locals: { labels: 0, blocks: {} },
  data: { labels: 2, example: 'data "type" "name" { ... }', blocks: resource, raw: ofResource },
  resource: { labels: 2, example: 'resource "type" "name" { ... }', blocks: resource, raw: ofResource },
  output: { labels: 1, example: 'output "name" { ... }', blocks: { precondition: plain }, raw: depends },
  module: {
    labels: 1,
    example: 'module "name" { ... }',
    blocks: {},
    raw: { ...depends, providers: 'reference' },
  },
  check: { labels: 1, example: 'check "name" { ... }', blocks: { assert: plain, data: any } },
  import: { ...plain, raw: { to: 'address', provider: 'reference' } },
  moved: { ...plain, raw: moved },
  removed: { labels: 0, blocks: { lifecycle: plain, provisioner: any, connection: any }, raw: moved },
  ephemeral: { labels: 2, blocks: 'any' },
}
