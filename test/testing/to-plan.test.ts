import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App, Aspects, TerraformStack, TerraformVariable } from 'cdktf'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FeatureFlag } from '../../src/constructs/generated/feature-flag/index.ts'
import { Flag, RequireExpiry, Role, VexilProvider } from '../../src/constructs/index.ts'
import { dayOf } from '../../src/model/field.ts'
import { startSandbox, type TestSandbox } from '../../src/testing/index.ts'
import '../../src/testing/vitest.ts'
import { anApp } from '../constructs/a-stack.ts'
import { anEventStack, aShop, aSmallStack, growth } from './shop.ts'

const grant = 'feature_flag_role_access.checkout_v2:growth team'

describe('toPlan', () => {
  it('takes addresses in any order', async () => {
    await expect(aShop()).toPlan({ create: [grant, 'feature_flag.checkout_v2'] })
  })

  it('takes how many there are, and matchers', async () => {
    await expect(aShop()).toPlan({ create: 2 })
    await expect(aShop()).toPlan({ create: expect.arrayContaining([grant]) })
    await expect(aShop()).toPlan({ create: [expect.stringMatching(/checkout/), grant] })
  })

  it('shows the plan when another one was expected', async () => {
    await expect(expect(aSmallStack()).toPlan({})).rejects.toThrow(
      /^expected create: nothing, got feature_flag\.dark_mode\n\n.*\n[\s\S]*dark_mode[\s\S]*1 to create/,
    )
    await expect(expect(aSmallStack()).toPlan({ create: 2 })).rejects.toThrow('expected create: 2, got')
    await expect(
      expect(aSmallStack()).toPlan({ create: ['feature_flag.dark_mode', 'feature_flag.x'] }),
    ).rejects.toThrow('expected create: feature_flag.dark_mode, feature_flag.x, got feature_flag.dark_mode')
    await expect(expect(aSmallStack()).not.toPlan({ create: 1 })).rejects.toThrow(
      'the plan is not as expected',
    )
  })

  it('shows the lines of the app, wherever the stack was synthesized', async () => {
    const app = new App({ outdir: await mkdtemp(join(tmpdir(), 'vexil-lines-')) })
    const own = expect.stringMatching(/^ {2}\+ flag dark_mode +test\/testing\/shop\.ts:\d+$/)
    await using sandbox = await startSandbox()
    const stack = aSmallStack(app)
    const { text } = await sandbox.plan(stack)
    expect(text.split('\n')).toContainEqual(own)
    new VexilProvider(stack, 'vexil', {})
    app.synth()
    const inItsFolder = await sandbox.plan(join(app.outdir, 'stacks/small'))
    expect(inItsFolder.text.split('\n')).toContainEqual(own)
    await rm(app.outdir, { recursive: true })
  })

  it('looks up what the stack refers to, in the sandbox where there is one', async () => {
    const aStack = () => {
      const stack = new TerraformStack(anApp(), 'support')
      new VexilProvider(stack, 'vexil', {})
      const editors = [Role.fromName(stack, 'sales')]
      new Flag(stack, 'One', { key: 'one', active: false, release: [], editors })
      return stack
    }
    const create = ['feature_flag.one', 'feature_flag_role_access.one:sales']
    await expect(aStack()).toPlan({ create })
    await using on = await startSandbox({
      roles: [{ id: '01900000-0000-0000-0000-0000000000dd', name: 'sales' }],
    })
    await expect(aStack()).toPlan({ create }, { on })
    await on.apply(aStack())
    await expect(aStack()).toPlan({}, { on })
    await using empty = await startSandbox()
    await expect(empty.plan(aStack())).rejects.toThrow(
      'data.vexil_role.sales: the service does not list its roles',
    )
  })

  it('plans for the service that the stack names', async () => {
    const stack = new TerraformStack(anApp(), 'today')
    new VexilProvider(stack, 'vexil', { profile: 'posthog-2026' })
    new Flag(stack, 'One', { key: 'one', active: false, release: [], evaluationRuntime: 'server' })
    await expect(stack).toPlan({ create: 1 })
  })

  it('knows the day, for policies that ask how far off another one is', async () => {
    const aStack = (day: string) => {
      const stack = new TerraformStack(anApp(), 'expiring')
      Aspects.of(stack).add(new RequireExpiry({ within: '2 days' }))
      new VexilProvider(stack, 'vexil', {})
      new Flag(stack, 'One', { key: 'one', active: false, release: [], tags: [`expires:${day}`] })
      return stack
    }
    const dayMs = 24 * 3_600_000
    const inDays = (days: number) => dayOf(Date.now() + days * dayMs)
    await expect(aStack(inDays(1))).toPlan({ create: 1 })
    await expect(expect(aStack(inDays(100))).toPlan({ create: 1 })).rejects.toThrow('at most 2 are allowed')
  })

  it('lets nothing happen that is not named', async () => {
    await expect(anEventStack()).not.toPlan({})
    await expect(anEventStack()).toPlan({ blocked: ['event_definition.paid'] })
  })

  it('refuses a part that no plan has', async () => {
    // @ts-expect-error: a misspelt part would be one that nobody looks at.
    await expect(expect(aSmallStack()).toPlan({ creates: 1 })).rejects.toThrow('a plan has no "creates"')
  })

  it('gives variables what the test gives them', async () => {
    const stack = new TerraformStack(anApp(), 'with_variable')
    const key = new TerraformVariable(stack, 'key', { type: 'string' })
    new Flag(stack, 'A', { key: key.stringValue })
    await expect(stack).toPlan({ create: ['feature_flag.from_test'] }, { variables: { key: 'from_test' } })
    await expect(expect(stack).toPlan({})).rejects.toThrow('the stack cannot be planned\n')
  })

  it('refuses what only a live flag could be like', async () => {
    const stack = new TerraformStack(anApp(), 'odd')
    new FeatureFlag(stack, 'A', { key: 'a', filters: '{"groups":[{"rollout_percentage":150}]}' })
    await expect(expect(stack).toPlan({ create: 1 })).rejects.toThrow(
      /^the stack cannot be planned\n.*150 is not a percentage/,
    )
  })

  it('asks which stack of an app is meant', async () => {
    const app = anApp()
    aShop(app)
    aSmallStack(app)
    await expect(app).toPlan({ create: 1 }, { stack: 'small' })
    await expect(expect(app).toPlan({ create: 1 })).rejects.toThrow(
      'the app has several stacks; select one with { stack }: shop, small',
    )
    await expect(expect(app).toPlan({}, { stack: 'big' })).rejects.toThrow(
      'no stack "big"; there are shop, small',
    )
    await expect(expect(anApp()).toPlan({})).rejects.toThrow('the app has no stacks')
  })

  describe('on a sandbox of the test', () => {
    let sandbox: TestSandbox
    beforeAll(async () => {
      sandbox = await startSandbox({ roles: [growth] })
    })
    afterAll(() => sandbox.close())

    it('plans nothing once the stack is applied, and what changes afterwards', async () => {
      const stack = aShop()
      await expect(stack).toPlan({ create: 2 }, { on: sandbox })
      await sandbox.apply(stack)
      await expect(stack).toPlan({}, { on: sandbox })
      const flag = await sandbox.flag('checkout_v2')
      await sandbox.send('PATCH', `/api/projects/1/feature_flags/${flag?.id}/`, { active: false })
      await expect(stack).toPlan({ update: ['feature_flag.checkout_v2'] }, { on: sandbox })
    })
  })
})
