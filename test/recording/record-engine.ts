import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serve } from '../../src/terraform/serve/serve.ts'
import { defineVexil } from '../../src/terraform/vexil-provider.ts'
import { run } from '../acceptance/support/binary.ts'
import { aHost } from '../terraform/support/served.ts'
import {
  type Configuration,
  changedConfiguration,
  configurationOf,
  type Plain,
  type PlainObject,
  terraformJson,
} from './configuration.ts'
import { play, type Stage } from './play.ts'
import type { Scene, Step } from './scene.ts'
import { scenes } from './scenes/index.ts'
import type { Happened, SentRequest } from './transcript.ts'

const names = [
  'first-flags',
  'soft-deleted',
  'variants-and-payloads',
  'every-operator',
  'renamed-key',
  'texts-and-numbers',
  'plugins',
  'everything-at-once',
  'answers-lost',
  'service-of-today',
]

/** Some of the scenes, since each command of Terraform takes a second; none has data sources, which are read at any time. */
export const engineScenes: readonly Scene[] = scenes.filter(({ name }) => names.includes(name))

/** Plays a scene with the real Terraform, which attaches to a provider in this process. */
export async function recordEngine(scene: Scene): Promise<Happened[]> {
  const position = scenes.findIndex(({ name }) => name === scene.name)
  const configuration = configurationOf(scene, position)
  const happened = await play(
    { ...scene, steps: stepsOf(scene) },
    stage => line => runEngine(line, stage, configuration),
  )
  return happened.map(one => ({ ...one, requests: readsSorted(one.requests) }))
}

/**
 * Terraform reads objects in an order of its own, a new one in each run, and writes them in that of their references.
 * So the reads between two writes are sorted.
 */
function readsSorted(requests: readonly SentRequest[]): SentRequest[] {
  const written = requests.findIndex(({ line }) => !line.startsWith('GET '))
  const reads = requests
    .slice(0, written < 0 ? requests.length : written)
    .sort(({ line: one }, { line: other }) => (one < other ? -1 : 1))
  const [write, ...later] = requests.slice(reads.length)
  return write ? [...reads, write, ...readsSorted(later)] : reads
}

/** What happens before the first undo; then somebody has worked on the configuration, and it is destroyed. */
function stepsOf({ steps }: Scene): readonly Step[] {
  const undone = steps.findIndex(step => 'vexil' in step && step.vexil.startsWith('undo'))
  const before = steps.slice(0, undone).filter(step => !('vexil' in step || 'write' in step))
  return [
    { terraform: 'plan' },
    ...before.filter(step => 'faults' in step),
    { terraform: 'apply' },
    ...before.filter(step => 'colleague' in step),
    { terraform: 'apply changed' },
    { terraform: 'destroy' },
  ]
}

async function runEngine(line: string, stage: Stage, configuration: Configuration) {
  const [command = '', change] = line.split(' ')
  const given = change === undefined ? configuration : changedConfiguration(configuration)
  const main = JSON.stringify(inOneOrder(terraformJson(given))).replaceAll('SERVICE', stage.url)
  await writeFile(join(stage.folder, 'main.tf.json'), main)
  const provider = await startProvider(stage)
  const approval = command === 'plan' ? [] : ['-auto-approve']
  const { code, output } = await run('terraform', [command, '-json', '-input=false', ...approval], {
    directory: stage.folder,
    env: { TF_REATTACH_PROVIDERS: provider.reattach },
  }).finally(provider.close)
  const messages = output
    .split('\n')
    .flatMap(text => (text.startsWith('{') ? [JSON.parse(text) as PlainObject] : []))
  return {
    code: code ?? -1,
    // Terraform tells them in an order of its own, a new one in each run.
    stdout: lines([...messages.flatMap(eventIn).sort(), ...(await stateLines(stage.folder))]),
    // Older Terraforms tell one twice that is found when the configuration is checked and again when it is planned.
    stderr: lines([...new Set(messages.flatMap(diagnosticIn))].sort()),
  }
}

/** Lets each resource wait for the one before: Terraform goes its own way otherwise, a new one in each run. */
function inOneOrder(json: PlainObject): Plain {
  let before: string | undefined
  const resource = Object.entries(json.resource as Record<string, Record<string, PlainObject>>).map(
    ([type, blocks]) => [
      type,
      Object.fromEntries(
        Object.entries(blocks).map(([name, block]) => {
          const waiting = before === undefined ? block : { ...block, depends_on: [before] }
          before = `${type}.${name}`
          return [name, waiting]
        }),
      ),
    ],
  )
  return { ...json, resource: Object.fromEntries(resource) }
}

async function startProvider({ env, clock, folder }: Stage) {
  let exited = () => {}
  const exit = new Promise<void>(resolve => {
    exited = resolve
  })
  const { host, witness } = aHost({
    env,
    runtime: clock,
    temporaryDirectory: folder,
    arguments: ['--debug'],
    exit: () => exited(),
  })
  await serve(defineVexil, host)
  const [, reattach = ''] = /TF_REATTACH_PROVIDERS='(.*)'/.exec(witness.out.join('')) ?? []
  return {
    reattach,
    async close() {
      witness.signals.get('SIGINT')?.()
      await exit
    },
  }
}

/** What Terraform is going to do and has done, without its own words and without how long it took. */
function eventIn({ type, change, hook }: PlainObject): string[] {
  const told = (change ?? hook) as PlainObject | undefined
  const address = (told?.resource as PlainObject | undefined)?.addr
  switch (type) {
    case 'planned_change':
    case 'resource_drift':
    case 'apply_complete':
    case 'apply_errored':
      return [`${type} ${address} ${told?.action}`]
    default:
      return []
  }
}

function diagnosticIn({ diagnostic }: PlainObject): string[] {
  if (diagnostic === undefined) return []
  // What Terraform 1 writes.
  const { severity, summary, detail, address = '' } = diagnostic as Record<string, string>
  const more = detail ? detail.split('\n').map(text => `\n  ${text}`) : []
  return [`${severity} ${address}: ${summary}${more.join('')}`]
}

/** The attributes that Terraform keeps. */
async function stateLines(folder: string): Promise<string[]> {
  const text = await readFile(join(folder, 'terraform.tfstate'), 'utf8').catch(() => '{"resources":[]}')
  const { resources } = JSON.parse(text) as {
    resources: { type: string; name: string; instances: { attributes: PlainObject }[] }[]
  }
  return resources.flatMap(({ type, name, instances }) =>
    instances.map(({ attributes }) => `${type}.${name} is ${JSON.stringify(sorted(attributes))}`),
  )
}

function sorted(json: Plain): Plain {
  if (Array.isArray(json)) return json.map(sorted)
  if (json === null || typeof json !== 'object') return json
  const members = Object.entries(json).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]))
}

function lines(texts: readonly string[]): string {
  return texts.map(text => `${text}\n`).join('')
}
