import { PostHog } from 'posthog-node'
import { type FlagServer, serveFlags } from 'vexil/testing'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { priceFor } from './prices.ts'

// Each worker of vitest runs this file by itself, so its server is its own.
let flags: FlagServer
let posthog: PostHog
beforeAll(async () => {
  flags = await serveFlags({ environment: 'production' })
  posthog = new PostHog(flags.projectToken, { host: flags.url, personalApiKey: flags.apiKey })
})
afterEach(() => flags.reset())
afterAll(async () => {
  await posthog.shutdown()
  await flags.close()
})

it('asks large companies for less, as declared', async () => {
  expect(await priceFor(posthog, 'ada', { name: 'acme', size: '500' })).toBe(80)
  expect(await priceFor(posthog, 'ada', { name: 'tiny', size: '5' })).toBe(100)
  await posthog.flush()
  expect(flags.events().filter(({ event }) => event === 'price_seen')).toHaveLength(2)
})

it('asks everybody for the same without the flag', async () => {
  flags.set('team_prices', false)
  await posthog.reloadFeatureFlags()
  expect(await priceFor(posthog, 'ada', { name: 'acme', size: '500' })).toBe(100)
})
