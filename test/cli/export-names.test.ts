import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { Json, JsonObject } from '../../src/model/text/json.ts'
import { anOrganization, useWorkspace, writeTwoEnvironments } from '../support/workspace.ts'

const inCohort = (value: Json): JsonObject => ({ key: 'id', type: 'cohort', operator: 'in', value })
const ofGroup = (group_type_index: number): JsonObject => ({
  ...{ key: 'plan', type: 'group', group_type_index, operator: 'exact', value: 'pro' },
})
const flag = (key: string, properties: readonly JsonObject[], groupType: number | null = null) => ({
  key,
  active: true,
  filters: { groups: [{ properties, rollout_percentage: 25 }], aggregation_group_type_index: groupType },
})

const world = anOrganization({
  projects: [
    {
      id: 1,
      name: 'Production',
      feature_flags: [
        flag('beta', [inCohort(42)]),
        flag('companies', [ofGroup(0)], 0),
        flag('mixed', [inCohort(9), ofGroup(0)]),
        flag('other', [inCohort(42)]),
      ],
    },
    {
      id: 2,
      name: 'Staging',
      feature_flags: [
        flag('beta', [inCohort(7)]),
        flag('companies', [ofGroup(3)], 3),
        flag('mixed', [inCohort(9), ofGroup(3)]),
        flag('other', [inCohort(42)]),
      ],
    },
  ],
})

const workspace = useWorkspace({}, { seed: world })
const { write, read } = workspace
const both = '-e staging -e production'

/** Each environment has a name of its own, too, for the cohort that both call beta; the number 9 has a name in staging only. */
const ofProduction = 'cohorts: { early: 42, beta: 42 }'
const ofStaging = 'cohorts: { testers: 7, beta: 7, staff: 9 }, group_types: { company: 3 }'

async function open() {
  const env = await writeTwoEnvironments(workspace(), 'group_types: { company: 0 }\n')
  const { vexil } = workspace()
  const text = await read('vexil.yaml')
  await write({
    'vexil.yaml': text
      .replace('staging: {', `staging: { ${ofStaging},`)
      .replace('production: {', `production: { ${ofProduction},`),
  })
  return (line: string) => vexil(line, { env })
}

const beta = {
  release: { cohort_beta: { properties: { cohort: { in: 'beta' } }, rollout_percentage: 25 } },
  active: true,
}
const companies = {
  release: { plan_pro: { properties: { plan: 'pro' }, rollout_percentage: 25 } },
  group_type: 'company',
  active: true,
}
const ofCompany = { key: 'plan', type: 'group', group_type: 'company', value: 'pro' }

describe('vexil export with names for cohorts and types of groups', () => {
  it('writes once what has one name in several environments, whatever its numbers', async () => {
    const vexil = await open()
    const { stdout, code } = await vexil(`export ${both}`)
    expect(code).toBe(0)
    expect(parse(stdout)).toEqual({
      feature_flags: {
        beta,
        companies,
        mixed: {
          release: {
            cohort_and_plan: { properties: [inCohort(9), ofCompany], rollout_percentage: 25 },
          },
          active: true,
          environments: {
            staging: { release: { cohort_and_plan: { properties: [inCohort('staff'), ofCompany] } } },
          },
        },
        other: {
          ...beta,
          release: { cohort: { properties: { cohort: { in: 'beta' } }, rollout_percentage: 25 } },
          environments: { staging: { release: { cohort: { properties: { cohort: { in: 42 } } } } } },
        },
      },
    })
    expect(await vexil(`export -d flags ${both}`)).toMatchObject({ code: 0 })
    for (const environment of ['staging', 'production'])
      expect((await vexil(`plan -e ${environment}`)).stdout).toMatch(/^No changes/m)
  })

  it('writes of one environment only names that all of them have', async () => {
    const vexil = await open()
    const { stdout } = await vexil('export -e staging')
    expect(parse(stdout).feature_flags).toMatchObject({
      beta,
      companies,
      mixed: { release: { cohort_and_plan: { properties: [inCohort(9), ofCompany] } } },
    })
    expect(await vexil('export -d flags -e staging')).toMatchObject({ code: 0 })
    expect(await vexil('validate')).toMatchObject({ code: 0 })
    expect((await vexil('plan -e staging')).stdout).toMatch(/^No changes/m)
  })

  it.each([[`${both} --raw`], ['-e staging --raw'], ['-e staging --format hcl'], ['-e staging --format ts']])(
    'keeps the numbers with %s',
    async options => {
      const vexil = await open()
      const { stdout, code } = await vexil(`export ${options}`)
      expect(code).toBe(0)
      expect(stdout).toMatch(/\b9\b/)
      expect(stdout).not.toMatch(/company|staff|["'\s]beta["'],?$/)
    },
  )
})
