import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sandboxReference } from '../../../src/sandbox/behaviour/sandbox-page.ts'

it('the reference of the sandbox is the one that is committed', () => {
  const committed = readFileSync(join(import.meta.dirname, '../../../docs/sandbox.md'), 'utf8')
  expect(sandboxReference()).toBe(committed)
})
