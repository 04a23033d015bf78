import { fork } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { cookie } from '../serve/handshake.ts'
import type { ReleaseFile } from './archive.ts'
import { executableName } from './file-names.ts'
import { bundleName, cacheName, launcherText, noticesName, writeCacheVariable } from './launcher.ts'

/** What starts a provider as Terraform does, for one start whose compiled code is kept. */
const pluginEnvironment = {
  ...cookie,
  PLUGIN_PROTOCOL_VERSIONS: '6',
}

/**
 * The files of one version, the same for every platform: the launcher, the bundle, its notices and its code cache. The
 * cache is taken from a provider that has started, so that what a start needs is in it.
 */
export async function providerFiles(bundlePath: string, version: string): Promise<readonly ReleaseFile[]> {
  const launcher = { path: executableName(version), bytes: Buffer.from(launcherText), isExecutable: true }
  const bundle = { path: bundleName, bytes: await readFile(bundlePath), isExecutable: false }
  const cache = { path: cacheName, bytes: await warmCache([launcher, bundle]), isExecutable: false }
  return [launcher, bundle, cache, await noticesOf(bundlePath)]
}

/** The notices that stand beside a bundle. */
export async function noticesOf(bundlePath: string): Promise<ReleaseFile> {
  const bytes = await readFile(join(dirname(bundlePath), noticesName))
  return { path: noticesName, bytes, isExecutable: false }
}

async function warmCache(files: readonly ReleaseFile[]): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'vexil-release-'))
  try {
    for (const { path, bytes } of files) await writeFile(join(folder, path), bytes)
    const cache = join(folder, cacheName)
    const launcher = join(folder, files[0]?.path ?? '')
    await startOnce(launcher, { ...pluginEnvironment, [writeCacheVariable]: cache })
    return await readFile(cache)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Starts the provider and, once it has said where it listens, ends it. */
function startOnce(launcher: string, environment: Readonly<Record<string, string>>): Promise<void> {
  const child = fork(launcher, { env: environment, silent: true })
  child.stdout?.once('data', () => child.kill('SIGTERM'))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => resolve())
  })
}
