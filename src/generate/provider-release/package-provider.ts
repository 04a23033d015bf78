import { join, relative, resolve } from 'node:path'
import process, {
  arch,
  cwd,
  env,
  execPath,
  version as nodeVersion,
  platform,
  stderr,
  stdout,
} from 'node:process'
import { parseArgs } from 'node:util'
import { codeOf } from '../../model/files.ts'
import { messageOf } from '../../model/text/message-of.ts'
import { version } from '../../model/version.ts'
import {
  bundleName,
  checksumsName,
  licenseOf,
  noticesOf,
  type Platform,
  platformOf,
  providerFiles,
  type ReleaseFile,
  scriptPlatforms,
  windows,
  writeFiles,
} from '../../terraform/install.ts'
import { terraformDocs } from '../terraform-docs.ts'
import { PackagingError, registryFiles, releaseOf, requireSigningKey, signatureOf } from './registry-files.ts'
import { nodeLicense, singleExecutable, withWindowsNode } from './single-executable.ts'

/**
 * npm run package:provider [-- [--sign KEY] [--without-windows] [--out FOLDER]]
 *
 * - `release`: the files for a registry or a mirror. The script has the same bytes for every platform that
 *   can start a script, and needs Node 20 there. Windows gets an executable that contains Node.
 * - `registry`: the files of the repository that a registry reads.
 * - `standalone`: one executable that contains Node for the current platform, for machines without Node. It
 *   is a separate release, because a registry has one archive per platform.
 *
 * `--sign` names a key in gpg's keyring. Windows' Node comes from the npm registry. All files go to
 * `dist/terraform`, or to the folder in `--out`.
 */
const root = join(import.meta.dirname, '../../..')
const built = join(root, 'dist/terraform')
const bundlePath = join(built, bundleName)
const here = platformOf(platform, arch)

try {
  await main()
} catch (error) {
  if (!(error instanceof PackagingError) && !codeOf(error, '').startsWith('ERR_PARSE_ARGS')) throw error
  stderr.write(`package:provider: ${messageOf(error)}; nothing was written\n`)
  process.exitCode = 1
}

async function main(): Promise<void> {
  const { values: given } = parseArgs({
    options: {
      sign: { type: 'string' },
      'without-windows': { type: 'boolean', default: false },
      out: { type: 'string', default: built },
    },
  })
  if (given.sign !== undefined) await requireSigningKey(given.sign, env)
  const made = await madeFolders(given)
  for (const [name, files] of made)
    for (const path of await writeFiles(resolve(given.out, name), files))
      stdout.write(`${relative(cwd(), path)}\n`)
  if (given.sign === undefined) stdout.write('the checksums are not signed: --sign is missing\n')
}

/** The files by folder. All of them are created and signed before the first one is written. */
async function madeFolders(given: {
  readonly sign?: string
  readonly 'without-windows': boolean
}): Promise<readonly (readonly [name: string, files: readonly ReleaseFile[]])[]> {
  const script = await providerFiles(root, version)
  const packed = [{ platforms: scriptPlatforms, files: script }]
  if (!given['without-windows']) {
    packed.push(
      await withWindowsNode(async node => ({
        platforms: [windows],
        files: await executableFiles(node, windows),
      })),
    )
  }
  const pages = registryFiles(terraformDocs()).map(({ path, text }) => ({
    path,
    bytes: Buffer.from(text),
    isExecutable: false,
  }))
  const standalone = await executableFiles(execPath, here)
  const standaloneRelease = releaseOf([{ platforms: [here], files: standalone }], version)
  return [
    ['provider', script],
    ['release', await signed(releaseOf(packed, version), given.sign)],
    ['registry', [...pages, await licenseOf(root)]],
    ['standalone/provider', standalone],
    ['standalone/release', await signed(standaloneRelease, given.sign)],
  ]
}

async function executableFiles(nodePath: string, made: Platform): Promise<readonly ReleaseFile[]> {
  return [
    await singleExecutable({ bundlePath, version, nodePath, platform: made }),
    await noticesOf(bundlePath),
    await licenseOf(root),
    await nodeLicense(execPath, nodeVersion),
  ]
}

/** A release, with the signature of its checksums if there is a key. */
async function signed(
  release: readonly ReleaseFile[],
  key: string | undefined,
): Promise<readonly ReleaseFile[]> {
  const checksums = release.find(({ path }) => path === checksumsName(version))
  if (key === undefined || !checksums) return release
  const bytes = await signatureOf(checksums.bytes, key, env)
  return [...release, { path: `${checksums.path}.sig`, bytes, isExecutable: false }]
}
