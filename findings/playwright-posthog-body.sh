#!/bin/sh
# playwright-core 1.65.1 with posthog-js 1.449.2: what postDataJSON of a /flags request gives depends on the answer to
# /array/TOKEN/config. If that offers gzip, as PostHog does, it throws; otherwise it is base64 text in `data`. With
# disable_compression it is the request.
. "$(dirname "$0")/lib.sh"
npm_packages playwright-core@1.65.1 posthog-js@1.449.2
chromium=$(command -v chromium) || { echo 'there is no chromium'; exit 77; }
cat > program.mjs <<'PROGRAM'
import { chromium } from 'playwright-core'
const browser = await chromium.launch({ executablePath: process.argv[2], args: ['--no-sandbox'] })
const ask = async (supportedCompression, more) => {
  const page = await browser.newPage()
  let seen
  await page.route('**/*', async route => {
    const request = route.request()
    const { pathname } = new URL(request.url())
    if (pathname === '/') return route.fulfill({ contentType: 'text/html', body: '<!doctype html>' })
    if (pathname === '/flags/') {
      try {
        const asked = request.postDataJSON()
        seen = asked.token ?? `data: ${JSON.parse(Buffer.from(asked.data, 'base64')).token}`
      } catch {
        seen = 'an error'
      }
    }
    return route.fulfill({ json: pathname.endsWith('/config') ? { supportedCompression, hasFeatureFlags: true } : {} })
  })
  await page.goto('http://shop.test/')
  await page.addScriptTag({ path: 'node_modules/posthog-js/dist/array.no-external.js' })
  const config = { api_host: 'http://shop.test', capture_pageview: false, opt_out_useragent_filter: true, ...more }
  await page.evaluate(given => void window.posthog.init('the token', given), config)
  for (let tries = 0; seen === undefined && tries < 500; tries += 1) await page.waitForTimeout(10)
  return seen
}
console.log(await ask([]))
console.log(await ask(['gzip-js']))
console.log(await ask(['gzip-js'], { disable_compression: true }))
await browser.close()
PROGRAM
seen 'no gzip, gzip, disable_compression' 'data: the token
an error
the token' "$(node program.mjs "$chromium")"
