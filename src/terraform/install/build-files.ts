import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ReleaseFile } from './archive.ts'
import { executableName } from './file-names.ts'
import { bundleName, launcherText, noticesName } from './launcher.ts'

/**
 * The files of one version, the same on every platform and however they get there, so that one checksum in a lock file
 * fits all: the launcher, the bundle, its notices and the licence. `root` is the folder of this package.
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

/** The notices that stand beside a bundle. */
export async function noticesOf(bundlePath: string): Promise<ReleaseFile> {
  return plainFile(noticesName, join(dirname(bundlePath), noticesName))
}

export async function licenseOf(root: string): Promise<ReleaseFile> {
  return plainFile('LICENSE', join(root, 'LICENSE'))
}

async function plainFile(path: string, source: string): Promise<ReleaseFile> {
  return { path, bytes: await readFile(source), isExecutable: false }
}
