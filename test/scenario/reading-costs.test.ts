import { describe, expect, it, onTestFinished } from 'vitest'
import { profiles } from '../../src/model/profile.ts'
import { flagsPath } from '../support/deleted-flags.ts'
import { type Service, startService } from '../support/service.ts'
import { aWorkspace } from '../support/workspace.ts'
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
    expect(new Set(requests).size).toBe(requests.length)
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
      return requests.toSorted()
    }
    const [yaml, ...others] = await Promise.all(wayNames.map(reads))
    if (!yaml) throw new Error('there is no way to begin with')
    expect(yaml.length).toBeGreaterThan(1)
    for (const [index, other] of others.entries()) {
      expect(other.length, wayNames[index + 1]).toBeGreaterThan(0)
      expect(other.length, wayNames[index + 1]).toBeLessThanOrEqual(yaml.length)
    }
  })
})
