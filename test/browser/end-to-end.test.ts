import { cp, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../support/built.ts'
import { useConsumers } from '../support/consumer.ts'
import { chromiumPath } from '../support/open-page.ts'

/** The example as somebody runs it who has installed the package. */
const consumerWith = useConsumers()
const modules = (name: string) => join(packageRoot, 'node_modules', name)

it('runs the example of end-to-end tests, with vitest and with Playwright', async () => {
  const consumer = await consumerWith({
    'posthog-node': 'posthog-node-5',
    'posthog-js': 'posthog-js',
    vitest: 'vitest',
  })
  await symlink(modules('@playwright'), join(consumer.directory, 'node_modules/@playwright'))
  await cp(join(packageRoot, 'examples/end-to-end'), consumer.directory, { recursive: true })
  const vitest = await consumer.node(modules('vitest/vitest.mjs'), 'run', 'prices.test.ts')
  expect(vitest).toMatch(/Tests .*2 passed/)
  const environment = { CHROMIUM: chromiumPath(), HOME: consumer.directory, CI: 'true' }
  const playwright = await consumer.nodeWith(
    environment,
    modules('@playwright/test/cli.js'),
    'test',
    '--workers=2',
  )
  expect(playwright).toContain('2 passed')
})
