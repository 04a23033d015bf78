import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cli, writeFiles } from '../support/cli.ts'
import { folderOfTest } from '../support/folder.ts'
import { type Service, startService } from '../support/service.ts'
import { aWorld } from '../support/workspace.ts'

const cohorts = [
  {
    id: 4,
    name: 'Germans',
    properties: { type: 'AND', values: [{ key: 'country', type: 'person', value: 'DE' }] },
  },
  {
    id: 5,
    name: 'Who paid',
    properties: { type: 'AND', values: [{ type: 'behavioral', key: 'paid', value: 'performed_event' }] },
  },
  {
    id: 6,
    name: 'Germans who paid',
    properties: {
      type: 'AND',
      values: [
        { key: 'id', type: 'cohort', value: 4 },
        { key: 'id', type: 'cohort', value: 5 },
      ],
    },
  },
]

let service: Service
let folder: string

const flagOf = (cohort: number) => `feature_flags:
  checkout:
    active: true
    filters: { groups: [ { properties: [ { key: id, type: cohort, value: ${cohort} } ] } ] }
`

beforeEach(async () => {
  service = await startService({
    seed: aWorld({
      cohorts,
      group_types: ['company'],
      groups: [{ type: 'company', key: 'acme', properties: { plan: 'pro' } }],
      persons: [
        { distinct_ids: ['ann'], properties: { country: 'DE' } },
        { distinct_ids: ['bo'], properties: { country: 'FR' } },
      ],
    }),
  })
  folder = await folderOfTest({ 'vexil.yaml': 'version: 1\n', 'flags.yaml': flagOf(4) })
})

afterEach(() => service.close())

describe('a condition on a cohort', () => {
  const vexil = (line: string) => cli(line, { directory: folder, env: service.env })

  it('is estimated, applied, and settled', async () => {
    expect((await vexil('plan --estimates')).stdout).toContain('about 1 of 2 (estimate)')
    expect(await vexil('apply --auto-approve')).toMatchObject({ code: 0 })
    expect(await vexil('plan --detailed-exitcode')).toMatchObject({ code: 0 })
  })

  it.each([
    ['that is not there', 9, 'cohort_does_not_exist'],
    ['that looks at what people did', 5, 'behavioral_cohort_found'],
    ['that names one which does', 6, 'behavioral_cohort_found'],
  ])('%s is refused by the service', async (_, id, code) => {
    await writeFiles(folder, { 'flags.yaml': flagOf(id) })
    const { code: exit, stdout, stderr } = await vexil('apply --auto-approve')
    expect(exit).toBe(1)
    expect(stdout + stderr).toContain(code)
  })

  it('goes by its name in the settings, also where the service has it no more', async () => {
    await writeFiles(folder, {
      'vexil.yaml': 'version: 1\ncohorts: { gone: 9 }\n',
      'flags.yaml':
        'feature_flags:\n  checkout: { active: true, release: [ { properties: { cohort: { in: gone } } } ] }\n',
    })
    const { code, stdout, stderr } = await vexil('apply --auto-approve')
    expect(code).toBe(1)
    expect(stdout + stderr).toContain('in cohort gone at 100%')
    expect(stdout + stderr).toContain('correct its id in `cohorts` of the settings')
  })

  it('may stand beside one on groups, of which there are estimates too', async () => {
    await writeFiles(folder, {
      'flags.yaml': `feature_flags:
  for_pro:
    active: true
    filters: { aggregation_group_type_index: 0, groups: [ { properties: [ { key: plan, type: group, group_type_index: 0, value: pro } ] } ] }
`,
    })
    expect((await vexil('plan --estimates')).stdout).toContain('about 1 of 1 (estimate)')
    expect(await vexil('apply --auto-approve')).toMatchObject({ code: 0 })
  })
})
