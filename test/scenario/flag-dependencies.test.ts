import { describe, expect, it } from 'vitest'
import { flagsPath, isWrite, useWorkspace as useBench } from '../support/workspace.ts'

// Flags are named by key as well as by id.
const quirks = { flag_dependencies: 'id_or_key' } as const
const bench = useBench({ 'vexil.yaml': 'version: 1\n' }, { quirks })

const dependent = (name: string, value: string) =>
  `  fast_checkout:
    active: true
    filters:
      groups:
        - properties: [ { key: ${name}, type: flag, operator: flag_evaluates_to, value: ${value} } ]
          rollout_percentage: 50
`

describe('a flag that depends on another', () => {
  it.each([
    ['id', 'true', 'flag "1" is on for the person at 50%'],
    ['key', 'false', 'flag "checkout" is off for the person at 50%'],
  ])('goes from plan to apply to an empty plan, naming it by its %s', async (by, value, words) => {
    const { vexil, service, flag } = bench()
    await service.send('POST', `${flagsPath}/`, { key: 'checkout' })
    const name = by === 'id' ? `"${(await flag('checkout')).id}"` : 'checkout'
    await bench().declareFlags(dependent(name, value))

    const planned = await vexil('plan --detailed-exitcode')
    expect(planned).toMatchObject({ code: 2, stderr: '' })
    expect(planned.stdout).toContain(words)
    const applied = await vexil('apply --auto-approve')
    expect(applied.code, applied.stdout).toBe(0)
    expect((await flag('fast_checkout')).filters).toMatchObject({
      groups: [
        {
          properties: [
            {
              key: JSON.parse(by === 'id' ? name : `"${name}"`),
              type: 'flag',
              operator: 'flag_evaluates_to',
              value: value === 'true',
            },
          ],
          rollout_percentage: 50,
        },
      ],
    })
    const again = await service.watch(() => vexil('plan --detailed-exitcode'))
    expect(again.result.code, again.result.stdout).toBe(0)
    expect(again.requests.filter(isWrite)).toEqual([])

    await bench().declareFlags(dependent(name, value === 'true' ? 'false' : 'true'))
    const changed = await vexil('plan')
    expect(changed.stdout).toContain(value === 'true' ? 'is off for the person' : 'is on for the person')
  })

  it('is made, turned off and deleted together with it, in the order that the service takes', async () => {
    const { vexil, flag } = bench()
    const both = (
      active: boolean,
    ) => `  base: { active: ${active}, filters: { groups: [ { rollout_percentage: 100 } ] } }
  a_naming:
    active: ${active}
    filters: { groups: [ { properties: [ { key: base, type: flag, operator: flag_evaluates_to, value: true } ] } ] }
`
    for (const text of [
      both(true),
      both(false),
      both(true),
      '  base: { ensure: absent }\n  a_naming: { ensure: absent }\n',
    ]) {
      await bench().declareFlags(text)
      const applied = await vexil('apply --auto-approve')
      expect(applied.code, applied.stdout).toBe(0)
      expect(applied.stdout).toContain('2 changes applied')
      expect((await vexil('plan --detailed-exitcode')).code).toBe(0)
    }
    await vexil('undo last --auto-approve')
    expect((await flag('base')).deleted).toBe(false)
    expect((await flag('a_naming')).deleted).toBe(false)
  })

  it('is exported as what plans nothing', async () => {
    const { vexil, service, write } = bench()
    await service.send('POST', `${flagsPath}/`, { key: 'checkout' })
    await bench().declareFlags(dependent('"1"', 'true'))
    await vexil('apply --auto-approve')
    const exported = await vexil('export --kind feature_flag')
    await write({ 'flags.yaml': exported.stdout })
    expect((await vexil('plan --detailed-exitcode')).code).toBe(0)
  })

  it.each([
    ['another operator', 'operator: exact, value: true', 'use flag_evaluates_to'],
    ['no value', 'operator: flag_evaluates_to', 'true, false or the key of a variant'],
  ])('is found to have %s before anything is sent', async (_, members, words) => {
    const { vexil } = bench()
    await bench().declareFlags(
      `  fast: { filters: { groups: [ { properties: [ { key: "1", type: flag, ${members} } ] } ] } }\n`,
    )
    const { code, stderr } = await vexil('plan')
    expect(code).toBe(1)
    expect(stderr).toContain(words)
  })

  it('tells what the service says of a flag that is not there', async () => {
    const { vexil } = bench()
    await bench().declareFlags(dependent('"99"', 'true'))
    const { code, stdout, stderr } = await vexil('apply --auto-approve')
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(stdout).toContain('was refused with 400 invalid_input on "filters"')
    expect(stdout).toContain('non-existent flag "99"')
  })
})
