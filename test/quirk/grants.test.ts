import { describe, expect, it, onTestFinished } from 'vitest'
import { startService } from '../support/service.ts'
import { aWorkspace, aWorld } from '../support/workspace.ts'
import { sitDown } from './desk.ts'
import { flags, roles } from './repository.ts'

const declarations = `feature_flags:
  changed: { name: After, role_access: [support, growth] }
  brand_new: { active: false, role_access: [support] }
`
const list = `GET ${flags}/*/role_access`
const grants = `${flags}/11/role_access/`

describe.each(['invalid', 'conflict', 'error', 'existing'] as const)(
  'a role that somebody grants first, where granting it twice gives "%s"',
  role_access_duplicate => {
    it('is taken as done, and is there once', async () => {
      let isFirst = true
      const desk = await sitDown({
        declarations,
        quirks: { role_access_duplicate },
        before: async (line, service) => {
          if (line !== `POST ${grants}` || !isFirst) return
          isFirst = false
          await service.send('POST', grants, { role_id: roles.growth })
        },
      })
      const applied = await desk.vexil('apply --auto-approve')
      expect(applied.code, applied.stdout).toBe(0)
      expect(await desk.service.get(grants)).toMatchObject({ count: 2 })
      expect((await desk.vexil('plan --detailed-exitcode')).code).toBe(0)
    })
  },
)

describe('a service without grants', () => {
  it('gets everything but the grants, also those of new flags', async () => {
    const desk = await sitDown({ declarations })
    desk.service.faults(`${list} status=404`)
    const applied = await desk.vexil('apply --auto-approve')
    expect(applied.code, applied.stdout).toBe(0)
    expect(applied.stdout).toContain('the service does not offer grants on this flag')
    expect(await desk.writesOf('apply --auto-approve')).toEqual([])
    const again = await desk.vexil('plan --detailed-exitcode')
    expect(again.code).toBe(0)
    expect(again.stdout).toContain('3 blocked, 2 unchanged')
  })
})

describe('grants that the service fails to list', () => {
  it('are blocked, the rest is done, and the run is not taken for a success', async () => {
    const desk = await sitDown({ declarations })
    desk.service.faults(`GET ${flags}/11/role_access status=500`)
    const planned = await desk.vexil('plan')
    expect(planned.code).toBe(3)
    expect(planned.stdout).toContain('update blocked by unreadable')
    const applied = await desk.vexil('apply --auto-approve')
    expect(applied.code).toBe(3)
    desk.service.faults()
    expect(await desk.service.get(`${flags}/11/`)).toMatchObject({ name: 'After' })
    expect(await desk.service.get(grants)).toMatchObject({ count: 1 })
  })
})

describe('a flag that the key may not edit', () => {
  it('holds its grants back too', async () => {
    const feature_flags = [{ id: 11, key: 'changed', can_edit: false }]
    const service = await startService({
      seed: aWorld({ feature_flags }, { roles: [{ id: roles.growth, name: 'growth' }] }),
    })
    const workspace = await aWorkspace(service, {
      'vexil.yaml': `version: 1\nroles: { growth: ${roles.growth} }\n`,
      'flags.yaml': 'feature_flags:\n  changed: { role_access: [growth] }\n',
    })
    onTestFinished(async () => {
      await service.close()
      await workspace.remove()
    })
    const { code, stdout } = await workspace.vexil('apply --auto-approve')
    expect(code).toBe(0)
    expect(stdout).toContain('grant changed:growth  create blocked by can_edit')
    expect(await service.get(grants)).toMatchObject({ count: 0 })
  })
})
