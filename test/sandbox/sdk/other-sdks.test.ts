import { afterAll, beforeAll, expect, it } from 'vitest'
import { startSandbox, type TestSandbox } from '../../../src/testing/index.ts'

/** What is used of them here: their own declarations do not compile in a module. */
interface Lite {
  reloadFeatureFlagsAsync(): Promise<unknown>
  getFeatureFlag(key: string): unknown
  getFeatureFlagPayload(key: string): unknown
  capture(event: string, properties: object): void
  shutdown(): Promise<void>
}
interface Decides {
  decide(asked: object): Promise<unknown>
}
interface Adapter {
  featureFlagValue(): Decides
  featureFlagPayload(read: (payload: unknown) => unknown): Decides
}
const [lite, vercel] = ['posthog-js-lite', '@flags-sdk/posthog']
const { default: PostHog } = (await import(lite)) as { default: new (token: string, options: object) => Lite }
const { createPostHogAdapter } = (await import(vercel)) as { createPostHogAdapter(options: object): Adapter }

let sandbox: TestSandbox
beforeAll(async () => {
  const filters = {
    groups: [{ properties: [{ key: 'country', type: 'person', value: 'DE', operator: 'exact' }] }],
    payloads: { true: '{"price":9}' },
  }
  const projects = [
    {
      name: 'Shop',
      persons: [{ distinct_ids: ['ann'], properties: { country: 'DE' } }],
      feature_flags: [{ key: 'germans', filters }],
    },
  ]
  sandbox = await startSandbox({ world: { organizations: [{ name: 'A', projects }] } })
})
afterAll(() => sandbox.close())

it('posthog-js-lite reads flags and payloads, and sends events', async () => {
  const sdk = new PostHog(sandbox.projectToken, {
    host: sandbox.url,
    persistence: 'memory',
    bootstrap: { distinctId: 'ann' },
    flushAt: 1,
  })
  await sdk.reloadFeatureFlagsAsync()
  expect([sdk.getFeatureFlag('germans'), sdk.getFeatureFlagPayload('germans')]).toEqual([true, { price: 9 }])
  sdk.capture('bought', { count: 2 })
  await sdk.shutdown()
  const { results } = (await sandbox.get('/api/projects/1/events/?event=bought')) as {
    results: { distinct_id: string; properties: string }[]
  }
  expect(results.map(({ distinct_id, properties }) => [distinct_id, JSON.parse(properties).count])).toEqual([
    ['ann', 2],
  ])
})

it("Vercel's flags read values and payloads", async () => {
  const adapter = createPostHogAdapter({
    postHogKey: sandbox.projectToken,
    postHogOptions: { host: sandbox.url },
  })
  const asked = (distinctId: string) => ({
    key: 'germans',
    entities: { distinctId },
    defaultValue: 'default',
    headers: new Headers(),
    cookies: {},
  })
  expect(await adapter.featureFlagValue().decide(asked('ann'))).toBe(true)
  expect(await adapter.featureFlagValue().decide(asked('bob'))).toBe(false)
  expect(await adapter.featureFlagPayload(payload => payload).decide(asked('ann'))).toEqual({ price: 9 })
})
