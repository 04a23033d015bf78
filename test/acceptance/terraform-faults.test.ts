import { describe, expect, it } from 'vitest'
import { losingRelay as openSilentDoor } from '../support/relay.ts'
import { providerBlock, useTerraform } from './support/attached.ts'
import { terraform } from './support/binary.ts'
import { flag, jsonFlag } from './support/configurations.ts'

const open = useTerraform()
const flags = '/api/projects/1/feature_flags'
const address = 'vexil_feature_flag.checkout'
const isWrite = (line: string) => !line.startsWith('GET')

describe.skipIf(!terraform)('a service and a network that fail', () => {
  it.each([
    ['was lost', `POST ${flags} nth=1 reset_after`],
    ['broke off', `POST ${flags} nth=1 truncate`],
    ['was a failure, though it was carried out', `POST ${flags} nth=1 status=500 committed`],
  ])('makes nothing twice when the answer to a creation %s', async (_, fault) => {
    const stack = await open(flag('checkout'))
    stack.service.faults(fault)
    const { requests } = await stack.service.watch(() => stack.apply())
    expect(requests.filter(isWrite)).toEqual([`POST ${flags}`])
    expect(await stack.service.get(flags)).toMatchObject({ count: 1 })
    expect(await stack.plan()).toEqual({})
  })

  it('makes a flag that is made at the second attempt', async () => {
    const stack = await open(flag('checkout'))
    stack.service.faults(`POST ${flags} nth=1 reset_before`)
    await stack.apply()
    expect(await stack.service.get(flags)).toMatchObject({ count: 1 })
    expect(await stack.plan()).toEqual({})
  })

  it('keeps a plugin whose source could not be written, and makes it anew', async () => {
    const main =
      'resource "vexil_plugin" "clock" {\n  name        = "Clock"\n  plugin_type = "source"\n  source      = { "index.ts" = "export {}\\n" }\n}\n'
    const stack = await open(main)
    stack.service.faults('PATCH /update_source status=403')
    expect(await stack.refusals('apply')).toMatchObject([{ summary: 'cannot create plugin "Clock"' }])
    expect((await stack.state())['vexil_plugin.clock']).toMatchObject({ id: '1', source: null })
    expect(await stack.plan()).toEqual({ 'vexil_plugin.clock': 'delete create' })
    stack.service.faults()
    await stack.apply('made.plan')
    expect(await stack.plan()).toEqual({})
    const plugins = '/api/organizations/01900000-0000-0000-0000-000000000001/plugins'
    expect(await stack.service.get(plugins)).toMatchObject({ count: 1 })
  })

  it('changes a flag whose first change got no answer', async () => {
    const stack = await open(flag('checkout'))
    await stack.apply()
    await stack.write({ 'main.tf': flag('checkout', '', 20) })
    stack.service.faults('PATCH nth=1 reset_after')
    await stack.apply()
    expect(await stack.plan()).toEqual({})
  })

  it('waits when there are too many requests', async () => {
    const stack = await open(flag('checkout') + flag('other'))
    stack.service.faults('status=429 times=2')
    await stack.apply()
    expect(await stack.plan()).toEqual({})
    expect(await stack.service.get(flags)).toMatchObject({ count: 2 })
  })

  it('says what to do when there are too many requests for long', async () => {
    const stack = await open(flag('checkout'))
    stack.service.faults('POST status=429')
    expect(await stack.refusals('apply')).toMatchObject([
      {
        summary: 'cannot create flag "checkout"',
        detail: expect.stringContaining('Wait, then run the same command again'),
      },
    ])
    stack.service.faults()
    await stack.apply()
    expect(await stack.plan()).toEqual({})
  })

  it('never takes a read that failed for a flag that is gone', async () => {
    const stack = await open(flag('checkout'))
    await stack.apply()
    const state = await stack.state()
    stack.service.faults('GET status=500')
    const { requests } = await stack.service.watch(async () => {
      for (const command of ['plan', 'apply', 'destroy'] as const) {
        expect(await stack.refusals(command)).toMatchObject([{ summary: 'cannot read flag "checkout"' }])
      }
    })
    expect(requests.filter(isWrite)).toEqual([])
    stack.service.faults()
    expect(await stack.state()).toEqual(state)
    expect(await stack.plan()).toEqual({})
  })

  it('keeps a flag that could not be destroyed', async () => {
    const stack = await open(flag('checkout'))
    await stack.apply()
    const state = await stack.state()
    stack.service.faults('PATCH status=503')
    expect(await stack.refusals('destroy')).toMatchObject([{ summary: 'cannot destroy flag "checkout"' }])
    stack.service.faults()
    expect(await stack.state()).toEqual(state)
    await stack.destroy()
    expect(await stack.service.get(flags)).toMatchObject({ count: 0 })
  })

  it('keeps what was not changed as it was', async () => {
    const stack = await open(flag('checkout'))
    await stack.apply()
    await stack.write({ 'main.tf': flag('checkout', '', 20) })
    stack.service.faults('PATCH status=503')
    expect(await stack.refusals('apply')).toMatchObject([{ summary: 'cannot change flag "checkout"' }])
    stack.service.faults()
    expect(await stack.plan()).toEqual({ [address]: 'update' })
    await stack.apply('made.plan')
    expect(await stack.plan()).toEqual({})
  })

  it('cut off what takes too long when it is interrupted, and it says how to import what was made', async () => {
    const filters = 'jsonencode({ groups = [{ rollout_percentage = 10 }] })'
    const stack = await open(jsonFlag('checkout', filters))
    const { env, url } = stack.service
    const door = await openSilentDoor(url, 'POST')
    await stack.write({ 'provider.tf': providerBlock({ env: { ...env, VEXIL_BASE_URL: door.url } }) })
    const output = await stack.interruptedApply(door.swallowed)
    door.close()
    await stack.write({ 'provider.tf': providerBlock(stack.service) })
    const said = output.replace(/[\s│]+/g, ' ')
    expect(said).toContain('cannot create flag "checkout"')
    expect(said).toContain('The service may have created it')
    const [, id = ''] = /`terraform import vexil_feature_flag\.NAME (\S+)`/.exec(said) ?? []
    expect(await stack.refusals('apply')).toMatchObject([{ summary: 'flag "checkout" already exists' }])
    await stack.succeed('import', '-no-color', '-input=false', address, id)
    expect(await stack.plan()).toEqual({})
    expect(await stack.service.get(flags)).toMatchObject({ count: 1 })
  })
})
