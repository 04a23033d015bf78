import { afterEach, describe, expect, it } from 'vitest'
import { type Service, startService } from '../../support/service.ts'
import { type Kept, type Player, playTerraform } from './play.ts'

const filters = { groups: [{ properties: [], rollout_percentage: 50 }] }

let service: Service
afterEach(() => service.close())

async function flags(count: number, pageSize: number): Promise<{ terraform: Player; kept: Kept[] }> {
  service = await startService({
    quirks: { page_size_cap: pageSize },
    seed: {
      organizations: [
        {
          id: '01900000-0000-0000-0000-000000000001',
          name: 'Example',
          projects: [
            {
              id: 1,
              name: 'P',
              feature_flags: Array.from({ length: count }, (_, index) => ({
                id: index + 1,
                key: `flag-${index}`,
                filters,
              })),
            },
          ],
        },
      ],
    },
  })
  const terraform = await playTerraform(service)
  const kept = Array.from({ length: count }, (_, index): Kept => {
    const names = Object.keys(terraform.provider.resources.vexil_feature_flag?.schema.block.attributes ?? {})
    const empty = Object.fromEntries(names.map(name => [name, null]))
    return { state: { ...empty, id: String(index + 1), key: `flag-${index}` }, private: new Uint8Array() }
  })
  return { terraform, kept }
}

describe('the reads of a run', () => {
  it('that come at once are one page each for as many as a page holds', async () => {
    const { terraform, kept } = await flags(200, 50)
    const { result, requests } = await service.watch(() =>
      Promise.all(kept.map(one => terraform.read('feature_flag', one))),
    )
    expect(result.map(one => one?.state.key)).toEqual(kept.map(({ state }) => state.key))
    expect(requests).toHaveLength(4)
  })

  it('that come after them cost nothing more', async () => {
    const { terraform, kept } = await flags(20, 100)
    await Promise.all(kept.map(one => terraform.read('feature_flag', one)))
    const { requests } = await service.watch(() => terraform.read('feature_flag', kept[3] as Kept))
    expect(requests).toEqual([])
  })

  it('begin anew after a write', async () => {
    const { terraform, kept } = await flags(20, 100)
    const read = await terraform.read('feature_flag', kept[3] as Kept)
    await terraform.apply('feature_flag', { key: 'flag-3', name: 'New' }, read)
    const { result, requests } = await service.watch(() => terraform.read('feature_flag', kept[4] as Kept))
    expect(result?.state.key).toBe('flag-4')
    expect(requests).toEqual(['GET /api/projects/1/feature_flags'])
  })

  it('ask for one flag alone where reading the whole list would cost more', async () => {
    const { terraform, kept } = await flags(100, 5)
    const { result, requests } = await service.watch(() => terraform.read('feature_flag', kept[0] as Kept))
    expect(result?.state.key).toBe('flag-0')
    expect(requests.length).toBeLessThanOrEqual(2)
  })

  it('never cost more than twice what is best, one after the other', async () => {
    const { terraform, kept } = await flags(100, 5)
    const { requests } = await service.watch(async () => {
      for (const one of kept) await terraform.read('feature_flag', one)
    })
    expect(requests.length).toBeLessThanOrEqual(40)
  })

  it('ask once more for what the list does not show, before it counts as deleted', async () => {
    const { terraform, kept } = await flags(3, 100)
    await service.send('PATCH', '/api/projects/1/feature_flags/2', { deleted: true })
    const { result, requests } = await service.watch(() => terraform.read('feature_flag', kept[1] as Kept))
    expect(result?.state).toMatchObject({ id: '2', deleted: true })
    expect(requests).toEqual(['GET /api/projects/1/feature_flags', 'GET /api/projects/1/feature_flags/2'])
  })
})
