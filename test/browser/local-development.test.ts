import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { blocksOf, fileOf } from '../docs/blocks.ts'
import { pages } from '../docs/pages.ts'
import { startBrowser } from '../support/open-page.ts'
import { whileItRuns } from '../support/while-it-runs.ts'
import { useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace({})

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser?.close())

it('leads from an empty folder to a page that follows a saved file, in three commands', async () => {
  const blocks = pages.filter(({ path }) => path === 'docs/local-development.md').flatMap(blocksOf)
  const shell = blocks.find(({ language }) => language === 'sh')
  const yaml = blocks.find(({ language }) => language === 'yaml')
  const commands = (shell?.code ?? '')
    .trimEnd()
    .split('\n')
    .map(line => line.replace(/ +#.*/, ''))
  const [init, dev, open] = commands
  expect(commands).toEqual(['vexil init shop && cd shop', 'vexil dev', 'open http://127.0.0.1:8100/'])

  const run = (line = '', more = '') => `${line.replace(/^vexil /, '').replace(/ && cd .*/, '')}${more}`
  await workspace.vexil(run(init))
  // Another test may have the port.
  await whileItRuns(workspace.vexil, run(dev, ' -C shop --port 0 --json'), async ({ printed }) => {
    const { page: address, base_url } = JSON.parse(printed)
    expect(address).toBe(`${base_url}/`)
    expect(open).toMatch(/127\.0\.0\.1:8100\/$/)
    const page = await browser.newPage()
    await page.goto(address)
    await page.locator('details.flag[data-key=example_flag]').waitFor()
    await workspace().write({ [`shop/${yaml && fileOf(yaml)}`]: yaml?.code ?? '' })
    const saved = page.locator('details.flag[data-key=checkout_v2]')
    await saved.waitFor()
    expect(await saved.innerText()).toContain('country is DE at 25%')
  })
})
