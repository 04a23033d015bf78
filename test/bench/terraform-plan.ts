import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { providerFiles } from '../../src/terraform/install/build-files.ts'
import { unpackedFolder } from '../../src/terraform/install/file-names.ts'
import { bundleName } from '../../src/terraform/install/launcher.ts'
import { platformOf } from '../../src/terraform/install/platform.ts'
import { writeFiles } from '../../src/terraform/install/write-release-files.ts'
import { type Binary, run } from '../acceptance/support/binary.ts'
import { printFigures } from './print-figures.ts'
import { benchFlag, benchKey } from './repository.ts'
import { settingsOf, startStandIn } from './stand-in.ts'

const bundlePath = join(import.meta.dirname, '../../dist/terraform', bundleName)
const pageSize = 1000
const parallelism = 8

/**
 * `terraform plan` of unchanged flags, beside one of as many `terraform_data` with the same in them, which asks
 * nobody: what Terraform itself takes. Each is a block of its own, since a large `for_each` measures nothing but
 * Terraform.
 */
export async function benchTerraformPlan(
  folder: string,
  { command, version }: Binary,
  counts: readonly number[],
): Promise<void> {
  const plugins = join(folder, 'plugins')
  const place = unpackedFolder('0.1.0', platformOf(process.platform, process.arch))
  await writeFiles(join(plugins, place), await providerFiles(bundlePath, '0.1.0'))
  for (const count of counts) {
    const standIn = await startStandIn('--empty')
    try {
      const env = settingsOf(standIn, parallelism)
      const how = { command, plugins, env }
      const flags = await planMs(join(folder, `flags-${count}`), ofFlags, count, {
        ...how,
        beforeEach: () => standIn.resetRequests(),
      })
      const requests = await standIn.requests()
      const bare = await planMs(join(folder, `bare-${count}`), ofBareBlocks, count, how)
      printFigures(`${command} ${version} plan of ${count} flags`, {
        'wall ms': flags,
        'terraform_data ms': bare,
        'above ms': flags - bare,
        ratio: flags / bare,
        requests,
        'expected requests': Math.ceil(count / pageSize),
      })
    } finally {
      await standIn.stop()
    }
  }
}

interface PlanRun {
  readonly command: string
  readonly plugins: string
  readonly env: Readonly<Record<string, string>>
  readonly beforeEach?: () => Promise<void>
}

/** The median time of a plan that finds everything as it should be, in ms. */
async function planMs(
  directory: string,
  { head, block }: Configuration,
  count: number,
  { command, plugins, env, beforeEach }: PlanRun,
): Promise<number> {
  await mkdir(directory, { recursive: true })
  const configure = (from: number, to: number) => {
    const blocks = Array.from({ length: to - from }, (_, index) => block(from + index))
    return writeFile(join(directory, 'main.tf'), [head, ...blocks].join('\n'))
  }
  const timed = async (...given: readonly string[]) => {
    const startedAt = performance.now()
    const { code, output } = await run(command, [...given, '-no-color', '-input=false'], { directory, env })
    // Of a plan, 2 would say that there is something to do.
    if (code !== 0) throw new Error(`${command} ${given.join(' ')} ended in ${code}: ${output.slice(-800)}`)
    return performance.now() - startedAt
  }
  await configure(0, 0)
  await timed('init', `-plugin-dir=${plugins}`)
  const parts: string[] = []
  for (let from = 0; from < count; from += appliedTogether) {
    const part = join(directory, `part-${from}.tfstate`)
    await configure(from, Math.min(from + appliedTogether, count))
    await timed('apply', '-auto-approve', `-state=${part}`)
    parts.push(part)
  }
  await configure(0, count)
  await writeFile(join(directory, 'terraform.tfstate'), await joinedState(parts))
  const taken: number[] = []
  for (let runs = count > 1000 ? 1 : 3; runs > 0; runs--) {
    await beforeEach?.()
    taken.push(await timed('plan', '-detailed-exitcode'))
  }
  taken.sort((left, right) => left - right)
  return taken[Math.floor(taken.length / 2)] ?? 0
}

/** An apply takes Terraform the square of its length, so a large state is made in parts. */
const appliedTogether = 100

async function joinedState(parts: readonly string[]): Promise<string> {
  const states: { resources: unknown[] }[] = []
  for (const part of parts) states.push(JSON.parse(await readFile(part, 'utf8')))
  return JSON.stringify({ ...states[0], resources: states.flatMap(({ resources }) => resources) })
}

interface Configuration {
  readonly head: string
  readonly block: (index: number) => string
}

const ofFlags: Configuration = {
  head: 'terraform {\n  required_providers {\n    vexil = { source = "vexil/vexil" }\n  }\n}\n',
  block: index => `resource "vexil_feature_flag" "${benchKey(index)}" {\n${membersOf(index)}\n}`,
}

const ofBareBlocks: Configuration = {
  head: '',
  block: index =>
    `resource "terraform_data" "${benchKey(index)}" {\n  input = {\n${membersOf(index)}\n  }\n}`,
}

/** JSON is an expression of Terraform's as it stands. */
function membersOf(index: number): string {
  const { filters, ...rest } = benchFlag(index)
  const plain = Object.entries({ key: benchKey(index), ...rest }).map(
    ([name, value]) => `  ${name} = ${JSON.stringify(value)}`,
  )
  return [...plain, `  filters = jsonencode(${JSON.stringify(filters)})`].join('\n')
}
