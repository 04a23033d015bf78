import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFiles } from '../../folder.ts'
import type { Remote } from '../remote.ts'
import type { Ran, Runner } from '../runner.ts'
import { allFilledIn, type Contexts, filledIn, isMet, type Status } from './expressions.ts'
import { type GitHubHost, repository } from './github-host.ts'
import { requireInputs, standIns } from './uses.ts'
import { type Job, type Permissions, readAction, readWorkflow, type Step } from './workflow.ts'

/** What workflows run in. */
export interface World {
  readonly host: GitHubHost
  readonly remote: Remote
  readonly runner: Runner
  /** Of the repository: a run that was started by a fork has none. */
  readonly secrets: Readonly<Record<string, string>>
  /** Of environments: jobs have them beside those. */
  readonly environments: Readonly<
    Record<
      string,
      { readonly secrets: Readonly<Record<string, string>>; approve?: () => boolean | Promise<boolean> }
    >
  >
}

/** What has happened, and what GitHub says of it. */
export interface Event {
  readonly name: 'pull_request' | 'push' | 'schedule' | 'workflow_dispatch'
  /** The commit that is checked out, and its ref. */
  readonly sha: string
  readonly ref: string
  readonly actor: string
  readonly payload: object
  readonly isOfFork: boolean
  /** Of the branch that a pull request is from; else the same as `sha`. */
  readonly headSha: string
  readonly repositoryId: number
  readonly headRepositoryId: number
}

export type Result = 'success' | 'failure' | 'skipped' | 'rejected'

export interface PlayedJob {
  readonly result: Result
  readonly environment?: string
  readonly outputs: Readonly<Record<string, string>>
  /** All that the steps have printed. */
  readonly log: string
  /** What they wrote for the page of the run. */
  readonly summary: string
  /** What each step had in its environment, by what it is: for those who look for keys. */
  readonly environments: readonly { readonly step: string; readonly env: Readonly<Record<string, string>> }[]
}

export interface PlayedRun {
  readonly id: number
  readonly jobs: Readonly<Record<string, PlayedJob>>
}

/** Where a step is about to run. */
export interface Playing {
  readonly world: World
  readonly event: Event
  readonly run: number
  readonly workspace: string
  readonly temp: string
  readonly permissions: Permissions
  /** What the steps of a job have in common, and grow. */
  readonly told: { log: string; summary: string; environments: PlayedJob['environments'][number][] }
  /** Set for each step beside what it says itself. */
  readonly env: Readonly<Record<string, string>>
}

let lastRun = 5000

/** Runs a workflow for an event, job by job, as GitHub does. */
export async function playWorkflow(world: World, path: string, event: Event): Promise<PlayedRun> {
  const workflow = await readWorkflow(path)
  const id = lastRun++
  const jobs: Record<string, PlayedJob> = {}
  for (const name of inOrder(workflow.jobs)) {
    const job = workflow.jobs[name]
    if (!job) throw new Error(`${path} has no job ${name}`)
    const permissions = job.permissions ?? workflow.permissions ?? {}
    jobs[name] = await playJob(world, event, id, {
      name,
      job,
      permissions,
      before: jobs,
      workflow: workflow.name,
    })
  }
  return { id, jobs }
}

function inOrder(jobs: Readonly<Record<string, Job>>): string[] {
  const order: string[] = []
  const add = (name: string) => {
    for (const needed of needsOf(jobs[name])) add(needed)
    if (!order.includes(name)) order.push(name)
  }
  for (const name of Object.keys(jobs)) add(name)
  return order
}

function needsOf(job: Job | undefined): readonly string[] {
  return [job?.needs ?? []].flat()
}

interface JobToPlay {
  readonly name: string
  readonly job: Job
  readonly permissions: Permissions
  readonly before: Readonly<Record<string, PlayedJob>>
  readonly workflow: string
}

async function playJob(
  world: World,
  event: Event,
  run: number,
  { name, job, permissions: asked, before, workflow }: JobToPlay,
): Promise<PlayedJob> {
  const nothing = { outputs: {}, log: '', summary: '', environments: [] }
  // A fork reads, whatever the workflow says.
  const permissions: Permissions = event.isOfFork
    ? Object.fromEntries(Object.keys(asked).map(each => [each, 'read' as const]))
    : asked
  const token = world.host.tokenFor(permissions)
  const github = {
    event_name: event.name,
    event: event.payload,
    sha: event.sha,
    ref: event.ref,
    actor: event.actor,
    repository,
    run_id: String(run),
    workflow,
    token,
  }
  const needs = Object.fromEntries(
    needsOf(job).map(each => [each, { result: before[each]?.result, outputs: before[each]?.outputs ?? {} }]),
  )
  const isReady = Object.values(needs).every(({ result }) => result === 'success')
  if (!isMet(job.if, { github, needs }, isReady ? 'success' : 'failure'))
    return { ...nothing, result: 'skipped' }
  const environment = job.environment === undefined ? undefined : filledIn(job.environment, { github, needs })
  const protection = environment === undefined ? undefined : world.environments[environment]
  if (environment !== undefined && protection === undefined)
    throw new Error(`nobody has made the environment "${environment}"`)
  const place = environment === undefined ? {} : { environment }
  if (protection?.approve && !(await protection.approve()))
    return { ...nothing, ...place, result: 'rejected' }

  const root = join(world.runner.folder, 'work', `${run}-${name}`)
  const [workspace, temp] = [join(root, 'flags'), join(root, 'temp')]
  for (const folder of [workspace, temp]) await mkdir(folder, { recursive: true })
  await writeFiles(root, { 'event.json': JSON.stringify(event.payload) })
  const secrets = event.isOfFork ? {} : { ...world.secrets, ...protection?.secrets }
  const playing: Playing = {
    world,
    event,
    run,
    workspace,
    temp,
    permissions,
    told: { log: '', summary: '', environments: [] },
    env: {
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_ACTOR: event.actor,
      GITHUB_API_URL: world.host.url,
      GITHUB_EVENT_NAME: event.name,
      GITHUB_EVENT_PATH: join(root, 'event.json'),
      GITHUB_REF: event.ref,
      GITHUB_REPOSITORY: repository,
      GITHUB_RUN_ID: String(run),
      GITHUB_RUN_NUMBER: String(run - 4000),
      GITHUB_SERVER_URL: 'https://github.example',
      GITHUB_SHA: event.sha,
      GITHUB_WORKSPACE: workspace,
      RUNNER_TEMP: temp,
    },
  }
  const contexts = { github, needs, secrets: { ...secrets, GITHUB_TOKEN: token }, runner: { temp }, env: {} }
  const { status, steps } = await playSteps(playing, job.steps, contexts)
  const outputs = allFilledIn(job.outputs, { ...contexts, steps })
  return { result: status, ...place, outputs, ...playing.told }
}

interface Steps {
  readonly status: Status
  readonly steps: Readonly<Record<string, { readonly outputs: Readonly<Record<string, string>> }>>
}

async function playSteps(playing: Playing, given: readonly Step[], contexts: Contexts): Promise<Steps> {
  let status: Status = 'success'
  const steps: Record<string, { outputs: Readonly<Record<string, string>> }> = {}
  for (const step of given) {
    const known = { ...contexts, steps }
    if (!isMet(step.if, known, status)) continue
    const { ran, outputs } = await playStep(playing, step, known)
    if (ran.code !== 0 && step['continue-on-error'] !== true) status = 'failure'
    if (step.id !== undefined) steps[step.id] = { outputs }
  }
  return { status, steps }
}

async function playStep(
  playing: Playing,
  step: Step,
  contexts: Contexts,
): Promise<{ ran: Ran; outputs: Readonly<Record<string, string>> }> {
  const env = { ...playing.env, ...allFilledIn(step.env, contexts) }
  if (step.run !== undefined) {
    const ran = await runScript({ ...playing, env }, step, contexts)
    return ran
  }
  const uses = step.uses ?? ''
  const given = allFilledIn(step.with, contexts)
  const standIn = standIns[uses]
  if (standIn) {
    requireInputs(uses, given)
    const ran = await standIn(given, { ...playing, env })
    playing.told.log += `Run ${uses}\n${ran.log}`
    return { ran, outputs: {} }
  }
  if (!uses.startsWith('./')) throw new Error(`${uses} is not played here`)
  const folder = join(playing.workspace, uses)
  const action = readAction(join(folder, 'action.yml'))
  const other = Object.keys(given).filter(name => !(name in action.inputs))
  if (other.length > 0) throw new Error(`${uses} has no input ${other.join(', ')}`)
  const inputs = Object.fromEntries(
    Object.entries(action.inputs).map(([name, { default: value, required }]) => {
      if (required && given[name] === undefined) throw new Error(`${uses} needs the input ${name}`)
      return [name, given[name] ?? filledIn(value ?? '', contexts)]
    }),
  )
  // An action sees neither the steps nor the secrets of the job; what its caller sets for it all of its steps get.
  const inner = { github: contexts.github, runner: contexts.runner, env, inputs }
  const { status, steps } = await playSteps(
    { ...playing, env: { ...env, GITHUB_ACTION_PATH: folder } },
    action.runs.steps,
    inner,
  )
  const outputs = Object.fromEntries(
    Object.entries(action.outputs).map(([name, { value }]) => [name, filledIn(value, { ...inner, steps })]),
  )
  return { ran: { code: status === 'success' ? 0 : 1, log: '' }, outputs }
}

async function runScript(playing: Playing, step: Step, contexts: Contexts) {
  const files = { 'output.txt': '', 'summary.md': '' }
  await writeFiles(playing.temp, files)
  const [output, summary] = Object.keys(files).map(name => join(playing.temp, name)) as [string, string]
  const script = filledIn(step.run ?? '', contexts)
  const env = { ...playing.env, GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary }
  const ran = await playing.world.runner.run(script, {
    directory: playing.workspace,
    env,
    // What GitHub runs without a word about the shell, and with `bash`.
    shell: step.shell === 'bash' ? ['bash', '--noprofile', '--norc', '-eo', 'pipefail'] : ['bash', '-e'],
  })
  playing.told.log += `Run ${script}\n${ran.log}`
  playing.told.summary += await readFile(summary, 'utf8')
  playing.told.environments.push({ step: step.name ?? script, env })
  return { ran, outputs: outputsOf(await readFile(output, 'utf8')) }
}

/** Reads `name<<end`, lines, `end`, as runners do. */
function outputsOf(text: string): Record<string, string> {
  const outputs: Record<string, string> = {}
  for (const [, name = '', , value = ''] of text.matchAll(/^([\w-]+)<<(\S+)\n([\s\S]*?)\n\2$/gm))
    outputs[name] = value
  const rest = text.replace(/^([\w-]+)<<(\S+)\n[\s\S]*?\n\2$/gm, '')
  for (const [, name = '', value = ''] of rest.matchAll(/^([\w-]+)=(.*)$/gm)) outputs[name] = value
  return outputs
}
