import { readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { livePage } from '../../src/report/html/live-page.ts'
import { createSandbox, type SandboxOptions, serveSandbox, type WorldFile } from '../../src/sandbox/index.ts'
import { startBrowser } from '../support/open-page.ts'
import { testRuntime } from '../support/test-runtime.ts'
import { whileItRuns } from '../support/while-it-runs.ts'
import { useWorkspace } from '../support/workspace.ts'

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser?.close())

/** Opens the page, and collects what it asks of others, complains of, or is not allowed to do. */
async function opened(url: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const trouble: string[] = []
  page.on('request', request => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) trouble.push(request.url())
  })
  page.on('console', message => trouble.push(message.text()))
  page.on('pageerror', error => trouble.push(error.message))
  await page.goto(url)
  await page.locator('details.flag').first().waitFor()
  return { page, trouble, close: () => context.close() }
}

const unfold = (page: Page) =>
  page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true')

function flagNamed(page: Page, key: string) {
  return page.locator(`details.flag[data-key="${key}"]`)
}

describe('the page of vexil dev', () => {
  const flags = (country: string) => `feature_flags:
  checkout_v2:
    name: New checkout
    active: true
    tags: [web]
    variants: { one_page: 100, two_pages: 0 }
    payloads: { one_page: { price: 9 } }
    release:
      - { properties: { country: ${country} }, rollout_percentage: 100 }
      - { properties: { plan: pro }, rollout_percentage: 0 }
  big_companies:
    active: true
    filters: { aggregation_group_type_index: 0, groups: [{ properties: [{ key: size, type: group, group_type_index: 0, operator: gt, value: "100" }] }] }
  "<b>hostile</b>": { active: false, rollout_percentage: 100, name: "<img src=x onerror=alert(1)>" }
`
  const workspace = useWorkspace({
    'vexil.yaml': 'version: 1\ngroup_types: { company: 0 }\n',
    'flags/a.yaml': flags('DE'),
  })
  const save = async (text: string) => {
    const path = join(workspace().path, 'flags/a.yaml')
    await writeFile(`${path}.new`, text)
    await rename(`${path}.new`, path)
  }
  const whilePage = (run: (url: string) => Promise<void>) =>
    whileItRuns(workspace.vexil, 'dev --port 0 --json', async ({ printed }) => run(JSON.parse(printed).page))

  it('shows what a person gets and why, and follows files and mistakes', async () => {
    await whilePage(async url => {
      const { page, trouble, close } = await opened(url)
      const checkout = flagNamed(page, 'checkout_v2')
      expect(await page.locator('#count').innerText()).toBe('3 flags')
      await page.fill('#person', 'ann')
      await page.fill('#properties', 'country=DE\nplan=pro')
      await page.fill('#groups', 'company=acme\ncompany.size=500')
      await checkout.locator('.got', { hasText: 'one_page' }).waitFor()
      await flagNamed(page, 'big_companies')
        .locator('.got', { hasText: /^gets it/ })
        .waitFor()
      await checkout.locator('summary').click()
      expect(await checkout.locator('.inner').innerText()).toMatch(
        /Because of condition 1\.[\s\S]*{"price":9}/,
      )
      expect(await checkout.locator('.conditions li').allInnerTexts()).toEqual([
        expect.stringMatching(/country is DE\s+100%\s+matched/),
        expect.stringMatching(/plan is pro\s+0%\s+not in the share/),
      ])

      await save(flags('FR'))
      await checkout.locator('.got', { hasText: 'does not get it' }).waitFor()
      await page.locator('#changes li', { hasText: 'checkout_v2' }).waitFor()
      // What was unfolded and typed stays.
      expect(await checkout.locator('.conditions li').first().innerText()).toMatch(/FR\s+100%\s+not matched/)

      await save('feature_flags: { checkout_v2: { actve: true } }\n')
      const mistake = page.locator('#mistake-list li')
      await mistake.waitFor()
      expect(await mistake.innerText()).toMatch(/^flags\/a\.yaml:1 .*"actve" is not a field/)
      expect(await page.locator('#count').innerText()).toBe('3 flags')
      await save(flags('DE'))
      await mistake.waitFor({ state: 'detached' })
      expect(await page.locator('#mistakes').isVisible()).toBe(false)

      const token = await page.locator('#token').innerText()
      await fetch(`${url}flags/?v=2`, {
        method: 'POST',
        headers: { 'user-agent': 'posthog-node/5.70.0' },
        body: JSON.stringify({ token, distinct_id: 'bob' }),
      })
      const request = page.locator('#requests li').first()
      await request.waitFor()
      expect(await request.innerText()).toMatch(/200 POST \/flags\/\s+posthog-node\/5\.70\.0 · bob$/)
      expect(await page.locator('button, #flags input').count()).toBe(0)
      expect(trouble).toEqual([])
      await close()
    })
  })

  it('is gone through and searched by keys', async () => {
    await whilePage(async url => {
      const { page, close } = await opened(url)
      const focused = () =>
        page.evaluate('document.activeElement.id || document.activeElement.closest("details")?.dataset.key')
      await page.keyboard.press('j')
      await page.keyboard.press('j')
      expect(await focused()).toBe('big_companies')
      await page.keyboard.press('k')
      expect(await focused()).toBe('checkout_v2')
      await page.keyboard.press('Enter')
      expect(await flagNamed(page, 'checkout_v2').getAttribute('open')).toBe('')
      await page.keyboard.press('/')
      await page.keyboard.type('NEW che')
      expect(await page.locator('#count').innerText()).toBe('1 of 3 flags')
      expect(await page.locator('details.flag:visible').count()).toBe(1)
      await page.keyboard.press('Escape')
      await page.keyboard.press('p')
      expect(await focused()).toBe('person')
      await close()
    })
  })

  it.each([
    { on: 'a phone, light', viewport: { width: 390, height: 844 }, colorScheme: 'light' },
    { on: 'a desktop, dark', viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
  ] as const)('is readable by everybody on $on', async ({ viewport, colorScheme }) => {
    await whilePage(async url => {
      const { page, close } = await opened(url, { viewport, colorScheme })
      await page.fill('#person', 'ann')
      await page.locator('.got').first().waitFor()
      await unfold(page)
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      await page.evaluate(await readFile(axe, 'utf8'))
      const found = await page.evaluate(
        'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))',
      )
      expect(found).toEqual([])
      await close()
    })
  })
})

describe('the page of vexil sandbox', () => {
  const runtime = testRuntime()
  async function withSandbox(
    options: Partial<SandboxOptions>,
    run: (url: string, content: () => string) => Promise<void>,
    canEdit = true,
  ) {
    const page = { ...livePage('vexil sandbox'), canEdit }
    const sandbox = await createSandbox({ runtime, page, seed: world, ...options })
    const served = await serveSandbox(sandbox)
    try {
      await run(`${served.url}/`, sandbox.content)
    } finally {
      await served.close()
      await sandbox.close()
    }
  }
  const world: WorldFile = {
    users: [{ email: 'me@example.com' }, { email: 'eve@example.com', first_name: 'Eve' }],
    organizations: [
      {
        name: 'Shop',
        projects: [
          {
            name: 'Shop',
            feature_flags: [
              { key: 'colour', active: true, filters: { groups: [{ rollout_percentage: 10 }, {}] } },
              { key: 'locked', active: true, can_edit: false },
            ],
          },
        ],
      },
    ],
  }

  it('switches a flag and sets its share as a colleague would, and shows a refusal', async () => {
    await withSandbox({}, async (url, content) => {
      const { page, trouble, close } = await opened(url)
      const colour = flagNamed(page, 'colour')
      await colour.locator('summary').click()
      await colour.locator('button').click()
      await colour.locator('.chip', { hasText: 'off' }).waitFor()
      await colour.locator('input').first().fill('35')
      await colour.locator('input').first().press('Enter')
      await page.locator('#changes li', { hasText: 'filters' }).waitFor()
      expect(await page.locator('#changes li').allInnerTexts()).toEqual([
        expect.stringMatching(/colour updated: filters\s+Eve/),
        expect.stringMatching(/colour updated: active\s+Eve/),
      ])
      expect(content()).toContain('"filters":{"groups":[{"rollout_percentage":35},{}]}')
      const locked = flagNamed(page, 'locked')
      await locked.locator('summary').click()
      await locked.locator('button').click()
      await locked.locator('output', { hasText: /permission|edit/i }).waitFor()
      expect(trouble).toEqual([expect.stringContaining('403')])
      await close()
    })
  })

  it('takes no change from another page, nor where people of other machines may ask', async () => {
    const change = async (url: string, headers: Readonly<Record<string, string>>) => {
      const body = JSON.stringify({ key: 'colour', active: false })
      return (await fetch(`${url}_sandbox/page/change`, { method: 'POST', headers, body })).status
    }
    await withSandbox({}, async url => {
      // A page may send these without asking first.
      expect(await change(url, { 'content-type': 'text/plain' })).toBe(415)
      const preflight = { method: 'OPTIONS', headers: { origin: 'http://localhost:3000' } }
      const { headers } = await fetch(`${url}_sandbox/page/change`, preflight)
      expect(headers.get('access-control-allow-origin')).toBeNull()
      expect((await fetch(url)).headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    })
    await withSandbox(
      {},
      async url => expect(await change(url, { 'content-type': 'application/json' })).toBe(404),
      false,
    )
  })

  it('has less than 100 kB', () => {
    expect(Buffer.byteLength(livePage('vexil sandbox').html)).toBeLessThan(100_000)
  })
})
