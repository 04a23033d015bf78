import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import { vexilFromSource } from './plan-picture.ts'

/**
 * Draws the pictures of pages in docs with the Chromium at the given path: the first screen of a report for
 * `examples/gitops`, one change, and the page of `vexil dev`. Fonts differ by machine, so no test compares the pictures.
 */
const root = join(import.meta.dirname, '../..')
const [, , executablePath = '/usr/bin/chromium'] = process.argv

const folder = await mkdtemp(join(tmpdir(), 'vexil-pictures-'))
try {
  await cp(join(root, 'examples/gitops'), folder, { recursive: true })
  const words = 'plan --env production --sandbox --report plan.html'.split(' ')
  const argv = [...vexilFromSource, ...words]
  await promisify(execFile)(process.execPath, argv, { cwd: folder, env: { PATH: process.env.PATH } })
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  const url = pathToFileURL(join(folder, 'plan.html')).href
  await draw(browser, url, 'report-desktop.png', { width: 1120, height: 900, colorScheme: 'light' })
  await draw(browser, url, 'report-phone.png', { width: 390, height: 820, colorScheme: 'dark' })
  await drawChange(browser, url, 'report-change.png')
  await drawDevPage(browser, folder)
  await browser.close()
} finally {
  await rm(folder, { recursive: true, force: true })
}

interface Reader {
  readonly width: number
  readonly height: number
  readonly colorScheme: 'light' | 'dark'
}

async function draw(browser: Browser, url: string, name: string, { width, height, colorScheme }: Reader) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme })
  await page.goto(url)
  await page.screenshot({ path: join(root, 'docs', name) })
  await page.close()
}

/** One change, unfolded. */
async function drawChange(browser: Browser, url: string, name: string) {
  const page = await browser.newPage({ viewport: { width: 1120, height: 1600 }, colorScheme: 'light' })
  await page.goto(url)
  const entry = page.locator('.item').filter({ has: page.locator('h3', { hasText: 'flag dark-mode' }) })
  await entry.locator('details.both > summary').click()
  await entry.screenshot({ path: join(root, 'docs', name) })
  await page.close()
}

/** What one person gets, and one flag unfolded. */
async function drawDevPage(browser: Browser, directory: string) {
  const words = 'dev --env production --port 0 --json'.split(' ')
  const dev = spawn(process.execPath, [...vexilFromSource, ...words], { cwd: directory })
  try {
    const [printed] = await once(dev.stdout, 'data')
    const page = await browser.newPage({ viewport: { width: 1120, height: 720 }, colorScheme: 'light' })
    const { page: address, project_token: token } = JSON.parse(String(printed))
    const headers = { 'user-agent': 'posthog-node/5.70.0' }
    await fetch(`${address}flags/?v=2`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ token, distinct_id: 'ada' }),
    })
    await page.goto(address)
    await page.fill('#person', 'ada')
    await page.fill('#properties', 'country=DE\nemail=ada@example.org')
    await page.locator('.got').first().waitFor()
    await page.locator('details.flag[data-key=checkout_button_text] summary').click()
    await page.screenshot({ path: join(root, 'docs/dev-page.png') })
    await page.close()
  } finally {
    dev.kill()
  }
}
