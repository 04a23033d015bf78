import { describe, expect, it } from 'vitest'
import { profiles } from '../../src/model/connection.ts'
import { grantedRoles } from '../support/granted-roles.ts'
import { useTerraform } from './support/attached.ts'
import { terraform } from './support/binary.ts'
import { flag, supportRole } from './support/configurations.ts'

const open = useTerraform()
const address = 'vexil_feature_flag.checkout'
const flags = '/api/projects/1/feature_flags'

const seed = {
  organizations: [
    {
      id: '01900000-0000-0000-0000-000000000001',
      name: 'Services',
      roles: [{ id: supportRole, name: 'support' }],
      projects: [{ id: 1, name: 'Services', event_definitions: [{ name: 'paid', tags: ['old'] }] }],
    },
  ],
}

/** What comes after the first flag is planned once more when the service has shown which one it is. */
const main = (percent: number) => `${flag('checkout', 'tags = ["shop"]', percent)}
${flag('later', `depends_on = [${address}]`)}
resource "vexil_feature_flag_role_access" "support" {
  feature_flag_id = ${address}.id
  role_id         = "${supportRole}"
}
resource "vexil_plugin" "geoip" {
  name        = "geoip"
  plugin_type = "source"
  source      = { "index.ts" = "export const percent = ${percent}" }
}
resource "vexil_event_definition" "paid" {
  name       = "paid"
  tags       = ["payments"]
  on_destroy = "restore"
}
`

describe.skipIf(!terraform).each(profiles)('the real Terraform with the service of profile %s', profile => {
  it('makes, changes, puts back, destroys and brings back one object of each kind', async () => {
    const stack = await open(main(10), { profile, seed })
    const { service } = stack
    await stack.apply()
    expect(await stack.plan()).toEqual({})
    const { id } = (await stack.state())[address] ?? {}
    expect(await grantedRoles(service, String(id))).toEqual([supportRole])

    await stack.write({ 'main.tf': main(25) })
    await service.send('PATCH', `${flags}/${id}/`, { tags: ['by hand'] })
    expect(await stack.plan()).toEqual({ [address]: 'update', 'vexil_plugin.geoip': 'update' })
    await stack.apply('made.plan')
    expect(await stack.plan()).toEqual({})
    expect(await service.get(`${flags}/${id}/`)).toMatchObject({
      tags: ['shop'],
      filters: { groups: [{ rollout_percentage: 25 }] },
    })

    await stack.destroy()
    expect(await service.get(`${flags}/${id}/`)).toMatchObject({ deleted: true })
    expect(await service.get('/api/projects/1/event_definitions/')).toMatchObject({
      results: [{ tags: ['old'] }],
    })

    await stack.apply()
    expect((await stack.state())[address]).toMatchObject({ id })
    expect(await stack.plan()).toEqual({})
  })
})
