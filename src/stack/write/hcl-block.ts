import { attributeLines, quoted } from './hcl-value.ts'
import type { WrittenMembers } from './written-value.ts'

/** A block of Terraform's language. */
export interface HclBlock {
  readonly type: string
  readonly labels?: readonly string[]
  readonly attributes?: WrittenMembers
  readonly blocks?: readonly HclBlock[]
}

/** Blocks as a file has them, formatted as `terraform fmt` does. */
export function hclFile(blocks: readonly HclBlock[]): string {
  return blocks.map(block => blockText(block, '')).join('\n')
}

function blockText({ type, labels = [], attributes = {}, blocks = [] }: HclBlock, indent: string): string {
  const inside = `${indent}  `
  const parts = [attributeLines(attributes, inside), ...blocks.map(block => blockText(block, inside))].filter(
    text => text !== '',
  )
  const head = [type, ...labels.map(quoted)].join(' ')
  return `${indent}${head} {\n${parts.join('\n')}${indent}}\n`
}
