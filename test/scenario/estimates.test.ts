import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cli, folderWith, writeFiles } from '../support/cli.ts'
import { type Service, startService } from '../support/service.ts'

const people = (country: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    distinct_ids: [`${country}-${index}`],
    properties: { country },
  }))

let service: Service
let folder: Awaited<ReturnType<typeof folderWith>>

beforeEach(async () => {
  service = await startService({
    seed: {
      organizations: [
        {
          name: 'Shop',
          projects: [{ id: 1, name: 'Shop', persons: [...people('DE', 30), ...people('FR', 70)] }],
        },
      ],
    },
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
      'about 0 of 100 (estimate; 100 more are open: the pattern "(?=D)" is left to the service: it looks around)',
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
