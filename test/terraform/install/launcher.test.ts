import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  bundleName,
  cacheName,
  launcherText,
  writeCacheVariable,
} from '../../../src/terraform/install/launcher.ts'

const run = promisify(execFile)
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vexil-launcher-'))
  await writeFile(join(folder, 'start.cjs'), launcherText)
  await writeFile(join(folder, bundleName), bundle)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Tells what it was loaded with, as a module of Node's would be. */
const bundle = `const { basename } = require('node:path')
console.log(JSON.stringify([basename(__filename), module.exports === exports, this === exports, process.argv.slice(2)]))`
const loaded = [bundleName, true, true, ['--debug']]

async function launch(env: Record<string, string> = {}): Promise<{ said: unknown; complained: string }> {
  const given = [join(folder, 'start.cjs'), '--debug']
  const { stdout, stderr } = await run(process.execPath, given, { env: { ...process.env, ...env } })
  return { said: JSON.parse(stdout), complained: stderr }
}

describe('the file that Terraform starts', () => {
  it('loads the bundle beside it without a cache, and makes none', async () => {
    expect(await launch()).toEqual({ said: loaded, complained: '' })
    expect(existsSync(join(folder, cacheName))).toBe(false)
  })

  it('loads it with the cache that it wrote when it was told to', async () => {
    const cache = join(folder, cacheName)
    await launch({ [writeCacheVariable]: cache })
    expect((await readFile(cache)).length).toBeGreaterThan(0)
    expect(await launch()).toEqual({ said: loaded, complained: '' })
  })

  it('has the bundle load all that is left for later while a cache is made, and only then', async () => {
    await writeFile(
      join(folder, bundleName),
      'let said = 0\nexports.loadRest = () => { said = 1 }\nprocess.on("exit", () => console.log(said))',
    )
    expect(await launch()).toEqual({ said: 0, complained: '' })
    expect(await launch({ [writeCacheVariable]: join(folder, cacheName) })).toEqual({
      said: 1,
      complained: '',
    })
  })

  it.each([
    ['in its folder', (start: string) => join(start, cacheName)],
    ['beside its folder', (start: string) => `${start}.cache`],
  ])('takes the cache %s', async (_, placeOf) => {
    // The engine knows a source by its length, so what was compiled of another one of the same length tells on itself.
    await writeFile(join(folder, bundleName), 'console.log(JSON.stringify("compiled"))')
    await launch({ [writeCacheVariable]: placeOf(folder) })
    await writeFile(join(folder, bundleName), 'console.log(JSON.stringify("as it is"))')
    expect(await launch()).toEqual({ said: 'compiled', complained: '' })
    await rm(placeOf(folder))
    expect(await launch()).toEqual({ said: 'as it is', complained: '' })
  })

  it.each([
    ['of something else', async (cache: string) => writeFile(cache, 'no cache')],
    ['without anything in it', async (cache: string) => writeFile(cache, '')],
    // The engine's version is in the first bytes.
    [
      'of another version of the engine',
      async (cache: string) => {
        await launch({ [writeCacheVariable]: cache })
        const bytes = await readFile(cache)
        bytes.writeUInt32LE((bytes.readUInt32LE(4) ^ 0xffffffff) >>> 0, 4)
        await writeFile(cache, bytes)
      },
    ],
  ])('goes on where the cache is one %s', async (_, write) => {
    await write(join(folder, cacheName))
    expect(await launch()).toEqual({ said: loaded, complained: '' })
  })

  it('says what is wrong when there is no bundle', async () => {
    await rm(join(folder, bundleName))
    await expect(launch()).rejects.toThrow(bundleName)
  })
})
