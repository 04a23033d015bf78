import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Attached, useTerraform } from './support/attached.ts'
import { terraform } from './support/binary.ts'
import { flag } from './support/configurations.ts'

const open = useTerraform()
const address = 'vexil_feature_flag.checkout'
const flags = '/api/projects/1/feature_flags'
const today = { profile: 'posthog-2026' } as const
const off = (more = '') => flag('checkout', more).replace('active  = true', 'active  = false')
const share = 'rollout_percentage = 10'
const server = 'advanced = { evaluation_runtime = "server" }'

describe.skipIf(!terraform)('what few people set, in one attribute', () => {
  it.each(['documented', 'posthog-2026'] as const)('takes one line of a state: %s', async profile => {
    const stack = await open(flag('checkout'), { profile })
    await stack.apply()
    const one = (await stateText(stack)).length
    await stack.write({ 'other.tf': flag('other_01') })
    await stack.apply()
    expect((await stack.state())[address]).toMatchObject({ advanced: null })
    expect((await stateText(stack)).length - one).toBeLessThan(1350)
    expect(await stack.plan()).toEqual({})
  })

  it('has what is configured and, where it is not the default, what is live', async () => {
    const stack = await open(off(server), today)
    await stack.apply()
    const { id } = (await stack.state())[address] ?? {}
    expect((await stack.state())[address]).toMatchObject({
      advanced: { evaluation_runtime: 'server', evaluation_contexts: null, early_exit: null },
    })
    expect(await stack.plan()).toEqual({})
    await stack.service.send('PATCH', `${flags}/${id}/`, { evaluation_contexts: ['web'] })
    expect(await stack.plan()).toEqual({})
    await stack.service.send('PATCH', `${flags}/${id}/`, { evaluation_runtime: 'client' })
    expect(await stack.plan()).toEqual({ [address]: 'update' })
    await stack.apply()
    expect(await stack.service.get(`${flags}/${id}/`)).toMatchObject({
      ...{ evaluation_runtime: 'server', evaluation_contexts: ['web'] },
    })
    // Taken out, it is left to others.
    await stack.write({ 'main.tf': off() })
    expect(await stack.plan()).toEqual({})
    await stack.service.send('PATCH', `${flags}/${id}/`, { archived: true })
    expect(await stack.plan()).toEqual({ [address]: 'update' })
    await stack.apply()
    expect(await stack.service.get(`${flags}/${id}/`)).toMatchObject({
      ...{ archived: false, evaluation_runtime: 'server' },
    })
    expect(await stack.plan()).toEqual({})
  })

  it('leaves members to the product that `ignore_changes` names', async () => {
    const ignored = 'lifecycle { ignore_changes = [advanced.evaluation_runtime] }'
    const stack = await open(off(`${server}\n${ignored}`), today)
    await stack.apply()
    const { id } = (await stack.state())[address] ?? {}
    await stack.service.send('PATCH', `${flags}/${id}/`, { evaluation_runtime: 'client' })
    expect(await stack.plan()).toEqual({})
  })

  it('is imported where it is live, and plans nothing with or without a configuration of it', async () => {
    const stack = await open(off(server), today)
    await stack.apply()
    const { id } = (await stack.state())[address] ?? {}
    for (const more of [server, '']) {
      await stack.succeed('state', 'rm', address)
      await stack.write({ 'main.tf': off(more).replace('release = [{ rollout_percentage = 10 }]', share) })
      await stack.succeed('import', '-no-color', '-input=false', address, `${id}#release`)
      expect((await stack.state())[address]).toMatchObject({ advanced: { evaluation_runtime: 'server' } })
      expect(await stack.plan()).toEqual({})
    }
  })

  it('is beside the other attributes in states that were written before', async () => {
    const stack = await open(off(server), today)
    await stack.apply()
    const { id } = (await stack.state())[address] ?? {}
    const state = JSON.parse(await stateText(stack))
    const [instance] = state.resources[0].instances
    const { advanced, ...attributes } = instance.attributes
    Object.assign(instance, {
      schema_version: 0,
      attributes: { ...attributes, ...advanced, archived: false },
    })
    await writeFile(join(stack.directory, 'terraform.tfstate'), JSON.stringify(state))
    expect(await stack.plan()).toEqual({})
    await stack.write({ 'main.tf': off(server).replace('= 10', '= 20') })
    await stack.apply()
    expect((await stack.state())[address]).toMatchObject({ id, advanced: { evaluation_runtime: 'server' } })
    expect(JSON.parse(await stateText(stack)).resources[0].instances[0].schema_version).toBe(1)
  })
})

function stateText({ directory }: Attached): Promise<string> {
  return readFile(join(directory, 'terraform.tfstate'), 'utf8')
}
