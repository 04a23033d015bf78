import { describe, expect, it } from 'vitest'
import { giveRole } from '../support/give-role.ts'
import { grantedRoles } from '../support/granted-roles.ts'
import { flagsPath, isWrite, support, useWorkspace as useBench } from '../support/workspace.ts'

const bench = useBench({
  'vexil.yaml': 'version: 1\n',
  'flags.yaml': `feature_flags:
  checkout: { active: false, filters: { groups: [ { rollout_percentage: 5 } ] } }
`,
})

/** A flag that was on for everybody when it was deleted. */
async function deletedFlag(): Promise<number> {
  const { service } = bench()
  const released = { key: 'checkout', active: true, filters: { groups: [{ rollout_percentage: 100 }] } }
  const { id } = (await service.send('POST', `${flagsPath}/`, released)) as { id: number }
  await service.send('PATCH', `${flagsPath}/${id}/`, { deleted: true })
  return id
}

/** What is live of it, in the words of the interface. */
async function live(id: number) {
  const { service } = bench()
  const { deleted, active, filters } = (await service.get(`${flagsPath}/${id}/`)) as Record<string, unknown>
  return { deleted, active, filters }
}

const declared = { active: false, filters: { groups: [{ rollout_percentage: 5 }] } }
const released = { active: true, filters: { groups: [{ rollout_percentage: 100 }] } }

describe('a flag that was deleted and is declared again', () => {
  it('has what is declared before it comes back, and comes back by its marker alone', async () => {
    const { vexil, service } = bench()
    const id = await deletedFlag()
    const { result, requests } = await service.watch(() => vexil('apply --auto-approve'))
    expect(result.code, result.stdout).toBe(0)
    const path = `PATCH ${flagsPath}/${id}`
    expect(requests.filter(isWrite)).toEqual([path, path])
    expect(await live(id)).toMatchObject({ deleted: false, ...declared })
    expect((await vexil('plan --detailed-exitcode')).code).toBe(0)
  })

  it('comes back with its tags and grants, since its own key is not sent', async () => {
    const { vexil, service } = bench()
    const id = await deletedFlag()
    await service.send('PATCH', `${flagsPath}/${id}/`, { tags: ['theirs'] })
    await giveRole(service, id, support)
    expect((await vexil('apply --auto-approve')).code).toBe(0)
    expect(await service.get(`${flagsPath}/${id}/`)).toMatchObject({ deleted: false, tags: ['theirs'] })
    expect(await grantedRoles(service, id)).toEqual([support])
  })

  it.each(['status=400', 'status=403', 'status=500', 'reset_before'])(
    'stays deleted when its fields are not taken: %s',
    async fault => {
      const { vexil, service } = bench()
      const id = await deletedFlag()
      service.faults(`PATCH /feature_flags/* ${fault}`)
      expect((await vexil('apply --auto-approve')).code).toBe(1)
      service.faults()
      expect(await live(id)).toMatchObject({ deleted: true, ...released })
      expect((await vexil('apply --auto-approve')).code).toBe(0)
      expect(await live(id)).toMatchObject({ deleted: false, ...declared })
    },
  )

  it.each(['status=400', 'reset_before'])(
    'stays deleted with its new fields when the marker is not taken: %s',
    async fault => {
      const { vexil, service } = bench()
      const id = await deletedFlag()
      await vexil('plan --out plan.json')
      service.faults(`PATCH /feature_flags/* nth=2 times=9 ${fault}`)
      expect((await vexil('apply plan.json')).code).toBe(1)
      service.faults()
      expect(await live(id)).toMatchObject({ deleted: true, ...declared })
      // The same reviewed plan finishes what it began.
      const { result, requests } = await service.watch(() => vexil('apply plan.json'))
      expect(result.code, result.stdout).toBe(0)
      expect(requests.filter(isWrite)).toEqual([`PATCH ${flagsPath}/${id}`])
      expect(await live(id)).toMatchObject({ deleted: false, ...declared })
    },
  )

  it('is left alone when somebody changes it after the plan was made', async () => {
    const { vexil, service } = bench()
    const id = await deletedFlag()
    await vexil('plan --out plan.json')
    await service.send('PATCH', `${flagsPath}/${id}/`, { name: 'a note', ...declared })
    await service.send('PATCH', `${flagsPath}/${id}/`, { filters: { groups: [{ rollout_percentage: 6 }] } })
    expect((await vexil('apply plan.json')).code).toBe(5)
    expect((await live(id)).deleted).toBe(true)
  })

  it('comes back by its marker first where a service writes to no deleted flag', async () => {
    const { vexil, service } = bench()
    const id = await deletedFlag()
    service.faults('PATCH /feature_flags/* nth=1 status=404')
    expect((await vexil('apply --auto-approve')).code).toBe(0)
    expect(await live(id)).toMatchObject({ deleted: false, ...declared })
  })
})
