import { describe, expect, it } from 'vitest'
import { readingOf, terraformPages } from './arrangements.ts'
import { aReader } from './reader.ts'

describe('the commands of the pages, with Terraform', () => {
  it('are in some pages', () => {
    expect(terraformPages.map(({ path }) => path)).toContain('examples/terraform/README.md')
  })

  it.each(terraformPages.map(({ path }) => path))('work as they stand in %s', async path => {
    const reader = await aReader()
    try {
      const { code, output } = await reader.run(readingOf(path, ['terraform']))
      expect(code, output).toBe(0)
      expect(output).toContain('Apply complete!')
    } finally {
      await reader.leave()
    }
  })
})
