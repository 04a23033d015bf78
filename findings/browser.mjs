// A page of jsdom with posthog-js, for in_browser of lib.sh.
import { readFileSync } from 'node:fs'
import { JSDOM } from 'jsdom'

const { window } = new JSDOM('', { url: 'http://localhost/', pretendToBeVisual: true })
Object.assign(window, { fetch, AbortController })
for (const name of [
  'document',
  'navigator',
  'location',
  'localStorage',
  'sessionStorage',
  'history',
  'screen',
  'Node',
])
  Object.defineProperty(globalThis, name, { value: window[name], configurable: true })
globalThis.window = window
await new Promise(loaded => window.addEventListener('load', loaded))

export const host = process.env.host
export const { posthog } = await import('posthog-js/dist/module.no-external.js')
const quiet = {
  api_host: host,
  persistence: 'memory',
  autocapture: false,
  capture_pageview: false,
  request_batching: false,
  disable_compression: true,
  opt_out_useragent_filter: true,
}
/** Starts posthog-js for a project, which has the name of its token. */
export const start = (token, config) => posthog.init(token, { ...quiet, ...config }, token)

/** The bodies of the requests so far for a path, with a token if there is one. */
export const asked = (path, token = '') =>
  readFileSync('requests.log', 'utf8')
    .split('\n')
    .filter(line => line.startsWith(`{"path":"${path}`) && line.includes(token))
    .map(line => JSON.parse(JSON.parse(line).body || 'null'))
/** The events so far. */
export const events = () => ['/e/', '/i/v0/e/'].flatMap(path => asked(path)).flatMap(({ batch }) => batch)

export async function until(holds) {
  for (let tries = 0; !holds(); tries += 1) {
    if (tries > 500) throw new Error(`never: ${holds}`)
    await new Promise(soon => setTimeout(soon, 10))
  }
}
