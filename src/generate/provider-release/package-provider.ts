import { join, relative } from 'node:path'
import { arch, cwd, execPath, version as nodeVersion, platform, stdout } from 'node:process'
import { version } from '../../model/version.ts'
import type { ReleaseFile } from '../../terraform/install/archive.ts'
import { licenseOf, noticesOf, providerFiles } from '../../terraform/install/build-files.ts'
import { bundleName } from '../../terraform/install/launcher.ts'
import { platformOf } from '../../terraform/install/platform.ts'
import { writeFiles } from '../../terraform/install/write-release-files.ts'
import { nodeLicense } from './node-license.ts'
import { releaseOf } from './release-files.ts'
import { singleExecutable } from './single-executable.ts'

/*
 * `npm run package:provider` makes two releases, each as a registry or a mirror takes it:
 * - `release`: the script, the same bytes for every platform that can start one; needs Node 20 where it runs.
 * - `standalone`: one executable with Node in it, for the platform that this runs on; needs nothing.
 * They are two because a registry has one archive per platform: a release that mixes them would depend on where it was
 * made, and one entry in the lock file would no longer fit every platform. Beside each are its files, unpacked.
 */
const root = join(import.meta.dirname, '../../..')
const folder = join(root, 'dist/terraform')
const bundlePath = join(folder, bundleName)
const here = platformOf(platform, arch)

const script = await providerFiles(root, version)
await write('provider', script)
await write('release', releaseOf(script, version))

const executable = await singleExecutable({ bundlePath, version, nodePath: execPath, platform: here })
const standalone = [
  executable,
  await noticesOf(bundlePath),
  await licenseOf(root),
  await nodeLicense(execPath, nodeVersion),
]
await write('standalone/provider', standalone)
await write('standalone/release', releaseOf(standalone, version, [here]))

async function write(name: string, files: readonly ReleaseFile[]): Promise<void> {
  for (const path of await writeFiles(join(folder, name), files)) stdout.write(`${relative(cwd(), path)}\n`)
}
