import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { withoutVariable } from '../../suites.ts'

/** What a command line came to. */
export interface Ran {
  readonly code: number | null
  /** Everything that it wrote, errors last. */
  readonly output: string
}

export interface Binary {
  readonly command: string
  readonly version: string
}

/** A program of Terraform's family, when it is on the PATH and this run is to use it. */
export function findBinary(command: 'terraform' | 'tofu'): Binary | undefined {
  if (process.env[withoutVariable]?.split(',').includes(command)) return undefined
  const { status, stdout } = spawnSync(command, ['version', '-json'], {
    encoding: 'utf8',
    env: surroundings(),
  })
  if (status !== 0) return undefined
  const { terraform_version: version } = JSON.parse(stdout) as { terraform_version: string }
  return { command, version }
}

/** The real binary; without it, nothing of this folder can run. */
export const terraform = findBinary('terraform')

/** Whether it is Terraform of a version, such as `1.12`, or a later one; OpenTofu counts its versions apart. */
export function isTerraformSince(since: string): boolean {
  if (
    !terraform ||
    spawnSync('terraform', ['version'], { encoding: 'utf8', env: surroundings() }).stdout.startsWith(
      'OpenTofu',
    )
  )
    return false
  const [major = 0, minor = 0] = terraform.version.split('.').map(Number)
  const [wantedMajor = 0, wantedMinor = 0] = since.split('.').map(Number)
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)
}

/** Runs a command line to its end, in an environment that has nothing of this machine's user. */
export async function run(
  command: string,
  args: readonly string[],
  { directory, env = {} }: { readonly directory: string; readonly env?: Readonly<Record<string, string>> },
): Promise<Ran> {
  const child = spawn(command, args, {
    cwd: directory,
    env: { ...surroundings(), HOME: directory, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [[code], out, errors] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ])
  return { code, output: out + errors }
}

export function surroundings(): Record<string, string | undefined> {
  const { PATH, TMPDIR } = process.env
  return { PATH, TMPDIR, TF_CLI_CONFIG_FILE: '/dev/null', CHECKPOINT_DISABLE: '1', TF_IN_AUTOMATION: '1' }
}
