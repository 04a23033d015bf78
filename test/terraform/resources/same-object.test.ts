import { describe, expect, it } from 'vitest'
import { sampleWorld } from '../../../src/sandbox/index.ts'
import { useService } from '../../support/service.ts'
import { type Config, refusalOf, showDiagnostic, useTerraform } from './play.ts'

const service = useService({ seed: sampleWorld })
const terraform = useTerraform(service)

const role = '01900000-0000-0000-0000-0000000000aa'
const off = { active: false }

/** For each type an object, and one that differs in what tells such objects apart. */
const objects: readonly (readonly [type: string, Config, Config])[] = [
  ['feature_flag', { key: 'x', ...off }, { key: 'y', ...off }],
  [
    'feature_flag_role_access',
    { feature_flag_id: '1', role_id: role },
    { feature_flag_id: '2', role_id: role },
  ],
  ['event_definition', { name: 'x' }, { name: 'y' }],
]

describe.each(objects)('two resources that are a %s', (type, config, other) => {
  it('are refused where both are one object', async () => {
    await terraform.plan(type, config, null)
    await terraform.plan(type, other, null)
    expect(await refusalOf(() => terraform.plan(type, config, null))).toMatch(
      /^error \[(key|role_id|name)\]: another resource is also .* \| Two resources cannot manage one/,
    )
  })

  it('may have been one object in another plan', async () => {
    await terraform.plan(type, config, null)
    await terraform.begin()
    const { changes } = await terraform.plan(type, config, null)
    expect(changes).toEqual(['create'])
  })
})

describe.each<[type: string, id: string, Config]>([
  ['feature_flag', 'dark-mode', { key: 'dark-mode' }],
  ['feature_flag_role_access', `gift-wrapping/${role}`, { feature_flag_id: '2', role_id: role }],
  ['plugin', 'Session clock', { name: 'Session clock' }],
  ['event_definition', 'checkout_paid', { name: 'checkout_paid' }],
])('two states of one %s', (type, id, config) => {
  it('are told of in each plan, as when it was imported twice', async () => {
    const kept = await terraform.import(type, id)
    const given =
      'feature_flag_id' in config ? { ...config, feature_flag_id: kept.state.feature_flag_id! } : config
    const warnings = async () => (await terraform.plan(type, given, kept)).warnings.map(showDiagnostic)
    await terraform.begin()
    expect(await warnings()).toEqual([])
    expect(await warnings()).toEqual([
      expect.stringMatching(
        /^warning \[(key|role_id|name)\]: another resource is also .* \| Both have the id \S+ in their states/,
      ),
    ])
    await terraform.begin()
    expect(await warnings()).toEqual([])
  })
})

describe('a flag', () => {
  it('that is there already is another one than one that is to be made', async () => {
    const kept = await terraform.apply('feature_flag', { key: 'x', ...off })
    expect(await terraform.replan('feature_flag', { key: 'x', ...off }, kept)).toEqual([])
    expect(await refusalOf(() => terraform.plan('feature_flag', { key: 'x', ...off }, null))).toContain(
      'another resource is also flag "x"',
    )
  })

  it('that takes the place of itself is planned twice', async () => {
    const kept = await terraform.apply('feature_flag', { key: 'x', ...off })
    await terraform.replan('feature_flag', { key: 'x', ...off }, kept)
    const { resource, complete } = planning()
    const answer = await resource.plan(
      { prior: null, proposed: complete, config: complete, priorPrivate: kept.private },
      terraform.context,
    )
    expect(answer.planned.key).toBe('x')
  })

  it('may have the key that another one gives up, and the other way round', async () => {
    const one = await terraform.apply('feature_flag', { key: 'x', ...off })
    const two = await terraform.apply('feature_flag', { key: 'y', ...off })
    expect(await terraform.replan('feature_flag', { key: 'y', ...off }, one)).toEqual(['key'])
    expect((await terraform.plan('feature_flag', { key: 'x', ...off }, two)).changes).toEqual(['key'])
  })

  it('may have the same key in another project', async () => {
    await terraform.plan('feature_flag', { key: 'x', ...off }, null)
    const there = await terraform.plan('feature_flag', { key: 'x', project_id: '2', ...off }, null)
    expect(there.changes).toEqual(['create'])
  })

  it('has the name of a plugin, of which there may be several', async () => {
    await terraform.plan('plugin', { name: 'x' }, null)
    expect((await terraform.plan('plugin', { name: 'x' }, null)).changes).toEqual(['create'])
  })

  function planning() {
    const resource = terraform.provider.resources.vexil_feature_flag!
    const names = Object.keys(resource.schema.block.attributes)
    const complete = Object.fromEntries(
      names.map(name => [name, ({ key: 'x', ...off } as Config)[name] ?? null]),
    )
    return { resource, complete }
  }
})
