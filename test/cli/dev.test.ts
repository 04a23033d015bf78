import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PostHog } from 'posthog-node-5'
import { describe, expect, it } from 'vitest'
import { whileItRuns } from '../support/while-it-runs.ts'
import { useWorkspace } from '../support/workspace.ts'
import { flag, flags, synthesized } from './stack-app.ts'

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

  it('takes values, people and cohorts of one machine from .vexil/dev.yaml, under --set', async () => {
    await whileItRuns(vexil, 'dev -e production --port 0 --json', async ({ printed, reported }) => {
      const [remote, local] = [sdkFor(printed, false), sdkFor(printed, true)]
      await save(
        'flags/testers.yaml',
        `feature_flags:
  for_testers:
    active: true
    release: [{ properties: [{ key: id, type: cohort, value: 7 }], rollout_percentage: 100 }]
`,
      )
      await reported('the flags have changed')
      await save(
        '.vexil/dev.yaml',
        `set: { checkout: blue, big_companies: true }
persons: [{ distinct_ids: [eve], properties: { email: eve@corp.example } }]
cohorts:
  - id: 7
    name: testers
    properties:
      type: AND
      values: [{ key: email, type: person, operator: icontains, value: "@corp.example" }]
`,
      )
      await reported('the flags have changed')
      const expected = { checkout: 'blue', big_companies: true, for_testers: true }
      expect(await remote.getAllFlags('eve')).toMatchObject(expected)
      await local.reloadFeatureFlags()
      const personProperties = { email: 'eve@corp.example' }
      expect(await local.getAllFlags('bob', { personProperties, onlyEvaluateLocally: true })).toMatchObject(
        expected,
      )
      expect(await remote.getAllFlags('bob')).toMatchObject({ for_testers: false })

      await save('.vexil/dev.yaml', 'set: { chekout: blue }\nperson: []\n')
      await reported('.vexil/dev.yaml:2:1 "person" is not a member of this file')
      await save('.vexil/dev.yaml', 'set: { chekout: blue }\n')
      await reported('there is no flag "chekout" to set; did you mean "checkout"?; the last good flags')
      expect(await remote.getAllFlags('bob')).toMatchObject({ checkout: 'blue' })
      await Promise.all([remote.shutdown(), local.shutdown()])
    })
  })

  it('answers 304 as long as no flag changes', async () => {
    await whileItRuns(vexil, 'dev -e production --port 0 --json', async ({ printed, reported }) => {
      const { base_url, api_key, project_token } = JSON.parse(printed)
      const ask = (tag?: string | null) =>
        fetch(`${base_url}/flags/definitions?token=${project_token}&send_cohorts`, {
          headers: { authorization: `Bearer ${api_key}`, ...(tag ? { 'if-none-match': tag } : {}) },
        })
      const first = await ask()
      const tag = first.headers.get('etag')
      expect((await ask(tag)).status).toBe(304)
      await save('flags/checkout.yaml', flagsFor('FR'))
      await reported('the flags have changed')
      expect((await ask(tag)).status).toBe(200)
    })
  })

  it('answers SDKs and its page, and nothing that manages objects', async () => {
    await whileItRuns(vexil, 'dev -e production --port 0 --json', async ({ printed }) => {
      const { base_url, api_key, page } = JSON.parse(printed)
      const headers = { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' }
      const status = async (method: string, path: string) =>
        (await fetch(`${base_url}${path}`, { method, headers, ...(method === 'GET' ? {} : { body: '{}' }) }))
          .status
      expect(page).toBe(`${base_url}/`)
      expect(await status('GET', '/')).toBe(200)
      for (const path of ['/api/projects/1/feature_flags/', '/_sandbox/requests', '/_sandbox/faults'])
        expect([path, await status('GET', path)]).toEqual([path, 404])
      for (const path of ['/api/projects/1/feature_flags/', '/_sandbox/faults', '/_sandbox/page/change'])
        expect([path, await status('POST', path)]).toEqual([path, 404])
    })
    await whileItRuns(vexil, 'dev -e production --port 0 --json --no-page', async ({ printed }) => {
      const { base_url, page } = JSON.parse(printed)
      expect(page).toBeUndefined()
      for (const path of ['/', '/_sandbox/page'])
        expect([path, (await fetch(`${base_url}${path}`)).status]).toEqual([path, 404])
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
    ['dev -e staging --set chekout=red', 1, 'there is no flag "chekout" to set; did you mean "checkout"?'],
    [
      'dev -e staging --set checkout=green',
      1,
      '"checkout" cannot have the value "green"; there are: false, red, blue',
    ],
    ['dev -e staging --set checkout', 64, '--set takes FLAG=VALUE, not "checkout"'],
    ['dev -e staging --port x', 64, 'a port is a whole number from 0 to 65535, not "x"'],
  ])('refuses %s', async (line, code, words) => {
    expect(await vexil(line)).toMatchObject({ code, stderr: expect.stringContaining(words) })
  })
})

describe('vexil dev --live', () => {
  const everybody = { groups: [{ rollout_percentage: 100 }] }
  const { vexil: vexilThere } = useWorkspace(
    {
      'flags/some.yaml': `feature_flags:
  shared: { active: false }
  new_here: { active: true, rollout_percentage: 100 }
  gone_here: { ensure: absent }
`,
    },
    {
      seed: {
        organizations: [
          {
            name: 'Shop',
            projects: [
              {
                name: 'Shop',
                group_types: ['company'],
                cohorts: [
                  {
                    id: 7,
                    name: 'testers',
                    properties: {
                      type: 'AND',
                      values: [{ key: 'email', type: 'person', operator: 'icontains', value: '@corp' }],
                    },
                  },
                ],
                feature_flags: [
                  { key: 'shared', active: true, filters: everybody },
                  { key: 'gone_here', active: true, filters: everybody },
                  { key: 'deleted', active: true, filters: everybody, deleted: true },
                  {
                    key: 'only_live',
                    id: 40,
                    active: true,
                    filters: {
                      groups: [
                        {
                          properties: [{ key: 'id', type: 'cohort', value: 7 }],
                          rollout_percentage: 100,
                        },
                      ],
                    },
                  },
                ],
              },
            ],
          },
        ],
      },
    },
  )

  it('begins with the live flags and cohorts, and lays declarations over them', async () => {
    await whileItRuns(vexilThere, 'dev --live --port 0 --json', async ({ printed }) => {
      const sdk = sdkFor(printed, false)
      expect(await sdk.getAllFlags('eve', { personProperties: { email: 'eve@corp' } })).toEqual({
        new_here: true,
        only_live: true,
      })
      expect(await sdk.getAllFlags('bob', { personProperties: { email: 'bob@else' } })).toEqual({
        new_here: true,
        only_live: false,
      })
      await sdk.shutdown()
    })
  })
})

describe('vexil dev --stack', () => {
  const shopOf = (active: boolean) => synthesized({ shop: flags({ a: flag('from_stack', { active }) }) })
  const { vexil: vexilThere, write } = useWorkspace(shopOf(true))

  it('serves a synthesized stack, and follows it', async () => {
    await whileItRuns(vexilThere, 'dev --stack shop --port 0 --json', async ({ printed, reported }) => {
      const sdk = sdkFor(printed, true)
      const isOn = async () => {
        await sdk.reloadFeatureFlags()
        return sdk.getAllFlags('ann')
      }
      expect(Object.keys(await isOn())).toEqual(['from_stack'])
      await write(shopOf(false))
      await reported('the flags have changed')
      expect(await isOn()).toEqual({ from_stack: false })
    })
  })

  it('runs no program: each of its outputs would be a change', async () => {
    expect(await vexilThere('dev --app true --stack shop')).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('dev does not run --app; name the stack with --stack'),
    })
  })
})
