import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type Binary, surroundings } from '../acceptance/support/binary.ts'
import { printFigures } from './print-figures.ts'
import { type CpuMs, watchCpu } from './process-cpu.ts'
import { wholeMs } from './provider-start.ts'
import { type StandIn, startStandIn } from './stand-in.ts'
import { configurationOf, type Form, type Subject, subjects } from './terraform-subject.ts'

interface Timed {
  readonly wallMs: number
  readonly cpu: CpuMs | undefined
}

interface Bench {
  readonly folder: string
  readonly command: string
  readonly count: number
  /** The flags are applied in the first one and planned in each. */
  readonly forms: readonly [Form, ...Form[]]
  readonly rounds: number
}

/** How far the service is away, there and back, in ms. */
const awayMs = 20

/**
 * `terraform apply` of flags that are not there, and `terraform plan` once nothing is to do, with the service on this
 * machine and 20 ms away: ours beside the official provider, beside one that has our schema and answers with what it is
 * asked, and beside as many `terraform_data`, which ask nobody.
 * Each is a block of its own, since Terraform 1.11 takes the square of a `for_each`'s length; from 5,000 on it is one
 * `for_each`, whose plans are measured once, to show that: of a flat map of keys first, then of the flags themselves,
 * which takes several times as long.
 * The floor of a plan is what `terraform_data` takes and three starts of a Node that does nothing: Terraform starts a
 * provider three times.
 */
export async function benchTerraformPlan(
  folder: string,
  { command, version }: Binary,
  counts: readonly number[],
): Promise<void> {
  const compared = await subjects(folder)
  if (!compared.some(({ name }) => name === 'official'))
    console.log('official provider: left out; VEXIL_BENCH_OFFICIAL_PROVIDER names the folder with its binary')
  const nodeMs = medianMs(await repeated(5, () => wholeMs(process.execPath, ['-e', '0'])))
  for (const count of counts) {
    const isLarge = count >= 5000
    const bench: Bench = {
      folder: join(folder, String(count)),
      command,
      count,
      forms: isLarge ? ['for_each of keys', 'for_each of flags'] : ['blocks'],
      rounds: isLarge ? 1 : 3,
    }
    await measureForms(bench, compared, `${command} ${version}, ${count} flags`, nodeMs)
  }
}

interface Measured {
  readonly plan: Timed
  /** Not of what takes Terraform itself many minutes. */
  readonly more?: { readonly apply: Timed; readonly planAway: Timed }
  readonly requests: { readonly apply: number; readonly plan: number }
}

async function measureForms(
  bench: Bench,
  compared: readonly Subject[],
  title: string,
  nodeMs: number,
): Promise<void> {
  const applied = new Map<string, Applied>()
  try {
    for (let round = 0; round < bench.rounds; round++)
      for (const subject of compared) await applyAnew(bench, subject, applied)
    for (const form of bench.forms) {
      const titleOfForm = form === 'blocks' ? title : `${title} in one ${form}`
      const measured = await measurePlans(bench, form, [...applied.values()], (name, figures) =>
        printSubject(titleOfForm, name, figures),
      )
      printComparison(titleOfForm, measured, nodeMs)
    }
  } finally {
    for (const { standIn } of applied.values()) await standIn.stop()
  }
}

/** A subject whose flags are all there, in the state and in the service. */
interface Applied {
  readonly subject: Subject
  readonly directory: string
  readonly standIn: StandIn
  readonly applies: readonly Timed[]
  readonly requests: number
}

/** Applies a subject to a new service; what it was applied to before is stopped. */
async function applyAnew(bench: Bench, subject: Subject, applied: Map<string, Applied>): Promise<void> {
  const { name } = subject
  const directory = join(bench.folder, name)
  await mkdir(directory, { recursive: true })
  await writeFile(join(directory, 'terraform.rc'), overrides(subject))
  const earlier = applied.get(name)
  applied.delete(name)
  await earlier?.standIn.stop()
  const standIn = await startStandIn('--empty', '--profile', subject.profile)
  applied.set(name, { subject, directory, standIn, applies: earlier?.applies ?? [], requests: 0 })
  const applies = await applyOnce(bench, subject, directory, subject.settings(standIn))
  applied.set(name, {
    subject,
    directory,
    standIn,
    applies: [...(earlier?.applies ?? []), ...applies],
    requests: await standIn.requests(),
  })
}

/** All subjects take turns, so that whatever else the machine does is shared by all; each is told of once it is measured. */
async function measurePlans(
  { command, count, rounds }: Bench,
  form: Form,
  applied: readonly Applied[],
  tell: (name: string, figures: Measured) => void,
): Promise<ReadonlyMap<string, Measured>> {
  const before = new Map<Applied, number>()
  for (const each of applied) {
    await writeFile(
      join(each.directory, 'main.tf'),
      configurationOf(each.subject, form, { from: 0, to: count }),
    )
    before.set(each, await each.standIn.requests())
  }
  const measured = new Map<string, Measured>()
  const keep = (name: string, figures: Measured) => {
    measured.set(name, figures)
    tell(name, figures)
  }
  const plan = ({ subject, directory, standIn }: Applied) =>
    timed({ directory, command }, subject.settings(standIn), 'plan', '-detailed-exitcode')
  const near = new Map<Applied, Omit<Measured, 'more'>>()
  await inTurns(applied, rounds, plan, async (each, plans) => {
    const requests = ((await each.standIn.requests()) - (before.get(each) ?? 0)) / rounds
    const figures = { plan: median(plans), requests: { apply: each.requests, plan: requests } }
    near.set(each, figures)
    // At once: the next one may take many minutes, or may not end.
    if (form !== 'blocks') keep(each.subject.name, figures)
  })
  if (form !== 'blocks') return measured
  for (const { standIn } of applied) await standIn.delay(awayMs)
  await inTurns(applied, rounds, plan, (each, plans) => {
    const figures = near.get(each)
    if (!figures) throw new Error(`${each.subject.name} was not planned`)
    keep(each.subject.name, {
      ...figures,
      more: { apply: median(each.applies), planAway: median(plans) },
    })
  })
  return measured
}

/** Runs each so many times, all in turn; `ended` is told of one after its last time. */
async function inTurns<Each>(
  all: readonly Each[],
  rounds: number,
  run: (each: Each) => Promise<Timed>,
  ended: (each: Each, taken: readonly Timed[]) => unknown,
): Promise<void> {
  const taken = new Map<Each, Timed[]>(all.map(each => [each, []]))
  for (let round = 1; round <= rounds; round++) {
    for (const [each, times] of taken) {
      times.push(await run(each))
      if (round === rounds) await ended(each, times)
    }
  }
}

/** One apply of all blocks; of a `for_each` one for each hundred, joined to the state of them all. */
async function applyOnce(
  { command, count, forms: [form] }: Bench,
  subject: Subject,
  directory: string,
  settings: Readonly<Record<string, string>>,
): Promise<readonly Timed[]> {
  const parts: string[] = []
  const taken: Timed[] = []
  const together = form === 'blocks' ? count : 100
  for (let from = 0; from < count; from += together) {
    const part = join(directory, `part-${from}.tfstate`)
    await rm(part, { force: true })
    const range = { from, to: Math.min(from + together, count) }
    await writeFile(join(directory, 'main.tf'), configurationOf(subject, form, range))
    taken.push(await timed({ directory, command }, settings, 'apply', '-auto-approve', `-state=${part}`))
    parts.push(part)
  }
  await writeFile(join(directory, 'terraform.tfstate'), await joinedState(parts))
  return taken
}

interface State {
  readonly resources: readonly { readonly instances: readonly unknown[] }[]
}

/** The instances of a `for_each` are those of one resource; blocks are all in one part. */
async function joinedState(parts: readonly string[]): Promise<string> {
  const states: State[] = []
  for (const part of parts) states.push(JSON.parse(await readFile(part, 'utf8')))
  const [first, ...others] = states
  if (others.length === 0) return JSON.stringify(first)
  const instances = states.flatMap(({ resources }) => resources.flatMap(each => each.instances))
  return JSON.stringify({ ...first, resources: [{ ...first?.resources[0], instances }] })
}

/** No init is needed for a provider that is named so, and no registry is asked. */
function overrides({ provider }: Subject): string {
  if (!provider) return ''
  const named = `dev_overrides {\n    "${provider.source}" = ${JSON.stringify(provider.folder)}\n  }`
  return `provider_installation {\n  ${named}\n  direct {}\n}\n`
}

async function timed(
  { directory, command }: { readonly directory: string; readonly command: string },
  settings: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<Timed> {
  const startedAt = performance.now()
  const child = spawn(command, [...words, '-no-color', '-input=false'], {
    cwd: directory,
    env: {
      ...surroundings(),
      HOME: directory,
      TF_CLI_CONFIG_FILE: join(directory, 'terraform.rc'),
      ...settings,
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
  // Of a plan, 2 would say that there is something to do.
  if (code !== 0) throw new Error(`${command} ${words[0]} ended in ${code}: ${(out + errors).slice(-800)}`)
  return { wallMs, cpu }
}

function printSubject(title: string, name: string, { plan, more, requests }: Measured): void {
  const asks = name !== 'terraform_data'
  const line = (what: string, { wallMs, cpu }: Timed, asked: number) =>
    printFigures(`${title}, ${what}, ${name}`, {
      'wall ms': wallMs,
      ...(cpu ? { 'CPU of Terraform ms': cpu.own, 'CPU of its providers ms': cpu.children } : {}),
      ...(asks ? { requests: asked } : {}),
    })
  line('plan', plan, requests.plan)
  if (more && asks) line(`plan ${awayMs} ms away`, more.planAway, requests.plan)
  if (more) line('first apply', more.apply, requests.apply)
}

function printComparison(title: string, measured: ReadonlyMap<string, Measured>, nodeMs: number): void {
  const [ours, bare, echo, official] = ['vexil', 'terraform_data', 'floor', 'official'].map(name =>
    measured.get(name),
  )
  if (!ours || !bare || !echo) return
  printFigures(`${title}, vexil`, {
    'floor of a plan ms': bare.plan.wallMs + 3 * nodeMs,
    'bare start of Node ms': nodeMs,
    'plan / terraform_data': ours.plan.wallMs / bare.plan.wallMs,
    'floor / terraform_data': echo.plan.wallMs / bare.plan.wallMs,
    ...besideCpu(ours.plan, bare.plan, echo.plan),
    ...(official ? besideOfficial(ours, echo, official) : {}),
  })
}

/** What other programs on the machine move less; of all processes together. */
function besideCpu(ours: Timed, bare: Timed, echo: Timed): Readonly<Record<string, number>> {
  const ofAll = ({ cpu }: Timed) => (cpu ? cpu.own + cpu.children : Number.NaN)
  if (!ours.cpu || !bare.cpu || !echo.cpu) return {}
  return {
    'CPU of a plan / terraform_data': ofAll(ours) / ofAll(bare),
    'CPU of the floor / terraform_data': ofAll(echo) / ofAll(bare),
  }
}

/** The floor's ratio tells how much of ours no provider on Node with our schema does without. */
function besideOfficial(
  ours: Measured,
  echo: Measured,
  official: Measured,
): Readonly<Record<string, number>> {
  const ratios = (what: string, asked: Timed, floor: Timed, theirs: Timed) => ({
    [`${what} / official`]: asked.wallMs / theirs.wallMs,
    [`floor of ${what} / official`]: floor.wallMs / theirs.wallMs,
  })
  const [more, floor, theirs] = [ours.more, echo.more, official.more]
  return {
    ...ratios('plan', ours.plan, echo.plan, official.plan),
    ...(more && floor && theirs
      ? {
          ...ratios(`plan ${awayMs} ms away`, more.planAway, floor.planAway, theirs.planAway),
          ...ratios('first apply', more.apply, floor.apply, theirs.apply),
        }
      : {}),
  }
}

async function repeated<T>(rounds: number, run: () => Promise<T>): Promise<readonly T[]> {
  const taken: T[] = []
  for (let round = 0; round < rounds; round++) taken.push(await run())
  return taken
}

function median(taken: readonly Timed[]): Timed {
  const sorted = [...taken].sort((left, right) => left.wallMs - right.wallMs)
  const middle = sorted[Math.floor(sorted.length / 2)]
  if (!middle) throw new Error('nothing was measured')
  return middle
}

function medianMs(taken: readonly number[]): number {
  return [...taken].sort((left, right) => left - right)[Math.floor(taken.length / 2)] ?? 0
}
