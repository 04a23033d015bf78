import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { WorldFile } from '../../src/sandbox/index.ts'
import { officialState, takenOverWorld } from '../stack/state/official-state.ts'
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
})
