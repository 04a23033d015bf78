import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath, env as ownEnv } from 'node:process'
import { createInterface } from 'node:readline'
import { realRuntime } from '../../src/core/real-runtime.ts'
import { openStore } from '../../src/fleet/index.ts'
import type { WorldFile } from '../../src/sandbox/index.ts'
import { git, gitEnv } from '../git/repository.ts'
import { built } from '../support/built.ts'
import { writeFiles } from '../support/folder.ts'
import { type Service, startService } from '../support/service.ts'
import { type Postgres, startPostgres } from './postgres.ts'
import { startWebhook, type Webhook } from './webhook.ts'

/**
 * A fleet as in production: a PostgreSQL, a git remote, a service with a project for each environment, and replicas of
 * the built program. It is disturbed from outside, and then compared with what was declared and edited.
 */

export interface FleetSize {
  readonly environments: number
  readonly organizations: number
  readonly keys: number
  readonly flags: number
  readonly replicas: number
  /** Of `--every`. */
  readonly every: string
  readonly jobs: number
}

export interface Disturbances {
  kills: number
  stops: number
  databaseCrashes: number
  edits: number
  commits: number
}

export interface Judgement {
  /** Declared values that are not live, and objects that somebody's edit lost. */
  readonly lost: readonly string[]
  /** Objects that exist twice, and messages for a change that was already reported. */
  readonly doubled: readonly string[]
  /** Held fields that were written. */
  readonly holdsBroken: readonly string[]
  /** Writes of replicas that no run in the store knows. */
  readonly unrecorded: readonly string[]
  readonly keyInStore: boolean
  readonly runs: number
  readonly writes: number
  readonly messages: number
}

/** The key of the person who edits in the product; replicas have those of other users. */
const apiKey = 'phx_canary_of_the_fleet'

export class FleetUnderLoad {
  readonly done: Disturbances = { kills: 0, stops: 0, databaseCrashes: 0, edits: 0, commits: 0 }
  readonly lines: string[] = []
  readonly size: FleetSize
  readonly #folder: string
  readonly #postgres: Postgres
  readonly #address: string
  readonly #service: Service
  readonly #hook: Webhook
  readonly #replicas: (ChildProcess | undefined)[]
  /** What each flag is to have, by environment: declared values, and held edits. */
  readonly #held = new Map<string, boolean>()
  readonly #extra = new Set<string>()
  readonly #writes: string[] = []
  readonly #broken: string[] = []
  #percentage = 10
  #onWrite: ((count: number) => void) | undefined

  private constructor(parts: {
    size: FleetSize
    folder: string
    postgres: Postgres
    address: string
    service: Service
    hook: Webhook
  }) {
    this.size = parts.size
    this.#folder = parts.folder
    this.#postgres = parts.postgres
    this.#address = parts.address
    this.#service = parts.service
    this.#hook = parts.hook
    this.#replicas = Array.from({ length: parts.size.replicas }, () => undefined)
  }

  static async start(size: FleetSize): Promise<FleetUnderLoad> {
    const folder = await mkdtemp(join(tmpdir(), 'vexil-fleet-'))
    const postgres = await startPostgres()
    let fleet: FleetUnderLoad | undefined
    const service = await startService({ seed: worldOf(size), apiKey }, handle => async request => {
      const write = request.method === 'GET' ? undefined : await fleet?.note(request.clone())
      const response = await handle(request)
      if (write !== undefined && response.ok) fleet?.written(write)
      return response
    })
    const address = await postgres.database()
    const hook = await startWebhook()
    fleet = new FleetUnderLoad({ size, folder, postgres, address, service, hook })
    await fleet.#makeRepository()
    return fleet
  }

  /** Starts all replicas that do not run. */
  startReplicas(): void {
    for (const index of this.#replicas.keys()) if (!this.#replicas[index]) this.startReplica(index)
  }

  startReplica(index: number): void {
    const { every, jobs } = this.size
    const words = [
      'reconcile',
      '--every',
      every,
      '--mode',
      'apply',
      '--jobs',
      String(jobs),
      '--listen',
      '127.0.0.1:0',
    ]
    const child = spawn(
      execPath,
      [
        ...[built('vexil.cjs'), ...words, '--repo', `file://${join(this.#folder, 'remote.git')}`],
        ...['--work-dir', join(this.#folder, `work-${index}`), '--log-format', 'json'],
      ],
      { cwd: this.#folder, env: this.#environment(), stdio: ['ignore', 'inherit', 'pipe'] },
    )
    if (child.stderr)
      createInterface({ input: child.stderr }).on('line', line => {
        this.lines.push(`${index} ${line}`)
        if (this.lines.length > 20_000) this.lines.splice(0, 10_000)
      })
    child.on('exit', (code, signal) => {
      if (code !== 0 && signal !== 'SIGKILL') this.lines.push(`${index} ended in ${code ?? signal}`)
      if (this.#replicas[index] === child) this.#replicas[index] = undefined
    })
    this.#replicas[index] = child
  }

  /** Kills a replica as a crash of its machine does. */
  async kill(index: number): Promise<void> {
    await this.#end(index, 'SIGKILL')
    this.done.kills += 1
  }

  /** Stops a replica as a supervisor does. Returns its exit code. */
  async stop(index: number): Promise<number | null | undefined> {
    const code = await this.#end(index, 'SIGTERM')
    this.done.stops += 1
    return code
  }

  async crashDatabase(pauseMs: number): Promise<void> {
    this.done.databaseCrashes += 1
    await this.#postgres.restart(pauseMs)
  }

  /** Calls back once after so many writes of replicas from now on. */
  afterWrites(count: number): Promise<void> {
    const from = this.#writes.length
    return new Promise(resolve => {
      this.#onWrite = total => {
        if (total - from < count) return
        this.#onWrite = undefined
        resolve()
      }
    })
  }

  /** One edit in the product: of a field that is reverted, of a held field, or a new flag that nobody declared. */
  async edit(kind: 'reverted' | 'held' | 'undeclared', project: number, flag: number): Promise<void> {
    const key = `flag_${flag}`
    this.done.edits += 1
    if (kind === 'undeclared') {
      const own = `by_hand_${this.done.edits}`
      await this.#send('POST', `/api/projects/${project}/feature_flags/`, { key: own, name: 'By hand' })
      this.#extra.add(`${project} ${own}`)
      return
    }
    const live = (await this.#flags(project)).find(each => each.key === key)
    if (!live) return
    const path = `/api/projects/${project}/feature_flags/${live.id}/`
    if (kind === 'reverted')
      return void (await this.#send('PATCH', path, { name: `Edited ${this.done.edits}` }))
    this.#held.set(`${project} ${key}`, !live.active)
    await this.#send('PATCH', path, { active: !live.active })
  }

  /** A commit that changes a declared value of each environment. */
  async commit(): Promise<void> {
    this.#percentage = (this.#percentage % 90) + 5
    this.done.commits += 1
    const desk = join(this.#folder, 'desk')
    await writeFiles(desk, { 'flags.yaml': declarations(this.size, this.#percentage) })
    await git(desk, 'commit', '--quiet', '--all', '--message', `Roll out to ${this.#percentage}`)
    await git(desk, 'push', '--quiet', 'origin', 'HEAD:main')
  }

  /** What is not as it is to be, now, in no more than so many projects. Empty when everything is as declared. */
  async differences(most = Number.POSITIVE_INFINITY): Promise<string[]> {
    const found: string[] = []
    for (let project = this.size.environments; project >= 1; project--) {
      if (found.length >= most) return found
      const live = new Map((await this.#flags(project)).map(flag => [flag.key, flag]))
      for (let number = 1; number <= this.size.flags; number++) {
        const key = `flag_${number}`
        const flag = live.get(key)
        if (!flag) found.push(`${project} ${key} is missing`)
        else if (flag.name !== `Flag ${number}`) found.push(`${project} ${key} is named "${flag.name}"`)
        else if (flag.filters.groups[0]?.rollout_percentage !== this.#percentage)
          found.push(`${project} ${key} is at ${flag.filters.groups[0]?.rollout_percentage}`)
        const active = this.#held.get(`${project} ${key}`) ?? true
        if (flag && flag.active !== active) found.push(`${project} ${key} is ${flag.active ? 'on' : 'off'}`)
      }
    }
    for (const each of this.#extra) {
      const [project = '', key] = each.split(' ')
      const flag = (await this.#flags(Number(project))).find(live => live.key === key)
      if (!flag || flag.deleted) found.push(`${each} is gone`)
    }
    return found
  }

  /** Waits until everything is as declared, or until the limit. */
  async settled(limitMs: number): Promise<readonly string[]> {
    const until = Date.now() + limitMs
    for (;;) {
      const left = await this.differences(1)
      if (left.length === 0 || Date.now() > until) return left
      await realRuntime.sleep(500)
    }
  }

  async judge(): Promise<Judgement> {
    const store = await openStore({ address: this.#address, runtime: realRuntime })
    try {
      const texts = await store.runs.newest(100_000, undefined)
      const known = new Set<string>()
      for (const { text } of texts)
        for (const [, key] of text.matchAll(/"(?:feature_flag|plugin)\.(\w+)"/g)) known.add(key ?? '')
      const tables = ['declared', 'journal_lines', 'locks', 'pace', 'pace_pauses', 'runs', 'states']
      const rows = await Promise.all(tables.map(name => store.database.query(`select * from vexil.${name}`)))
      const jobs = await store.database.query('select data, output from vexil_jobs.job')
      return {
        lost: await this.differences(),
        doubled: [...(await this.#doubled()), ...this.#doubledMessages()],
        holdsBroken: this.#broken,
        unrecorded: [...new Set(this.#writes)].filter(key => !known.has(key)),
        keyInStore: JSON.stringify([rows, jobs]).includes(apiKey),
        runs: texts.length,
        writes: this.#writes.length,
        messages: this.#hook.received.length,
      }
    } finally {
      await store.close()
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#replicas.map((_, index) => this.#end(index, 'SIGKILL')))
    this.#hook.close()
    await this.#service.close()
    await this.#postgres.stop()
    await rm(this.#folder, { recursive: true, force: true })
  }

  /** Looks at a write of a replica before the service does it. Returns the key of its object. */
  async note(request: Request): Promise<string | undefined> {
    if (request.headers.get('authorization') === `Bearer ${apiKey}`) return undefined
    const body = (await request.json().catch(() => ({}))) as { key?: string; name?: string; active?: boolean }
    const { pathname } = new URL(request.url)
    const [, project, id] = /\/projects\/(\d+)\/feature_flags\/(\d+)/.exec(pathname) ?? []
    if (id === undefined) return body.key ?? body.name
    const key = (await this.#flags(Number(project))).find(flag => flag.id === Number(id))?.key ?? id
    const held = this.#held.get(`${project} ${key}`)
    if (held !== undefined && body.active !== undefined && body.active !== held)
      this.#broken.push(`${project} ${key}`)
    return key
  }

  written(key: string): void {
    this.#writes.push(key)
    this.#onWrite?.(this.#writes.length)
  }

  async #doubled(): Promise<string[]> {
    const doubled: string[] = []
    for (let number = 1; number <= this.size.organizations; number++) {
      const { results } = (await this.#send(
        'GET',
        `/api/organizations/${organizationId(number)}/plugins/`,
      )) as {
        results: readonly { name: string }[]
      }
      const geo = results.filter(({ name }) => name === 'geoip')
      if (geo.length !== 1) doubled.push(`organization ${number} has ${geo.length} plugins geoip`)
    }
    for (let project = 1; project <= this.size.environments; project++) {
      const keys = (await this.#flags(project)).map(({ key }) => key)
      if (new Set(keys).size !== keys.length) doubled.push(`project ${project} has a flag twice`)
    }
    return doubled
  }

  /** A state that begins twice without an end between. */
  #doubledMessages(): string[] {
    const last = new Map<string, string>()
    return this.#hook.received.flatMap(({ environment, state, is }) => {
      const name = `${environment} ${state}`
      const before = last.get(name)
      last.set(name, is)
      return before === is ? [`${name} ${is} was reported twice`] : []
    })
  }

  async #end(index: number, signal: NodeJS.Signals): Promise<number | null | undefined> {
    const child = this.#replicas[index]
    this.#replicas[index] = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return undefined
    const ended = once(child, 'exit')
    child.kill(signal)
    const [code] = await ended
    return code
  }

  async #flags(project: number): Promise<readonly LiveFlag[]> {
    const { results } = (await this.#send('GET', `/api/projects/${project}/feature_flags/?limit=1000`)) as {
      results: readonly LiveFlag[]
    }
    return results
  }

  #send(method: string, path: string, body?: object): Promise<unknown> {
    return this.#service.send(method, path, body)
  }

  #environment(): NodeJS.ProcessEnv {
    const keys = Array.from({ length: this.size.keys }, (_, at) => [
      `VEXIL_KEY_${at}`,
      `${apiKey}_user_${at + 2}`,
    ])
    const { PATH, HOME, TMPDIR } = ownEnv
    return {
      ...gitEnv,
      PATH,
      HOME,
      TMPDIR,
      VEXIL_STORE: this.#address,
      FLEET_HOOK: this.#hook.url,
      ...Object.fromEntries(keys),
    }
  }

  async #makeRepository(): Promise<void> {
    const { environments, organizations, keys } = this.size
    const remote = join(this.#folder, 'remote.git')
    const desk = join(this.#folder, 'desk')
    await git(this.#folder, 'init', '--quiet', '--bare', '--initial-branch=main', remote)
    await git(this.#folder, 'clone', '--quiet', remote, desk)
    const rows = Array.from({ length: environments }, (_, at) =>
      [
        `project-${at + 1}`,
        this.#service.url,
        at + 1,
        organizationId((at % organizations) + 1),
        `VEXIL_KEY_${at % keys}`,
      ].join(),
    )
    await writeFiles(desk, {
      'vexil.yaml': `version: 1
environments_from: environments.csv
live_edits: { default: revert, active: hold }
notify: { url_env: FLEET_HOOK, on: [drift, conflict, failed] }
`,
      'environments.csv': `name,base_url,project,organization,api_key_env\n${rows.join('\n')}\n`,
      'flags.yaml': declarations(this.size, this.#percentage),
      '.gitignore': '.vexil/\n',
    })
    await git(desk, 'add', '--all')
    await git(desk, 'commit', '--quiet', '--message', 'Declare')
    await git(desk, 'push', '--quiet', 'origin', 'HEAD:main')
  }
}

interface LiveFlag {
  readonly id: number
  readonly key: string
  readonly name: string
  readonly active: boolean
  readonly deleted: boolean
  readonly filters: { readonly groups: readonly { readonly rollout_percentage?: number }[] }
}

function organizationId(number: number): string {
  return `01900000-0000-0000-0000-${String(number).padStart(12, '0')}`
}

function declarations({ flags }: FleetSize, percentage: number): string {
  const rows = Array.from(
    { length: flags },
    (_, at) =>
      `  flag_${at + 1}: { name: Flag ${at + 1}, active: true, filters: { groups: [ { rollout_percentage: ${percentage} } ] } }`,
  )
  return `feature_flags:\n${rows.join('\n')}\nplugins:\n  geoip: { plugin_type: source, description: Adds the country }\n`
}

function worldOf({ environments, organizations, keys }: FleetSize): WorldFile {
  const projects = Array.from({ length: environments }, (_, at) => ({
    id: at + 1,
    name: `Project ${at + 1}`,
  }))
  return {
    users: Array.from({ length: keys + 2 }, (_, at) => ({ id: at + 1, email: `user-${at + 1}@example.com` })),
    organizations: Array.from({ length: organizations }, (_, at) => ({
      id: organizationId(at + 1),
      name: `Organization ${at + 1}`,
      projects: projects.filter(({ id }) => (id - 1) % organizations === at),
    })),
  } as WorldFile
}
