import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { reportFormats } from '../../src/report/formats.ts'
import { cli, folderWith, writeFiles } from '../support/cli.ts'
import { type Service, startService } from '../support/service.ts'
import { aWorld } from '../support/workspace.ts'

const people = (country: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    distinct_ids: [`${country}-${index}`],
    properties: { country },
  }))

let service: Service
let folder: Awaited<ReturnType<typeof folderWith>>

beforeEach(async () => {
  service = await startService({
    seed: aWorld({ persons: [...people('DE', 30), ...people('FR', 70)] }),
  })
  folder = await folderWith({
    'vexil.yaml': 'version: 1\n',
    'flags.yaml': `feature_flags:
  checkout:
    active: true
    filters: { groups: [ { properties: [ { key: country, value: [DE], type: person } ], rollout_percentage: 50 }, { rollout_percentage: 5 } ] }
`,
  })
})

afterEach(async () => {
  await service.close()
  await folder.remove()
})

describe('estimates', () => {
  const vexil = (line: string) => cli(line, { directory: folder.path, env: service.env })

  it('say how many people each new condition reaches, with one question per condition', async () => {
    const { result, requests } = await service.watch(() => vexil('plan --estimates'))
    expect(result.stdout).toContain('reach: country is DE: about 15 of 100 (estimate)')
    expect(result.stdout).toContain('reach: everyone: about 5 of 100 (estimate)')
    expect(requests.filter(line => line.startsWith('POST'))).toEqual(
      Array.from({ length: 2 }, () => 'POST /api/projects/1/feature_flags/user_blast_radius'),
    )
  })

  it('stand in each form of the plan, in a saved one, and on the page of its apply', async () => {
    const ends = reportFormats().map(({ extension }) => extension)
    const reports = ends.map(end => `--report report${end}`).join(' ')
    const line = 'country is DE: about 15 of 100'
    expect((await vexil(`plan --estimates --out saved.plan ${reports}`)).code).toBe(0)
    const read = (name: string) => readFile(join(folder.path, name), 'utf8')
    const texts = await Promise.all(ends.map(async end => [end, await read(`report${end}`)] as const))
    const told = texts.filter(([, text]) => text.includes(line)).map(([end]) => end)
    expect(told).toEqual(expect.arrayContaining(['.txt', '.json', '.md', '.html']))
    expect((await vexil('show saved.plan')).stdout).toContain(line)
    expect((await vexil('apply saved.plan --report applied.html')).code).toBe(0)
    expect(await read('applied.html')).toContain(line)
    expect((await vexil('plan --estimates')).stdout).toContain('No changes')
  })

  it('are asked of the riskiest changes first, and the plan says where it asks no more', async () => {
    const some = Array.from({ length: 41 }, (_, index) => {
      const country = `{ key: country, value: [C${index}], type: person }`
      return `  flag${index}: { active: true, filters: { groups: [ { properties: [ ${country} ], rollout_percentage: 1 } ] } }\n`
    })
    const live = (percent: number) =>
      `  zz: { active: true, filters: { groups: [ { rollout_percentage: ${percent} } ] } }\n`
    await writeFiles(folder.path, { 'flags.yaml': `feature_flags:\n${live(10)}` })
    await vexil('apply --auto-approve')
    await writeFiles(folder.path, { 'flags.yaml': `feature_flags:\n${some.join('')}${live(80)}` })
    const { stdout, stderr } = await vexil('plan --estimates')
    expect(stdout).toContain('reach: everyone: about 80 of 100 (estimate)')
    expect(stdout.match(/reach: not available/g)).toHaveLength(2)
    expect(stderr).toContain('2 of 42 new conditions have no estimate: a plan requests at most 40 estimates')
  })

  it('are asked of a new flag that everybody gets', async () => {
    const filters = '{ groups: [ { rollout_percentage: 100 } ] }'
    const everyone = `feature_flags: { checkout: { active: true, filters: ${filters} } }\n`
    await writeFiles(folder.path, { 'flags.yaml': everyone })
    expect((await vexil('plan --estimates')).stdout).toContain('reach: everyone: about 100 of 100 (estimate)')
  })

  it('say of how many people a stand-in cannot tell', async () => {
    await writeFiles(folder.path, {
      'flags.yaml': `feature_flags:
  checkout:
    active: true
    filters: { groups: [ { properties: [ { key: country, value: '(?=D)', operator: regex, type: person } ] } ] }
`,
    })
    const { stdout } = await vexil('plan --estimates')
    expect(stdout).toContain(
      'about 0 of 100 (estimate; 100 more may match: only the service evaluates the pattern "(?=D)": it looks ahead or behind)',
    )
  })

  it('are not asked for unless somebody wants them', async () => {
    const { requests } = await service.watch(() => vexil('plan'))
    expect(requests.filter(line => !line.startsWith('GET'))).toEqual([])
  })

  it.each(['status=403', 'status=500', 'truncate', 'reset_before'])('never fail a plan: %s', async fault => {
    service.faults(`POST /user_blast_radius ${fault}`)
    const planned = await vexil('plan --estimates')
    expect(planned).toMatchObject({ code: 0, stdout: expect.stringContaining('reach: not available') })
  })
})
