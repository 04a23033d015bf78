import { execFile, spawnSync } from 'node:child_process'
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

/** Which of the two it is, whatever its name is here. */
export function productOf(command: string): Product {
  const said = spawnSync(command, ['version'], { encoding: 'utf8', env: surroundings() })
  return said.stdout.startsWith('OpenTofu') ? 'OpenTofu' : 'Terraform'
}

export type Product = 'Terraform' | 'OpenTofu'

/** Whether it is of a version, such as `1.12`, or a later one; the two count theirs apart. */
export function isSince(since: Readonly<Record<Product, string>>): boolean {
  return terraform !== undefined && compare(terraform.version, since[productOf(terraform.command)]) >= 0
}

/** Those that know identities of resources. */
export const knowsIdentities = isSince({ Terraform: '1.12', OpenTofu: '1.12' })

/** Those that list resources. No OpenTofu does. */
export const knowsLists = isSince({ Terraform: '1.14', OpenTofu: '2' })

/**
 * Whether it is older than a version, of those before 1.9: what their language brought, each Terraform and OpenTofu of that
 * number has.
 */
export function isOlderThan(version: string): boolean {
  return terraform !== undefined && compare(terraform.version, version) < 0
}

function compare(one: string, other: string): number {
  const [left, right] = [one, other].map(text => text.split('.').map(part => Number.parseInt(part, 10)))
  const differing = right?.findIndex((part, index) => part !== (left?.[index] ?? 0)) ?? -1
  return differing < 0 ? 0 : (left?.[differing] ?? 0) - (right?.[differing] ?? 0)
}

/** Runs a command line to its end, in an environment that has nothing of this machine's user. */
export async function run(
  command: string,
  args: readonly string[],
  { directory, env = {} }: { readonly directory: string; readonly env?: Readonly<Record<string, string>> },
): Promise<Ran> {
  const options = { cwd: directory, env: { ...surroundings(), HOME: directory, ...env }, maxBuffer: 1 << 30 }
  return new Promise((resolve, reject) => {
    const child = execFile(command, args, options, (error, out, errors) => {
      if (typeof error?.code === 'string') reject(error)
      else resolve({ code: error ? (error.code ?? null) : 0, output: out + errors })
    })
    child.stdin?.end()
  })
}

export function surroundings(): Record<string, string | undefined> {
  const { PATH, TMPDIR } = process.env
  return { PATH, TMPDIR, TF_CLI_CONFIG_FILE: '/dev/null', CHECKPOINT_DISABLE: '1', TF_IN_AUTOMATION: '1' }
}
