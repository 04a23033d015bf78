import { describe, expect, it } from 'vitest'
import { sampleWorld } from '../../src/sandbox/index.ts'
import { useTerraform } from './support/attached.ts'
import { terraform } from './support/binary.ts'
import { flag, jsonFlag } from './support/configurations.ts'

const open = useTerraform()
const address = 'vexil_feature_flag.checkout'
const flags = '/api/projects/1/feature_flags'

describe.skipIf(!terraform)('a flag with the real Terraform', () => {
  it('is validated, planned, created with one request, and then as planned', async () => {
    const stack = await open(flag('checkout', 'tags = ["B", "a"]'))
    await stack.succeed('validate')
    expect(await stack.plan()).toEqual({ [address]: 'create' })
    const { requests } = await stack.service.watch(() => stack.apply('made.plan'))
    expect(requests.filter(line => !line.startsWith('GET'))).toEqual([`POST ${flags}`])
    const again = await stack.service.watch(() => stack.plan())
    expect(again).toEqual({ result: {}, requests: [`GET ${flags}`] })
  })

  it('is changed with one request, and keeps what the configuration does not name', async () => {
    const stack = await open(flag('checkout', '', 10))
    await stack.apply()
    const { id } = (await stack.state())[address] ?? {}
    await stack.service.send('PATCH', `${flags}/${id}`, { ensure_experience_continuity: true })
    await stack.write({ 'main.tf': flag('checkout', 'name = "New checkout"', 25) })
    expect(await stack.plan()).toEqual({ [address]: 'update' })
    const { requests } = await stack.service.watch(() => stack.apply('made.plan'))
    expect(requests).toEqual([`GET ${flags}/${id}`, `PATCH ${flags}/${id}`])
    expect(await stack.service.get(`${flags}/${id}`)).toMatchObject({
      name: 'New checkout',
      ensure_experience_continuity: true,
      filters: { groups: [{ rollout_percentage: 25 }] },
    })
    expect(await stack.plan()).toEqual({})
  })

  it('plans nothing when the same filters are written another way', async () => {
    const stack = await open(
      jsonFlag('checkout', 'jsonencode({ groups = [{ properties = [], rollout_percentage = 10 }] })'),
    )
    await stack.apply()
    await stack.write({
      'main.tf': jsonFlag(
        'checkout',
        '"{ \\"groups\\": [ {\\"rollout_percentage\\":1e1} ], \\"payloads\\": {} }"',
      ),
    })
    expect(await stack.plan()).toEqual({})
    await stack.write({ 'main.tf': flag('checkout') })
    // The typed attributes are new to the state, and the service has nothing to do.
    const { requests } = await stack.service.watch(() => stack.apply())
    expect(requests.filter(line => !line.startsWith('GET'))).toEqual([])
    expect(await stack.plan()).toEqual({})
  })

  it('is put back when a colleague changes it', async () => {
    const stack = await open(flag('checkout'))
    await stack.apply()
    const { id } = (await stack.state())[address] ?? {}
    await stack.service.send('PATCH', `${flags}/${id}`, {
      filters: { groups: [{ properties: [], rollout_percentage: 80 }] },
    })
    expect(await stack.succeed('plan', '-no-color')).toMatch(/rollout_percentage = 80 -> 10/)
    await stack.apply()
    expect(await stack.service.get(`${flags}/${id}`)).toMatchObject({
      filters: { groups: [{ rollout_percentage: 10 }] },
    })
    expect(await stack.plan()).toEqual({})
  })

  it('is left alone when it was changed after the plan was made', async () => {
    const stack = await open(flag('checkout'))
    await stack.apply()
    const { id } = (await stack.state())[address] ?? {}
    await stack.write({ 'main.tf': flag('checkout', '', 20) })
    await stack.plan()
    await stack.service.send('PATCH', `${flags}/${id}`, { name: 'Changed meanwhile' })
    expect(await stack.refusals('apply', 'made.plan')).toMatchObject([
      { summary: 'cannot change flag "checkout"', detail: expect.stringContaining('changed after the plan') },
    ])
    expect(await stack.service.get(`${flags}/${id}`)).toMatchObject({
      filters: { groups: [{ rollout_percentage: 10 }] },
    })
    await stack.apply()
    expect(await stack.plan()).toEqual({})
  })

  it('is brought back with its id after somebody has deleted it', async () => {
    const stack = await open(flag('checkout'))
    await stack.apply()
    const { id } = (await stack.state())[address] ?? {}
    await stack.service.send('PATCH', `${flags}/${id}`, { deleted: true })
    expect(await stack.plan()).toEqual({ [address]: 'update' })
    await stack.apply()
    expect((await stack.state())[address]).toMatchObject({ id })
    expect(await stack.service.get(`${flags}/${id}`)).toMatchObject({ key: 'checkout', deleted: false })
    expect(await stack.plan()).toEqual({})
  })

  it('is deleted softly when it is destroyed, and comes back with its id', async () => {
    const stack = await open(flag('checkout'))
    await stack.apply()
    const { id } = (await stack.state())[address] ?? {}
    const { requests } = await stack.service.watch(() => stack.destroy())
    expect(requests.filter(line => !line.startsWith('GET'))).toEqual([`PATCH ${flags}/${id}`])
    expect(await stack.service.get(`${flags}/${id}`)).toMatchObject({ deleted: true })
    await stack.apply()
    expect((await stack.state())[address]).toMatchObject({ id })
  })

  it('is renamed in place, with a warning', async () => {
    const stack = await open(flag('checkout'))
    await stack.apply()
    const { id } = (await stack.state())[address] ?? {}
    await stack.write({ 'main.tf': flag('checkout').replace('= "checkout"', '= "checkout_v2"') })
    expect(await stack.warnings()).toMatchObject([
      { summary: 'code that asks for "checkout" no longer gets this flag', at: '"checkout_v2"' },
    ])
    await stack.apply()
    expect(await stack.service.get(`${flags}/${id}`)).toMatchObject({ key: 'checkout_v2' })
    expect(await stack.plan()).toEqual({})
  })

  it('is another object in another project', async () => {
    const stack = await open(flag('checkout'), { seed: sampleWorld })
    await stack.apply()
    const { id } = (await stack.state())[address] ?? {}
    await stack.write({ 'main.tf': flag('checkout', 'project_id = "2"') })
    expect(await stack.plan()).toEqual({ [address]: 'delete create' })
    await stack.apply()
    const state = (await stack.state())[address]
    expect(state).toMatchObject({ project_id: '2' })
    expect(await stack.service.get(`${flags}/${id}`)).toMatchObject({ deleted: true })
    expect(await stack.service.get(`/api/projects/2/feature_flags/${state?.id}`)).toMatchObject({
      deleted: false,
    })
    expect(await stack.plan()).toEqual({})
  })

  it('survives -replace with the same id, since the service holds it', async () => {
    const stack = await open(flag('checkout'))
    await stack.apply()
    const { id } = (await stack.state())[address] ?? {}
    expect(await stack.plan(`-replace=${address}`)).toEqual({ [address]: 'delete create' })
    await stack.apply('made.plan')
    expect((await stack.state())[address]).toMatchObject({ id })
    expect(await stack.service.get(`${flags}/${id}`)).toMatchObject({ deleted: false })
    expect(await stack.plan()).toEqual({})
  })
})
