import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access } from 'node:fs/promises'
import { arch, constants, homedir, platform, tmpdir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { codeOf } from '../../model/files.ts'
import { isJsonObject } from '../../model/text/json.ts'
import { readJsonIfAny } from '../../model/text/json-text.ts'
import { shellWord } from '../../model/text/printable.ts'
import { version } from '../../model/version.ts'
import { providerName, providerSources } from '../../schema/terraform/terraform-names.ts'
import {
  bundleName,
  installFiles,
  packageHash,
  platformName,
  platformOf,
  providerFiles,
} from '../../terraform/install.ts'
import { reattachSetting, startProvider } from '../../terraform/serve/serve.ts'
import type { Flags } from '../command-options.ts'
import { CommandError, type ExitCode, exitCode } from '../host/exit-code.ts'
import { type Host, packageRoot } from '../host/host.ts'
import { print } from '../host/output.ts'

/** `vexil terraform install`: installs the provider where `terraform init` looks before any registry. */
export async function runTerraformInstall(host: Host, flags: Flags): Promise<ExitCode> {
  const bundle = join(packageRoot(), 'dist', 'terraform', bundleName)
  await access(bundle).catch(() => {
    throw new CommandError(`"${bundle}" does not exist; run \`npm run build\` first`)
  })
  const here = platformOf(platform(), arch())
  if (here.os === 'windows') {
    throw new CommandError(
      'Windows cannot start a script as a provider; run this inside WSL, or take the archive for Windows of a release',
    )
  }
  const plugins = flags.directory ? resolve(host.directory, flags.directory) : userPlugins(host)
  const files = await providerFiles(packageRoot(), version)
  const target = { plugins, sources: providerSources, version, platform: here }
  const folders = await installFiles(target, files).catch(error => {
    const why = codeOf(error, '')
    if (why === '') throw error
    const otherwise = flags.directory ? '' : '; name another folder with --directory'
    throw new CommandError(`the provider cannot be put into "${plugins}" (${why})${otherwise}`)
  })
  await print(host, flags, {
    is: 'installation',
    provider: providerName,
    version,
    platform: platformName(here),
    checksum: packageHash(files),
    directory: plugins,
    folders,
    next: flags.directory ? `terraform init -plugin-dir=${shellWord(plugins)}` : 'terraform init',
    isFoundByItself: !flags.directory,
  })
  return exitCode.done
}

/**
 * `vexil terraform serve -- terraform plan`: runs a command while one provider serves every Terraform that it
 * starts. Ends with the exit code of the command.
 */
export async function runTerraformServe(host: Host, command: readonly string[]): Promise<ExitCode> {
  const { defineVexil } = await import('../../terraform/vexil-provider.ts')
  const { env, runtime } = host
  const server = { env, runtime, platform: platform(), temporaryDirectory: tmpdir() }
  const writeError = (text: string) => host.log.output.write(text)
  const provider = await startProvider(defineVexil, { ...server, writeError }, () => undefined)
  try {
    const { pid } = await host.processes.own()
    const others = readJsonIfAny(env.TF_REATTACH_PROVIDERS || '{}')
    if (others === undefined || !isJsonObject(others))
      throw new CommandError('TF_REATTACH_PROVIDERS is not a JSON object')
    const running = reattachSetting(providerSources, provider.address, pid, others)
    return await runBeside(host, command, { ...env, TF_REATTACH_PROVIDERS: running })
  } finally {
    await provider.close()
  }
}

/** A terminal interrupts its whole process group, so only the signal to end is passed on. */
async function runBeside(
  { directory, onInterrupt }: Host,
  [program = '', ...words]: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<ExitCode> {
  const child = spawn(program, words, { cwd: directory, env, stdio: 'inherit' })
  const stopListening = onInterrupt(signal => signal === 'SIGTERM' && child.kill(signal))
  try {
    const [code, signal] = await once(child, 'close')
    // Any code that the program has.
    return code ?? 128 + constants.signals[signal as NodeJS.Signals]
  } catch (error) {
    throw new CommandError(`"${program}" cannot be started (${codeOf(error, 'unknown')})`)
  } finally {
    stopListening()
  }
}

function userPlugins({ env }: Host): string {
  const home = env.HOME ?? homedir()
  if (!isAbsolute(home))
    throw new CommandError(`HOME is "${home}", which is not an absolute path; name a folder with --directory`)
  return join(home, '.terraform.d', 'plugins')
}
