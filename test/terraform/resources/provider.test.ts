import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { unknown } from '../../../src/hcl/values/value.ts'
import { sampleWorld } from '../../../src/sandbox/index.ts'
import { type Service, startService } from '../../support/service.ts'
import { overTheWire } from '../support/values.ts'
import { type Config, playTerraform, refusalOf, showDiagnostic } from './play.ts'

let service: Service

beforeEach(async () => {
  service = await startService()
})
afterEach(() => service.close())

const flag: Config = { key: 'checkout', active: false }

describe("the provider's block", () => {
  it('counts before the environment, so that two configurations of one run can differ', async () => {
    const env = { VEXIL_BASE_URL: 'http://127.0.0.1:1', VEXIL_API_KEY: 'no', VEXIL_PROJECT_ID: '404' }
    const terraform = await playTerraform(
      { env },
      { base_url: service.url, api_key: service.env.VEXIL_API_KEY ?? '', project_id: '1' },
    )
    expect((await terraform.apply('feature_flag', flag)).state.id).toBe('1')
  })

  it.each([
    ['base_url', { base_url: unknown }],
    ['api_key', { api_key: unknown }],
    ['project_id', { project_id: unknown }],
  ])('may have an unknown %s until it is used', async (name, block) => {
    const terraform = await playTerraform({ env: service.env }, block)
    expect((await terraform.plan('feature_flag', flag, null)).planned.key).toBe('checkout')
    expect(await refusalOf(() => terraform.import('feature_flag', 'checkout'))).toBe(
      `error: the provider's \`${name}\` is not known yet | It depends on an object that does not exist yet. Create that object first with \`-target\`, then run this again.`,
    )
  })

  it.each<[Config, string]>([
    [
      { profile: 'own' },
      'error [profile]: "own" is not a profile | Use "auto", "documented", "posthog" or "posthog-2026".',
    ],
    [
      { base_url: 'here' },
      'error [base_url]: `base_url` is not a URL | Write it like https://flags.example.com.',
    ],
    [{ parallelism: 0 }, 'error [parallelism]: `parallelism` must be a whole number from 1 to 64'],
    [{ default_tags: [''] }, 'error [default_tags]: a default tag is empty'],
  ])('is checked: %o', async (block, said) => {
    const { provider, context } = await playTerraform(service)
    const problems = await provider.validateProvider?.(overTheWire(provider.schema, block), context)
    expect(problems?.map(showDiagnostic)).toEqual([said])
  })

  it.each([
    ['VEXIL_BASE_URL', 'no `base_url` is set'],
    ['VEXIL_API_KEY', 'no `api_key` is set'],
    ['VEXIL_PROJECT_ID', 'no project is set'],
  ])('without %s says what is missing at the first use', async (variable, said) => {
    const terraform = await playTerraform({ env: { ...service.env, [variable]: '' } })
    const refusal = await refusalOf(() => terraform.apply('feature_flag', flag))
    expect(refusal).toContain(said)
    expect(refusal).toContain(variable)
  })

  it.each(['plugin', 'event_definition'])('plans a new %s without a key, as it asks nothing', async type => {
    const terraform = await playTerraform({ env: { ...service.env, VEXIL_API_KEY: '' } })
    const { warnings } = await terraform.plan(type, { name: 'new' }, null)
    expect(warnings).toEqual([])
  })

  it('takes no key over plain http to another machine', async () => {
    const refusal = await refusalOf(() => playTerraform(service, { base_url: 'http://flags.example.com' }))
    expect(refusal).toContain('plain http')
    expect(refusal).not.toContain(service.env.VEXIL_API_KEY)
  })

  it('stops what reads once Terraform asks for it, and works again in the next run', async () => {
    const terraform = await playTerraform(service)
    const kept = await terraform.apply('feature_flag', flag)
    await terraform.provider.stop?.()
    expect(await refusalOf(() => terraform.read('feature_flag', kept))).toContain(
      'cannot read flag "checkout"',
    )
    expect(await terraform.replan('feature_flag', flag, kept)).toEqual([])
  })
})

describe('default tags', () => {
  const tagged = { ...flag, tags: ['Web'] }

  it('are put beside those of the resource, which stay as they are written', async () => {
    const terraform = await playTerraform(service, { default_tags: ['terraform'] })
    const kept = await terraform.apply('feature_flag', tagged)
    expect(kept.state).toMatchObject({ tags: ['Web'], tags_all: ['terraform', 'web'] })
    expect(await terraform.replan('feature_flag', tagged, kept)).toEqual([])
  })

  it('are put on what names no tags, and leave those that are there', async () => {
    await service.send('POST', '/api/projects/1/feature_flags', {
      key: 'checkout',
      active: false,
      tags: ['hand'],
    })
    const terraform = await playTerraform(service, { default_tags: ['terraform'] })
    const kept = await terraform.import('feature_flag', 'checkout')
    const after = await terraform.apply('feature_flag', flag, kept)
    expect(after.state).toMatchObject({ tags: ['hand'], tags_all: ['hand', 'terraform'] })
    expect(await terraform.replan('feature_flag', flag, after)).toEqual([])
  })

  it('that change are planned as one change of `tags_all`', async () => {
    const before = await playTerraform(service, { default_tags: ['a'] })
    const kept = await before.apply('feature_flag', tagged)
    const after = await playTerraform(service, { default_tags: ['b'] })
    expect(await after.replan('feature_flag', tagged, kept)).toEqual(['tags_all'])
    const changed = await after.apply('feature_flag', tagged, kept)
    expect(changed.state.tags_all).toEqual(['b', 'web'])
    expect(await service.get('/api/projects/1/feature_flags/1')).toMatchObject({
      tags: expect.arrayContaining(['b', 'web']),
    })
  })

  it.each([
    ['are no more', {}, ['hand']],
    ['become others', { default_tags: ['b'] }, ['b', 'hand']],
  ])('that %s are taken off what names no tags, and nothing else is', async (_, block, left) => {
    const before = await playTerraform(service, { default_tags: ['a'] })
    const kept = await before.apply('feature_flag', flag)
    await service.send('PATCH', '/api/projects/1/feature_flags/1', { tags: ['a', 'hand'] })
    const after = await playTerraform(service, block)
    const read = (await after.read('feature_flag', kept)) ?? kept
    expect(read.state).toMatchObject({ tags: ['hand'], tags_all: ['a', 'hand'] })
    const changed = await after.apply('feature_flag', flag, read)
    expect(changed.state.tags_all).toEqual(left)
    const live = (await service.get('/api/projects/1/feature_flags/1')) as { tags: string[] }
    expect([...live.tags].sort()).toEqual(left)
    expect(await after.replan('feature_flag', flag, changed)).toEqual([])
  })

  it.each<[string, Config]>([
    ['names tags', tagged],
    ['names none', flag],
  ])('are let go of where changes of tags are ignored, by what %s', async (_, config) => {
    const terraform = await playTerraform(service, { default_tags: ['a'] })
    const kept = await terraform.apply('feature_flag', config)
    await terraform.begin()
    await service.send('PATCH', '/api/projects/1/feature_flags/1', { tags: ['theirs'] })
    const read = (await terraform.read('feature_flag', kept)) ?? kept
    // As Terraform plans with `ignore_changes = [tags, tags_all]`, and applies without.
    const ignoring = { ...config, tags: read.state.tags ?? null, tags_all: read.state.tags_all ?? null }
    const planned = await terraform.plan('feature_flag', ignoring, read)
    expect(planned.changes).toEqual([])
    const renamed = await terraform.plan('feature_flag', { ...ignoring, name: 'New' }, read)
    expect(renamed.changes).toEqual(['name'])
    const { requests } = await service.watch(() =>
      terraform.carryOut('feature_flag', { ...config, name: 'New' }, read, renamed),
    )
    expect(requests.filter(line => line.startsWith('PATCH'))).toHaveLength(1)
    const live = await service.get('/api/projects/1/feature_flags/1')
    expect(live).toMatchObject({ name: 'New', tags: ['theirs'] })
  })

  it("of an event that names no tags are taken off with the provider's", async () => {
    await service.close()
    service = await startService({ seed: sampleWorld })
    const before = await playTerraform(service, { default_tags: ['a'] })
    const kept = await before.apply('event_definition', { name: 'checkout_paid' })
    expect(kept.state).toMatchObject({ tags_all: ['a', 'payments'] })
    const after = await playTerraform(service)
    const changed = await after.apply('event_definition', { name: 'checkout_paid' }, kept)
    expect(changed.state).toMatchObject({ tags_all: ['payments'] })
    expect(await after.replan('event_definition', { name: 'checkout_paid' }, changed)).toEqual([])
  })

  it('that were taken off by hand are put back', async () => {
    const terraform = await playTerraform(service, { default_tags: ['terraform'] })
    const kept = await terraform.apply('feature_flag', tagged)
    await service.send('PATCH', '/api/projects/1/feature_flags/1', { tags: ['web'] })
    expect(await terraform.replan('feature_flag', tagged, kept)).toEqual(['tags_all'])
  })
})
