import { join } from 'node:path'
import manifest from '../../../package.json' with { type: 'json' }
import { releaseOf } from '../../../src/generate/provider-release/registry-files.ts'
import { providerFiles, scriptPlatforms, writeFiles } from '../../../src/terraform/install.ts'
import { packageRoot } from '../../support/built.ts'
import { cli } from '../../support/cli.ts'
import { testRuntime } from '../../support/test-runtime.ts'

/** Writes the release as a filesystem mirror, its archives packed, and tells where. */
export async function writeMirror(folder: string): Promise<string> {
  const provider = await providerFiles(packageRoot, manifest.version)
  await writeFiles(folder, releaseOf([{ platforms: scriptPlatforms, files: provider }], manifest.version))
  return join(folder, 'mirror')
}

/** Puts the provider where `terraform init` of somebody at home in a folder finds it. */
export async function installProvider(home: string): Promise<void> {
  // Recorders call this outside a test, which has no clock of its own.
  const host = { runtime: testRuntime() }
  const { code, stderr } = await cli('terraform install', { directory: home, env: { HOME: home }, host })
  if (code !== 0) throw new Error(`vexil terraform install ended with ${code}:\n${stderr}`)
}
