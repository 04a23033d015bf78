import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startSandbox, type TestSandbox } from '../../src/testing/index.ts'
import { packageRoot } from '../support/built.ts'
import { startBrowser } from '../support/open-page.ts'

/** posthog-js on a page of another port, as in a product that runs on somebody's machine. */
let browser: Browser
let sandbox: TestSandbox
let pages: Server
let page = ''

beforeAll(async () => {
  sandbox = await startSandbox({
    world: {
      organizations: [
        {
          name: 'Shop',
          projects: [
            {
              id: 1,
              name: 'Shop',
              persons: [{ distinct_ids: ['ann'], properties: { country: 'DE' } }],
              feature_flags: [
                {
                  key: 'germans',
                  filters: {
                    groups: [
                      { properties: [{ key: 'country', type: 'person', value: 'DE', operator: 'exact' }] },
                    ],
                    payloads: { true: '{"price":9}' },
                  },
                },
                {
                  key: 'colour',
                  filters: {
                    groups: [{}],
                    multivariate: { variants: [{ key: 'red', rollout_percentage: 100 }] },
                  },
                },
                { key: 'nobody', filters: { groups: [{ rollout_percentage: 0 }] } },
              ],
            },
          ],
        },
      ],
    },
  })
  pages = createServer(async (request, response) => {
    const isScript = request.url?.endsWith('.js') === true
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(
      isScript
        ? await readFile(join(packageRoot, 'node_modules/posthog-js/dist', request.url ?? ''))
        : '<!doctype html><title>Shop</title>',
    )
  })
  await new Promise<void>(resolve => pages.listen(0, '127.0.0.1', resolve))
  page = `http://localhost:${(pages.address() as AddressInfo).port}/`
  browser = await startBrowser()
})
beforeEach(() => sandbox.resetRequests())
afterAll(async () => {
  await browser.close()
  await new Promise(resolve => pages.close(resolve))
  await sandbox.close()
})

/** Runs a script with `posthog`, started for ann, on a page of a site; `flags` holds once flags have come. */
async function onPage<Result>(bundle: string, script: string, site = page): Promise<Result> {
  const context = await browser.newContext()
  try {
    const opened = await context.newPage()
    await opened.goto(site)
    await opened.addScriptTag({ url: `${page}${bundle}` })
    // The script is a text, because it runs in the page.
    return (await opened.evaluate(`(async () => {
      const { posthog } = window
      const flags = new Promise(resolve => {
        posthog.init(${JSON.stringify(sandbox.projectToken)}, {
          api_host: ${JSON.stringify(sandbox.url)},
          bootstrap: { distinctID: 'ann', isIdentifiedID: true },
          opt_out_useragent_filter: true,
          capture_pageview: false,
          request_batching: false,
          loaded: () => posthog.onFeatureFlags((names, values, context) => resolve(context ?? {})),
        })
      })
      ${script}
    })()`)) as Result
  } finally {
    await context.close()
  }
}

describe.each(['array.js', 'array.no-external.js'])('posthog-js, %s', bundle => {
  it('reads its configuration, flags and payloads', async () => {
    const seen = await onPage(
      bundle,
      `await flags
      return ['germans', 'colour', 'nobody'].map(key => [posthog.getFeatureFlag(key), posthog.getFeatureFlagPayload(key)])`,
    )
    expect(seen).toEqual([
      [true, { price: 9 }],
      ['red', null],
      [false, undefined],
    ])
    const config = bundle === 'array.js' ? 'config.js' : 'config'
    expect(sandbox.requests()).toContain(`GET /array/${sandbox.projectToken}/${config}`)
    expect(sandbox.requests()).toContain('POST /flags')
  })

  it('sends events, which the sandbox takes up', async () => {
    const name = `bought with ${bundle}`
    await onPage(
      bundle,
      `await flags
      posthog.capture(${JSON.stringify(name)}, { count: 2 })
      const sent = () => performance.getEntriesByType('resource').some(({ name }) => /\\/(e|i\\/v0\\/e)\\//.test(name))
      while (!sent()) await new Promise(requestAnimationFrame)`,
    )
    const list = (await sandbox.get(`/api/projects/1/events/?event=${encodeURIComponent(name)}`)) as {
      results: { distinct_id: string; properties: string }[]
    }
    const taken = list.results.map(({ distinct_id, properties }) => [
      distinct_id,
      JSON.parse(properties).count,
    ])
    expect(taken).toEqual([['ann', 2]])
  })

  it('learns that the service fails', async () => {
    sandbox.fail('POST /flags status=500')
    try {
      expect(await onPage(bundle, 'return await flags')).toEqual({ errorsLoading: true })
    } finally {
      sandbox.fail()
    }
  })
})
