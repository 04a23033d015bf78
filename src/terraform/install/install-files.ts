import { fork } from 'node:child_process'
import { copyFile, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '../../model/files.ts'
import { cookie } from '../serve/handshake.ts'
import type { ReleaseFile } from './archive.ts'
import { unpackedFolder } from './file-names.ts'
import { besideCacheName } from './launcher.ts'
import type { Platform } from './platform.ts'
import { writeFiles } from './write-release-files.ts'

export interface Installation {
  /** A plugin folder, or a filesystem mirror. */
  readonly plugins: string
  /** The addresses under which it is asked for. */
  readonly sources: readonly string[]
  readonly version: string
  readonly platform: Platform
}

/** `replaced`: another provider of this version was there. */
export type InstalledState = 'wrote' | 'kept' | 'replaced'

export interface Installed {
  readonly source: string
  readonly path: string
  readonly state: InstalledState
}

/** Puts a provider, whose executable is the first of its files, into a plugin folder under each of its addresses. */
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
  // At once and whole: somebody may be planning with the one before.
  const beside = await mkdtemp(join(plugins, '.vexil-'))
  try {
    await writeFiles(join(beside, 'new'), files)
    await replaceFolder(folder, join(beside, 'new'), beside)
  } finally {
    await rm(beside, { recursive: true, force: true })
  }
  return names.length > 0 ? 'replaced' : 'wrote'
}

/** Moves a folder to the place of another one, which goes into `aside`. */
async function replaceFolder(folder: string, by: string, aside: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await rename(folder, join(aside, `old-${attempt}`)).catch(ignoreMissing)
    try {
      return await rename(by, folder)
    } catch (error) {
      // Another installation was faster, with what is as good or what is to be replaced again.
      if (attempt === attempts || !(isCode(error, 'ENOTEMPTY') || isCode(error, 'EEXIST'))) throw error
    }
  }
}

/** More than there will be installations at once. */
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

/** Starts the provider once, which leaves compiled code beside its folder; it fits each folder of the same files. */
async function compile([first, ...others]: readonly string[], executable: string): Promise<void> {
  if (first === undefined) return
  const compiledOf = (folder: string) => join(dirname(folder), besideCacheName(folder))
  await startOnce(join(first, executable))
  for (const folder of others) await copyFile(compiledOf(first), compiledOf(folder)).catch(ignoreMissing)
}

/** Starts the provider as Terraform does and, once it has said where it listens, ends it. */
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
