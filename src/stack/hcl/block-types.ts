/** A block of Terraform's language: its labels, and which blocks may stand in it. */
export interface BlockType {
  readonly labels: number | 'any'
  readonly example?: string
  /** `any` where nobody reads it, or another one refuses it by name. */
  readonly blocks: 'any' | { readonly [type: string]: BlockType }
  /** Attributes that are no expressions: a constant, or a type. */
  readonly raw?: { readonly [attribute: string]: 'constant' | 'type' }
}

/** Whatever stands in it. */
export const any: BlockType = { labels: 'any', blocks: 'any' }
const plain: BlockType = { labels: 0, blocks: {} }
const check = { precondition: plain, postcondition: plain }
const lifecycle: BlockType = { labels: 0, blocks: check }
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
  data: { labels: 2, example: 'data "type" "name" { ... }', blocks: resource },
  resource: { labels: 2, example: 'resource "type" "name" { ... }', blocks: resource },
  output: { labels: 1, example: 'output "name" { ... }', blocks: { precondition: plain } },
  module: { labels: 1, example: 'module "name" { ... }', blocks: {} },
  check: { labels: 1, example: 'check "name" { ... }', blocks: { assert: plain, data: any } },
  import: plain,
  moved: plain,
  removed: { labels: 0, blocks: { lifecycle: plain, provisioner: any, connection: any } },
  ephemeral: { labels: 2, blocks: 'any' },
}
