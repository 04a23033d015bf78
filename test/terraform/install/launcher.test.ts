import { execFile } from 'node:child_process'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, it } from 'vitest'
import { bundleName, launcherText } from '../../../src/terraform/install.ts'
import { folderOfTest } from '../../support/folder.ts'

const run = promisify(execFile)
let place: string
let cache: string
beforeEach(async () => {
  place = await folderOfTest({ 'provider/start.cjs': launcherText, [`provider/${bundleName}`]: bundle })
  cache = join(place, 'provider.cache')
})

/** Tells what it was loaded with, as a module of Node's would be. */
const bundle = `const { basename } = require('node:path')
console.log(JSON.stringify([basename(__filename), module.exports === exports, this === exports, process.argv.slice(2)]))`
const loaded = [bundleName, true, true, ['--debug']]

async function launch(): Promise<unknown> {
  const { stdout, stderr } = await run(process.execPath, [join(place, 'provider/start.cjs'), '--debug'])
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

function replaceBundle(text: string): Promise<void> {
  return writeFile(join(place, 'provider', bundleName), text)
}

describe('the file that Terraform starts', () => {
  it('loads the bundle beside it, and leaves beside their folder what was compiled, once', async () => {
    expect(await launch()).toEqual(loaded)
    const left = await readFile(cache)
    expect(left.length).toBeGreaterThan(32)
    expect(await launch()).toEqual(loaded)
    expect((await readFile(cache)).equals(left)).toBe(true)
    // Nothing in the folder itself, whose checksum is in lock files; nothing half written beside it.
    expect((await readdir(place)).sort()).toEqual(['provider', 'provider.cache'])
    expect((await readdir(join(place, 'provider'))).sort()).toEqual(['start.cjs', bundleName])
  })

  it('takes what was compiled, and has the bundle load the rest only while there is nothing', async () => {
    await replaceBundle(
      'let said = 0\nexports.loadRest = () => { said = 1 }\nprocess.on("exit", () => console.log(said))',
    )
    expect([await launch(), await launch(), await launch()]).toEqual([1, 0, 0])
    await rm(cache)
    expect(await launch()).toBe(1)
  })

  it('does not take what was compiled of another bundle of the same length', async () => {
    await replaceBundle('console.log(JSON.stringify("compiled"))')
    await launch()
    await replaceBundle('console.log(JSON.stringify("as it is"))')
    expect([await launch(), await launch()]).toEqual(['as it is', 'as it is'])
  })

  it.each<[string, (bytes: Buffer) => Uint8Array]>([
    ['something else', () => Buffer.from('no cache')],
    ['nothing', () => Buffer.alloc(0)],
    ['the digest alone', bytes => bytes.subarray(0, 32)],
    ['half of it', bytes => bytes.subarray(0, bytes.length / 2)],
    [
      'code with a bit changed',
      bytes => bytes.map((byte, index) => (index === bytes.length - 9 ? byte ^ 1 : byte)),
    ],
    ['a digest with a bit changed', bytes => bytes.map((byte, index) => (index === 3 ? byte ^ 1 : byte))],
  ])('compiles anew where %s is left', async (_, changed) => {
    await launch()
    const whole = await readFile(cache)
    await writeFile(cache, changed(whole))
    expect(await launch()).toEqual(loaded)
    expect((await readFile(cache)).length).toBeGreaterThan(32)
    const mended = await readFile(cache)
    expect(await launch()).toEqual(loaded)
    expect((await readFile(cache)).equals(mended)).toBe(true)
  })

  it('leaves nothing where it failed, since little was compiled', async () => {
    await replaceBundle('process.exitCode = 1')
    await expect(run(process.execPath, [join(place, 'provider/start.cjs')])).rejects.toMatchObject({
      code: 1,
    })
    expect(await readdir(place)).toEqual(['provider'])
  })

  it('goes on where nothing can be written', async () => {
    // A folder of that name stands in the way for everybody, the superuser too.
    await run('mkdir', ['-p', join(cache, 'full')])
    expect(await launch()).toEqual(loaded)
    expect((await readdir(place)).sort()).toEqual(['provider', 'provider.cache'])
  })

  it('says what is wrong when there is no bundle', async () => {
    await rm(join(place, 'provider', bundleName))
    await expect(launch()).rejects.toThrow(bundleName)
  })
})
