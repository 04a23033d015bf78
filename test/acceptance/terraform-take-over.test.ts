import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { WorldFile } from '../../src/sandbox/index.ts'
import { officialState, takenOverWorld, twoProjectsWorld } from '../stack/state/official-state.ts'
import { cli } from '../support/cli.ts'
import { type Attached, useTerraform } from './support/attached.ts'
import { isOlderThan, terraform } from './support/binary.ts'
import { serveOfficialProvider } from './support/official-provider.ts'

const open = useTerraform(serveOfficialProvider)

async function opened(seed: WorldFile = takenOverWorld): Promise<Attached> {
  const stack = await open('', { seed, profile: 'posthog-2026' })
  await rm(join(stack.directory, 'main.tf'))
  await stack.write({ 'terraform.tfstate': await officialState() })
  return stack
}

/** Exports into the folder, beside the provider block that is there, and tells what was said. */
async function takeOver(stack: Attached, options: string): Promise<string> {
  const { code, stderr } = await cli(`export --from-state terraform.tfstate -d . ${options}`, {
    directory: stack.directory,
    env: stack.service.env,
  })
  expect(code, stderr).toBe(0)
  // What is there already says where the service is, and the key.
  await rm(join(stack.directory, 'vexil_providers.tf'))
  return stderr
}

async function expectNothingWritten(stack: Attached): Promise<void> {
  const { requests } = await stack.service.watch(() => stack.apply('made.plan'))
  expect(requests.filter(line => !line.startsWith('GET'))).toEqual([])
  await rm(join(stack.directory, 'vexil_imports.tf'))
  expect(await stack.plan()).toEqual({})
}

/** Imports all objects into the other provider, and has ours forget them. `two` is the project of an alias, by names. */
async function goBack(stack: Attached, two: readonly string[] = []): Promise<void> {
  const ours = Object.entries(await stack.state())
  const blocks = ours.map(([address, { id, feature_flag_id: flag, role_id: role }]) => {
    const [type = '', name = ''] = address.split('.')
    const theirs = type === 'vexil_feature_flag' ? 'posthog_feature_flag' : 'posthog_access_control'
    const named = flag === undefined ? id : `feature_flag/${flag}/role/${role}`
    const isTwo = two.includes(name)
    return `removed {
  from = ${address}
  lifecycle {
    destroy = false
  }
}

import {
  to = ${theirs}.${name}
  id = "${isTwo ? 2 : 1}/${named}"
${isTwo ? '  provider = posthog.two\n' : ''}}
`
  })
  await rm(join(stack.directory, 'vexil_feature_flags.tf'))
  const { VEXIL_BASE_URL: url, VEXIL_API_KEY: key } = stack.service.env
  const settings = `  host    = "${url}"\n  api_key = "${key}"\n`
  const providers = await readFile(join(stack.directory, 'provider.tf'), 'utf8')
  const [own = ''] = providers.split('provider "posthog"')
  const both = own.includes('posthog/posthog')
    ? own
    : own.replace('vexil = {', 'posthog = { source = "posthog/posthog" }\n    vexil = {')
  const alias = two.length === 0 ? '' : `provider "posthog" {\n  alias = "two"\n${settings}}\n`
  await stack.write({
    'provider.tf': `${both}\nprovider "posthog" {\n${settings}}\n${alias}`,
    'back.tf': blocks.join('\n'),
  })
  const planned = Object.entries(await stack.plan('-generate-config-out=posthog.tf'))
  expect(planned.filter(([, actions]) => actions === 'forget')).toHaveLength(ours.length)
  expect(planned.filter(([, actions]) => actions === 'import')).toHaveLength(ours.length)
  expect(planned).toHaveLength(2 * ours.length)
  const { requests } = await stack.service.watch(() => stack.apply('made.plan'))
  expect(requests.filter(line => !line.startsWith('GET'))).toEqual([])
  await rm(join(stack.directory, 'back.tf'))
  expect(await stack.plan()).toEqual({})
  expect(Object.keys(await stack.state()).every(address => address.startsWith('posthog_'))).toBe(true)
}

interface Instance {
  readonly attributes: Record<string, unknown>
  sensitive_attributes: unknown[]
}

const names = ['Share', 'm_0_inner', 'm_1_inner', 'many_a', 'many_b_c', 'new_checkout']
const grant = 'vexil_feature_flag_role_access.support'

describe.skipIf(!terraform)("what the service's own provider has managed, with the real Terraform", () => {
  it.skipIf(isOlderThan('1.8'))(
    'is moved with its state under the names that it has, and nothing is changed',
    async () => {
      const stack = await opened()
      const before = await officialState()
      const said = await takeOver(stack, '--moved')
      expect(said).toContain('add to required_providers in provider.tf: vexil = { source = "vexil/vexil" }\n')
      expect(await readFile(join(stack.directory, 'terraform.tfstate'), 'utf8')).toBe(before)
      const planned = await stack.plan()
      expect(planned['vexil_feature_flag.many_b_c']).toBe('move from posthog_feature_flag.many["b.c"]')
      expect(planned['vexil_feature_flag.m_1_inner']).toBe('move from module.m[1].posthog_feature_flag.inner')
      expect(planned[grant]).toBe('import')
      const ours = Object.keys(planned).filter(address => address.startsWith('vexil_feature_flag.'))
      expect(ours.sort()).toEqual(names.map(name => `vexil_feature_flag.${name}`))
      expect(
        Object.values(planned).filter(actions => !/^(?:move from \S+|import|forget)$/.test(actions)),
      ).toEqual([])
      await expectNothingWritten(stack)
    },
  )

  it.skipIf(isOlderThan('1.7'))('is imported and forgotten, and nothing is changed', async () => {
    const stack = await opened()
    await takeOver(stack, '')
    const planned = await stack.plan()
    expect(planned[grant]).toBe('import')
    for (const name of names) expect(planned[`vexil_feature_flag.${name}`]).toBe('import')
    const others = Object.entries(planned).filter(([address]) => !address.startsWith('vexil_'))
    expect(others).toHaveLength(7)
    expect(others.filter(([, actions]) => actions !== 'forget')).toEqual([])
    await expectNothingWritten(stack)
  })

  it.skipIf(isOlderThan('1.7'))(
    'goes back as well: imported there and forgotten, with nothing changed',
    async () => {
      const stack = await opened()
      await takeOver(stack, '')
      await stack.plan()
      await expectNothingWritten(stack)
      await goBack(stack)
    },
  )

  it.skipIf(isOlderThan('1.7'))(
    'is taken over from two projects and after a rename, sensitive and protected, and goes back',
    async () => {
      const stack = await opened(twoProjectsWorld)
      await stack.service.send('PATCH', '/api/projects/1/feature_flags/8/', { key: 'newer_checkout' })
      const state = JSON.parse(await officialState()) as {
        resources: { name: string; instances: Instance[] }[]
      }
      const [checkout] = state.resources.find(({ name }) => name === 'new_checkout')?.instances ?? []
      const [own] = state.resources[0]?.instances ?? []
      if (!checkout || !own) throw new Error('the state has neither')
      checkout.sensitive_attributes = [[{ type: 'get_attr', value: 'filters' }]]
      const attributes = { ...own.attributes, id: 20, name: 'Elsewhere', project_id: '2' }
      const elsewhere = {
        ...state.resources[0],
        ...{ name: 'elsewhere', instances: [{ ...own, attributes }] },
        provider: 'provider["registry.terraform.io/posthog/posthog"].two',
      }
      const resources = [...state.resources, elsewhere]
      await stack.write({ 'terraform.tfstate': JSON.stringify({ ...state, resources }) })
      const stated = `resource "posthog_feature_flag" "elsewhere" {
  lifecycle {
    prevent_destroy = true
  }
}
`
      await stack.write({ 'elsewhere.tf': stated })
      const reported = await takeOver(stack, '')
      expect(reported).toContain('"new_checkout" is now "newer_checkout"')
      await rm(join(stack.directory, 'elsewhere.tf'))
      const providers = await readFile(join(stack.directory, 'provider.tf'), 'utf8')
      const both = providers.replace('vexil = {', 'posthog = { source = "posthog/posthog" }\n    vexil = {')
      await stack.write({ 'provider.tf': `${both}\nprovider "posthog" {\n  alias = "two"\n}\n` })
      const written = await readFile(join(stack.directory, 'vexil_feature_flags.tf'), 'utf8')
      expect(written).not.toContain('DE')
      expect(written).toContain('prevent_destroy = true')
      const planned = await stack.plan()
      const ours = Object.entries(planned).filter(([address]) => address.startsWith('vexil_'))
      expect(ours.map(([, actions]) => actions)).toEqual(Array(8).fill('import'))
      await expectNothingWritten(stack)
      await goBack(stack, ['elsewhere'])
    },
  )
})
