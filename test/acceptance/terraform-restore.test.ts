import { describe, expect, it } from 'vitest'
import { deleteIn, flagsPath, worldToDelete } from '../support/deleted-flags.ts'
import { providerBlock, useTerraform } from './support/attached.ts'
import { terraform } from './support/binary.ts'
import { flag, growthRole } from './support/configurations.ts'

const open = useTerraform()
const address = 'vexil_feature_flag.checkout'

function allOf(count: number): string {
  return `resource "vexil_feature_flag" "all" {
  for_each = toset([for n in range(1, ${count + 1}) : "deleted_\${n}"])
  key      = each.value
  active   = true
  release  = [{ rollout_percentage = 10 }]
}
`
}

const one = flag('deleted_1')
const refused = 'flag "deleted_1" was not created: it may destroy a soft-deleted object of the same name'

describe.skipIf(!terraform)('flags that were deleted softly, with the real Terraform', () => {
  it('come back with their ids and grants, behind 1500 newer rows', async () => {
    const [profile, count, newerRows] = ['posthog', 12, 1500] as const
    const stack = await open(allOf(count), { profile, seed: worldToDelete(count) })
    await stack.write({ 'provider.tf': providerBlock(stack.service, `profile = "${profile}"`) })
    const flags = await deleteIn(stack.service, count, newerRows)
    const warnings = await stack.warnings()
    expect(warnings.map(({ summary }) => summary).sort()).toEqual(
      flags.before.map(({ key }) => `flag "${key}" will be restored`).sort(),
    )
    await stack.apply()
    await flags.expectKept(false)
    expect(await stack.plan()).toEqual({})
  })

  it('come back after they were destroyed, and the plan says so', async () => {
    const stack = await open(flag('checkout'))
    await stack.apply()
    const { id } = (await stack.state())[address] ?? {}
    const grants = `${flagsPath}/${id}/role_access/`
    await stack.service.send('POST', grants, { role_id: growthRole })
    // What came since is newer than a page that nobody asked for.
    await stack.destroy()
    const other = (await stack.service.send('POST', `${flagsPath}/`, { key: 'other' })) as { id: number }
    for (let edit = 0; edit < 30; edit++)
      await stack.service.send('PATCH', `${flagsPath}/${other.id}/`, { name: `Edit ${edit}` })
    expect(await stack.service.get(`${flagsPath}/${id}/`)).toMatchObject({ deleted: true })

    expect(await stack.warnings()).toEqual([
      {
        summary: 'flag "checkout" will be restored',
        detail: `It was soft-deleted, and the service still has it with the id ${id}. It will be restored with that id and its grants, as configured. Nothing new is created.`,
        at: '"checkout"',
      },
    ])
    await stack.apply()
    expect((await stack.state())[address]).toMatchObject({ id, active: true })
    expect(await stack.service.get(`${flagsPath}/${id}/`)).toMatchObject({ deleted: false, active: true })
    expect(await stack.service.get(grants)).toMatchObject({ results: [{ role: { id: growthRole } }] })
    expect(await stack.plan()).toEqual({})
  })

  it.each([403, 404])(
    'are not created over where the trail is refused with %i, unless allowed',
    async status => {
      const stack = await open(one, { seed: worldToDelete(1) })
      const flags = await deleteIn(stack.service, 1)
      stack.service.faults(`GET /activity status=${status}`)
      for (const command of ['plan', 'apply'] as const) {
        expect(await stack.refusals(command)).toEqual([
          {
            summary: `${refused}: the activity trail was refused (${status})`,
            detail:
              'Solve that first, or add "trail_unreadable" to `allow`, or to the provider\'s `allow` for all objects.',
            at: expect.any(String),
          },
        ])
      }
      await flags.expectKept(true)

      await stack.write({ 'provider.tf': providerBlock(stack.service, 'allow = ["trail_unreadable"]') })
      expect(await stack.warnings()).toMatchObject([
        { summary: 'a soft-deleted flag of the same key, if there is one, will be destroyed' },
      ])
      await stack.apply()
      expect(await stack.service.get(`${flagsPath}/`)).toMatchObject({ count: 2 })
    },
  )

  it('are not created over while the trail fails', async () => {
    const stack = await open(one, { seed: worldToDelete(1) })
    const key = (text: string) => stack.service.send('PATCH', `${flagsPath}/2/`, { key: text })
    // Planned while nothing had that key; deleted with it before the plan is applied.
    await key('put_aside')
    expect(await stack.plan()).toEqual({ 'vexil_feature_flag.deleted_1': 'create' })
    await key('deleted_1')
    const flags = await deleteIn(stack.service, 1)
    stack.service.faults('GET /activity status=500')
    expect(await stack.refusals('plan')).toMatchObject([{ summary: 'cannot plan flag "deleted_1"' }])
    const { code } = await stack.run('apply', '-input=false', 'made.plan')
    expect(code).toBe(1)
    await flags.expectKept(true)
    stack.service.faults()
    await stack.apply()
    await flags.expectKept(false)
  })

  it('are not renamed over, unless that is allowed', async () => {
    const stack = await open(flag('checkout'), { seed: worldToDelete(1) })
    await stack.apply()
    const { id } = (await stack.state())[address] ?? {}
    const flags = await deleteIn(stack.service, 1)
    const renamed = (more = '') => flag('checkout', more).replace('= "checkout"', '= "deleted_1"')
    await stack.write({ 'main.tf': renamed() })
    for (const command of ['plan', 'apply'] as const) {
      expect(await stack.refusals(command)).toMatchObject([
        {
          summary:
            'flag "checkout" was not changed: a soft-deleted object (id 2) has its new name and would be destroyed',
        },
      ])
    }
    await flags.expectKept(true)
    await stack.write({ 'main.tf': renamed('allow = ["soft_deleted"]') })
    await stack.apply()
    expect(await stack.service.get(`${flagsPath}/${id}/`)).toMatchObject({ key: 'deleted_1' })
    expect(await flags.held()).toEqual([])
  })
})
