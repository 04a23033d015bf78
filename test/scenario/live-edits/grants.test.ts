import { describe, expect, it } from 'vitest'
import { giveRole, takeRole } from '../../support/give-role.ts'
import { grantedRoles } from '../../support/granted-roles.ts'
import { support } from '../../support/workspace.ts'
import { everyoneAt, nothing, type World, worldOf } from './clones.ts'

const growth = '01900000-0000-0000-0000-0000000000bb'
const names = `roles: { support: ${support}, growth: ${growth} }`
const address = 'feature_flag_role_access.checkout:growth'

/** A flag that is declared with a list of roles, or with whatever else. */
const declaring = (said: string, settings = '') => ({
  'vexil.yaml': `version: 1\n${names}\n${settings}`,
  'flags.yaml': `feature_flags:\n  checkout: { active: true, filters: ${JSON.stringify(everyoneAt(10))}, ${said} }\n`,
})

const rolesOf = async ({ service, flag }: World) => {
  const roles = await grantedRoles(service, (await flag('checkout')).id)
  return roles.map(id => ({ [support]: 'support', [growth]: 'growth' })[id]).sort()
}
const give = async ({ service, flag }: World, role = growth) =>
  giveRole(service, (await flag('checkout')).id, role)
const take = async ({ service, flag }: World, role = support) =>
  takeRole(service, (await flag('checkout')).id, role)

describe('somebody gives a role a flag whose list of roles is declared', () => {
  it('and an apply leaves it, tells it, and goes on with everything else', async () => {
    const world = await worldOf(declaring('role_access: [support]'))
    await world.apply()
    await give(world)
    await world.commit(declaring('name: New, role_access: [support]'))
    const planned = await world.plan()
    expect(planned).toMatchObject({
      code: 0,
      changes: ['update checkout: name'],
      blocked: [],
      edits: [`${address} exists held`],
    })
    expect(await world.plan('--target checkout')).toMatchObject({ edits: [`${address} exists held`] })
    expect(planned.text).toContain('not in the declared list, and granted in the product')
    expect(planned.text).toContain('vexil pull feature_flag.checkout')
    expect(planned.text).toContain(`--allow live_edit=${address} deletes it`)
    expect((await world.apply()).code).toBe(0)
    expect(await rolesOf(world)).toEqual(['growth', 'support'])
    // However often it is held.
    await world.apply()
    expect(await world.plan()).toMatchObject({ ...nothing, edits: [`${address} exists held`] })
    const drift = await world.vexil('drift')
    expect([drift.code, drift.stdout]).toEqual([6, expect.stringContaining('growth')])
    expect((await world.apply(`--allow live_edit=${address}`)).code).toBe(0)
    expect(await rolesOf(world)).toEqual(['support'])
    expect(await world.plan()).toMatchObject(nothing)
  })

  it('and `revert` takes it away, telling first what is lost', async () => {
    const world = await worldOf(declaring('role_access: [support]'))
    await world.apply()
    await give(world)
    await world.commit(declaring('live_edits: revert, role_access: [support]'))
    const planned = await world.plan()
    expect(planned).toMatchObject({
      code: 0,
      changes: [`delete ${address}: `],
      edits: [`${address} exists reverted`],
    })
    await world.apply()
    expect(await rolesOf(world)).toEqual(['support'])
    expect(await world.plan()).toMatchObject(nothing)
  })

  it('and `pull` writes the role into the list', async () => {
    const world = await worldOf(declaring('role_access: [support]'))
    await world.apply()
    await give(world)
    expect((await world.vexil('pull feature_flag.checkout')).code).toBe(0)
    expect(await world.plan()).toMatchObject(nothing)
    await world.apply()
    expect(await rolesOf(world)).toEqual(['growth', 'support'])
    // It is declared by now, so that it is taken away where the repository says so.
    await world.commit(declaring('role_access: [support]'))
    expect(await world.plan()).toMatchObject({ ...nothing, changes: [`delete ${address}: `] })
    await world.apply()
    expect(await rolesOf(world)).toEqual(['support'])
  })

  it('and without a record it is taken away as ever, which is told', async () => {
    const world = await worldOf(declaring('name: Old'))
    await world.apply()
    await give(world)
    await world.commit(declaring('role_access: [support]'))
    const planned = await world.plan()
    expect(planned).toMatchObject({
      code: 0,
      changes: [expect.stringMatching(/^create .*:support: role_id/), `delete ${address}: `],
      edits: [],
    })
    expect(planned.text).toContain('it is not in the declared list, and no record shows who granted it')
    expect((await world.apply()).code).toBe(0)
    expect(await rolesOf(world)).toEqual(['support'])
    expect(await world.plan()).toMatchObject(nothing)
  })

  it('and it is measured from a commit where one is named', async () => {
    const world = await worldOf(declaring('role_access: [support]'))
    await world.apply()
    await give(world)
    expect(await world.plan('--base HEAD')).toMatchObject({ ...nothing, edits: [`${address} exists held`] })
    expect(await world.plan('--base none')).toMatchObject({ ...nothing, changes: [`delete ${address}: `] })
  })

  it('and what the repository takes from the list is taken away, also where it was refused once', async () => {
    const world = await worldOf(declaring('role_access: [support, growth]'))
    await world.apply()
    await world.commit(declaring('role_access: [support]'))
    world.service.faults('DELETE /*/role_access/* status=500', 'PUT /*/access_controls status=500')
    expect((await world.apply()).code).toBe(1)
    world.service.faults()
    expect(await world.plan()).toMatchObject({ ...nothing, changes: [`delete ${address}: `] })
    await world.apply()
    expect(await rolesOf(world)).toEqual(['support'])
  })

  it('and an undo that brings a grant back is left as it is', async () => {
    const world = await worldOf(declaring('role_access: [support, growth]'))
    await world.apply()
    await world.commit(declaring('role_access: [support]'))
    await world.apply()
    expect((await world.vexil('undo last --auto-approve')).code).toBe(0)
    expect(await rolesOf(world)).toEqual(['growth', 'support'])
    expect(await world.plan()).toMatchObject({ ...nothing, edits: [`${address} exists held`] })
  })
})

describe('somebody takes a flag away from a role that is declared', () => {
  it('and an apply does not give it back until somebody says so', async () => {
    const world = await worldOf(declaring('role_access: [support, growth]'))
    await world.apply()
    await take(world)
    const gone = 'feature_flag_role_access.checkout:support'
    expect(await world.plan()).toMatchObject({ ...nothing, edits: [`${gone} exists held`] })
    await world.apply()
    expect(await rolesOf(world)).toEqual(['growth'])
    expect((await world.vexil(`pull ${gone}`)).code).toBe(0)
    expect(await world.plan()).toMatchObject(nothing)
    await world.apply()
    await world.commit(declaring('role_access: [support, growth]'))
    expect(await world.plan()).toMatchObject({
      ...nothing,
      changes: [expect.stringContaining(`create ${gone}`)],
    })
    await world.apply()
    expect(await rolesOf(world)).toEqual(['growth', 'support'])
  })
})
