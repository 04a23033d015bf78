import { describe, expect, it } from 'vitest'
import { planJson, role } from '../support/plan-json.ts'
import { flagsPath, organization, useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace({})
const { vexil, service, write, edit } = workspace

type Parts = Readonly<Record<string, unknown>>

/** A flag with a key that Terraform knows by its id, and gives another one. */
async function renaming(key: string, actions: readonly string[] = ['update']) {
  await service.send('POST', flagsPath, {
    key: 'ren_old',
    filters: { groups: [{ rollout_percentage: 5 }] },
    name: 'From Terraform',
  })
  const id = String((await workspace().flag('ren_old')).id)
  const plan = JSON.parse(planJson({ flag: { key, id } }))
  const [flag, grant] = plan.planned_values.root_module.child_modules[0].resources
  plan.resource_changes[0].change = {
    actions,
    before: { ...flag.values, key: 'ren_old' },
    after: flag.values,
  }
  plan.prior_state = {
    values: {
      root_module: {
        child_modules: [{ resources: [{ ...flag, values: { ...flag.values, key: 'ren_old' } }] }],
      },
    },
  }
  grant.values = { ...grant.values, feature_flag_id: id }
  plan.resource_changes[1].change.after_unknown = {}
  await write({ 'plan.json': JSON.stringify(plan) })
  return id
}

const told = async (...more: readonly string[]) =>
  JSON.parse((await vexil(['plan', '--plan-json', 'plan.json', '--json', ...more])).stdout)

const apply = () => vexil('apply --plan-json plan.json --auto-approve')

async function keys(): Promise<readonly (readonly [string, string])[]> {
  const { results } = (await service.get(`${flagsPath}/`)) as {
    results: { key: string; id: number }[]
  }
  return results.map(({ key, id }) => [key, String(id)])
}

describe('a flag to which a plan of Terraform gives another key', () => {
  it('is renamed in place with its grants, and a second apply does nothing', async () => {
    const id = await renaming('ren_new')
    const { changes, blocked } = await told()
    expect(blocked).toEqual([])
    expect(changes).toMatchObject([
      {
        ...{ address: 'feature_flag.ren_new', action: 'update', id },
        ...{ before: { key: 'ren_old' }, after: { key: 'ren_new' } },
        summary: [
          'renamed to "ren_new": code that asks for "ren_old" no longer gets it',
          expect.stringContaining('assigned anew'),
        ],
      },
      { address: `feature_flag_role_access.ren_new:${role}`, action: 'create', parent: { id } },
    ])

    const applied = await apply()
    expect([applied.code, applied.stdout]).toEqual([0, expect.stringContaining('2 changes applied')])
    expect(await keys()).toEqual([['ren_new', id]])
    const again = await apply()
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('No changes')])
    expect(await told()).toMatchObject({ changes: [], blocked: [] })
    expect(await keys()).toEqual([['ren_new', id]])
  })

  it('gets its former key back from an undo', async () => {
    const id = await renaming('ren_new')
    await apply()
    const { code } = await vexil('undo last --auto-approve')
    expect([code, await keys()]).toEqual([0, [['ren_old', id]]])
  })

  it('is another one where the plan replaces it, and the former one is said to stay', async () => {
    const id = await renaming('ren_new', ['delete', 'create'])
    expect((await told()).changes).toMatchObject([{ address: 'feature_flag.ren_new', action: 'create' }, {}])
    const { stdout } = await vexil('validate --plan-json plan.json --json')
    expect(JSON.parse(stdout).problems.map(({ message }: Parts) => message)).toEqual([
      'module.shop["eu"].vexil_feature_flag.checkout: the plan deletes "ren_old" to replace it, but Vexil does not change objects that are no longer declared',
    ])
    expect(await keys()).toEqual([['ren_old', id]])
  })

  it('is blocked where the product calls it otherwise by now', async () => {
    const id = await renaming('ren_new')
    await edit('ren_old', { key: 'third' })
    const { changes, blocked } = await told()
    expect(changes).toEqual([])
    expect(blocked).toMatchObject([
      { rule: 'other_identity', reason: `the object with id ${id} is "third"` },
      { rule: 'parent_missing' },
    ])
  })

  it('is not renamed to the key of another flag, and gets what is declared below that key', async () => {
    const id = await renaming('taken')
    await service.send('POST', flagsPath, { key: 'taken' })
    const { code, stdout } = await apply()
    expect(code).toBe(5)
    expect(stdout).toContain('its new key belongs to a flag')
    expect((await keys()).map(([key]) => key).sort()).toEqual(['ren_old', 'taken'])
    const granted = async (flag: string) =>
      ((await service.get(`${flagsPath}/${flag}/role_access/`)) as { results: unknown[] }).results
    expect(await granted(id)).toHaveLength(1)
    expect(await granted(String((await workspace().flag('taken')).id))).toHaveLength(0)
  })

  it('is protected by the name that it has', async () => {
    await renaming('ren_new')
    await write({ 'vexil.yaml': 'version: 1\npolicies: { protected_keys: [ren_old] }\n' })
    expect((await told()).blocked).toMatchObject([{ rule: 'protected_keys' }])
  })

  it('is not renamed to the key of a soft-deleted flag, which the service would destroy', async () => {
    await service.send('POST', flagsPath, { key: 'ren_new' })
    await edit('ren_new', { deleted: true })
    await renaming('ren_new')
    expect((await told()).blocked).toMatchObject([{ rule: 'soft_deleted' }])
  })
})

it('renames a plugin in place', async () => {
  const path = `/api/organizations/${organization}/plugins`
  const made = (await service.send('POST', `${path}/`, {
    name: 'Old',
    plugin_type: 'source',
  })) as { id: number }
  const plan = JSON.parse(planJson())
  const address = 'vexil_plugin.geo'
  const values = { id: String(made.id), name: 'New' }
  plan.planned_values.root_module = {
    resources: [{ address, mode: 'managed', type: 'vexil_plugin', name: 'geo', values }],
  }
  plan.resource_changes = [
    {
      ...{ address, mode: 'managed', type: 'vexil_plugin' },
      change: { actions: ['update'], before: { ...values, name: 'Old' }, after: values },
    },
  ]
  plan.configuration.root_module = {
    resources: [{ address, provider_config_key: 'vexil', expressions: { name: {} } }],
  }
  await write({ 'plan.json': JSON.stringify(plan) })
  expect((await told()).changes).toMatchObject([{ id: String(made.id), summary: ['renamed to "New"'] }])
  await apply()
  expect(await service.get(`${path}/${made.id}/`)).toMatchObject({ name: 'New' })
  expect((await told()).changes).toEqual([])
})
