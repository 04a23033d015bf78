import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pack } from '../package/consumer/consumer.ts'
import { readingOf, terraformPages } from './arrangements.ts'
import { aReader } from './reader.ts'

let folder: string
let tarball: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vexil-docs-'))
  tarball = await pack(folder)
})

afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the commands of the pages, with Terraform', () => {
  it('are in some pages', () => {
    expect(terraformPages.map(({ path }) => path)).toContain('examples/terraform/README.md')
  })

  it.each(terraformPages.map(({ path }) => path))('work as they stand in %s', async path => {
    const reader = await aReader(tarball)
    try {
      const { code, output } = await reader.run(readingOf(path, ['terraform']))
      expect(code, output).toBe(0)
      expect(output).toContain('Apply complete!')
    } finally {
      await reader.leave()
    }
  })
})
