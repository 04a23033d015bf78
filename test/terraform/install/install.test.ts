import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { arch, platform } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { version } from '../../../src/model/version.ts'
import { unpackedFolder } from '../../../src/terraform/install/file-names.ts'
import { platformOf } from '../../../src/terraform/install/platform.ts'
import { cli, folderWith } from '../../support/cli.ts'

let home: { readonly path: string; remove(): Promise<void> }
beforeEach(async () => {
  home = await folderWith({})
})
afterEach(() => home.remove())

const start = `terraform-provider-vexil_v${version}.cjs`
const files = ['THIRD-PARTY-NOTICES.txt', start, 'vexil-provider.cjs']
const here = unpackedFolder(version, platformOf(platform(), arch()))

// Windows starts no script, and is told so.
describe.skipIf(platform() === 'win32')('vexil terraform install', () => {
  it('puts the provider into the plugin folder of whoever is at home, and says what to write', async () => {
    const { code, stdout } = await cli('terraform install', { directory: '/', env: { HOME: home.path } })
    const folder = join(home.path, '.terraform.d/plugins', here)
    expect([code, stdout.split('\n')[0]]).toEqual([
      0,
      `installed vexil/vexil ${version} for ${here.split('/').at(-1)} in ${folder}`,
    ])
    expect(stdout).toContain(`vexil = { source = "vexil/vexil", version = "${version}" }`)
    expect((await readdir(folder)).sort()).toEqual(files)
    const { mode } = await stat(join(folder, start))
    expect(mode & 0o777).toBe(0o755)
  })

  it('makes the same files again, since lock files hold their checksum, and keeps compiled code apart', async () => {
    const line = 'terraform install --directory plugins'
    const folder = join(home.path, 'plugins', here)
    const bytes = () => Promise.all(files.map(name => readFile(join(folder, name), 'latin1')))
    await cli(line, { directory: home.path })
    const first = await bytes()
    // As an earlier version left it.
    await writeFile(join(folder, 'vexil-provider.cache'), 'compiled elsewhere')
    const { stdout } = await cli(line, { directory: home.path })
    expect(await bytes()).toEqual(first)
    expect((await readdir(folder)).sort()).toEqual(files)
    expect((await stat(`${folder}.cache`)).size).toBeGreaterThan(100_000)
    expect(stdout).toContain('.terraform.lock.hcl')
  })

  it('puts it into another folder, beside what is there, twice as well as once', async () => {
    const line = 'terraform install --directory plugins'
    await cli(line, { directory: home.path })
    const { code, stdout } = await cli(line, { directory: home.path })
    const folder = join(home.path, 'plugins', here)
    expect([code, stdout]).toEqual([
      0,
      `installed vexil/vexil ${version} for ${here.split('/').at(-1)} in ${folder}\n\nterraform init -plugin-dir=${join(home.path, 'plugins')}\n`,
    ])
    expect(await readFile(join(folder, start), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
  })
})
