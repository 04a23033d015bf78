import { cp, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { providerSource } from '../../src/schema/terraform/terraform-names.ts'
import {
  archiveName,
  platformName,
  platformOf,
  scriptPlatforms,
  unpackedFolder,
  writeFiles,
} from '../../src/terraform/install.ts'
import { built } from '../support/built.ts'
import { folderWith } from '../support/cli.ts'
import { type Service, startService } from '../support/service.ts'
import { run, terraform } from './support/binary.ts'
import { flag } from './support/configurations.ts'
import { writeMirror } from './support/installed.ts'
import { openStack, type Stack } from './support/stack.ts'

const { version } = manifest
const here = platformOf(process.platform, process.arch)
const lockName = '.terraform.lock.hcl'
const required = `terraform {\n  required_providers {\n    vexil = { source = "${providerSource}" }\n  }\n}\n`

/** Where `terraform init` takes the provider from: each way in which it gets there. */
const ways = ['the mirror of a release', 'an unpacked archive', 'vexil terraform install'] as const

describe.skipIf(!terraform)('one lock file', () => {
  let place: { readonly path: string; remove(): Promise<void> }
  let service: Service
  let folders: Readonly<Record<(typeof ways)[number], string>>
  const opened: Stack[] = []

  beforeAll(async () => {
    place = await folderWith({})
    service = await startService()
    const mirror = await writeMirror(place.path)
    const unpacked = join(place.path, 'unpacked')
    const archive = await readFile(join(place.path, archiveName(version, here)))
    const files = Object.entries(unzipSync(archive)).map(([path, bytes]) => ({
      path,
      bytes,
      isExecutable: path.includes('_v'),
    }))
    await writeFiles(join(unpacked, unpackedFolder(providerSource, version, here)), files)
    await run(execPath, [built('vexil.cjs'), 'terraform', 'install', '--directory', 'plugins'], {
      directory: place.path,
    })
    folders = {
      'the mirror of a release': mirror,
      'an unpacked archive': unpacked,
      'vexil terraform install': join(place.path, 'plugins'),
    }
  })
  afterAll(async () => {
    for (const stack of opened) await stack.remove()
    await service.close()
    await place.remove()
  })

  async function locked(way: (typeof ways)[number], lock?: string): Promise<{ stack: Stack; lock: string }> {
    const files = {
      'main.tf': required + flag('checkout'),
      ...(lock === undefined ? {} : { [lockName]: lock }),
    }
    const stack = await openStack(files, service.env)
    opened.push(stack)
    const only = lock === undefined ? [] : ['-lockfile=readonly']
    await stack.succeed('init', '-no-color', '-input=false', `-plugin-dir=${folders[way]}`, ...only)
    return { stack, lock: await readFile(join(stack.directory, lockName), 'utf8') }
  }

  it.each(ways)('is written from %s, and taken by every other way and every platform', async way => {
    const { lock } = await locked(way)
    const [, hash = ''] = /"(h1:[^"]+)"/.exec(lock) ?? []
    const { output } = await run(
      execPath,
      [built('vexil.cjs'), 'terraform', 'install', '--directory', 'plugins', '--json'],
      { directory: place.path },
    )
    expect(hash).toBe((JSON.parse(output) as { checksum: string }).checksum)
    for (const other of ways) expect((await locked(other, lock)).lock).toBe(lock)
  })

  it('is the same when it is written for all platforms at once, and has one checksum', async () => {
    const { lock, stack } = await locked('the mirror of a release')
    const platforms = scriptPlatforms.map(platform => `-platform=${platformName(platform)}`)
    expect(platforms.length).toBeGreaterThan(3)
    await stack.succeed('providers', 'lock', `-fs-mirror=${folders['the mirror of a release']}`, ...platforms)
    expect(await readFile(join(stack.directory, lockName), 'utf8')).toBe(lock)
  })

  it('is still fit where a provider has left what it compiled', async () => {
    const { stack, lock } = await locked('the mirror of a release')
    expect(await stack.plan()).toEqual({ 'vexil_feature_flag.checkout': 'create' })
    const kept = join(stack.directory, '.terraform/providers', providerSource, version)
    // OpenTofu keeps a lock there as well.
    expect(await readdir(kept)).toContain(`${platformName(here)}.cache`)
    expect(await stack.plan()).toEqual({ 'vexil_feature_flag.checkout': 'create' })
    await stack.succeed(
      'init',
      '-no-color',
      '-input=false',
      `-plugin-dir=${folders['the mirror of a release']}`,
    )
    expect(await readFile(join(stack.directory, lockName), 'utf8')).toBe(lock)
    // A folder that was copied with it, as CI keeps folders between runs.
    const copy = await openStack({}, service.env)
    opened.push(copy)
    await cp(stack.directory, copy.directory, { recursive: true })
    expect(await copy.plan()).toEqual({ 'vexil_feature_flag.checkout': 'create' })
  })
})
