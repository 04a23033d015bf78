import { TerraformOutput, TerraformVariable } from 'cdktf'
import { Construct } from 'constructs'
import { describe, expect, it } from 'vitest'
import { VexilProvider } from '../../../src/constructs/generated/provider/index.ts'
import { Cohort, EventDefinition, Flag, Plugin, Role, When } from '../../../src/constructs/own-constructs.ts'
import { aStack, flagAttributes, synthesized } from '../a-stack.ts'

const roleId = '01900000-0000-0000-0000-0000000000aa'

/** For whichever engine `cdktf` is. */
export function describeElsewhere(): void {
  describe('a role by its name', () => {
    it('is looked up once, wherever a stack names it, and grants are called after it', () => {
      const stack = aStack()
      const [one, two] = ['one', 'two'].map(key => new Flag(stack, key, { key, active: false }))
      const grant = one?.grants.edit(Role.fromName(stack, 'support'))
      expect(one?.grants.edit(Role.fromName(new Construct(stack, 'Team'), 'support'))).toBe(grant)
      two?.grants.give(Role.fromName(stack, 'support'), 'viewer')
      const { data, resource } = synthesized(stack)
      expect(data).toEqual({ vexil_role: { support: { name: 'support' } } })
      const role_id = '${data.vexil_role.support.id}'
      expect(resource.vexil_feature_flag_role_access).toEqual({
        'one--support': { feature_flag_id: '${vexil_feature_flag.one.id}', role_id },
        'two--support': { feature_flag_id: '${vexil_feature_flag.two.id}', role_id, access_level: 'viewer' },
      })
    })

    it('is another one in another organization, and for another provider', () => {
      const stack = aStack()
      const provider = new VexilProvider(stack, 'eu', { alias: 'eu' })
      Role.fromName(stack, 'support')
      Role.fromName(stack, 'support', { organizationId: roleId })
      Role.fromName(stack, 'support', { provider })
      expect(synthesized(stack).data.vexil_role).toEqual({
        support: { name: 'support' },
        [`support--${roleId}`]: { name: 'support', organization_id: roleId },
        'support--eu': { name: 'support', provider: 'vexil.eu' },
      })
    })

    it('may have a name that is known later, with a label', () => {
      const stack = aStack()
      const name = new TerraformVariable(stack, 'role', { type: 'string' }).stringValue
      const flag = new Flag(stack, 'Checkout', { key: 'checkout', active: false })
      flag.grants.edit(Role.fromName(stack, name, { label: 'support' }))
      const { data, resource } = synthesized(stack)
      expect(Object.values(data.vexil_role)).toEqual([{ name: '${var.role}' }])
      expect(Object.keys(resource.vexil_feature_flag_role_access)).toEqual(['checkout--support'])
      expect(() => flag.grants.edit(Role.fromName(stack, name))).toThrow(
        "Role.fromName(scope, name, { label: 'support' })",
      )
    })

    it('is refused beside another one that is called so', () => {
      const stack = aStack()
      const flag = new Flag(stack, 'Checkout', {
        key: 'checkout',
        editors: [Role.fromName(stack, 'support')],
      })
      expect(() => flag.grants.edit(Role.fromId(roleId, 'support'))).toThrow(
        `flag "checkout": two roles have the name "support", an event definition whose id is looked up and ${roleId}`,
      )
      expect(() => Role.fromName(stack, ' ')).toThrow('the name of the role to look up is empty')
    })
  })

  describe('a flag, a plugin and an event that are declared elsewhere', () => {
    it('are looked up once each, by what they are given by', () => {
      const stack = aStack()
      for (const name of ['One', 'Two']) {
        const scope = new Construct(stack, name)
        Flag.fromId(scope, 'Flag', 7)
        Flag.fromKey(scope, 'Legacy', 'legacy')
        Plugin.fromName(scope, 'Plugin', 'geo')
        Plugin.fromId(scope, 'ById', '8')
        EventDefinition.fromName(scope, 'Event', 'paid')
        EventDefinition.fromId(scope, 'EventById', roleId)
      }
      expect(synthesized(stack).data).toEqual({
        vexil_feature_flag: { 'id--7': { id: '7' }, legacy: { key: 'legacy' } },
        vexil_plugin: { geo: { name: 'geo' }, 'id--8': { id: '8' } },
        vexil_event_definition: { paid: { name: 'paid' }, [`id--${roleId}`]: { id: roleId } },
      })
    })

    it('are what can be referred to', () => {
      const stack = aStack()
      const flag = Flag.fromId(stack, 'Flag', 7)
      flag.grants.edit(Role.fromId(roleId, 'support'))
      const release = [When.flag(flag).isOn()]
      new Flag(stack, 'Checkout', { key: 'checkout', active: true, release })
      const plugin = Plugin.fromName(stack, 'Plugin', 'geo')
      const event = EventDefinition.fromId(stack, 'Event', roleId)
      new TerraformOutput(stack, 'ids', { value: [plugin.id, plugin.name, event.id, event.name] })
      const { resource, output } = synthesized(stack)
      expect(Object.values(resource.vexil_feature_flag_role_access)).toEqual([
        { feature_flag_id: '${data.vexil_feature_flag.id--7.id}', role_id: roleId },
      ])
      expect(resource.vexil_feature_flag.checkout.release[0].properties[0].key).toBe(
        '${data.vexil_feature_flag.id--7.key}',
      )
      const found = `data.vexil_event_definition.id--${roleId}`
      expect(output.ids.value).toEqual([
        '${data.vexil_plugin.geo.id}',
        'geo',
        `\${${found}.id}`,
        `\${${found}.name}`,
      ])
    })

    it('are looked for with a provider of their own', () => {
      const stack = aStack()
      const provider = new VexilProvider(stack, 'eu', { alias: 'eu' })
      Flag.fromKey(stack, 'Legacy', 'legacy', { provider, projectId: '2' })
      expect(synthesized(stack).data.vexil_feature_flag).toEqual({
        'legacy--2--eu': { key: 'legacy', project_id: '2', provider: 'vexil.eu' },
      })
    })

    it('are never taken for another one whose name in Terraform would be the same', () => {
      const stack = aStack()
      const flags = [Flag.fromKey(stack, 'A', 'a', { projectId: '2' }), Flag.fromKey(stack, 'B', 'a--2')]
      new TerraformOutput(stack, 'ids', { value: flags.map(({ id }) => id) })
      const { data, output } = synthesized(stack)
      expect(Object.values(data.vexil_feature_flag)).toEqual([{ key: 'a--2' }, { key: 'a', project_id: '2' }])
      expect(new Set(output.ids.value).size).toBe(2)
    })

    it.each<[string, (stack: ReturnType<typeof aStack>) => unknown, string]>([
      [
        'a key',
        stack => Flag.fromKey(stack, 'X', ' '),
        'flag " " at "flags/X": the key of the flag to look up is empty',
      ],
      ['an id', stack => Flag.fromId(stack, 'X', 'checkout'), '"id" is "checkout", not the id of a flag'],
      ['a number', stack => Plugin.fromId(stack, 'X', 1.5), '"id" is 1.5, not a text'],
      ['a UUID', stack => EventDefinition.fromId(stack, 'X', '7'), '"id" is "7", not the id of an event'],
    ])('are refused by %s that none has', (_, give, message) => {
      expect(() => give(aStack())).toThrow(message)
    })
  })

  describe('a cohort', () => {
    it('is given by its id, with a name for people', () => {
      const testers = Cohort.fromId(12, 'beta testers')
      const release = [When.cohort(testers), When.notInCohort(testers).at(5)]
      const byId = [When.cohort(12), When.notInCohort(12).at(5)]
      expect(flagAttributes({ active: true, release })).toEqual(
        flagAttributes({ active: true, release: byId }),
      )
    })

    it('is not found by its name, and why is said', () => {
      expect(() => When.cohort('beta testers')).toThrow(
        '"cohort" is "beta testers", not the id of a cohort: the interface of the service does not list cohorts, so ' +
          'Vexil cannot find a cohort by its name; the address of its page contains the id',
      )
      expect(() => Cohort.fromId('beta')).toThrow('"the id of a cohort" is "beta", not the id of a cohort')
    })
  })
}
