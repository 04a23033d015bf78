import { describe, expect, it, onTestFinished } from 'vitest'
import { profiles } from '../../src/model/connection.ts'
import { DiagnosticError } from '../../src/terraform/provider.ts'
import { flagsPath } from '../support/deleted-flags.ts'
import { type Service, startService } from '../support/service.ts'
import { aWorkspace } from '../support/workspace.ts'
import { playTerraform } from '../terraform/resources/play.ts'
import { type WayName, wayNames, ways } from '../trail/ways.ts'

/** A service whose flags fill more than one page of a list. */
async function aLongList(profile: (typeof profiles)[number]): Promise<Service> {
  const service = await startService({ profile })
  onTestFinished(() => service.close())
  for (let made = 0; made < 120; made += 1)
    await service.send('POST', `${flagsPath}/`, { key: `flag_${made}`, name: `Flag ${made}` })
  return service
}

describe.each(profiles)('what a plan reads (%s)', profile => {
  it('is read once, counted, and told, in words and for programs', async () => {
    const service = await aLongList(profile)
    const { vexil, remove } = await aWorkspace(service, {
      'vexil.yaml': 'version: 1\n',
      'flags.yaml': 'feature_flags: { flag_3: { name: Renamed }, fresh: { active: true, filters: {} } }\n',
    })
    onTestFinished(remove)
    const line = `--profile ${profile}`
    const { result: told, requests } = await service.watch(() => vexil(`plan ${line}`))
    expect(told).toMatchObject({ code: 0 })
    expect(requests.length).toBeGreaterThan(1)
    // Today's service has a list of its own for what is archived.
    const lists = profile === 'posthog-2026' ? 2 : 1
    expect(requests.length - new Set(requests).size).toBe(lists - 1)
    // Whatever the number of flags, a plan reads no list twice: each of them is billed as local evaluation is.
    expect(service.sandbox.requests.counts().billed).toBe(lists)
    expect(told.stdout).toContain(`read: feature_flag 120 of 120, in ${requests.length} requests\n`)

    const printed = await service.watch(() => vexil(`plan --json ${line}`))
    expect(JSON.parse(printed.result.stdout).requests).toBe(printed.requests.length)
    const drift = await service.watch(() => vexil(`drift --json ${line}`))
    expect(JSON.parse(drift.result.stdout).requests).toBe(drift.requests.length)
  })

  it('is no more from a stack or from Terraform than from YAML', async () => {
    const reads = async (way: WayName) => {
      const service = await aLongList(profile)
      for (const id of [3, 4]) await service.send('PATCH', `${flagsPath}/${id}/`, { deleted: true })
      const person = await ways[way]({ service, keys: ['fresh', 'another', 'flag_2', 'flag_3'], profile })
      const { requests } = await service.watch(() => person.plan())
      return { requests: requests.toSorted(), billed: service.sandbox.requests.counts().billed }
    }
    const [yaml, ...others] = await Promise.all(wayNames.map(reads))
    if (!yaml) throw new Error('there is no way to begin with')
    expect(yaml.requests.length).toBeGreaterThan(1)
    expect(yaml.billed).toBe(profile === 'posthog-2026' ? 2 : 1)
    for (const [index, other] of others.entries()) {
      expect(other.requests.length, wayNames[index + 1]).toBeGreaterThan(0)
      expect(other.requests.length, wayNames[index + 1]).toBeLessThanOrEqual(yaml.requests.length)
      expect(other.billed, wayNames[index + 1]).toBeLessThanOrEqual(yaml.billed)
    }
  })
})

/** How many flags there are, how many rows a page has at the most, and what is declared: the rest is new. */
interface World {
  readonly there: number
  readonly page: number
  readonly living: number
  readonly deleted: number
  readonly fresh: number
}

const worlds: readonly World[] = [
  { there: 0, page: 5, living: 0, deleted: 0, fresh: 6 },
  { there: 12, page: 5, living: 1, deleted: 0, fresh: 0 },
  { there: 12, page: 5, living: 1, deleted: 2, fresh: 1 },
  { there: 30, page: 5, living: 9, deleted: 3, fresh: 3 },
  { there: 30, page: 40, living: 20, deleted: 0, fresh: 2 },
]

const pagesOf = ({ there, page }: World) => Math.max(1, Math.ceil(there / page))

async function aWorld({ there, page, living, deleted, fresh }: World) {
  const service = await startService({ quirks: { page_size_cap: page } })
  onTestFinished(() => service.close())
  for (let made = 0; made < there + deleted; made += 1)
    await service.send('POST', `${flagsPath}/`, {
      key: `flag_${made}`,
      active: true,
      filters: { groups: [{}] },
    })
  for (let id = there + 1; id <= there + deleted; id += 1)
    await service.send('PATCH', `${flagsPath}/${id}/`, { deleted: true })
  const names = (from: number, count: number) => Array.from({ length: count }, (_, at) => `flag_${from + at}`)
  return { service, keys: [...names(0, living), ...names(there, deleted), ...names(1000, fresh)] }
}

describe.each(worlds)('in a world with %o', world => {
  it('plans read no more from a stack than from YAML, and from Terraform fewer single flags than pages more', async () => {
    const { service, keys } = await aWorld(world)
    const reads = async (run: () => Promise<unknown>) => (await service.watch(run)).requests.length
    const [yaml, stack] = [
      await ways.YAML({ service, keys, profile: 'auto' }),
      await ways['a stack']({ service, keys, profile: 'auto' }),
    ]
    const most = await reads(() => yaml.plan())
    expect(await reads(() => stack.plan())).toBe(most)
    const planOf = (terraform: Awaited<ReturnType<typeof playTerraform>>) => (key: string) =>
      terraform.plan('feature_flag', { key, active: true, release: [{}] }, null)
    const atOnce = await playTerraform(service)
    expect(await reads(() => Promise.all(keys.map(planOf(atOnce))))).toBeLessThanOrEqual(
      most + pagesOf(world) - 1,
    )
    const inTurn = await playTerraform(service)
    const readInTurn = await reads(async () => {
      for (const key of keys) await planOf(inTurn)(key)
    })
    expect(readInTurn).toBeLessThanOrEqual(most + pagesOf(world) - 1)
  })

  it('an apply of Terraform reads the trail and each flag once, and never a list', async () => {
    const { service, keys } = await aWorld(world)
    const terraform = await playTerraform(service)
    const plans = await Promise.all(
      keys.map(async key => {
        const config = { key, active: true, release: [{}] }
        return [config, await terraform.plan('feature_flag', config, null)] as const
      }),
    )
    const applying = await playTerraform(service)
    const { requests } = await service.watch(() =>
      Promise.all(
        plans.map(async ([config, planned]) => {
          try {
            await applying.carryOut('feature_flag', config, null, planned)
          } catch (error) {
            if (!(error instanceof DiagnosticError)) throw error
          }
        }),
      ),
    )
    const gets = requests.filter(line => line.startsWith('GET '))
    expect(gets.filter(line => line === `GET ${flagsPath}`)).toEqual([])
    expect(service.sandbox.requests.counts().billed).toBe(0)
    expect(gets.filter(line => line.endsWith('/activity')).length).toBeLessThanOrEqual(1 + world.deleted)
    expect(gets.filter(line => /\/\d+$/.test(line)).length).toBeLessThanOrEqual(world.living + world.deleted)
    const writes = requests.filter(line => !line.startsWith('GET '))
    // What is there is not sent, and what comes back is changed if need be and brought back.
    expect(writes.filter(line => line.startsWith('POST'))).toHaveLength(world.fresh)
  })
})
