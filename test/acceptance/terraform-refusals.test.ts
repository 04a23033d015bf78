import { describe, expect, it } from 'vitest'
import { sampleWorld } from '../../src/sandbox/index.ts'
import { providerBlock, useTerraform } from './support/attached.ts'
import { terraform } from './support/binary.ts'
import { flag, supportRole } from './support/configurations.ts'

const open = useTerraform()
const flags = '/api/projects/1/feature_flags'
const address = 'vexil_feature_flag.checkout'

describe.skipIf(!terraform)('a service that refuses', () => {
  it.each([
    ['a wrong key', 'api_key', 'phx_wrong', 'was refused with 401', 'POSTHOG_API_KEY'],
    ['an address that nobody answers at', 'base_url', 'http://127.0.0.1:1', 'got no answer', '`base_url`'],
  ])('says so for %s, and the state stays', async (_, setting, value, said, remedy) => {
    const stack = await open(flag('checkout'))
    await stack.apply()
    const state = await stack.state()
    const block = providerBlock(stack.service, 'retry_attempts = 1')
    await stack.write({
      'provider.tf': block.replace(new RegExp(`${setting} .*`), `${setting} = "${value}"`),
    })
    for (const command of ['plan', 'apply', 'destroy'] as const) {
      const [refusal, ...others] = await stack.refusals(command)
      expect(others).toEqual([])
      expect(refusal?.summary).toBe('cannot read flag "checkout"')
      expect(refusal?.detail).toContain(said)
      expect(refusal?.detail).toContain(remedy)
      expect(refusal?.detail).not.toContain('phx_')
    }
    expect(await stack.state()).toEqual(state)
    await stack.write({ 'provider.tf': providerBlock(stack.service), 'new.tf': flag('other') })
    expect(await stack.plan()).toEqual({ 'vexil_feature_flag.other': 'create' })
  })

  it('says how to import what has the same key, and that way works', async () => {
    const dark = (more = '') =>
      flag('dark-mode', `tags = ["design"]\n${more}`, 25).replace(/release .*/, 'rollout_percentage = 25')
    const stack = await open(dark(), { seed: sampleWorld })
    const [refusal] = await stack.refusals('apply')
    expect(refusal).toMatchObject({ summary: 'flag "dark-mode" already exists', at: '"dark-mode"' })
    const [, command = '', id = ''] = /`terraform (import \S+) (\S+)`/.exec(refusal?.detail ?? '') ?? []
    expect(command).toBe('import vexil_feature_flag.NAME')
    const [block = ''] = /^ {2}import \{[^}]*\}/m.exec(refusal?.detail ?? '') ?? []
    await stack.write({ 'import.tf': block.replace('NAME', 'dark-mode') })
    expect(id).toBe('1/1#release')
    expect(await stack.plan()).toEqual({ 'vexil_feature_flag.dark-mode': 'import' })
    await stack.write({ 'main.tf': dark('adopt = true'), 'import.tf': '' })
    const { requests } = await stack.service.watch(() => stack.apply())
    expect(requests.filter(line => !line.startsWith('GET'))).toEqual([])
    expect(await stack.plan()).toEqual({})
  })

  it('is not even asked where two resources want the same key', async () => {
    const second = flag('checkout').replace(
      '"vexil_feature_flag" "checkout"',
      '"vexil_feature_flag" "second"',
    )
    const stack = await open(flag('checkout') + second)
    expect(await stack.refusals('apply')).toMatchObject([
      { summary: 'another resource is also flag "checkout"' },
    ])
    expect(await stack.service.get(flags)).toMatchObject({ count: 0 })
  })

  it('leaves an event alone that it does not let anybody change', async () => {
    const event =
      'resource "vexil_event_definition" "paid" {\n  name = "checkout_paid"\n  tags = ["ours"]\n}\n'
    const stack = await open(event, { seed: sampleWorld })
    stack.service.faults('PATCH /event_definitions status=402')
    expect(await stack.refusals('apply')).toEqual([
      {
        summary: 'cannot create event "checkout_paid"',
        detail: expect.stringMatching(/refused with 402 [\s\S]*\n\nThis service.s plan does not include/),
        at: '{',
      },
    ])
    expect(await stack.state()).toEqual({})
  })

  it('makes no plugin where none can be installed', async () => {
    const plugin = 'resource "vexil_plugin" "clock" {\n  name = "Clock"\n}\n'
    const stack = await open(plugin)
    stack.service.faults('POST /plugins status=403')
    expect(await stack.refusals('apply')).toMatchObject([
      { summary: 'cannot create plugin "Clock"', detail: expect.stringContaining('was refused with 403') },
    ])
    expect(await stack.state()).toEqual({})
  })

  it('keeps the state of a flag that the key may not edit', async () => {
    const stack = await open(heldFlag(''), { seed: heldWorld })
    expect(await stack.refusals('apply')).toMatchObject([
      { summary: expect.stringContaining('flag "held" was not changed'), at: '{' },
    ])
    await stack.write({ 'main.tf': heldFlag('allow = ["can_edit"]') })
    expect(await stack.refusals('apply')).toMatchObject([
      { summary: 'cannot change flag "held"', detail: expect.stringContaining('was refused with 403') },
    ])
    expect((await stack.state())['vexil_feature_flag.held']).toMatchObject({ id: '7', name: 'Theirs' })
    expect(await stack.plan()).toEqual({ 'vexil_feature_flag.held': 'update' })
  })

  it('underlines what it has refused', async () => {
    const role = supportRole.replace('aa', 'ff')
    const grant = `resource "vexil_feature_flag_role_access" "edit" {
  feature_flag_id = ${address}.id
  role_id         = "${role}"
}
`
    const stack = await open(flag('checkout') + grant)
    expect(await stack.refusals('apply')).toMatchObject([
      { summary: `cannot create grant "${role}"`, at: `"${role}"` },
    ])
    expect(Object.keys(await stack.state())).toEqual([address])
    await stack.write({ 'main.tf': flag('checkout') })
    expect(await stack.plan()).toEqual({})
  })

  it('makes nothing in a project that there is none of', async () => {
    const stack = await open(flag('checkout', 'project_id = "99"'))
    expect(await stack.refusals('apply')).toMatchObject([
      { summary: 'cannot plan flag "checkout"', detail: expect.stringContaining('Check `project_id`') },
    ])
    // It is told at plan already, so that there is no state yet.
    await expect(stack.state()).rejects.toThrow('ENOENT')
  })
})

const heldWorld = {
  users: [{ id: 1, email: 'ada@example.com' }],
  organizations: [
    {
      id: '01900000-0000-0000-0000-000000000001',
      name: 'Example',
      projects: [
        {
          id: 1,
          name: 'Production',
          feature_flags: [{ id: 7, key: 'held', name: 'Theirs', can_edit: false }],
        },
      ],
    },
  ],
}

function heldFlag(more: string): string {
  return `resource "vexil_feature_flag" "held" {
  key  = "held"
  name = "Ours"
  ${more}
}
import {
  to = vexil_feature_flag.held
  id = "held"
}
`
}
