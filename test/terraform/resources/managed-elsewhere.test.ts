import { describe, expect, it } from 'vitest'
import { useService } from '../../support/service.ts'
import { type Config, type Kept, showDiagnostic, useTerraform } from './play.ts'

const flagPath = '/api/projects/1/feature_flags/1'
const groups = [{ properties: [], rollout_percentage: 50 }]
const foreign = {
  super_groups: [{ properties: [], rollout_percentage: 100 }],
  holdout_groups: [{ properties: [], rollout_percentage: 10, variant: 'holdout-1' }],
  feature_enrollment: true,
  holdout: { id: 7, exclusion_percentage: 10 },
  of_a_later_service: { any: true },
}

const service = useService()
const terraform = useTerraform(service)

describe.each<[string, Config, Config]>([
  [
    '`release`',
    { key: 'x', release: [{ rollout_percentage: 50 }] },
    { key: 'x', release: [{ rollout_percentage: 60 }] },
  ],
  [
    '`filters`',
    { key: 'x', filters: JSON.stringify({ groups }) },
    { key: 'x', filters: '{"groups":[{"rollout_percentage":60}]}' },
  ],
])('what an experiment writes into the filters of a flag with %s', (_, config, wider) => {
  async function written() {
    const kept = await terraform.apply('feature_flag', config)
    await service.send('PATCH', flagPath, { filters: { groups, ...foreign } })
    return kept
  }

  it('is no drift, and no plan claims to remove it', async () => {
    const kept = await written()
    const read = (await terraform.read('feature_flag', kept)) as Kept
    expect(read.state.filters).toBe(kept.state.filters)
    expect(await terraform.plan('feature_flag', config, read)).toMatchObject({ changes: [], warnings: [] })
  })

  it('stays where something else changes, and the plan is of that alone', async () => {
    const kept = await written()
    const read = (await terraform.read('feature_flag', kept)) as Kept
    const { planned } = await terraform.plan('feature_flag', wider, read)
    const after = await terraform.apply('feature_flag', wider, read)
    expect(after.state.filters).toBe(planned.filters)
    expect(await service.get(flagPath)).toMatchObject({
      filters: { ...foreign, groups: [{ rollout_percentage: 60 }] },
    })
    expect(await terraform.replan('feature_flag', wider, after)).toEqual([])
  })

  it('does not hide what else was changed by hand', async () => {
    const kept = await terraform.apply('feature_flag', config)
    await service.send('PATCH', flagPath, {
      filters: { groups: [{ properties: [], rollout_percentage: 77 }], ...foreign },
    })
    const read = (await terraform.read('feature_flag', kept)) as Kept
    expect(read.state.filters).toBe(kept.state.filters && String(kept.state.filters).replace('50', '77'))
    if (config.release) expect(read.state.release).toMatchObject([{ rollout_percentage: 77 }])
  })

  it('is left out of an import, and of the plan after it', async () => {
    await written()
    const imported = await terraform.import('feature_flag', 'x')
    expect(imported.state.filters).toBe('{"groups":[{"rollout_percentage":50}]}')
    const { changes } = await terraform.plan('feature_flag', config, imported)
    expect(changes).toEqual(config.release ? ['filters', 'release'] : [])
  })
})

describe('what other parts of the product write, once it is declared', () => {
  const declared: Config = { key: 'x', filters: JSON.stringify({ groups, ...foreign }) }

  it('is compared like everything else', async () => {
    const kept = await terraform.apply('feature_flag', declared)
    expect(await terraform.replan('feature_flag', declared, kept)).toEqual([])
    await service.send('PATCH', flagPath, { filters: { groups } })
    expect(await terraform.replan('feature_flag', declared, kept)).toEqual(['filters'])
  })

  it('and taken out of the configuration, stays, and the plan does not say otherwise', async () => {
    const kept = await terraform.apply('feature_flag', declared)
    const without = { key: 'x', filters: JSON.stringify({ groups }) }
    expect(await terraform.replan('feature_flag', without, kept)).toEqual([])
    const typed = { key: 'x', release: [{ rollout_percentage: 50 }] }
    expect(await terraform.replan('feature_flag', typed, kept)).toEqual(['filters', 'release'])
  })

  it('and taken out beside another change, is told to stay', async () => {
    const kept = await terraform.apply('feature_flag', declared)
    const wider = { key: 'x', filters: '{"groups":[{"rollout_percentage":60}]}' }
    const planned = await terraform.plan('feature_flag', wider, kept)
    expect(planned.warnings.map(showDiagnostic)).toEqual([
      'warning [filters]: `super_groups`, `holdout_groups`, `feature_enrollment`, `holdout`, `of_a_later_service` stay unchanged in the service | They belong to other parts of the product, and undeclared parts stay unchanged: omitting them removes nothing.',
    ])
    const after = await terraform.apply('feature_flag', wider, kept)
    expect(await service.get(flagPath)).toMatchObject({ filters: foreign })
    expect(await terraform.replan('feature_flag', wider, after)).toEqual([])
  })
})
