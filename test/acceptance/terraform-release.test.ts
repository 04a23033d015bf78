import { readdir } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sampleWorld } from '../../src/sandbox/index.ts'
import { providerSource } from '../../src/schema/terraform/terraform-names.ts'
import { folderWith } from '../support/cli.ts'
import { holdingRelay as openDoor } from '../support/relay.ts'
import { type Service, startService } from '../support/service.ts'
import { type Binary, findBinary, terraform } from './support/binary.ts'
import { flag } from './support/configurations.ts'
import { writeMirror } from './support/installed.ts'
import { openStack, type Stack } from './support/stack.ts'

const flags = '/api/projects/1/feature_flags'
const required = `terraform {
  required_providers {
    vexil = { source = "${providerSource}" }
  }
}
`

let release: { readonly path: string; remove(): Promise<void> }
let mirror: string
let service: Service
let stack: Stack

beforeAll(async () => {
  release = await folderWith({})
  mirror = await writeMirror(release.path)
})
beforeEach(async () => {
  service = await startService({ seed: sampleWorld })
})
afterEach(async () => {
  await stack.remove()
  await service.close()
})
afterAll(() => release.remove())

async function initialised(
  files: Readonly<Record<string, string>>,
  { command }: Binary,
  env: Readonly<Record<string, string>> = {},
): Promise<Stack> {
  stack = await openStack({ 'provider.tf': required, ...files }, { ...service.env, ...env }, command)
  await stack.succeed('init', '-no-color', '-input=false', `-plugin-dir=${mirror}`)
  return stack
}

describe.each(['terraform', 'tofu'] as const)('the release, from a mirror, with %s', command => {
  const binary = findBinary(command)
  // Whoever reads the run must see what it did not try.
  console.log(
    binary
      ? `the release with ${command} ${binary.version}: run`
      : `the release with ${command}: skipped, since there is none on the PATH`,
  )

  it.skipIf(!binary)('goes from init to destroy', async () => {
    await initialised({ 'main.tf': flag('checkout') }, binary!)
    await stack.succeed('validate')
    expect(await stack.plan()).toEqual({ 'vexil_feature_flag.checkout': 'create' })
    await stack.apply('made.plan')
    expect(await stack.plan()).toEqual({})
    const { id } = (await stack.state())['vexil_feature_flag.checkout'] ?? {}
    await stack.destroy()
    expect(await stack.state()).toEqual({})
    expect(await service.get(`${flags}/${id}`)).toMatchObject({ deleted: true })
  })
})

describe.skipIf(!terraform)('the release in processes of its own', () => {
  it('leaves no socket behind, and writes no key, however much is logged', async () => {
    const temporary = await folderWith({})
    await initialised({ 'main.tf': flag('checkout') }, terraform!, {
      TMPDIR: temporary.path,
      TF_LOG: 'TRACE',
    })
    const logs = [await stack.apply(), (await stack.run('plan')).output]
    service.faults('GET status=403')
    logs.push((await stack.run('plan')).output)
    expect(await readdir(temporary.path)).toEqual([])
    await temporary.remove()
    for (const log of logs) {
      expect(log).toMatch(/answered: .*rpc=ReadResource|answered: .*rpc=ApplyResourceChange/)
      expect(log).not.toContain(service.env.VEXIL_API_KEY)
    }
  })

  it('serves two projects in one run', async () => {
    const staging = 'provider "vexil" {\n  alias      = "staging"\n  project_id = "2"\n}\n'
    const second = flag('checkout', 'provider = vexil.staging').replace(
      '"vexil_feature_flag" "checkout"',
      '"vexil_feature_flag" "staging"',
    )
    await initialised({ 'main.tf': flag('checkout') + second, 'staging.tf': staging }, terraform!)
    await stack.apply()
    expect(await stack.plan()).toEqual({})
    const state = await stack.state()
    expect(state['vexil_feature_flag.checkout']).toMatchObject({ project_id: '1' })
    expect(state['vexil_feature_flag.staging']).toMatchObject({ project_id: '2' })
    expect(await service.get('/api/projects/2/feature_flags')).toMatchObject({ count: 1 })
  })

  it('finishes what is under way when it is interrupted, and goes on from there', async () => {
    const keys = ['a', 'b', 'c', 'd', 'e', 'f']
    let creations = 0
    const door = await openDoor(service.url, ({ method }) => method === 'POST' && ++creations === 3)
    try {
      await initialised({ 'main.tf': keys.map(key => flag(key)).join('') }, terraform!)
      const output = await stack.interruptedApply(door.held, door.release, { VEXIL_BASE_URL: door.url })
      expect(output).toContain('Interrupt received')
      const made = Object.keys(await stack.state()).length
      expect(made).toBe(3)
      expect(await service.get(flags)).toMatchObject({ count: 2 + made })
    } finally {
      door.close()
    }
    await stack.apply()
    expect(await stack.plan()).toEqual({})
    expect(await service.get(flags)).toMatchObject({ count: 2 + keys.length })
  })
})
