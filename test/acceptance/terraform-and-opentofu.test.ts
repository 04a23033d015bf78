import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Service, startService } from '../support/service.ts'
import { providerBlock } from './support/attached.ts'
import { flag } from './support/configurations.ts'
import { foundEngines } from './support/found-engines.ts'
import { installProvider } from './support/installed.ts'
import { openStack, type Stack } from './support/stack.ts'

const path = '/api/projects/1/feature_flags/1'
const registries = { Terraform: 'registry.terraform.io', OpenTofu: 'registry.opentofu.org' }
const takenBack = { summary: expect.stringContaining('active on -> off; applying reverts it') }

/** Opens one folder for both engines, in the order in which they are to take turns. */
async function openBoth(service: Service, commands: readonly string[]): Promise<Stack[]> {
  const [first = '', ...others] = commands
  const stack = await openStack(
    { 'main.tf': flag('checkout'), 'provider.tf': providerBlock(service) },
    {},
    first,
  )
  await installProvider(stack.directory)
  return [stack, ...others.map(command => stack.with(command))]
}

/** The registry by whose name the state knows the provider. */
async function registryIn({ directory }: Stack): Promise<string | undefined> {
  const state = await readFile(join(directory, 'terraform.tfstate'), 'utf8')
  return /provider\[\\"([^/]+)\/vexil\/vexil\\"\]/.exec(state)?.[1]
}

/** Each engine has the providers and the lock file under the names of its own registry. */
async function takeTurn(stack: Stack): Promise<Stack> {
  await stack.succeed('init', '-no-color', '-input=false')
  return stack
}

const orders = [foundEngines, foundEngines.toReversed()].map(([first, second]) => ({ first, second }))

describe.skipIf(foundEngines.length < 2)('Terraform and OpenTofu at one state', () => {
  it.each(orders)(
    '$first.title applies, $second.title warns of what was changed since and takes it back, and both have nothing left to do',
    async ({ first, second }) => {
      if (!(first && second)) throw new Error('both have to be found')
      const service = await startService()
      try {
        const [one, other] = await openBoth(service, [first.command, second.command])
        if (!(one && other)) throw new Error('both have to be open')
        await (await takeTurn(one)).apply()
        expect(await registryIn(one)).toBe(registries[first.title])
        const before = await one.state()

        await takeTurn(other)
        expect(await other.plan()).toEqual({})
        await service.send('PATCH', path, { active: false })
        expect(await other.warnings()).toMatchObject([takenBack])
        await other.apply()
        expect(await registryIn(one)).toBe(registries[second.title])
        expect(await other.plan()).toEqual({})
        expect(await one.state()).toEqual(before)

        // The digests of the other's apply are read as well.
        await takeTurn(one)
        expect(await one.plan()).toEqual({})
        await service.send('PATCH', path, { active: false })
        expect(await one.warnings()).toMatchObject([takenBack])
        await one.apply()
        expect(await registryIn(one)).toBe(registries[first.title])
        expect(await (await takeTurn(other)).plan()).toEqual({})
        await one.remove()
      } finally {
        await service.close()
      }
    },
  )
})
