import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { providerFiles, writeFiles } from '../../../src/terraform/install.ts'
import { packageRoot } from '../../support/built.ts'
import { connectTerraform } from '../support/client.ts'
import { startProvider } from '../support/start-provider.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vexil-shipped-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Starts a provider file as Terraform does, asks for its schema, and ends it. */
async function schemaOf(
  file: string,
): Promise<{ resources: string[]; code: unknown; socketIsLeft: boolean }> {
  const { child, handshake, socket } = await startProvider([file])
  const ended = once(child, 'exit')
  expect(handshake.join('|')).toMatch(/^1\|6\|unix\|[^|]+\|grpc\|$/)
  const terraform = connectTerraform(`unix:${socket}`)
  const { resource_schemas } = await terraform.call('GetProviderSchema', {})
  await terraform.shutdown()
  terraform.close()
  return {
    resources: Object.keys(resource_schemas).sort(),
    code: (await ended)[0],
    socketIsLeft: existsSync(socket),
  }
}

const whole = {
  resources: [
    'vexil_event_definition',
    'vexil_feature_flag',
    'vexil_feature_flag_role_access',
    'vexil_plugin',
  ],
  code: 0,
  socketIsLeft: false,
}

// Windows starts no script and has no Unix sockets.
describe.skipIf(process.platform === 'win32')('what is shipped', () => {
  it('serves as a script, with what its first start has compiled', async () => {
    const files = await writeFiles(join(folder, 'script'), await providerFiles(packageRoot, '1.2.3'))
    expect(files.map(file => file.slice(folder.length))).toEqual([
      '/script/terraform-provider-vexil_v1.2.3.cjs',
      '/script/vexil-provider.cjs',
      '/script/THIRD-PARTY-NOTICES.txt',
      '/script/LICENSE',
    ])
    expect(await schemaOf(files[0]!)).toEqual(whole)
    // The first start leaves what it compiled beside the folder, and the second one takes it.
    const { mtimeMs, size } = await stat(join(folder, 'script.cache'))
    expect(size).toBeGreaterThan(100_000)
    expect(await schemaOf(files[0]!)).toEqual(whole)
    expect(await stat(join(folder, 'script.cache'))).toMatchObject({ mtimeMs, size })
    expect((await readdir(folder)).filter(name => name.startsWith('script.'))).toEqual(['script.cache'])
  })
})
