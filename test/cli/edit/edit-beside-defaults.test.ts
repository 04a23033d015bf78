import { describe, expect, it } from 'vitest'
import { useWorkspace } from '../../support/workspace.ts'

const settings = `version: 1
environments:
  staging: { project: "2" }
  production: { project: "1" }
defaults:
  - files: shop.yaml
    owner: payments
    expires: 2999-01-01
    tags: [money]
    protect: true
    allow: [rollout_step]
  - { files: lab.yaml, only: [staging], owner: lab }
`
const shop = `feature_flags:
  checkout:
    release: { rest: { rollout_percentage: 5 } }
    environments:
      staging: { release: { rest: { rollout_percentage: 100 } } }
      production: { protect: false, allow: [] }
  menu:
    tags: [own]
    release: { rest: { rollout_percentage: 10 } }
    environments:
      staging: { active: true, owner: growth, tags: [own, new] }
  silent:
    owner: null
    rollout_percentage: 10
    environments: { staging: { rollout_percentage: 20 } }
`
const lab = `feature_flags:
  probe: { rollout_percentage: 10, environments: { staging: { rollout_percentage: 20 } } }
  free: { only: [staging], rollout_percentage: 10 }
`
const workspace = useWorkspace({ 'vexil.yaml': settings, 'shop.yaml': shop, 'lab.yaml': lab })
const { vexil, write, read } = workspace

async function edited(line: string, texts: Readonly<Record<string, string>> = {}) {
  await write({ 'vexil.yaml': settings, 'shop.yaml': shop, 'lab.yaml': lab, ...texts })
  const { code, stdout, stderr } = await vexil(line, { env: {} })
  const [vexilText, shopText, labText] = await Promise.all(['vexil.yaml', 'shop.yaml', 'lab.yaml'].map(read))
  // No edit reaches the settings.
  expect(vexilText).toBe(settings)
  return { code, stdout, stderr, shop: shopText ?? '', lab: labText ?? '' }
}

/** What the flags of the shop are in production, as programs are told it. */
async function inProduction(): Promise<Record<string, unknown>> {
  const { stdout } = await vexil('validate --show * -e production --json', { env: {} })
  const objects: { name: string; value: unknown }[] = JSON.parse(stdout).objects
  return Object.fromEntries(objects.map(({ name, value }) => [name, value]))
}

const toProduction = '--from staging --to production'

describe('files edited beside defaults of the settings', () => {
  it('hold nothing of a default after promote', async () => {
    const { code, stderr, shop: after } = await edited(`promote checkout menu silent ${toProduction}`)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const word of ['payments', '2999', 'money', 'rollout_step', 'protect: true'])
      expect(after).not.toContain(word)
  })

  it.each(['', ' --shared'])('keep what an environment says against a default, promote%s', async how => {
    const { code, stderr } = await edited(`promote checkout menu silent ${toProduction}${how}`)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const common = { expires: '2999-01-01' }
    expect(await inProduction()).toEqual({
      checkout: {
        ...common,
        release: { rest: { rollout_percentage: 100 } },
        owner: 'payments',
        tags: ['money'],
        protect: false,
        allow: [],
      },
      menu: {
        ...common,
        active: true,
        release: { rest: { rollout_percentage: 10 } },
        owner: 'growth',
        tags: ['own', 'new', 'money'],
        protect: true,
        allow: ['rollout_step'],
      },
      silent: {
        ...common,
        rollout_percentage: 20,
        owner: null,
        tags: ['money'],
        protect: true,
        allow: ['rollout_step'],
      },
    })
  })

  it('are the same after the same promote once more', async () => {
    const first = await edited(`promote checkout menu silent ${toProduction}`)
    const second = await edited(`promote checkout menu silent ${toProduction}`, { 'shop.yaml': first.shop })
    expect(second).toMatchObject({ code: 0, stdout: '', shop: first.shop })
    expect(second.stderr).toBe('3 objects are already the same\n')
  })

  it.each([
    [
      'promote checkout --from production --to staging --shared',
      'release: { rest: { rollout_percentage: 5 } }',
    ],
    ['ramp checkout --to 30 -e production', 'release: { rest: { rollout_percentage: 30 } }'],
    ['ramp checkout --to 30 -e production --shared', 'release: { rest: { rollout_percentage: 30 } }'],
  ])('keep their protection after %s', async (line, release) => {
    const { code, stderr, shop: after } = await edited(line)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(after).toContain('protect: false, allow: []')
    expect(after).toContain(release)
    expect(after).not.toContain('payments')
    expect(await inProduction()).toMatchObject({ checkout: { protect: false, allow: [] } })
  })

  it.each(['', ' --shared'])(
    'are not written where a default leaves the environment out, promote%s',
    async how => {
      const { code, stdout, stderr, ...texts } = await edited(`promote probe checkout ${toProduction}${how}`)
      expect({ code, stdout, ...texts }).toEqual({ code: 1, stdout: '', shop, lab })
      expect(stderr).toContain(
        'vexil.yaml:12:24 feature_flag "probe": a default limits the declaration to staging',
      )
      expect(stderr).toContain(
        'add production to "only" there, or write "only: [staging, production]" in lab.yaml',
      )
      expect(stderr).toContain('nothing was written')
    },
  )

  it('get the environment on a list of their own', async () => {
    const { code, lab: after } = await edited(`promote free ${toProduction}`)
    expect(code).toBe(0)
    expect(after).toBe(lab.replace('only: [staging]', 'only: [staging, production]'))
  })

  it.each([
    ['ramp probe --to 50 -e production', 'ramp'],
    ['promote probe --from production --to staging', 'promote'],
  ])('are not written by %s: the default is named', async line => {
    const { code, stderr, ...texts } = await edited(line)
    expect({ code, ...texts }).toEqual({ code: 64, stdout: '', shop, lab })
    expect(stderr).toBe(
      'vexil: "feature_flag.probe" is not declared for production: a default limits the declaration to staging (vexil.yaml:12); add production to "only" there, or write "only: [staging, production]" in lab.yaml\n',
    )
  })

  it('ramp in the environment that a default leaves', async () => {
    const { code, lab: after } = await edited('ramp probe --to 45 -e staging')
    expect(code).toBe(0)
    expect(after).toBe(
      lab.replace('staging: { rollout_percentage: 20 }', 'staging: { rollout_percentage: 45 }'),
    )
  })
})
