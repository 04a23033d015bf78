import { describe, expect, it } from 'vitest'
import { variants } from '../support/rounds.ts'
import { flagsPath, isWrite } from '../support/workspace.ts'
import { type Attached, useTerraform } from './support/attached.ts'
import { terraform } from './support/binary.ts'

const open = useTerraform()

const condition = (key: string) =>
  `{ properties = [{ key = ${key}, type = "flag", operator = "flag_evaluates_to", value = "true" }] }`

const flag = (name: string, release: string) => `resource "vexil_feature_flag" "${name}" {
  key     = "${name}"
  active  = true
  release = [${release}]
}
`
const base = flag('base', '{ rollout_percentage = 100 }')

async function namesOf({ service }: Attached, id: string): Promise<readonly string[]> {
  const { filters } = (await service.get(`${flagsPath}/${id}/`)) as {
    filters: { groups: { properties?: { key: string }[] }[] }
  }
  return filters.groups.flatMap(({ properties = [] }) => properties.map(({ key }) => key))
}

async function idOf(stack: Attached, name: string): Promise<string> {
  return String((await stack.state())[`vexil_feature_flag.${name}`]?.id)
}

describe.skipIf(!terraform).each(variants(['posthog-2026', 'posthog', 'documented'] as const))(
  'a flag that depends on another, with the real Terraform (%s)',
  profile => {
    it('is made after it, plans nothing then, lets go of it and is destroyed before it', async () => {
      const named = flag('naming', condition('vexil_feature_flag.base.key'))
      const stack = await open(base + named, { profile })
      await stack.apply()
      expect(await namesOf(stack, await idOf(stack, 'naming'))).toEqual([await idOf(stack, 'base')])
      expect((await stack.state())['vexil_feature_flag.naming']?.release).toMatchObject([
        { properties: [{ key: 'base' }] },
      ])
      expect(await stack.plan()).toEqual({})

      // A plain key and the id mean the same flag.
      await stack.write({ 'main.tf': base + flag('naming', condition('"base"')) })
      expect(await stack.plan()).toEqual({})

      const other = flag('other', '{ rollout_percentage = 100 }')
      await stack.write({
        'main.tf': base + other + flag('naming', condition('vexil_feature_flag.other.key')),
      })
      await stack.apply()
      expect(await namesOf(stack, await idOf(stack, 'naming'))).toEqual([await idOf(stack, 'other')])
      expect(await stack.plan()).toEqual({})

      const { requests } = await stack.service.watch(() => stack.destroy())
      expect(requests.filter(isWrite)).toHaveLength(3)
      expect(await stack.state()).toEqual({})
    })

    it('is as configured where it exists already, as its plan says', async () => {
      const both = base + flag('naming', condition('vexil_feature_flag.base.key'))
      const stack = await open(both, { profile })
      await stack.apply()
      await stack.succeed('state', 'rm', 'vexil_feature_flag.base', 'vexil_feature_flag.naming')
      const details = (await stack.warnings()).map(({ detail }) => detail)
      expect(details).toHaveLength(2)
      for (const detail of details) expect(detail).toContain('`adopt = true` adopts it too')
      await stack.write({ 'main.tf': both.replaceAll('active  = true', 'active  = true\n  adopt   = true') })
      expect(await stack.warnings()).toEqual([])
      await stack.apply()
      expect(await stack.plan()).toEqual({})
    })

    it('is changed in one apply with the new key of the other, which keeps its id', async () => {
      const naming = (share: number) =>
        flag('naming', `${condition('vexil_feature_flag.base.key')}, { rollout_percentage = ${share} }`)
      const stack = await open(base + naming(5), { profile })
      await stack.apply()
      const id = await idOf(stack, 'base')

      const renamed = base.replace('key     = "base"', 'key     = "base_two"')
      await stack.write({ 'main.tf': renamed + naming(10) })
      const { requests } = await stack.service.watch(() => stack.apply())
      expect(requests.filter(isWrite)).toHaveLength(2)
      expect(await idOf(stack, 'base')).toBe(id)
      expect(await namesOf(stack, await idOf(stack, 'naming'))).toEqual([id])
      expect((await stack.state())['vexil_feature_flag.naming']?.release).toMatchObject([
        { properties: [{ key: 'base_two' }] },
        { rollout_percentage: 10 },
      ])
      expect(await stack.plan()).toEqual({})

      // Renamed alone, the other one follows without a write of its own.
      await stack.write({ 'main.tf': base + naming(10) })
      const { requests: alone } = await stack.service.watch(() => stack.apply())
      expect(alone.filter(isWrite)).toHaveLength(1)
      expect(await stack.plan()).toEqual({})
    })

    it('is destroyed once the other one is applied without it, where one commit takes both out', async () => {
      const named = flag('naming', condition('vexil_feature_flag.base.key'))
      const stack = await open(base + named, { profile })
      await stack.apply()

      await stack.write({ 'main.tf': flag('naming', '{ rollout_percentage = 5 }') })
      if (profile === 'posthog-2026') {
        const [refusal] = await stack.refusals('apply')
        expect(refusal?.summary).toBe('cannot destroy flag "base"')
        expect(refusal?.detail).toContain('terraform apply -target=vexil_feature_flag.NAME')
      }
      await stack.apply('-target=vexil_feature_flag.naming')
      await stack.apply()
      expect(Object.keys(await stack.state())).toEqual(['vexil_feature_flag.naming'])
      expect(await stack.plan()).toEqual({})
    })

    it('is destroyed after the other one is changed, where it was applied to be created first', async () => {
      const lasting = base.replace('  active', '  lifecycle { create_before_destroy = true }\n  active')
      const stack = await open(lasting + flag('naming', condition('vexil_feature_flag.base.key')), {
        profile,
      })
      await stack.apply()
      await stack.write({ 'main.tf': flag('naming', '{ rollout_percentage = 5 }') })
      await stack.apply()
      expect(await stack.plan()).toEqual({})
    })

    it('tells which flag it names that is nowhere', async () => {
      const stack = await open(flag('naming', condition('"nowhere"')), { profile })
      const [refusal] = await stack.refusals('apply')
      expect(refusal?.summary).toContain('its conditions name the flag "nowhere", which does not exist')
      expect(refusal?.detail).toContain('vexil_feature_flag.NAME.key')
    })
  },
)
