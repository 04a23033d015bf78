import { describe, expect, it } from 'vitest'
import { profiles } from '../../src/model/connection.ts'
import { variants } from '../support/rounds.ts'
import { providerBlock, useTerraform } from './support/attached.ts'
import { terraform } from './support/binary.ts'
import { flag, growthRole } from './support/configurations.ts'

const open = useTerraform()
const address = 'vexil_feature_flag.checkout'
const grant = `resource "vexil_feature_flag_role_access" "growth" {
  feature_flag_id = ${address}.id
  role_id         = "${growthRole}"
}
`

describe.skipIf(!terraform).each(variants(profiles))(
  'a flag that somebody deletes in the product, on %s',
  profile => {
    const deleted = async (main: string) => {
      const stack = await open(main, { profile })
      await stack.write({ 'provider.tf': providerBlock(stack.service, `profile = "${profile}"`) })
      await stack.apply()
      const { id } = (await stack.state())[address] ?? {}
      const path = `/api/projects/1/feature_flags/${id}/`
      await stack.service.send('PATCH', path, { deleted: true })
      return { stack, path, id }
    }

    it('stays in the state, is shown to be restored, and comes back as it is configured, with its grants', async () => {
      const { stack, path, id } = await deleted(flag('checkout') + grant)
      const plan = await stack.succeed('plan', '-no-color')
      expect(plan).toMatch(/~ deleted +=? ?true -> false/)
      expect(plan).toContain('flag "checkout" will be restored')
      expect(await stack.plan()).toEqual({ [address]: 'update' })
      await stack.write({ 'main.tf': flag('checkout', '', 25) + grant })
      await stack.apply()
      expect(await stack.service.get(path)).toMatchObject({
        deleted: false,
        key: 'checkout',
        filters: { groups: [{ rollout_percentage: 25 }] },
      })
      expect((await stack.state())[address]).toMatchObject({ id, deleted: false })
      expect(await stack.plan()).toEqual({})
    })

    it('is restored by nothing but an apply, and may be destroyed as it is', async () => {
      const { stack, path } = await deleted(flag('checkout'))
      await stack.apply('-refresh-only')
      expect((await stack.state())[address]).toMatchObject({ deleted: true })
      expect(await stack.service.get(path)).toMatchObject({ deleted: true })
      await stack.destroy()
      expect(await stack.state()).toEqual({})
      expect(await stack.service.get(path)).toMatchObject({ deleted: true })
    })

    it('stays deleted where that is ignored by name, and is no change where somebody restored it', async () => {
      const ignoring = (what: string) => flag('checkout', `lifecycle {\n    ignore_changes = ${what}\n  }`)
      const { stack, path } = await deleted(ignoring('[deleted]'))
      expect(await stack.plan()).toEqual({})
      // Terraform hides from the provider that this is to be ignored: no configuration could say it.
      await stack.write({ 'main.tf': ignoring('all') })
      expect(await stack.plan()).toEqual({ [address]: 'update' })
      await stack.service.send('PATCH', path, { deleted: false })
      expect(await stack.plan()).toEqual({})
    })

    it('is none to import: what creates it restores it', async () => {
      const { stack, id } = await deleted(flag('checkout'))
      await stack.succeed('state', 'rm', address)
      const { code, output } = await stack.run('import', '-no-color', address, String(id))
      expect(code).toBe(1)
      expect(output).toContain(`the flag "checkout" (id ${id}) is soft-deleted`)
      expect(await stack.plan()).toEqual({ [address]: 'create' })
      await stack.apply()
      expect((await stack.state())[address]).toMatchObject({ id, deleted: false })
    })
  },
)
