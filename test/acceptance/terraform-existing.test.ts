import { describe, expect, it } from 'vitest'
import { sampleWorld } from '../../src/sandbox/index.ts'
import { useTerraform } from './support/attached.ts'
import { terraform } from './support/binary.ts'
import { flag } from './support/configurations.ts'

const open = useTerraform()
const address = 'vexil_feature_flag.dark-mode'
const list = 'GET /api/projects/1/feature_flags'

describe.skipIf(!terraform)('a plan of what the service holds already', () => {
  it('warns of a flag, with an import that works, and reads one list', async () => {
    const stack = await open(flag('dark-mode') + flag('other') + flag('third'), { seed: sampleWorld })
    const { result, requests } = await stack.service.watch(() => stack.warnings())
    expect(result).toMatchObject([
      { summary: 'flag "dark-mode" already exists, so an apply will not create it', at: '"dark-mode"' },
    ])
    expect(requests.filter(line => line === list)).toHaveLength(1)
    const [block = ''] = /^ {2}import \{[^}]*\}/m.exec(result[0]?.detail ?? '') ?? []
    await stack.write({ 'import.tf': block.replace('NAME', 'dark-mode') })
    expect(await stack.warnings()).toEqual([])
    expect(await stack.plan()).toMatchObject({ [address]: 'import update' })
  })

  it('says that `adopt` takes it over only where it does, and nothing once it is set', async () => {
    const same = (more = '') => flag('dark-mode', `tags = ["design"]\n${more}`, 25)
    const stack = await open(same(), { seed: sampleWorld })
    expect(await stack.warnings()).toMatchObject([{ detail: expect.stringContaining('`adopt = true`') }])
    await stack.write({ 'main.tf': same('adopt = true') })
    expect(await stack.warnings()).toEqual([])
    await stack.write({ 'main.tf': flag('dark-mode', 'adopt = true', 30) })
    expect(await stack.warnings()).toMatchObject([
      { detail: expect.stringContaining('so `adopt` does not adopt it') },
    ])
  })

  it('does not stand in the way of destroying the rest', async () => {
    const stack = await open(flag('other'), { seed: sampleWorld })
    await stack.apply()
    await stack.write({ 'main.tf': flag('other') + flag('dark-mode') })
    await stack.succeed('destroy', '-auto-approve', '-input=false')
    expect(await stack.service.get('/api/projects/1/feature_flags/1/')).toMatchObject({ key: 'dark-mode' })
  })

  it('does not contain what it replaces, nor where another resource gives up the key before', async () => {
    const named = (name: string, key: string, more = '') =>
      flag(key, more).replace(`"vexil_feature_flag" "${key}"`, `"vexil_feature_flag" "${name}"`)
    const stack = await open(named('one', 'first'))
    await stack.apply()
    expect(await stack.warnings('-replace=vexil_feature_flag.one')).toEqual([])
    await stack.succeed('taint', 'vexil_feature_flag.one')
    for (const options of [[], ['-refresh=false']]) expect(await stack.warnings(...options)).toEqual([])
    await stack.apply()
    await stack.write({
      'main.tf': named('one', 'renamed') + named('two', 'first', 'depends_on = [vexil_feature_flag.one]'),
    })
    const warnings = await stack.warnings()
    expect(warnings.filter(({ summary }) => summary.includes('already exists'))).toEqual([])
    await stack.apply()
    expect(await stack.plan()).toEqual({})
  })

  describe('of a name that another resource of the state has', () => {
    const listed = (more = '') => `variable "keys" {
  type    = list(string)
  default = ["one", "two", "three"]
}
resource "vexil_feature_flag" "each" {
  count              = length(var.keys)
  key                = var.keys[count.index]
  active             = true
  rollout_percentage = 5
  ${more}
}
`
    const moved = '-var=keys=["one","three"]'
    const isTaken = ({ summary }: { summary: string }) => summary.includes('already exists')
    const taken = [
      {
        summary:
          'flag "three" already exists; an apply can rename flag "two" to it only after that object has another key',
      },
    ]

    it('warns where an element of a list is taken out, which the apply refuses', async () => {
      const stack = await open(listed())
      await stack.apply()
      expect((await stack.warnings(moved)).filter(isTaken)).toMatchObject(taken)
      expect(await stack.refusals('apply', moved)).toMatchObject([
        { summary: expect.stringContaining('flag "two" was not changed') },
      ])
    })

    it('warns too where the resource may destroy what keeps the name, since no order is planned', async () => {
      const stack = await open(listed('allow = ["soft_deleted"]'))
      await stack.apply()
      const [warning, ...others] = (await stack.warnings(moved)).filter(isTaken)
      expect([warning, others]).toMatchObject([taken[0], []])
      expect(warning?.detail).toContain('`allow = ["soft_deleted"]` lets this resource destroy it')
    })

    it('says nothing where the other one is renamed before, by a dependency', async () => {
      const named = (one: string, other: string) =>
        flag(one).replace(/"\w+" \{/, '"a" {') +
        flag(other, 'depends_on = [vexil_feature_flag.a]').replace(/"\w+" \{/, '"b" {')
      const stack = await open(named('left', 'right'))
      await stack.apply()
      await stack.write({ 'main.tf': named('free', 'left') })
      expect((await stack.warnings()).filter(isTaken)).toEqual([])
      await stack.apply()
      expect(await stack.plan()).toEqual({})
    })

    it('warns where two resources change names', async () => {
      const named = (one: string, other: string) =>
        flag(one).replace(/"\w+" \{/, '"a" {') + flag(other).replace(/"\w+" \{/, '"b" {')
      const stack = await open(named('left', 'right'))
      await stack.apply()
      await stack.write({ 'main.tf': named('right', 'left') })
      expect((await stack.warnings()).filter(isTaken).length).toBeGreaterThan(0)
    })
  })

  it('warns of an event that was never seen, and the rest is applied', async () => {
    const event = 'resource "vexil_event_definition" "new" {\n  name = "never_seen"\n}\n'
    const stack = await open(flag('checkout') + event)
    expect(await stack.warnings()).toMatchObject([
      { summary: 'there is no event "never_seen" yet, so an apply will fail for it', at: '"never_seen"' },
    ])
    expect(await stack.refusals('apply')).toMatchObject([
      { summary: expect.stringContaining('event "never_seen" was not created') },
    ])
    expect(Object.keys(await stack.state())).toEqual(['vexil_feature_flag.checkout'])
  })

  it('asks for no list anew at each object of an apply', async () => {
    const keys = Array.from({ length: 15 }, (_, at) => `flag_${at}`)
    const stack = await open(keys.map(key => flag(key)).join(''))
    const { requests } = await stack.service.watch(() => stack.apply())
    // One for the plan and one before the first write.
    expect(requests.filter(line => line === list)).toHaveLength(2)
  })

  it('is made all the same where the list cannot be read', async () => {
    const stack = await open(flag('checkout'))
    stack.service.faults('GET /projects/*/feature_flags status=403')
    expect(await stack.warnings()).toEqual([])
    await stack.apply()
    expect(Object.keys(await stack.state())).toEqual(['vexil_feature_flag.checkout'])
  })
})
