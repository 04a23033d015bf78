#!/bin/sh
# playwright-core 1.65.1 with Chromium 156: a page that page.route fulfils has no address, so Chromium does not let it
# ask a server of this machine, even if the page is http://localhost and the server allows its origin. The same page
# from a real server may.
. "$(dirname "$0")/lib.sh"
npm_packages playwright-core@1.65.1
chromium=$(command -v chromium) || { echo 'there is no chromium'; exit 77; }
cat > program.mjs <<'PROGRAM'
import { createServer } from 'node:http'
import { chromium } from 'playwright-core'
const listening = async answer => {
  const server = createServer(answer)
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  return server
}
const flags = await listening((request, response) => {
  response.setHeader('access-control-allow-origin', request.headers.origin ?? '*')
  response.end('answered')
})
const html = '<!doctype html><title>Shop</title>'
const shop = await listening((_, response) => response.setHeader('content-type', 'text/html').end(html))
const browser = await chromium.launch({ executablePath: process.argv[2], args: ['--no-sandbox'] })
const ask = async (url, isFulfilled) => {
  const page = await browser.newPage()
  if (isFulfilled) await page.route(url, route => route.fulfill({ contentType: 'text/html', body: html }))
  await page.goto(url)
  const target = `http://127.0.0.1:${flags.address().port}/`
  return page.evaluate(at => fetch(at).then(answer => answer.text(), () => 'refused'), target)
}
const port = shop.address().port
console.log(await ask('http://localhost:3000/', true), await ask(`http://localhost:${port}/`, false))
await browser.close()
flags.close()
shop.close()
PROGRAM
seen 'a fulfilled page, a served page' 'refused answered' "$(node program.mjs "$chromium")"
