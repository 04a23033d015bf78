import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { context, propagation, trace } from '@opentelemetry/api'
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Host, isThere, type Signal } from '../../src/cli/host/host.ts'
import { openSource } from '../../src/cli/repository/declared-source.ts'
import { realRuntime } from '../../src/core/real-runtime.ts'
import { git, gitEnv } from '../git/repository.ts'
import { type Service, startService } from '../support/service.ts'
import { anOrganization, aWorkspace, organization, type Workspace } from '../support/workspace.ts'
import { type Postgres, startPostgres } from './postgres.ts'
import { startWebhook, type Webhook } from './webhook.ts'

/** `vexil reconcile` in this process: one replica, or two. */

let postgres: Postgres
let service: Service
let own: Workspace
let env: Record<string, string | undefined>
let hook: Webhook
let running: { stop(): Promise<number> }[]
/** The most requests of one key at the same time, of those that write or read. */
let inFlight: Map<string, number>
let mostOfAKey: number

beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

beforeEach(async () => {
  const projects = [1, 2, 3].map(id => ({ id, name: `Project ${id}` }))
  inFlight = new Map()
  mostOfAKey = 0
  service = await startService({ seed: anOrganization({ projects }) }, handle => async request => {
    const place = /projects\/(\d+)/.exec(request.url)?.[1] ?? ''
    inFlight.set(place, (inFlight.get(place) ?? 0) + 1)
    mostOfAKey = Math.max(mostOfAKey, [...inFlight.values()].filter(count => count > 0).length)
    try {
      return await handle(request)
    } finally {
      inFlight.set(place, (inFlight.get(place) ?? 1) - 1)
    }
  })
  hook = await startWebhook()
  running = []
  env = {
    ...gitEnv,
    VEXIL_STORE: await postgres.database(),
    FLEET_HOOK: hook.url,
    VEXIL_API_KEY: service.env.VEXIL_API_KEY ?? '',
    VEXIL_ALLOW_KEY_COMMAND: '1',
  }
  own = await aWorkspace(service, files('Checkout'), { env, host: { runtime: realRuntime } })
  await git(own.path, 'init', '--quiet', '--initial-branch=main')
  await commit('Declare')
})
afterEach(async () => {
  for (const each of running) await each.stop()
  hook.close()
  await own.remove()
  await service.close()
})

function files(name: string, percentage = 10): Record<string, string> {
  const place = (project: number, more = '') =>
    `{ base_url: "${service.url}", project: "${project}", organization: ${organization}${more} }`
  return {
    'vexil.yaml': `version: 1
live_edits: { default: revert, active: hold, filters: hold }
notify: { url_env: FLEET_HOOK }
environments: { staging: ${place(1)}, production: ${place(2, ', revision: released')}, other: ${place(3, ', api_key_env: OTHER_KEY')} }
`,
    'flags.yaml': `feature_flags: { checkout: { name: ${name}, active: true, filters: { groups: [ { rollout_percentage: ${percentage} } ] } } }\n`,
    '.gitignore': '.vexil/\n',
  }
}

async function commit(message: string): Promise<void> {
  await git(own.path, 'add', '--all')
  await git(own.path, 'commit', '--quiet', '--message', message)
}

/** Starts a replica; its output so far. */
function reconcile(...words: string[]) {
  let interrupt: ((signal: Signal) => void) | undefined
  let stderr = ''
  const code = own.vexil(['reconcile', '--every', '1s', '--listen', '127.0.0.1:0', ...words], {
    host: {
      runtime: realRuntime,
      isTraced: true,
      stderr: {
        write(text) {
          stderr += text
        },
        isTerminal: false,
      },
      onInterrupt(listener) {
        interrupt = listener
        return () => {}
      },
    },
  })
  const replica = {
    get stderr() {
      return stderr
    },
    async stop() {
      interrupt?.('SIGTERM')
      return (await code).code
    },
    url: async () => {
      await expect.poll(() => stderr).toMatch(/http:\S+\/healthz/)
      return /(http:\S+)\/healthz/.exec(stderr)?.[1] ?? ''
    },
  }
  running.push(replica)
  return replica
}

/** From now on, the store takes no new run. */
async function refuseRuns(): Promise<void> {
  await postgres.run(env.VEXIL_STORE ?? '', 'alter table vexil.runs add check (run < $$2$$) not valid')
}

const names = async (project: number) => {
  const { results } = (await service.get(`/api/projects/${project}/feature_flags/`)) as {
    results: { name: string }[]
  }
  return results.map(({ name }) => name)
}
const until = (check: () => unknown) => expect.poll(check)
const messages = () => hook.received.map(({ environment, state, is }) => [environment, state, is].join(' '))

describe('vexil reconcile', () => {
  it('reports what differs and writes nothing, with one message for each change of state', async () => {
    // A warning, which `vexil validate` shows, and not each interval.
    await own.write({
      'flags.yaml': files('Checkout')['flags.yaml']?.replace('] }', '], payloads: { "true": 0x1F } }') ?? '',
    })
    expect((await own.vexil('plan -e staging')).stderr).toContain('1 warning: vexil validate')
    const replica = reconcile('--mode', 'report', '-e', 'staging')
    await until(messages).toEqual(['staging drift begun'])
    expect(hook.received[0]).toMatchObject({ objects: 1, place: `project 1, ${service.url}` })
    const url = await replica.url()
    const metrics = async () => (await fetch(`${url}/metrics`)).text()
    await until(metrics).toContain('vexil_environment_state{environment="staging",state="drift"} 1')
    expect(await metrics()).toContain('vexil_drift_objects{environment="staging"} 1')
    expect(await metrics()).toContain('vexil_store_up 1')
    const health = await fetch(`${url}/healthz`)
    expect([health.status, await health.json()]).toMatchObject([200, { status: 'ok', store: 'up' }])
    expect(await names(1)).toEqual([])
    expect((await own.vexil('apply --env staging --auto-approve')).code).toBe(0)
    await until(messages).toEqual(['staging drift begun', 'staging drift ended'])
    expect(await replica.stop()).toBe(0)
    expect(replica.stderr).not.toContain('1 warning')
    expect(JSON.parse((await own.vexil('history --all --json')).stdout).states).toMatchObject([
      { environment: 'staging', state: 'drift', ended_at: expect.any(String) },
    ])
  })

  it('applies again and again, keeps held edits, and goes on beside an environment that fails', async () => {
    const replica = reconcile('--mode', 'apply', '-e', 'staging', '-e', 'other')
    await until(() => names(1)).toEqual(['Checkout'])
    await own.edit('checkout', { name: 'Edited', active: false })
    await until(() => own.flag('checkout')).toMatchObject({ name: 'Checkout', active: false })
    await until(messages).toEqual(expect.arrayContaining(['other failed begun', 'staging drift begun']))
    expect(hook.received.find(({ state }) => state === 'failed')).toMatchObject({
      reason: 'this environment takes its key from OTHER_KEY, which is not set (nor is OTHER_KEY_FILE)',
    })
    const runs = async () => JSON.parse((await own.vexil('history --json')).stdout).runs.length
    const before = await runs()
    const reconciled = (replica.stderr.match(/staging: drift/g) ?? []).length
    await until(() => (replica.stderr.match(/staging: drift/g) ?? []).length).toBeGreaterThan(reconciled + 2)
    // A run that changes nothing adds no record.
    expect(await runs()).toBe(before)
    expect(new Set(messages()).size).toBe(messages().length)
    expect(await replica.stop()).toBe(0)
  })

  it('reports a failure between the plan and the first change', async () => {
    reconcile('--mode', 'apply', '-e', 'staging')
    await until(() => names(1)).toEqual(['Checkout'])
    await refuseRuns()
    await own.write(files('Newer'))
    await until(messages).toEqual(['staging failed begun', 'staging drift begun'])
    expect(hook.received[0]?.reason).toContain('refusing to write: the store failed')
  })

  it('reports a conflict once, and it blocks nothing else', async () => {
    reconcile('--mode', 'apply', '-e', 'staging')
    await until(() => names(1)).toEqual(['Checkout'])
    await running.pop()?.stop()
    const edited = { groups: [{ properties: [], rollout_percentage: 50 }] }
    await own.edit('checkout', { filters: edited })
    await own.write(files('Renamed', 20))
    await commit('Roll out')
    reconcile('--mode', 'apply', '-e', 'staging')
    await until(messages).toContain('staging conflict begun')
    // Only the field that both changed is blocked.
    await until(() => own.flag('checkout')).toMatchObject({ name: 'Renamed', filters: edited })
    expect(messages().filter(message => message === 'staging conflict begun')).toHaveLength(1)
  })

  it('reports a mistake in the files, and goes on when it is mended', async () => {
    const replica = reconcile('--mode', 'apply', '-e', 'staging')
    await until(() => names(1)).toEqual(['Checkout'])
    await own.write({ ...files('Newer'), 'vexil.yaml': `${files('Newer')['vexil.yaml']}unknown: true\n` })
    await until(messages).toEqual(['staging failed begun'])
    await until(() => replica.stderr).toMatch(/^(?!staging).*vexil\.yaml:5:1.*"unknown" is not a setting/m)
    await own.write(files('Newer'))
    await until(() => names(1)).toEqual(['Newer'])
    await until(messages).toEqual(['staging failed begun', 'staging failed ended'])
  })

  it('tries a job again whose result could not be noted', async () => {
    reconcile('--mode', 'report', '-e', 'staging')
    await until(messages).toEqual(['staging drift begun'])
    const inStore = (text: string) => postgres.run(env.VEXIL_STORE ?? '', text)
    await inStore('alter table vexil.states add constraint refused check (ended_at is null)')
    expect(await own.vexil('apply -e staging --auto-approve')).toMatchObject({ code: 0 })
    await until(() => inStore(`select 1 from vexil_jobs.job where state = 'retry'`)).not.toEqual([])
    await inStore('alter table vexil.states drop constraint refused')
    await until(messages).toEqual(['staging drift begun', 'staging drift ended'])
  })

  it('ends the states of an environment that is removed', async () => {
    reconcile('--mode', 'report')
    await until(messages).toEqual(expect.arrayContaining(['staging drift begun', 'other failed begun']))
    const { 'vexil.yaml': settings = '', ...others } = files('Checkout')
    await own.write({ ...others, 'vexil.yaml': settings.replace(/, other: .*\} \}/, ' }') })
    await until(messages).toContain('other failed ended')
    expect(messages()).not.toContain('staging drift ended')
  })

  it('takes each environment from its revision of a git address', async () => {
    await git(own.path, 'branch', 'released')
    await own.write(files('Newer'))
    await commit('Rename')
    const remote = `file://${own.path}`
    const replica = reconcile('--mode', 'apply', '-e', 'staging', '-e', 'production', '--repo', remote)
    await until(() => names(1)).toEqual(['Newer'])
    await until(() => names(2)).toEqual(['Checkout'])
    await git(own.path, 'branch', '--force', 'released', 'main')
    await until(() => names(2)).toEqual(['Newer'])
    expect(await replica.stop()).toBe(0)
  })

  it('refuses an environment at the place of another one', async () => {
    const { 'vexil.yaml': settings = '', ...others } = files('Checkout')
    await own.write({ ...others, 'vexil.yaml': settings.replace('project: "3"', 'project: "1"') })
    reconcile('--mode', 'apply', '-e', 'staging', '-e', 'other')
    await until(messages).toEqual(['other failed begun'])
    expect(hook.received[0]?.reason).toContain('it is the same place as "staging"')
    await until(() => names(1)).toEqual(['Checkout'])
  })

  it('uses its store for a revision whose settings have none', async () => {
    await git(own.path, 'branch', 'released')
    const { 'vexil.yaml': settings = '' } = files('Checkout')
    await own.write({ 'vexil.yaml': `${settings}store: "${env.VEXIL_STORE}"\n` })
    await commit('Share')
    delete env.VEXIL_STORE
    const replica = reconcile('--mode', 'apply', '-e', 'production', '--repo', `file://${own.path}`)
    await until(() => replica.stderr).toContain('production: as declared')
    expect(JSON.parse((await own.vexil('history --all --json')).stdout).runs).toHaveLength(1)
  })

  it('hides no word that is only the user of SSH', async () => {
    const address = 'ssh://checkout@git.example.com/flags.git'
    env.GIT_CONFIG_COUNT = '1'
    env.GIT_CONFIG_KEY_0 = `url.file://${own.path}.insteadOf`
    env.GIT_CONFIG_VALUE_0 = address
    reconcile('--mode', 'apply', '-e', 'staging', '--repo', address)
    await until(() => names(1)).toEqual(['Checkout'])
  })

  it('reports a revision that does not exist as a failure', async () => {
    reconcile('--mode', 'apply', '-e', 'production', '--repo', `file://${own.path}`)
    await until(messages).toEqual(['production failed begun'])
    expect(hook.received[0]?.reason).toContain('"released" is not a branch, a tag or a commit')
    await git(own.path, 'branch', 'released')
    await until(messages).toEqual(['production failed begun', 'production failed ended'])
    expect(await names(2)).toEqual(['Checkout'])
  })

  it('needs the address of the webhook before it begins', async () => {
    const { FLEET_HOOK: _, ...without } = env
    expect(await own.vexil('reconcile --every 1s', { env: without })).toMatchObject({
      code: 1,
      stderr: 'vexil: "notify" takes its address from FLEET_HOOK, which is not set\n',
    })
  })

  it('never has two jobs of one key at the same time', async () => {
    const words = ['--mode', 'apply', '-e', 'staging', '-e', 'production']
    const replicas = [reconcile(...words), reconcile(...words)]
    await until(() => names(1)).toEqual(['Checkout'])
    await until(() => names(2)).toEqual(['Checkout'])
    await until(() => replicas.map(({ stderr }) => (stderr.match(/as declared/g) ?? []).length > 2)).toEqual([
      true,
      true,
    ])
    for (const replica of running.splice(0)) await replica.stop()
    expect(mostOfAKey).toBe(1)
  })

  it('shares jobs only with replicas that would do the same', async () => {
    const report = reconcile('--mode', 'report', '-e', 'production')
    const apply = reconcile('--mode', 'apply', '-e', 'staging')
    await until(() => names(1)).toEqual(['Checkout'])
    await until(() =>
      [report, apply].map(({ stderr }) => (stderr.match(/requests?$/gm) ?? []).length > 2),
    ).toEqual([true, true])
    expect(await names(2)).toEqual([])
    expect([report.stderr, apply.stderr].map(text => text.match(/^(staging|production)(?=:)/gm))).toEqual([
      expect.not.arrayContaining(['staging']),
      expect.not.arrayContaining(['production']),
    ])
  })

  it('is one fleet for each folder of a repository, however it is named', async () => {
    await own.write({ 'a/vexil.yaml': '', 'b/vexil.yaml': '' })
    await git(own.path, 'remote', 'add', 'origin', 'https://git.example.com/flags.git')
    const fleetOf = async (folder: string, chdir?: string) => {
      // It needs no more of the host.
      const host = { directory: join(own.path, folder), env: gitEnv } as unknown as Host
      return (await openSource(host, { ...(chdir !== undefined && { chdir }) }, AbortSignal.any([]))).fleet
    }
    const [top, a] = [await fleetOf('.'), await fleetOf('a')]
    expect([await fleetOf('.', 'a'), await fleetOf('b', '../a')]).toEqual([a, a])
    expect(new Set([top, a, await fleetOf('b')]).size).toBe(3)
  })

  it('ends a plan that waits for its pace at a signal', async () => {
    const replica = reconcile('-e', 'staging')
    await until(() => replica.stderr).toContain('staging: drift')
    const pause = `insert into vexil.pace_pauses select distinct key, now() + interval '1 day' from vexil.pace`
    await postgres.run(env.VEXIL_STORE ?? '', pause)
    const begun = `select 1 from vexil_jobs.job where state = 'active'
      and started_on > (select until from vexil.pace_pauses) - interval '1 day'`
    await until(() => postgres.run(env.VEXIL_STORE ?? '', begun)).toHaveLength(1)
    expect(await replica.stop()).toBe(0)
    expect(messages()).toEqual(['staging drift begun'])
  })

  it('ends a job that its signal meets before the first request', async () => {
    const command = '[sh, -c, "touch begun; sleep 2; echo $VEXIL_API_KEY"]'
    const { 'vexil.yaml': settings = '', ...others } = files('Checkout')
    await own.write({
      ...others,
      'vexil.yaml': settings.replace('api_key_env: OTHER_KEY', `api_key_command: ${command}`),
    })
    const replica = reconcile('--mode', 'apply', '-e', 'other')
    await until(() => isThere(join(own.path, 'begun'))).toBe(true)
    expect(await replica.stop()).toBe(0)
    expect(await names(3)).toEqual([])
    expect(messages()).toEqual([])
  })

  it('makes a trace of each job, if somebody collects them', async () => {
    const exporter = new InMemorySpanExporter()
    new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register()
    try {
      reconcile('--mode', 'report', '-e', 'staging')
      const jobs = () => exporter.getFinishedSpans().filter(({ name }) => name === 'reconcile')
      await until(() => jobs().length).toBeGreaterThan(1)
      expect(jobs()[0]?.parentSpanContext).toBeUndefined()
      expect(jobs()[0]?.attributes).toMatchObject({ 'vexil.environment': 'staging', 'vexil.result': 'drift' })
      expect(new Set(jobs().map(span => span.spanContext().traceId)).size).toBe(jobs().length)
      await running.pop()?.stop()
    } finally {
      trace.disable()
      context.disable()
      propagation.disable()
    }
  })

  it('ends without an error at a signal during its first clone', async () => {
    const folder = join(own.path, 'bin')
    await own.write({ 'bin/git': '#!/bin/sh\n: > "$0.begun"\nexec sleep 60\n' })
    await chmod(join(folder, 'git'), 0o755)
    env.PATH = `${folder}:${env.PATH}`
    const replica = reconcile('--repo', `file://${own.path}`)
    await until(() => isThere(join(folder, 'git.begun'))).toBe(true)
    expect([await replica.stop(), replica.stderr]).toEqual([
      0,
      'stopping: no new jobs, and running requests end\n',
    ])
  })

  it('needs a store, and says so', async () => {
    const { VEXIL_STORE: _, ...without } = env
    const { code, stderr } = await own.vexil('reconcile --every 1s', { env: without })
    expect([code, stderr]).toEqual([
      64,
      'vexil: reconcile needs a shared store; set `store` in vexil.yaml or VEXIL_STORE\n',
    ])
  })

  it.each([
    ['--every 0s', '--every takes a time such as 30s, 5m or 1h, up to 24h; not "0s"'],
    ['--every 5', '--every takes a time such as 30s, 5m or 1h, up to 24h; not "5"'],
    ['--jobs 0', '--jobs takes a number from 1 to 99, not "0"'],
    ['--revision main', '--revision is for --repo'],
    ['-e missing', '"missing" is not an environment; there are: staging, production and other'],
    ['--shard 3/2', '--shard takes a part and the number of parts, such as 2/8; not "3/2"'],
  ])('refuses %s', async (words, message) => {
    expect(await own.vexil(`reconcile ${words}`)).toMatchObject({ code: 64, stderr: `vexil: ${message}\n` })
  })
})
