import { describe, expect, it } from 'vitest'
import { isOlderThan } from '../acceptance/support/binary.ts'
import { variants } from '../support/rounds.ts'
import { readingOf, terraformPages } from './arrangements.ts'
import { aReader } from './reader.ts'

const examplePage = 'examples/terraform/README.md'

describe('the commands of the pages, with Terraform', () => {
  it('are in some pages', () => {
    expect(terraformPages.map(({ path }) => path)).toContain(examplePage)
  })

  // What the example asks for, in its own words.
  const usable = terraformPages.filter(({ path }) => !(path === examplePage && isOlderThan('1.8')))

  const inOrder = usable.map(({ path }) => path).sort(path => (path === examplePage ? -1 : 1))
  it.each(variants(inOrder))('work in %s', async path => {
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
