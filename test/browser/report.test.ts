import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { render } from '../../src/report/formats.ts'
import { openPage, startBrowser } from '../support/open-page.ts'
import { leavingOut, manyFlags, reviewedPlan } from '../support/reviewed-plan.ts'

const many = 10_000

let browser: Browser
let folder = ''
let [small, leaving, large] = ['', '', '']

beforeAll(async () => {
  browser = await startBrowser()
  folder = await mkdtemp(join(tmpdir(), 'vexil-html-'))
  const written = async (name: string, text: string) => {
    await writeFile(join(folder, name), text)
    return pathToFileURL(join(folder, name)).href
  }
  small = await written('small.html', await render('html', reviewedPlan()))
  leaving = await written('leaving.html', await render('html', leavingOut()))
  large = await written('large.html', await render('html', reviewedPlan(manyFlags(many))))
})

afterAll(async () => {
  await browser.close()
  await rm(folder, { recursive: true, force: true })
})

const desktop = { width: 1280, height: 900 }

const focused = (page: Page) => page.locator('.item:focus h3 > span:last-child').textContent()
const shown = (page: Page) => page.locator('.item:visible').count()
const names = (page: Page) => page.locator('.item:visible h3 > span:last-child').allTextContents()

describe('a report in a browser', () => {
  it('says all in words without scripts, and offers nothing that needs them', async () => {
    const { page, trouble } = await openPage(browser, small, { javaScriptEnabled: false })
    expect(await page.locator('h1').innerText()).toBe('Plan for production: HIGH risk')
    expect(await page.locator('#tools').isVisible()).toBe(false)
    await page.locator('details.both > summary').first().click()
    expect(await page.locator('table.sides').first().isVisible()).toBe(true)
    expect(trouble).toEqual([])
    await page.context().close()
  })

  it('goes through its objects by keys, and unfolds them', async () => {
    const { page } = await openPage(browser, small)
    const all = await names(page)
    await page.keyboard.press('j')
    expect(await focused(page)).toBe(all[0])
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    expect(await focused(page)).toBe(all[1])
    const both = page.locator('.item:focus details.both')
    await page.keyboard.press('Enter')
    expect(await both.getAttribute('open')).toBe('')
    await page.keyboard.press('Enter')
    expect(await both.getAttribute('open')).toBe(null)
    await page.keyboard.press('?')
    expect(await page.locator('dialog').isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    expect(await page.locator('dialog').isVisible()).toBe(false)
    await page.context().close()
  })

  it('finds objects by words, by risk, by action and by owner', async () => {
    const { page } = await openPage(browser, small)
    const total = await shown(page)
    await page.keyboard.press('/')
    await page.keyboard.type('CHECKOUT rollout_step')
    expect(await names(page)).toEqual(['flag checkout'])
    // Those of a section that is folded as well.
    const all = await page.locator('.item').count()
    expect(await page.locator('#found').innerText()).toBe(`1 of ${all} objects`)
    await page.keyboard.press('Escape')
    expect(await shown(page)).toBe(total)
    await page.selectOption('#risk', 'high')
    await page.selectOption('#action', 'delete')
    expect(await names(page)).toEqual(['flag legacy_nav'])
    await page.selectOption('#owner', 'payments')
    expect(await shown(page)).toBe(0)
    expect(await page.locator('#nothing').isVisible()).toBe(true)
    await page.selectOption('#risk', '')
    await page.selectOption('#action', '')
    expect(await shown(page)).toBe(1)
    await page.context().close()
  })

  it('finds what is blocked, held or in conflict by its owner, and by its words', async () => {
    const { page } = await openPage(browser, leaving)
    const owned = Object.entries(leavingOut().plan.owners ?? {})
    for (const owner of new Set(owned.flatMap(([, owners]) => owners))) {
      await page.selectOption('#owner', owner)
      const found = new Set(await names(page))
      for (const [address, owners] of owned)
        expect([address, found.has(`flag ${address.split('.')[1]}`)]).toEqual([
          address,
          owners.includes(owner),
        ])
    }
    await page.selectOption('#owner', '')
    for (const [words, section] of [
      ['search_ai', 'blocked'],
      ['was_held', 'held'],
      ['was_conflict', 'conflict'],
      ['was_behind', 'held'],
    ] as const) {
      await page.fill('#find', words)
      expect(await page.locator(`section.${section} .item:visible`).count()).toBe(1)
      expect(await shown(page)).toBe(1)
    }
    await page.fill('#find', '')
    // By what would be done: what is blocked has an action.
    await page.selectOption('#action', 'update')
    expect(await names(page)).toContain('flag search_ai')
    await page.context().close()
  })

  it('leads to what to look at first, also where a search hides it or a fold', async () => {
    const { page } = await openPage(browser, small)
    const looks = page.locator('#looks a')
    for (const [at, name] of (await looks.allTextContents()).entries()) {
      await page.fill('#find', 'nothing that is found')
      if (at === 0)
        await page.evaluate(`for (const fold of document.querySelectorAll('.fold')) fold.open = false`)
      await looks.nth(at).click()
      const entry = page.locator('.item:focus')
      expect(await entry.textContent()).toContain(name)
      expect(await entry.isVisible()).toBe(true)
    }
    expect(await looks.count()).toBeGreaterThan(5)
    await page.context().close()
  })

  it('has a theme of its own where people want one', async () => {
    const { page } = await openPage(browser, small, { colorScheme: 'light' })
    const back = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    const light = await back()
    await page.click('#theme')
    expect(await back()).toBe(light)
    await page.click('#theme')
    expect(await back()).not.toBe(light)
    await page.context().close()
  })

  it(`is usable with ${many} changes`, async () => {
    const { page, trouble } = await openPage(browser, large, { viewport: desktop })
    expect(await page.locator('h1').innerText()).toBe('Plan for production: HIGH risk')
    await page.keyboard.press('/')
    await page.keyboard.type('needle')
    expect(await names(page)).toEqual(['flag needle'])
    await page.locator('.item:visible details.both > summary').click()
    expect(await page.locator('.item:visible table.sides caption').allTextContents()).toEqual([
      'Conditions',
      'Variants',
      'Payloads',
      'Fields',
    ])
    expect(trouble).toEqual([])
    await page.context().close()
  })
})
