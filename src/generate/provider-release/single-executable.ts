import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { execPath } from 'node:process'
import { promisify } from 'node:util'
import { inject } from 'postject'
import type { ReleaseFile } from '../../terraform/install/archive.ts'
import { singleExecutableName } from '../../terraform/install/file-names.ts'
import type { Platform } from '../../terraform/install/platform.ts'
import { withoutSignature } from './portable-executable.ts'

const run = promisify(execFile)

export interface SingleExecutableOptions {
  readonly bundlePath: string
  readonly version: string
  /** The Node that the executable is made of. It has the version of the Node that runs this. */
  readonly nodePath: string
  /** What that Node runs on; where it is another platform than this one, nothing in the executable is compiled. */
  readonly platform: Platform
}

/**
 * The provider as one file with Node in it, for machines that have no Node: the runners of HCP, and Windows, which
 * starts no script. It runs on one platform only and is a hundred times as large as the script.
 */
export async function singleExecutable({
  bundlePath,
  version,
  nodePath,
  platform,
}: SingleExecutableOptions): Promise<ReleaseFile> {
  const folder = await mkdtemp(join(tmpdir(), 'vexil-executable-'))
  try {
    const [blob, executable] = [join(folder, 'provider.blob'), join(folder, 'provider')]
    const config = join(folder, 'config.json')
    const useCodeCache = nodePath === execPath
    // The name of what is put in is put in as well, so it has no folder of this machine.
    const main = basename(bundlePath)
    await writeFile(config, JSON.stringify({ ...unchanging, main, output: blob, useCodeCache }))
    await run(execPath, ['--experimental-sea-config', config], { cwd: dirname(bundlePath) })
    await copyFile(nodePath, executable)
    await unsigned(executable, platform)
    await inject(executable, 'NODE_SEA_BLOB', await readFile(blob), {
      sentinelFuse: 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2',
      ...(platform.os === 'darwin' ? { machoSegmentName: 'NODE_SEA' } : {}),
    })
    await signed(executable, platform)
    const path = singleExecutableName(version, platform)
    return { path, bytes: await readFile(executable), isExecutable: true }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const unchanging = { disableExperimentalSEAWarning: true }

/**
 * What is put in breaks a signature, and symbols go before: to strip them afterwards would tear the file apart.
 */
async function unsigned(executable: string, { os }: Platform): Promise<void> {
  if (os === 'darwin') await run('codesign', ['--remove-signature', executable])
  else if (os === 'windows') await writeFile(executable, withoutSignature(await readFile(executable)))
  else await run('strip', [executable]).catch(ignoreMissing)
}

/** macOS starts nothing on arm64 without a signature, be it nobody's. */
async function signed(executable: string, { os }: Platform): Promise<void> {
  if (os === 'darwin') await run('codesign', ['--sign', '-', executable])
}

/** A machine without `strip` makes a larger file that works as well. */
function ignoreMissing(error: unknown): void {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
  if (!isMissing) throw error
}
