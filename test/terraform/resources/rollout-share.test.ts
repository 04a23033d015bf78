import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../src/model/text/json.ts'
import { useService } from '../../support/service.ts'
import { type Config, type Kept, refusalOf, showDiagnostic, useTerraform } from './play.ts'

/** `rollout_percentage` of a flag, which is one condition that everybody meets. */

const flagPath = '/api/projects/1/feature_flags/1'
const share = (percent: number, more: Config = {}): Config => ({
  key: 'x',
  active: true,
  rollout_percentage: percent,
  ...more,
})
const released = (percent: number): Config => ({
  key: 'x',
  active: true,
  release: [{ rollout_percentage: percent }],
})

const service = useService()
const terraform = useTerraform(service)

const liveGroups = async () => ((await service.get(flagPath)) as { filters: JsonObject }).filters.groups
const edit = async (filters: Json) => {
  const { filters: before } = (await service.get(flagPath)) as { filters: JsonObject }
  await service.send('PATCH', flagPath, { filters: { ...before, ...(filters as JsonObject) } })
}

async function readAgain(kept: Kept): Promise<Kept> {
  await terraform.begin()
  return (await terraform.read('feature_flag', kept)) as Kept
}

describe('a share of everybody', () => {
  it('is one condition in the service, and changes in place', async () => {
    const kept = await terraform.apply('feature_flag', share(5))
    expect(await liveGroups()).toMatchObject([{ rollout_percentage: 5 }])
    expect(await terraform.replan('feature_flag', share(25), kept)).toEqual(['rollout_percentage'])
    const after = await terraform.apply('feature_flag', share(25), kept)
    expect(await liveGroups()).toMatchObject([{ rollout_percentage: 25 }])
    expect(await terraform.replan('feature_flag', share(25), after)).toEqual([])
  })

  it('that is taken out beside variants is warned of: then everybody gets the flag', async () => {
    const variants = [{ key: 'a', rollout_percentage: 100 }]
    const kept = await terraform.apply('feature_flag', share(5, { variants }))
    const without = { key: 'x', active: true, variants }
    const planned = await terraform.plan('feature_flag', without, kept)
    expect(planned.warnings.map(showDiagnostic)).toEqual([
      'warning [rollout_percentage]: without `rollout_percentage` everybody gets the flag | Neither `release` nor `rollout_percentage` limits who gets it. To release to everybody, write `rollout_percentage = 100`.',
    ])
    await terraform.carryOut('feature_flag', without, kept, planned)
    expect(await liveGroups()).toEqual([{}])
  })

  it.each<[string, Config]>([
    ['a share', share(100)],
    ['a condition', released(100)],
  ])('of everybody is taken out beside variants without a word: %s', async (_, before) => {
    const variants = [{ key: 'a', rollout_percentage: 100 }]
    const kept = await terraform.apply('feature_flag', { ...before, variants })
    const planned = await terraform.plan('feature_flag', { key: 'x', active: true, variants }, kept)
    expect(planned.warnings).toEqual([])
  })

  it.each<[string, Config, Config]>([
    ['to `release`', share(5), released(5)],
    ['from `release`', released(5), share(5)],
    [
      'from `filters`',
      { key: 'x', active: true, filters: '{"groups":[{"rollout_percentage":5}]}' },
      share(5),
    ],
  ])('goes %s without a change of the service', async (_, one, other) => {
    const kept = await terraform.apply('feature_flag', one)
    const planned = await terraform.plan('feature_flag', other, kept)
    expect(planned.changes).toEqual(
      'filters' in one ? ['filters', 'rollout_percentage'] : ['release', 'rollout_percentage'],
    )
    expect(planned.warnings).toEqual([])
    const { requests } = await service.watch(() => terraform.carryOut('feature_flag', other, kept, planned))
    expect(requests).toEqual([`GET ${flagPath}`])
  })

  it.each<[string, Json, number]>([
    ['another share', [{ properties: [], rollout_percentage: 40 }], 40],
    ['everybody', [{ properties: [] }], 100],
    ['nobody', [], 0],
  ])('is shown as the share that it has become: %s', async (_, groups, percent) => {
    const kept = await terraform.apply('feature_flag', share(5))
    await edit({ groups })
    const read = await readAgain(kept)
    expect(read.state).toMatchObject({ rollout_percentage: percent, release: null, filters: null })
    expect((await terraform.plan('feature_flag', share(5), read)).changes).toEqual(['rollout_percentage'])
    const after = await terraform.apply('feature_flag', share(5), read)
    expect(await liveGroups()).toMatchObject([{ rollout_percentage: 5 }])
    expect(await terraform.replan('feature_flag', share(5), after)).toEqual([])
  })

  it.each<[string, JsonObject]>([
    ['a property', { properties: [{ key: 'country', value: 'DE', type: 'person' }], rollout_percentage: 5 }],
    ['a note', { properties: [], rollout_percentage: 5, description: 'theirs' }],
  ])('is shown as conditions once it is more than that: %s', async (_, condition) => {
    const kept = await terraform.apply('feature_flag', share(5))
    await edit({ groups: [condition] })
    const read = await readAgain(kept)
    expect(read.state).toMatchObject({ rollout_percentage: null, release: [{ rollout_percentage: 5 }] })
    expect((await terraform.plan('feature_flag', share(5), read)).changes).toEqual([
      'release',
      'rollout_percentage',
    ])
    const after = await terraform.apply('feature_flag', share(5), read)
    expect(await terraform.replan('feature_flag', share(5), after)).toEqual([])
  })

  it('is left to others where changes of it and of `release` are ignored', async () => {
    const kept = await terraform.apply('feature_flag', share(5))
    const ignoring = ({ state }: Kept): Config => ({
      ...share(5),
      release: state.release ?? null,
      rollout_percentage: state.rollout_percentage ?? null,
    })
    await edit({ groups: [{ properties: [], rollout_percentage: 40 }] })
    const wider = await readAgain(kept)
    expect((await terraform.plan('feature_flag', ignoring(wider), wider)).changes).toEqual([])
    await edit({
      groups: [
        { properties: [], rollout_percentage: 40 },
        { properties: [], rollout_percentage: 1 },
      ],
    })
    const more = await readAgain(wider)
    expect((await terraform.plan('feature_flag', ignoring(more), more)).changes).toEqual([])
  })

  it('is what an import is configured with, without a change of the service', async () => {
    await terraform.apply('feature_flag', released(5))
    const imported = await terraform.import('feature_flag', 'x')
    const planned = await terraform.plan('feature_flag', share(5), imported)
    expect(planned.changes).toEqual(['filters', 'rollout_percentage'])
    const { requests } = await service.watch(() =>
      terraform.carryOut('feature_flag', share(5), imported, planned),
    )
    expect(requests).toEqual([`GET ${flagPath}`])
  })

  it.each<[string, Config, string[]]>([
    [
      'with `release`',
      share(5, { release: [{}] }),
      [
        'error [rollout_percentage]: `release` and `rollout_percentage` are both set | `rollout_percentage` is short for one condition that everybody meets. Set only one of them.',
      ],
    ],
    [
      'with `filters`',
      share(5, { filters: '{"groups":[]}' }),
      [
        'error [rollout_percentage]: `rollout_percentage` and `filters` are both set | They are two forms of the same setting. Set `filters` or the typed attributes, not both.',
      ],
    ],
    [
      'above 100',
      share(101),
      [
        'warning [rollout_percentage]: 101 is not a percentage | Write a number from 0 to 100; a plan accepts this only if the live object already has it.',
      ],
    ],
  ])('is told where it cannot be: %s', async (_, config, said) => {
    expect((await terraform.validate('feature_flag', config)).map(showDiagnostic)).toEqual(said)
  })

  it('above 100 is refused by the plan of a new flag', async () => {
    expect(await refusalOf(() => terraform.plan('feature_flag', share(101), null))).toBe(
      'error [rollout_percentage]: 101 is not a percentage | Write a number from 0 to 100.',
    )
  })
})
