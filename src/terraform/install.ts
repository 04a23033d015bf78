import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, copyFile, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Zippable, zipSync } from 'fflate'
import { makeFolder } from '../model/files.ts'
import { providerName } from '../schema/terraform/terraform-names.ts'
import { cookie } from './serve/serve.ts'

export interface Installation {
  /** A plugin folder, or a filesystem mirror. */
  readonly plugins: string
  /** The provider addresses that configurations may use. */
  readonly sources: readonly string[]
  readonly version: string
  readonly platform: Platform
}

/** `replaced`: another build of this version existed. */
export type InstalledState = 'wrote' | 'kept' | 'replaced'

export interface Installed {
  readonly source: string
  readonly path: string
  readonly state: InstalledState
}

/** Installs a provider into a plugin folder under each of its addresses. The first file is the executable. */
export async function installFiles(
  { plugins, sources, version, platform }: Installation,
  files: readonly ReleaseFile[],
): Promise<readonly Installed[]> {
  const installed: Installed[] = []
  for (const source of sources) {
    const path = join(plugins, unpackedFolder(source, version, platform))
    installed.push({ source, path, state: await putFiles(plugins, path, files) })
  }
  const folders = installed.map(({ path }) => path)
  await compile(folders, files[0]?.path ?? '')
  return installed
}

async function putFiles(
  plugins: string,
  folder: string,
  files: readonly ReleaseFile[],
): Promise<InstalledState> {
  const names = await readdir(folder).catch(() => [])
  if (names.length > 0 && (await holds(folder, names, files))) return 'kept'
  await makeFolder(dirname(folder))
  // Replaced in one step, because somebody may be planning with the old version.
  const beside = await mkdtemp(join(plugins, '.vexil-'))
  try {
    await writeFiles(join(beside, 'new'), files)
    await replaceFolder(folder, join(beside, 'new'), beside)
  } finally {
    await rm(beside, { recursive: true, force: true })
  }
  return names.length > 0 ? 'replaced' : 'wrote'
}

/** Replaces one folder with another. The old folder moves to `aside`. */
async function replaceFolder(folder: string, by: string, aside: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await rename(folder, join(aside, `old-${attempt}`)).catch(ignoreMissing)
    try {
      return await rename(by, folder)
    } catch (error) {
      // Another installation was faster. Its files are equally good, or this loop replaces them again.
      if (attempt === attempts || !(isCode(error, 'ENOTEMPTY') || isCode(error, 'EEXIST'))) throw error
    }
  }
}

/** More than the number of parallel installations. */
const attempts = 50

async function holds(
  folder: string,
  names: readonly string[],
  files: readonly ReleaseFile[],
): Promise<boolean> {
  if (names.length !== files.length) return false
  for (const { path, bytes, isExecutable } of files) {
    const there = await readFile(join(folder, path)).catch(() => undefined)
    if (!there?.equals(bytes)) return false
    const { mode } = await stat(join(folder, path))
    if (isExecutable && (mode & 0o111) === 0) return false
  }
  return true
}

/** Starts the provider once to save compiled code next to its folder, for every folder with these files. */
async function compile([first, ...others]: readonly string[], executable: string): Promise<void> {
  if (first === undefined) return
  const compiledOf = (folder: string) => join(dirname(folder), besideCacheName(folder))
  await startOnce(join(first, executable))
  for (const folder of others) await copyFile(compiledOf(first), compiledOf(folder)).catch(ignoreMissing)
}

/** Starts the provider as Terraform does, and ends it when it has printed its address. */
function startOnce(executable: string): Promise<void> {
  const child = fork(executable, { env: { ...cookie, PLUGIN_PROTOCOL_VERSIONS: '6' }, silent: true })
  child.stdout?.once('data', () => child.kill('SIGTERM'))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => resolve())
  })
}

function ignoreMissing(error: unknown): void {
  if (!isCode(error, 'ENOENT')) throw error
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/** A file of a release: its path, its content, and whether it is executable. */
export interface ReleaseFile {
  readonly path: string
  readonly bytes: Uint8Array
  readonly isExecutable: boolean
}

/** The code for Unix in the attributes of a zip entry. */
const unix = 3

/** Fixed, so that the same files give the same bytes: registries and lock files compare checksums. */
const packedAt = new Date(1980, 0, 1)

/**
 * A zip file with permissions: without the executable bit, Terraform fails only when it plans. Entries are
 * sorted by name.
 */
export function zipOf(files: readonly ReleaseFile[]): Uint8Array {
  const entries: Zippable = {}
  const sorted = [...files].sort((one, other) => (one.path < other.path ? -1 : 1))
  for (const { path, bytes, isExecutable } of sorted) {
    const mode = isExecutable ? 0o100755 : 0o100644
    entries[path] = [bytes, { level: 6, os: unix, attrs: (mode << 16) >>> 0, mtime: packedAt }]
  }
  return zipSync(entries)
}

/** Checksum lines in the format of `sha256sum`. */
export function checksumsOf(files: readonly Pick<ReleaseFile, 'path' | 'bytes'>[]): string {
  const lines = files.map(
    ({ path, bytes }) => `${createHash('sha256').update(bytes).digest('hex')}  ${path}\n`,
  )
  return lines.sort().join('')
}

/**
 * The files of one version: launcher, bundle, notices and licence. They are the same on every platform, so
 * one checksum in a lock file fits all. `root` is the folder of this package.
 */
export async function providerFiles(root: string, version: string): Promise<readonly ReleaseFile[]> {
  const bundle = join(root, 'dist/terraform', bundleName)
  return [
    { path: executableName(version), bytes: Buffer.from(launcherText), isExecutable: true },
    { path: bundleName, bytes: await readFile(bundle), isExecutable: false },
    await noticesOf(bundle),
    await licenseOf(root),
  ]
}

/** The third-party notices next to a bundle. */
export async function noticesOf(bundlePath: string): Promise<ReleaseFile> {
  return plainFile(noticesName, join(dirname(bundlePath), noticesName))
}

export async function licenseOf(root: string): Promise<ReleaseFile> {
  return plainFile('LICENSE', join(root, 'LICENSE'))
}

async function plainFile(path: string, source: string): Promise<ReleaseFile> {
  return { path, bytes: await readFile(source), isExecutable: false }
}

const [, type = ''] = providerName.split('/')

/**
 * The folder for an unpacked provider in a plugin folder or a filesystem mirror. Packed providers belong in
 * the folder with the name of the source.
 */
export function unpackedFolder(source: string, version: string, platform: Platform): string {
  return `${source}/${version}/${platformName(platform)}`
}

/**
 * The file that Terraform starts. It must end in `.cjs`: in a project whose package.json has "type":
 * "module", Node would load a script without an extension as an ES module and fail.
 */
export function executableName(version: string): string {
  return `terraform-provider-${type}_v${version}.cjs`
}

/** The executable that contains Node. Only Windows needs an extension. */
export function singleExecutableName(version: string, { os }: Platform): string {
  return `terraform-provider-${type}_v${version}${os === 'windows' ? '.exe' : ''}`
}

export function archiveName(version: string, platform: Platform): string {
  return `terraform-provider-${type}_${version}_${platformName(platform)}.zip`
}

export function checksumsName(version: string): string {
  return `terraform-provider-${type}_${version}_SHA256SUMS`
}

export function manifestName(version: string): string {
  return `terraform-provider-${type}_${version}_manifest.json`
}

/** The bundled provider, next to the file that Terraform starts. */
export const bundleName = 'vexil-provider.cjs'

/** The licences of bundled libraries. The build writes this file next to every bundle. */
const noticesName = 'THIRD-PARTY-NOTICES.txt'

/**
 * The compiled code of the bundle. The file is next to the provider's folder, because inside it would change
 * the checksum in lock files. It differs on each machine.
 */
function besideCacheName(folder: string): string {
  return `${basename(folder)}.cache`
}

/**
 * The file that Terraform starts. It loads the bundle with code that an earlier start compiled. Terraform
 * starts three processes for one plan, so the start time matters.
 *
 * | the compiled code                                 | a start                                        |
 * |---------------------------------------------------|------------------------------------------------|
 * | belongs to this bundle and engine, and is whole   | uses it                                        |
 * | belongs to another one, is cut off, or is missing | compiles, and saves the code when it ends well |
 * | cannot be written                                 | compiles                                       |
 *
 * The digest before the code covers the bundle, the engine and the code. The engine itself checks only the
 * length of a source, and would accept a changed or truncated file.
 */
export const launcherText = `#!/usr/bin/env node
'use strict'
const { createHash } = require('node:crypto')
const { readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs')
const { wrap } = require('node:module')
const { join } = require('node:path')
const running = require('node:process')
const { Script } = require('node:vm')

const filename = join(__dirname, '${bundleName}')
const cache = __dirname + '.cache'
const source = readFileSync(filename)
const engine = [running.version, running.platform, running.arch].join(' ')
const digestOf = code => createHash('sha256').update(engine).update(source).update(code).digest()
let cachedData
try {
  const kept = readFileSync(cache)
  const code = kept.subarray(32)
  if (digestOf(code).equals(kept.subarray(0, 32))) cachedData = code
} catch {
  // Without compiled code it starts as well.
}
const script = new Script(wrap(source.toString()), { filename, cachedData })
const isCompiled = cachedData !== undefined && !script.cachedDataRejected
if (!isCompiled) {
  running.on('exit', code => {
    // 143: ended by whoever started it. After any other end little of it has been compiled.
    if (code !== 0 && code !== 143) return
    const written = cache + '.' + running.pid
    try {
      const code = script.createCachedData()
      writeFileSync(written, Buffer.concat([digestOf(code), code]), { flag: 'wx' })
      renameSync(written, cache)
    } catch {
      rmSync(written, { force: true })
    }
  })
}
const bundle = { exports: {} }
script.runInThisContext().call(bundle.exports, bundle.exports, require, bundle, filename, __dirname)
// What a start leaves for later belongs into the compiled code as well.
if (!isCompiled) bundle.exports.loadRest?.()
`

/**
 * The two checksums in `.terraform.lock.hcl`. `h1` covers a package's files, wherever and however they are
 * stored; `zh` covers an archive. Terraform computes `h1` from the files, with Go's `dirhash.Hash1`.
 */

/** The checksum of files by name and content. Order and permissions do not matter. */
export function packageHash(files: readonly Pick<ReleaseFile, 'path' | 'bytes'>[]): string {
  const sorted = [...files].sort((one, other) =>
    Buffer.compare(Buffer.from(one.path), Buffer.from(other.path)),
  )
  const lines = sorted.map(({ path, bytes }) => `${sha256(bytes, 'hex')}  ${path}\n`)
  return `h1:${sha256(lines.join(''), 'base64')}`
}

function sha256(bytes: Uint8Array | string, encoding: 'hex' | 'base64'): string {
  return createHash('sha256').update(bytes).digest(encoding)
}

/** A platform in the spelling of Terraform's registry, which is Go's. */
export interface Platform {
  readonly os: string
  readonly arch: string
}

/** The platforms that can start the script by its first line. */
export const scriptPlatforms: readonly Platform[] = [
  { os: 'linux', arch: 'amd64' },
  { os: 'linux', arch: 'arm64' },
  { os: 'darwin', arch: 'amd64' },
  { os: 'darwin', arch: 'arm64' },
  { os: 'freebsd', arch: 'amd64' },
]

/** Windows cannot start the script, so it needs an executable that contains Node. */
export const windows: Platform = { os: 'windows', arch: 'amd64' }

/** The platform for Node's names of a machine. */
export function platformOf(nodePlatform: string, nodeArch: string): Platform {
  const oses: Readonly<Record<string, string>> = { win32: 'windows' }
  const arches: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386', arm64: 'arm64', arm: 'arm' }
  return { os: oses[nodePlatform] ?? nodePlatform, arch: arches[nodeArch] ?? nodeArch }
}

export function platformName({ os, arch }: Platform): string {
  return `${os}_${arch}`
}

/** Writes files below a folder, with their permissions, and returns their paths. */
export async function writeFiles(folder: string, files: readonly ReleaseFile[]): Promise<readonly string[]> {
  const written: string[] = []
  for (const { path, bytes, isExecutable } of files) {
    const target = join(folder, path)
    await makeFolder(dirname(target))
    await writeFile(target, bytes)
    // `writeFile` ignores its mode if the file exists already.
    await chmod(target, isExecutable ? 0o755 : 0o644)
    written.push(target)
  }
  return written
}
