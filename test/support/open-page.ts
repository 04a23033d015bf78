import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { env } from 'node:process'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

/** A real Chromium of the machine, without a sandbox of its own: tests run as any user, also in containers. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] })
}

/** Where the PATH has it: the driver wants to be told. */
export function chromiumPath(): string {
  const places = (env.PATH ?? '').split(delimiter).map(folder => join(folder, 'chromium'))
  const found = places.find(place => existsSync(place))
  if (found === undefined) throw new Error('there is no chromium on the PATH')
  return found
}

export interface OpenedPage {
  readonly page: Page
  /** What the page asked for beside itself, what it complained of, and what its policy kept it from. */
  readonly trouble: readonly string[]
}

/** Opens a page from a file, as people open an artifact. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const trouble: string[] = []
  const context = await browser.newContext(options)
  const page = await context.newPage()
  page.on('request', request => {
    if (request.url() !== url) trouble.push(`request: ${request.url()}`)
  })
  page.on('console', message => trouble.push(`console: ${message.text()}`))
  page.on('pageerror', error => trouble.push(`error: ${error.message}`))
  await page.goto(url)
  return { page, trouble }
}
