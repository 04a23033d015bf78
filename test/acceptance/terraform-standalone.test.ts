import { symlink } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { singleExecutable } from '../../src/generate/provider-release/single-executable.ts'
import { providerSource } from '../../src/schema/terraform/terraform-names.ts'
import { bundleName, platformOf, unpackedFolder, writeFiles } from '../../src/terraform/install.ts'
import { built } from '../support/built.ts'
import { folderWith } from '../support/cli.ts'
import { type Service, startService } from '../support/service.ts'
import { run, terraform } from './support/binary.ts'
import { flag } from './support/configurations.ts'
import { openStack, type Stack } from './support/stack.ts'

const bundlePath = built(`terraform/${bundleName}`)
const here = platformOf(process.platform, process.arch)
const { version } = manifest

let machine: { readonly path: string; remove(): Promise<void> }
let service: Service
let stack: Stack

describe.skipIf(!terraform)('the single executable, on a machine without Node', () => {
  beforeAll(async () => {
    machine = await folderWith({ 'bin/.keep': '' })
    const executable = await singleExecutable({
      bundlePath,
      version,
      nodePath: process.execPath,
      platform: here,
    })
    await writeFiles(join(machine.path, 'plugins', unpackedFolder(providerSource, version, here)), [
      executable,
    ])
    await symlink(await pathOf('terraform'), join(machine.path, 'bin/terraform'))
    service = await startService()
    const required = `terraform {\n  required_providers {\n    vexil = { source = "${providerSource}" }\n  }\n}\n`
    stack = await openStack(
      { 'main.tf': required + flag('checkout') },
      { ...service.env, PATH: join(machine.path, 'bin') },
      join(machine.path, 'bin/terraform'),
    )
  })
  afterAll(async () => {
    await stack?.remove()
    await service?.close()
    await machine?.remove()
  })

  it('goes from init to destroy', async () => {
    await expect(
      run('node', ['--version'], { directory: '/', env: { PATH: join(machine.path, 'bin') } }),
    ).rejects.toThrow('ENOENT')
    await stack.succeed('init', '-no-color', '-input=false', `-plugin-dir=${join(machine.path, 'plugins')}`)
    expect(await stack.plan()).toEqual({ 'vexil_feature_flag.checkout': 'create' })
    await stack.apply('made.plan')
    expect(await stack.plan()).toEqual({})
    await stack.destroy()
    expect(await stack.state()).toEqual({})
  })
})

async function pathOf(command: string): Promise<string> {
  const { output } = await run('sh', ['-c', `command -v ${command}`], { directory: '/' })
  if (output === '') throw new Error(`${command} is nowhere in ${process.env.PATH?.split(delimiter)}`)
  return output.trim()
}
