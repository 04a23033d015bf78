import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { realRuntime } from '../../src/core/real-runtime.ts'
import { openStore, paceKey } from '../../src/fleet/index.ts'
import { type Postgres, startPostgres } from '../fleet/postgres.ts'
import { benchFlag, benchOrganization, writeRepository } from './repository.ts'
import { type StandIn, settingsOf, startStandIn } from './stand-in.ts'

/** What one reconciliation of one environment takes in a running replica. */
export interface ReconcileCost {
  readonly reads: number
  readonly writes: number
  readonly cpuMs: number
  /** Statements on the database, without those of the queue. */
  readonly statements: number
  /** How long the database works for them. */
  readonly databaseMs: number
  /** By how much the tables of runs grow. */
  readonly keptKb: number
}

export interface ReplicaCosts {
  readonly first: ReconcileCost
  readonly unchanged: ReconcileCost
  readonly changed: ReconcileCost
  /** The memory of a replica before its first job, and its peaks with one job and with `atOnce` jobs. */
  readonly memoryMb: { readonly idle: number; readonly one: number; readonly all: number }
  /** How long the database works for one statement of the queue or of the pace. */
  readonly statementMs: StatementMs
  /** The CPU of a replica for a job whose key is in use, among `environments` environments. */
  readonly refusedCpuMs: number
}

type StatementMs = Readonly<Record<'next' | 'idle' | 'add' | 'pace' | 'ended', number>>

/** Jobs of a replica at the same time. */
export const atOnce = 4

const vexil = join(import.meta.dirname, '../../dist/vexil.cjs')

/**
 * Runs the built program as a replica, against a sandbox and a real PostgreSQL and without limits of the service: a
 * first write of environments with `flags` flags each, unchanged runs, and a run after a commit that changes 1 %.
 */
export async function measureReconciling(
  folder: string,
  environments: number,
  flags: number,
): Promise<ReplicaCosts> {
  const postgres = await startPostgres({ shared_preload_libraries: 'pg_stat_statements' })
  const world = join(folder, 'fleet.json')
  const ids = idsTo(atOnce + 1)
  const projects = ids.map(id => ({ id, name: `Bench ${id}` }))
  const users = ids.map(id => ({ id, email: `user-${id}@example.com` }))
  const organizations = [{ id: benchOrganization, name: 'Bench', projects }]
  await writeFile(world, JSON.stringify({ users, organizations }))
  const standIn = await startStandIn('--world', world)
  try {
    const address = await postgres.database()
    await postgres.run(address, 'create extension pg_stat_statements')
    const place: Place = {
      directory: join(folder, 'fleet'),
      address,
      postgres,
      standIn,
      environments: Math.max(environments, ids.length),
    }
    await writeRepository(place.directory, flags)
    const single = await Replica.start(place, [ids.length])
    await single.round()
    const { peakMb: one } = await single.stop()

    const replica = await Replica.start(place, ids.slice(0, atOnce))
    const first = await replica.round()
    // The code is compiled by now, and a second unchanged run is not recorded.
    await replica.round()
    const unchanged = await replica.round()
    await writeRepository(place.directory, flags, index =>
      benchFlag(index, (index + (index % 100 === 0 ? 50 : 0)) % 101),
    )
    // `writeRepository` writes its own settings too.
    await writeSettings(place)
    const changed = await replica.round()
    const { peakMb: all } = await replica.stop()
    const { refusedCpuMs, statementMs } = await measureRefusals(place)
    return {
      ...{ first: first.cost, unchanged: unchanged.cost, changed: changed.cost },
      memoryMb: { idle: replica.idleMb, one, all },
      // A queue that is full, and one that is nearly empty.
      statementMs: { ...statementMs, idle: first.statementMs.next, pace: first.statementMs.pace },
      refusedCpuMs,
    }
  } finally {
    await standIn.stop()
    await postgres.stop()
  }
}

/** All environments wait for one key, which somebody else uses. */
async function measureRefusals(place: Place) {
  const { address, standIn } = place
  const store = await openStore({ address, runtime: realRuntime })
  try {
    const owner = {
      id: 'bench',
      user: 'bench',
      host: 'bench',
      system: 'bench',
      pid: 1,
      command: 'apply',
      since: 0,
    }
    await store.locks.acquire(`key ${paceKey(standIn.url, standIn.key)}`, owner)
    const replica = await Replica.start(place, idsTo(place.environments), true)
    try {
      await sleep(4_000)
      return await replica.refusals(10_000)
    } finally {
      await replica.stop()
    }
  } finally {
    await store.close()
  }
}

interface Place {
  readonly directory: string
  readonly address: string
  readonly postgres: Postgres
  readonly standIn: StandIn
  /** How many vexil.yaml declares. */
  readonly environments: number
}

/** The built program, with as many jobs at the same time as it has environments. */
class Replica {
  readonly projects: readonly number[]
  readonly #place: Place
  readonly #child: ChildProcess
  readonly #lines: string[] = []
  #metrics = ''
  #rounds = 0
  idleMb = 0

  private constructor(place: Place, projects: readonly number[], child: ChildProcess) {
    this.#place = place
    this.projects = projects
    this.#child = child
    createInterface({ input: child.stderr as Readable }).on('line', line => this.#lines.push(line))
  }

  static async start(place: Place, projects: readonly number[], hasOneKey = false): Promise<Replica> {
    const { directory, address, standIn } = place
    await writeSettings(place, hasOneKey)
    await place.postgres.run(address, removeJobs)
    const { VEXIL_PROJECT_ID: _, VEXIL_API_KEY: __, ...env } = settingsOf(standIn, 8)
    const keys = projects.map(id => [`KEY_${id}`, id === 1 ? standIn.key : `${standIn.key}_user_${id}`])
    const options = ['--every', '24h', '--mode', 'apply', '--jobs', String(Math.min(atOnce, projects.length))]
    if (!hasOneKey) for (const id of projects) options.push('--env', `env-${id}`)
    const child = spawn(process.execPath, [vexil, 'reconcile', ...options, '--listen', '127.0.0.1:0'], {
      cwd: directory,
      env: { ...process.env, ...env, ...Object.fromEntries(keys), VEXIL_STORE: address },
      stdio: ['ignore', 'inherit', 'pipe'],
    })
    const replica = new Replica(place, projects, child)
    const line = await replica.#line(/^reconciling/, 0)
    replica.#metrics = /http\S+\/metrics/.exec(line)?.[0] ?? ''
    replica.idleMb = (await usageOf(child.pid)).nowMb
    return replica
  }

  /** Waits until each environment is reconciled once more. */
  async round(): Promise<{ readonly cost: ReconcileCost; readonly statementMs: StatementMs }> {
    const { postgres, address, standIn } = this.#place
    const from = this.#lines.length
    await standIn.resetRequests()
    await postgres.run(address, 'select pg_stat_statements_reset()')
    const [keptBefore, before] = [await keptKb(this.#place), await usageOf(this.#child.pid)]
    if (this.#rounds++ > 0) await postgres.run(address, addAgain)
    for (const id of this.projects) await this.#line(new RegExp(`^env-${id}: as declared`), from)
    const after = await usageOf(this.#child.pid)
    await this.#idle()
    const ended = this.#lines.slice(from).filter(line => /: [\w ]+, \d+ requests/.test(line))
    if (ended.length !== this.projects.length)
      throw new Error(`not one run for each environment: ${ended.join('\n')}`)
    const statements = await statementsOf(this.#place)
    const requests = Object.entries(await standIn.requestsByTemplate())
    const each = (total: number) => total / this.projects.length
    const sent = (isWanted: (template: string) => boolean) =>
      each(requests.filter(([name]) => isWanted(name)).reduce((sum, [, count]) => sum + count, 0))
    const own = statements.of(isOfRun)
    return {
      cost: {
        reads: sent(name => name.startsWith('GET')),
        writes: sent(name => !name.startsWith('GET')),
        cpuMs: each(after.cpuMs - before.cpuMs),
        statements: each(own.calls),
        databaseMs: each(own.ms),
        keptKb: each((await keptKb(this.#place)) - keptBefore),
      },
      statementMs: statements.meanMs,
    }
  }

  /** Lets time pass in which all jobs are postponed. */
  async refusals(ms: number): Promise<Pick<ReplicaCosts, 'refusedCpuMs' | 'statementMs'>> {
    const [before, countBefore] = [await usageOf(this.#child.pid), await this.#postponed()]
    await sleep(ms)
    const [after, count] = [await usageOf(this.#child.pid), await this.#postponed()]
    if (count === countBefore) throw new Error('no job was postponed')
    return {
      refusedCpuMs: (after.cpuMs - before.cpuMs) / (count - countBefore),
      statementMs: (await statementsOf(this.#place)).meanMs,
    }
  }

  async #postponed(): Promise<number> {
    const text = await (await fetch(this.#metrics)).text()
    const counts = text.matchAll(/^vexil_reconcile_postponed_total\{.*\} (\d+)$/gm)
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
  }

  async stop(): Promise<{ readonly peakMb: number }> {
    const { peakMb } = await usageOf(this.#child.pid)
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    this.#child.stderr?.resume()
    await ended
    return { peakMb }
  }

  /** Waits until all jobs are noted as done. */
  async #idle(): Promise<void> {
    const { postgres, address } = this.#place
    const unfinished = `select 1 from vexil_jobs.job where state < 'completed'`
    while ((await postgres.run(address, unfinished)).length > 0) await sleep(20)
  }

  async #line(pattern: RegExp, from: number): Promise<string> {
    for (;;) {
      const found = this.#lines.slice(from).find(line => pattern.test(line))
      if (found !== undefined) return found
      if (this.#child.exitCode !== null) throw new Error(`the replica ended: ${this.#lines.join('\n')}`)
      await sleep(20)
    }
  }
}

/** Every job of the last round waits again. */
const addAgain = `update vexil_jobs.job
  set state = 'created', started_on = null, completed_on = null, created_on = now(), start_after = now()
  where state = 'completed'`

const removeJobs = `do $$ begin
  if to_regclass('vexil_jobs.job') is not null then delete from vexil_jobs.job; end if;
end $$`

function writeSettings({ directory, environments }: Place, hasOneKey = false): Promise<void> {
  const rows = idsTo(environments).map(
    id => `  env-${id}: { project: ${id}, api_key_env: KEY_${hasOneKey ? 1 : id} }\n`,
  )
  const pace = 'pace: { per_minute: 1000000, per_hour: 1000000 }'
  return writeFile(join(directory, 'vexil.yaml'), `version: 1\n${pace}\nenvironments:\n${rows.join('')}`)
}

const idsTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1)

/** The statements since the last reset. */
async function statementsOf({ postgres, address }: Place) {
  const rows = await postgres.run(
    address,
    `select query, calls::float, total_exec_time as ms from pg_stat_statements
     where dbid = (select oid from pg_database where datname = current_database())`,
  )
  const of = (isWanted: (query: string) => boolean) => {
    const found = rows.filter(({ query }) => isWanted(String(query)))
    const sum = (name: 'calls' | 'ms') => found.reduce((total, row) => total + Number(row[name]), 0)
    return { calls: sum('calls'), ms: sum('ms') }
  }
  const mean = (pattern: RegExp) => {
    const { calls, ms } = of(query => pattern.test(query))
    return calls === 0 ? 0 : ms / calls
  }
  const meanMs: StatementMs = {
    next: mean(/with next as/i),
    idle: mean(/with next as/i),
    add: mean(/json_to_recordset/),
    pace: mean(/take_requests/),
    ended: mean(/with results as/i),
  }
  return { of, meanMs }
}

/** Whether a statement belongs to a reconciliation: not to the queue, a start or an idle replica. */
function isOfRun(query: string): boolean {
  return !/vexil_jobs|pg_stat|set seen_at|^set |vexil\.version|to_regclass|create |migrat/i.test(query)
}

async function keptKb({ postgres, address }: Place): Promise<number> {
  const [row] = await postgres.run(
    address,
    `select coalesce(sum(pg_total_relation_size(c.oid)), 0)::float / 1024 as kb from pg_class c
     where c.relnamespace = to_regnamespace('vexil') and c.relname in ('runs', 'declared')`,
  )
  return Number(row?.kb)
}

interface Usage {
  readonly cpuMs: number
  readonly nowMb: number
  readonly peakMb: number
}

/** From the kernel of Linux. */
async function usageOf(processId: number | undefined): Promise<Usage> {
  const [stat, status] = await Promise.all(
    ['stat', 'status'].map(name => readFile(`/proc/${processId}/${name}`, 'utf8')),
  )
  // The name in brackets may have spaces. User and system time follow it, in hundredths of a second.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? []
  const mb = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status ?? '')?.[1]) / 1024
  return { cpuMs: (Number(fields[11]) + Number(fields[12])) * 10, nowMb: mb('VmRSS'), peakMb: mb('VmHWM') }
}
