import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type Binary, surroundings } from '../acceptance/support/binary.ts'
import { printFigures } from './print-figures.ts'
import { type CpuMs, watchCpu } from './process-cpu.ts'
import { type StandIn, startStandIn } from './stand-in.ts'
import { configurationOf, type Subject, subjects } from './terraform-subject.ts'

interface Timed {
  readonly wallMs: number
  readonly cpu: CpuMs | undefined
}

/** How far the service is away, there and back, in ms. */
const awayMs = 20

/** The runs of each subject, all subjects in turns; of a thousand flags one takes minutes. */
const roundsOf = (count: number) => (count < 1000 ? 5 : 2)

/**
 * `terraform apply` of flags that do not exist, then `terraform plan` without changes, with the service on this machine
 * and 20 ms away. Subjects: the provider, the provider below `vexil terraform serve`, the official provider, one
 * with our schema that returns what it gets (the floor), and `terraform_data`, which needs no provider.
 * Each flag is a block: Terraform 1.11 takes the square of a `for_each`'s length.
 */
export async function benchTerraformPlan(
  folder: string,
  { command, version }: Binary,
  counts: readonly number[],
): Promise<void> {
  const compared = await subjects(folder)
  if (!compared.some(({ name }) => name === 'official'))
    console.log('official provider: left out; VEXIL_BENCH_OFFICIAL_PROVIDER names the folder with its binary')
  for (const count of counts)
    await measureCount(
      join(folder, String(count)),
      command,
      compared,
      count,
      `terraform ${version}, ${count} flags`,
    )
}

async function measureCount(
  folder: string,
  command: string,
  compared: readonly Subject[],
  count: number,
  title: string,
): Promise<void> {
  const standIns = new Map<Subject, StandIn>()
  const run = (subject: Subject, standIn: StandIn, ...words: readonly string[]) =>
    timed(command, subject, join(folder, subject.name), standIn, words)
  try {
    const applies = await inTurns(compared, roundsOf(count), async subject => {
      await standIns.get(subject)?.stop()
      const standIn = await startStandIn('--empty', '--profile', subject.profile)
      standIns.set(subject, standIn)
      await writeStack(join(folder, subject.name), subject, count)
      return run(subject, standIn, 'apply', '-auto-approve')
    })
    const planned = () =>
      inTurns(compared, roundsOf(count), subject =>
        // Exit code 2 would mean changes.
        run(subject, standIns.get(subject) as StandIn, 'plan', '-detailed-exitcode'),
      )
    const near = await planned()
    for (const standIn of standIns.values()) await standIn.delay(awayMs)
    printAll(title, { plan: near, [`plan ${awayMs} ms away`]: await planned(), 'first apply': applies })
  } finally {
    for (const standIn of standIns.values()) await standIn.stop()
  }
}

async function writeStack(directory: string, subject: Subject, count: number): Promise<void> {
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { recursive: true })
  await writeFile(join(directory, 'terraform.rc'), overrides(subject))
  await writeFile(join(directory, 'main.tf'), configurationOf(subject, count))
}

/** No init is needed for a provider that is named so, and no registry is asked. */
function overrides({ provider }: Subject): string {
  if (!provider) return ''
  const named = `dev_overrides {\n    "${provider.source}" = ${JSON.stringify(provider.folder)}\n  }`
  return `provider_installation {\n  ${named}\n  direct {}\n}\n`
}

type Runs = ReadonlyMap<string, readonly Timed[]>

async function inTurns(
  compared: readonly Subject[],
  rounds: number,
  run: (subject: Subject) => Promise<Timed>,
): Promise<Runs> {
  const runs = new Map<string, Timed[]>(compared.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++)
    for (const subject of compared) runs.get(subject.name)?.push(await run(subject))
  return runs
}

async function timed(
  command: string,
  { runner, settings }: Subject,
  directory: string,
  standIn: StandIn,
  words: readonly string[],
): Promise<Timed> {
  const [program = command, ...rest] = [...(runner ?? []), command, ...words, '-no-color', '-input=false']
  const startedAt = performance.now()
  const child = spawn(program, rest, {
    cwd: directory,
    env: {
      ...surroundings(),
      HOME: directory,
      TF_CLI_CONFIG_FILE: join(directory, 'terraform.rc'),
      ...settings(standIn),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const watch = watchCpu(child.pid ?? 0)
  const [[code], out, errors] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ])
  const wallMs = performance.now() - startedAt
  const cpu = await watch.stop()
  if (code !== 0) throw new Error(`${command} ${words[0]} ended in ${code}: ${(out + errors).slice(-800)}`)
  return { wallMs, cpu: cpu && runner ? { own: cpu.children, children: cpu.own } : cpu }
}

/** Medians of each subject, and the median of the ratios to the official provider, or to `terraform_data`. */
function printAll(title: string, measured: Readonly<Record<string, Runs>>): void {
  for (const [what, runs] of Object.entries(measured)) {
    const other = runs.has('official') ? 'official' : 'terraform_data'
    const compared = runs.get(other) ?? []
    for (const [name, taken] of runs) {
      const ratios = taken.map(({ wallMs }, index) => wallMs / (compared[index]?.wallMs ?? Number.NaN))
      printFigures(`${title}, ${what}, ${name}`, {
        'wall ms': median(taken.map(({ wallMs }) => wallMs)),
        'CPU of Terraform ms': median(taken.map(({ cpu }) => cpu?.own ?? Number.NaN)),
        'CPU of its providers ms': median(taken.map(({ cpu }) => cpu?.children ?? Number.NaN)),
        [`wall / ${other}`]: median(ratios),
        from: Math.min(...ratios),
        to: Math.max(...ratios),
      })
    }
  }
}

function median(figures: readonly number[]): number {
  return [...figures].sort((left, right) => left - right)[Math.floor(figures.length / 2)] ?? Number.NaN
}
