import { test as base, expect } from '@playwright/test'
import { type FlagServer, serveFlags } from 'vexil/testing'
import { startShop } from './shop.ts'

/** Each worker of Playwright has its own server, so tests beside each other may set the same flag. */
const test = base.extend<object, { flags: FlagServer; shop: string }>({
  flags: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures here
    async ({}, use) => {
      const flags = await serveFlags({ environment: 'production' })
      await use(flags)
      await flags.close()
    },
    { scope: 'worker' },
  ],
  shop: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const shop = await startShop()
      await use(shop.url)
      shop.close()
    },
    { scope: 'worker' },
  ],
})

test.beforeEach(async ({ page, flags }) => {
  flags.reset()
  const own = { host: flags.url, token: flags.projectToken }
  await page.addInitScript(given => Object.assign(globalThis, { flags: given }), own)
})

test('has two pages', async ({ page, flags, shop }) => {
  flags.set('checkout_v2', 'two_pages')
  await page.goto(shop)
  await expect(page.getByRole('button')).toHaveText('Next page')
})

test('has one page with the new checkout', async ({ page, flags, shop }) => {
  flags.set('checkout_v2', 'one_page')
  await page.goto(shop)
  await expect(page.getByRole('button')).toHaveText('Pay now')
})
