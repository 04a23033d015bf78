import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PostHog } from 'posthog-node-5'
import { describe, expect, it } from 'vitest'
import { whileItRuns } from '../support/while-it-runs.ts'
import { useWorkspace } from '../support/workspace.ts'

const settings = `version: 1
environments:
  production: { project: "1", base_url: "https://flags.example.com" }
  staging: { project: "2", base_url: "https://flags.example.com" }
group_types: { company: 1 }
`
const flagsFor = (country: string) => `feature_flags:
  checkout:
    active: true
    variants: { red: 100, blue: 0 }
    payloads: { red: { price: 9 } }
    release: [{ properties: { country: ${country} }, rollout_percentage: 100 }]
    environments: { staging: { release: [{ rollout_percentage: 0 }] } }
  big_companies:
    active: true
    release: [{ group_type: company, properties: { size: { gt: 100 } }, rollout_percentage: 100 }]
  after_checkout:
    active: true
    release: [{ properties: [{ key: checkout, type: flag, operator: flag_evaluates_to, value: true }], rollout_percentage: 100 }]
`
const workspace = useWorkspace({ 'vexil.yaml': settings, 'flags/checkout.yaml': flagsFor('DE') })
const { vexil } = workspace

/** Replaces a file in one step, as editors do. */
async function save(file: string, text: string): Promise<void> {
  const path = join(workspace().path, file)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(`${path}.new`, text)
  await rename(`${path}.new`, path)
}

/** posthog-node with the address and the token that the command prints. */
function sdkFor(printed: string, isLocal: boolean): PostHog {
  const { base_url: host, api_key, project_token } = JSON.parse(printed)
  return new PostHog(project_token, {
    host,
    ...(isLocal ? { personalApiKey: api_key } : {}),
    featureFlagsPollingInterval: 1_000_000,
  })
}

const german = { personProperties: { country: 'DE' }, groups: { company: 'acme' } }
const big = { ...german, groupProperties: { company: { size: '500' } } }

describe('vexil dev', () => {
  it.each([true, false])(
    'serves the declared flags of one environment to posthog-node; locally: %s',
    async isLocal => {
      const { code } = await whileItRuns(vexil, 'dev -e production --port 0 --json', async ({ printed }) => {
        const sdk = sdkFor(printed, isLocal)
        if (isLocal) await sdk.reloadFeatureFlags()
        expect(await sdk.getAllFlagsAndPayloads('ann', big)).toMatchObject({
          featureFlags: { checkout: 'red', big_companies: true, after_checkout: true },
          featureFlagPayloads: { checkout: { price: 9 } },
        })
        expect(await sdk.getAllFlags('bob', { personProperties: { country: 'FR' } })).toMatchObject({
          checkout: false,
          after_checkout: false,
        })
        await sdk.shutdown()
      })
      expect(code).toBe(0)
    },
  )

  it('follows the files, and keeps the last good flags over a mistake', async () => {
    await whileItRuns(vexil, 'dev -e production --port 0 --json', async ({ printed, reported }) => {
      const sdk = sdkFor(printed, false)
      const seen = async () => (await sdk.getAllFlags('ann', german)).checkout
      expect(await seen()).toBe('red')
      await save('flags/checkout.yaml', flagsFor('FR'))
      await reported('the flags have changed')
      expect(await seen()).toBe(false)

      await save('flags/checkout.yaml', 'feature_flags: { checkout: { actve: true } }\n')
      await reported('flags/checkout.yaml:1:30 feature_flag "checkout": "actve"')
      await reported('1 error; the last good flags are still served')
      expect(await seen()).toBe(false)

      await save('flags/checkout.yaml', flagsFor('DE'))
      await reported('the flags have changed')
      expect(await seen()).toBe('red')

      const flagNamed = (key: string) =>
        `feature_flags: { ${key}: { active: true, rollout_percentage: 100 } }\n`
      for (const key of ['third', 'fourth']) {
        await save('more/deep/other.yaml', flagNamed(key))
        await reported('the flags have changed')
        expect(await sdk.getAllFlags('ann', german)).toMatchObject({ [key]: true })
      }
      await rm(join(workspace().path, 'more'), { recursive: true })
      await reported('the flags have changed')
      expect(await sdk.getAllFlags('ann', german)).not.toHaveProperty('fourth')
      await sdk.shutdown()
    })
  })

  it('gives everybody a value that --set names', async () => {
    const line =
      'dev -e staging --port 0 --json --set checkout=blue --set big_companies=true --set after_checkout=false'
    await whileItRuns(vexil, line, async ({ printed }) => {
      const sdk = sdkFor(printed, false)
      expect(await sdk.getAllFlags('bob')).toEqual({ checkout: 'blue', big_companies: true })
      await sdk.shutdown()
    })
  })

  it('ends when its port is taken', async () => {
    await whileItRuns(vexil, 'dev -e staging --port 0 --json', async ({ printed }) => {
      const { port } = new URL(JSON.parse(printed).base_url)
      const { code, stderr } = await vexil(`dev -e staging --port ${port}`)
      expect([code, stderr]).toEqual([1, expect.stringContaining(port)])
    })
  })

  it.each([
    ['dev', 1, 'there are 2 environments, and none is selected'],
    [
      'dev -e staging --set chekout=red',
      1,
      '--set names "chekout", which is not a declared flag; did you mean "checkout"?',
    ],
    [
      'dev -e staging --set checkout=green',
      1,
      '--set gives "checkout" the value "green", which it does not have; there are: true, false, red, blue',
    ],
    ['dev -e staging --set checkout', 64, '--set takes FLAG=VALUE, not "checkout"'],
    ['dev -e staging --port x', 64, 'a port is a whole number from 0 to 65535, not "x"'],
  ])('refuses %s', async (line, code, words) => {
    expect(await vexil(line)).toMatchObject({ code, stderr: expect.stringContaining(words) })
  })
})
