import { access } from 'node:fs/promises'
import { arch, homedir, platform } from 'node:os'
import { join, resolve } from 'node:path'
import { version } from '../../model/version.ts'
import { providerFiles } from '../../terraform/install/build-files.ts'
import { providerAddress, unpackedFolder } from '../../terraform/install/file-names.ts'
import { installFiles } from '../../terraform/install/install-files.ts'
import { bundleName } from '../../terraform/install/launcher.ts'
import { platformName, platformOf } from '../../terraform/install/platform.ts'
import { CommandError, type ExitCode, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { packageRoot } from '../host/package-root.ts'

export interface InstallFlags {
  readonly directory?: string
}

/** `vexil terraform install`: puts the provider where `terraform init` looks before it asks any registry. */
export async function runTerraformInstall(host: Host, flags: InstallFlags): Promise<ExitCode> {
  const bundle = join(packageRoot(), 'dist', 'terraform', bundleName)
  await access(bundle).catch(() => {
    throw new CommandError(`"${bundle}" is not there; run \`npm run build\` first`)
  })
  const here = platformOf(platform(), arch())
  if (here.os === 'windows') {
    throw new CommandError('Windows cannot start a script as a provider; run this inside WSL')
  }
  const plugins = flags.directory ? resolve(host.directory, flags.directory) : userPlugins(host)
  const folder = join(plugins, unpackedFolder(version, here))
  const isOther = await installFiles(folder, await providerFiles(bundle, version))
  const { namespace, type } = providerAddress
  host.stdout.write(`installed ${namespace}/${type} ${version} for ${platformName(here)} in ${folder}\n`)
  if (isOther) host.stdout.write(`\n${anew}`)
  if (flags.directory) host.stdout.write(`\nterraform init -plugin-dir=${plugins}\n`)
  else host.stdout.write(`\n${usage}`)
  return exitCode.done
}

/** `vexil terraform serve --debug`: a provider that any number of runs attach to, until it is interrupted. */
export async function runTerraformServe(): Promise<ExitCode> {
  // The entry of the shipped provider: it reads its own arguments and takes the process over.
  await import('../../terraform/main.ts')
  return exitCode.done
}

function userPlugins({ env }: Host): string {
  return join(env.HOME ?? homedir(), '.terraform.d', 'plugins')
}

const anew = `Another provider of this version was there. Where that one was in use, remove .terraform.lock.hcl and run
terraform init again.
`

const usage = `Ask for it in a configuration, then run terraform init:

terraform {
  required_providers {
    vexil = { source = "${providerAddress.namespace}/${providerAddress.type}", version = "${version}" }
  }
}
`
