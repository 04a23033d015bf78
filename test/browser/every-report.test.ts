import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isFull, isPlain } from '../suites.ts'
import { openPage, startBrowser } from '../support/open-page.ts'
import { type ReportPage, reportPages } from '../support/report-pages.ts'

const commands = [
  'everything',
  'failure',
  'plan',
  'show',
  'drift',
  'compare',
  'apply',
  'history',
  'run',
  'test',
  'validate',
] as const

/** A saved plan is told as a plan is, and one run as all of them. */
const tried = commands.filter(name => !(isPlain() && (name === 'show' || name === 'run')))

const phone = { width: 390, height: 844 }
const desktop = { width: 1280, height: 900 }
const readers = [
  { with: 'a phone, light', viewport: phone, colorScheme: 'light' },
  { with: 'a desktop, dark', viewport: desktop, colorScheme: 'dark' },
  { with: 'a phone, dark', viewport: phone, colorScheme: 'dark' },
  { with: 'a desktop, light', viewport: desktop, colorScheme: 'light' },
] as const

/** Every report with every reader in full, else each with one: axe takes its time. */
const read = tried.flatMap((name, at) =>
  readers
    .filter((_, which) => isFull() || which === at % readers.length)
    .map(reader => ({ name, ...reader })),
)

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

let browser: Browser
let written: Awaited<ReturnType<typeof reportPages>>

beforeAll(async () => {
  ;[browser, written] = await Promise.all([startBrowser(), reportPages()])
})
afterAll(async () => {
  await browser?.close()
  await written?.remove()
})

function pageOf(name: string): ReportPage {
  const found = written.pages.find(page => page.name === name)
  if (!found) throw new Error(`there is no page of ${name}`)
  return found
}

const fitsItsWindow = (page: Page) => page.evaluate('document.documentElement.scrollWidth <= innerWidth')
const unfoldAll = 'for (const each of document.querySelectorAll("details")) each.open = true'

/** What a page says in other words, or with a link or a heading in their place. */
const otherwise = [
  // A line of the file that a problem is about, and the column in it.
  /^[> ] *\d* \|.*$/gm,
  /(?<=\.yaml:\d+):\d+/g,
  // The name of a kind, before its title.
  /(?<!=)\b(?:feature_flag|plugin|event_definition)s?\b/g,
  // Said once more of a flag whose new grants are told with it.
  /may be edited by roles? .*/g,
  /highest risk: \w+/g,
  /\bexpected\b/g,
]

function wordsOf(text: string): readonly string[] {
  const said = otherwise.reduce((left, words) => left.replaceAll(words, ''), text.toLowerCase())
  return said.match(/[\p{L}\d](?:\S*[\p{L}\d])?/gu) ?? []
}

it('has each report once', () => {
  expect(written.pages.map(({ name }) => name).sort()).toEqual([...commands].sort())
})

describe.each(read)('the page of $name on $with', ({ name, viewport, colorScheme }) => {
  it('is readable by everybody, needs no sideways scrolling, and asks for nothing', async () => {
    const { page, trouble } = await openPage(browser, pageOf(name).url, { viewport, colorScheme })
    expect(await fitsItsWindow(page)).toBe(true)
    await page.evaluate(unfoldAll)
    expect(await fitsItsWindow(page)).toBe(true)
    // What is off the screen is not drawn, and axe would have no colours of it.
    await page.evaluate(`
      const sheet = new CSSStyleSheet()
      sheet.replaceSync('.item { content-visibility: visible !important }')
      document.adoptedStyleSheets = [sheet]`)
    await page.evaluate(await readFile(axe, 'utf8'))
    const found = await page.evaluate(
      'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))',
    )
    expect(found).toEqual([])
    expect(trouble).toEqual([])
    await page.context().close()
  })
})

describe.each(tried)('the page of %s', name => {
  it('says every word that a terminal shows, also without scripts', async () => {
    const { url, text } = pageOf(name)
    const words = wordsOf(text)
    const { page, trouble } = await openPage(browser, url, { javaScriptEnabled: false, viewport: desktop })
    const said = ((await page.locator('body').textContent()) ?? '').replaceAll(/\s+/g, '').toLowerCase()
    expect(words.filter(word => !said.includes(word))).toEqual([])
    expect(words.length).toBeGreaterThan(5)
    expect(await page.locator('#tools').isVisible()).toBe(false)
    // Each fold is opened by a key, the outer ones first: a click can miss while the page moves.
    const closed = page.locator('details:not([open]) > summary')
    for (let left = await closed.count(); left > 0; left -= 1) await closed.first().press('Enter')
    await expect.poll(() => closed.count()).toBe(0)
    const hidden = page.locator('main :is(.item, .lines li, td, pre):not(.none):not(:visible)')
    await expect.poll(() => hidden.count()).toBe(0)
    expect(trouble).toEqual([])
    await page.context().close()
  })

  it('is printed whole, and without its tools', async () => {
    const { page, trouble } = await openPage(browser, pageOf(name).url, { viewport: desktop })
    const folded = await page.locator('details:not([open])').count()
    await page.emulateMedia({ media: 'print' })
    await page.evaluate('dispatchEvent(new Event("beforeprint"))')
    expect(await page.locator('details:not([open])').count()).toBe(0)
    expect(await page.locator('#tools').isVisible()).toBe(false)
    expect(await page.locator('.item:not(:visible)').count()).toBe(0)
    expect(await fitsItsWindow(page)).toBe(true)
    await page.evaluate('dispatchEvent(new Event("afterprint"))')
    expect(await page.locator('details:not([open])').count()).toBe(folded)
    expect(trouble).toEqual([])
    await page.context().close()
  })

  it('is gone through by keys, and searched', async () => {
    const { page, trouble } = await openPage(browser, pageOf(name).url, { viewport: desktop })
    const items = page.locator('.item')
    const count = await items.count()
    expect(count).toBeGreaterThan(0)
    const focused = () =>
      page.evaluate('[...document.querySelectorAll(".item")].indexOf(document.activeElement)')
    for (let at = 0; at < Math.min(count, 3); at += 1) {
      await page.keyboard.press('j')
      expect(await focused()).toBe(at)
    }
    await page.keyboard.press('k')
    expect(await focused()).toBe(Math.max(0, Math.min(count, 3) - 2))
    // Where there is little, people need no search.
    if (count < 10) {
      expect(await page.locator('#tools').count()).toBe(0)
      await page.keyboard.press('/')
      expect(await focused()).toBe(Math.max(0, Math.min(count, 3) - 2))
      await page.context().close()
      return
    }
    for (const at of new Set([0, count >> 1, count - 1])) {
      const name = (await items.nth(at).locator('h3 > span:last-child').textContent()) ?? ''
      await page.keyboard.press('/')
      await page.keyboard.type(name.toUpperCase())
      expect(await items.nth(at).isVisible()).toBe(true)
      const found = await page.locator('.item:visible').count()
      expect(await page.locator('#found').innerText()).toBe(
        found === count ? `${count} objects` : `${found} of ${count} objects`,
      )
      await page.keyboard.press('Escape')
    }
    await page.fill('#find', 'there is no such word')
    expect(await page.locator('.item:visible').count()).toBe(0)
    expect(await page.locator('#nothing').isVisible()).toBe(true)
    expect(trouble).toEqual([])
    await page.context().close()
  })

  it('offers no choice that leaves everything or nothing, and a button to unfold where it unfolds something', async () => {
    const { page } = await openPage(browser, pageOf(name).url, { viewport: desktop })
    const count = await page.locator('.item').count()
    for (const choice of await page.locator('select').all()) {
      for (const option of await choice.locator('option:not([value=""])').all()) {
        await choice.selectOption((await option.getAttribute('value')) ?? '')
        const left = await page.locator('.item:not([hidden])').count()
        expect(left).toBeGreaterThan(0)
        expect(left).toBeLessThan(count)
      }
      await choice.selectOption('')
    }
    expect(await page.locator('#unfold').count()).toBe(
      (await page.locator('details.both').count()) > 0 ? 1 : 0,
    )
    await page.context().close()
  })
})
