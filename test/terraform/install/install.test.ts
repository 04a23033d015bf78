import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { arch, platform } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { version } from '../../../src/model/version.ts'
import { providerSources } from '../../../src/schema/terraform/terraform-names.ts'
import {
  packageHash,
  platformName,
  platformOf,
  providerFiles,
  unpackedFolder,
} from '../../../src/terraform/install.ts'
import { packageRoot } from '../../support/built.ts'
import { cli } from '../../support/cli.ts'
import { folderOfTest } from '../../support/folder.ts'

let home: string
let folders: readonly string[]
beforeEach(async () => {
  home = await folderOfTest({})
  folders = providerSources.map(source => join(home, 'plugins', unpackedFolder(source, version, here)))
})

const start = `terraform-provider-vexil_v${version}.cjs`
const files = ['LICENSE', 'THIRD-PARTY-NOTICES.txt', start, 'vexil-provider.cjs']
const here = platformOf(platform(), arch())
const line = 'terraform install --directory plugins'

async function install(more = '') {
  return cli(`${line}${more}`, { directory: home })
}

async function states(): Promise<string[]> {
  const { stdout } = await install(' --json')
  return (JSON.parse(stdout) as { folders: { state: string }[] }).folders.map(({ state }) => state)
}

// Windows starts no script, and is told so.
describe.skipIf(platform() === 'win32')('vexil terraform install', () => {
  it('puts the provider into the plugin folder of whoever is at home, and says what to write', async () => {
    const { code, stdout } = await cli('terraform install', { directory: '/', env: { HOME: home } })
    const plugins = join(home, '.terraform.d/plugins')
    expect([code, stdout.split('\n')[0]]).toEqual([
      0,
      `installed vexil/vexil ${version} for ${platformName(here)} in ${plugins}`,
    ])
    expect(stdout).toContain(`vexil = { source = "vexil/vexil", version = "${version}" }`)
    expect(folders).toHaveLength(2)
    for (const source of ['registry.terraform.io/vexil/vexil', 'registry.opentofu.org/vexil/vexil']) {
      const folder = join(plugins, source, version, platformName(here))
      expect((await readdir(folder)).sort()).toEqual(files)
      const { mode } = await stat(join(folder, start))
      expect(mode & 0o777).toBe(0o755)
      expect((await stat(`${folder}.cache`)).size).toBeGreaterThan(100_000)
    }
    expect((await readdir(plugins)).sort()).toEqual(['registry.opentofu.org', 'registry.terraform.io'])
  })

  it('makes the same files again, since lock files hold their checksum', async () => {
    const bytes = async () =>
      Promise.all(folders.flatMap(at => files.map(name => readFile(join(at, name), 'latin1'))))
    expect(await states()).toEqual(['wrote', 'wrote'])
    const first = await bytes()
    expect(await states()).toEqual(['kept', 'kept'])
    expect(await bytes()).toEqual(first)
    expect((await install()).stdout).not.toContain('.terraform.lock.hcl')
  })

  it.each<[string, (folder: string) => Promise<void>]>([
    ['one more file', folder => writeFile(join(folder, 'vexil-provider.cache'), 'compiled elsewhere')],
    ['one file less', folder => rm(join(folder, 'LICENSE'))],
    ['another bundle', folder => writeFile(join(folder, 'vexil-provider.cjs'), 'serve()')],
    ['a script that cannot be started', folder => chmod(join(folder, start), 0o644)],
  ])('replaces a provider with %s, and says what that means for lock files', async (_, change) => {
    await install()
    await change(folders[1]!)
    const { stdout } = await install()
    expect(stdout).toContain('This replaced another provider of the same version.')
    expect(stdout).toContain('.terraform.lock.hcl')
    expect(await states()).toEqual(['kept', 'kept'])
    expect((await readdir(folders[1]!)).sort()).toEqual(files)
  })

  it('puts it into another folder, beside what is there', async () => {
    const { code, stdout } = await install()
    expect([code, stdout]).toEqual([
      0,
      `installed vexil/vexil ${version} for ${platformName(here)} in ${join(home, 'plugins')}\n\nterraform init -plugin-dir=${join(home, 'plugins')}\n`,
    ])
    expect(await readFile(join(folders[0]!, start), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
  })

  it('says all of that as JSON, with the checksum that a lock file has', async () => {
    const { stdout } = await install(' --json')
    expect(JSON.parse(stdout)).toEqual({
      format_version: '1.0',
      exit_code: 0,
      provider: 'vexil/vexil',
      version,
      platform: platformName(here),
      checksum: packageHash(await providerFiles(packageRoot, version)),
      directory: join(home, 'plugins'),
      folders: providerSources.map((source, index) => ({ source, path: folders[index], state: 'wrote' })),
      next: `terraform init -plugin-dir=${join(home, 'plugins')}`,
    })
  })

  it.each([
    ['a file', 'file', ''],
    ['a folder in a file', 'file/plugins', ''],
    ['a home that is a file', undefined, '; name another folder with --directory'],
  ])('says where it cannot be put: %s', async (_, directory, remedy) => {
    const file = join(home, 'file')
    await writeFile(file, 'something else')
    const plugins = directory ? join(home, directory) : join(file, '.terraform.d/plugins')
    const said = await cli(`terraform install${directory ? ` --directory ${directory}` : ''}`, {
      directory: home,
      env: { HOME: file },
    })
    expect([said.code, said.stdout, said.stderr]).toEqual([
      1,
      '',
      `vexil: the provider cannot be put into "${plugins}" (ENOTDIR)${remedy}\n`,
    ])
    expect(await readFile(file, 'utf8')).toBe('something else')
  })

  it('takes no folder at hand for a home', async () => {
    const said = await cli('terraform install', { directory: home, env: { HOME: '' } })
    expect([said.code, said.stderr]).toEqual([
      1,
      'vexil: HOME is "", which is not an absolute path; name a folder with --directory\n',
    ])
    expect(await readdir(home)).toEqual([])
  })

  it('is whole where two run at once', async () => {
    const codes = (await Promise.all([install(), install(), install()])).map(({ code }) => code)
    expect(codes).toEqual([0, 0, 0])
    expect(await states()).toEqual(['kept', 'kept'])
    expect((await readdir(join(home, 'plugins'))).filter(name => name.startsWith('.'))).toEqual([])
  })
})
