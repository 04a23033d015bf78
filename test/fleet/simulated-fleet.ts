import { setMaxListeners } from 'node:events'
import type { Host } from '../../src/cli/host/host.ts'
import { Fleet } from '../../src/cli/plan/fleet.ts'
import type { Busy, Reconciled } from '../../src/cli/plan/reconcile-environment.ts'
import type { FleetMetrics } from '../../src/fleet/fleet-metrics.ts'
import type { Database, PaceLimits } from '../../src/fleet/index.ts'
import { StorePace } from '../../src/fleet/store-pace.ts'
import type { Runtime } from '../../src/model/runtime.ts'
import { MemoryJobs } from './memory-jobs.ts'
import { nothingSent, type SentRequests, takeRequests } from './pace-law.ts'
import { VirtualClock } from './virtual-clock.ts'

/** What one reconciliation takes. */
export interface RunCost {
  readonly reads: number
  readonly writes: number
  readonly cpuMs: number
  /** Statements on the database. */
  readonly statements: number
  readonly databaseMs: number
}

export interface SimulatedCosts {
  readonly first: RunCost
  readonly unchanged: RunCost
  readonly changed: RunCost
  /** What a replica does before it sees that a key is in use. */
  readonly refusedCpuMs: number
  /** Milliseconds of the database for one statement. `idle`: there is no job. */
  readonly statementMs: Readonly<Record<'next' | 'idle' | 'add' | 'pace' | 'ended', number>>
}

/**
 * | work        | begins                                       | ends                                     |
 * |-------------|----------------------------------------------|------------------------------------------|
 * | `unchanged` | after one interval                           | after `hours`                            |
 * | `changed`   | with a commit, 100 s after one interval      | when all environments have the commit    |
 * | `first`     | with the replicas                            | when all environments are written        |
 */
export type Work = 'unchanged' | 'changed' | 'first'

export interface SimulatedFleet {
  readonly work: Work
  readonly environments: number
  /** One key for each environment, or one for all. */
  readonly keys: 'each' | 'one'
  readonly replicas: number
  readonly jobs: number
  readonly everySeconds: number
  readonly limits: PaceLimits
  readonly roundTripMs: number
  readonly costs: SimulatedCosts
  readonly seed: number
  readonly hours?: number
  /** The simulation stops after so much virtual time, even if the work is not done. */
  readonly mostHours?: number
}

export interface SimulatedResult {
  /** Until each environment was done once. */
  readonly wallMs: number
  /** How many environments were not done when the simulation stopped. */
  readonly remaining: number
  /** The virtual time that the other figures are about. */
  readonly measuredMs: number
  readonly requests: number
  /** The most requests with one key within an hour. */
  readonly busiestKey: number
  /** From the moment that an environment needs a run until the run begins. */
  readonly longestWaitMs: number
  readonly medianWaitMs: number
  /** The run of the slowest environment / the run of the fastest one. */
  readonly slowestToFastest: number
  /** The fewest and the most runs of one environment. */
  readonly runs: readonly [number, number]
  readonly postponed: number
  /** Jobs of one replica that ran at the same time. */
  readonly mostAtOnce: number
  readonly statementsPerSecond: number
  /** Statements that only found nothing to do: no job, a key in use, no request allowed. */
  readonly idleStatementsPerSecond: number
  /** The part of the time that the database works. */
  readonly databaseShare: number
  /** The part of the time that the processors of the replicas work. */
  readonly cpuShare: number
  /** What running jobs wait for. */
  readonly shares: { readonly cpu: number; readonly pace: number; readonly roundTrips: number }
  readonly events: number
}

/** Real replicas of the scheduler, with the real pace, in virtual time. */
export async function simulateFleet(simulated: SimulatedFleet): Promise<SimulatedResult> {
  const world = new World(simulated)
  const replicas = Array.from({ length: simulated.replicas }, (_, at) => world.replica(at))
  const running = Promise.all(replicas)
  // It is awaited at the end; a failure ends the simulation before that.
  running.catch(() => {})
  await world.clock.until(Promise.race([world.finished(), world.failed]))
  const result = world.result()
  world.stop.abort()
  await world.clock.until(running)
  return result
}

const requestsAtOnce = 8
const intervalStart = Date.UTC(2026, 0, 1)

class World {
  readonly clock: VirtualClock
  readonly stop = new AbortController()
  readonly failed: Promise<never>
  readonly #simulated: SimulatedFleet
  readonly #queue: MemoryJobs
  readonly #sent = new Map<string, SentRequests>()
  readonly #keysInUse = new Set<string>()
  readonly #states: Map<string, EnvironmentState>
  readonly #processors: Processor[] = []
  readonly #tally = new Tally()
  #beginsAtMs: number
  #remaining = 0
  #onDone: () => void = () => {}
  #fail: (error: unknown) => void = () => {}

  constructor(simulated: SimulatedFleet) {
    this.#simulated = simulated
    setMaxListeners(0, this.stop.signal)
    const { environments, everySeconds, work, seed } = simulated
    // Replicas never start with an interval.
    this.clock = new VirtualClock(intervalStart + 7_000)
    this.#beginsAtMs = this.clock.nowMs
    if (work !== 'first')
      this.#beginsAtMs = intervalStart + everySeconds * 1000 + (work === 'changed' ? 100_000 : 0)
    const needs = work === 'first' ? 'first' : 'unchanged'
    this.#states = new Map(
      Array.from({ length: environments }, (_, at) => [
        `env-${at + 1}`,
        {
          key: simulated.keys === 'one' ? 'key' : `key-${at + 1}`,
          needs,
          dueMs: this.clock.nowMs,
          runs: 0,
          isRunning: false,
        },
      ]),
    )
    const runtime = this.clock.runtime(seed + 1_000)
    this.#queue = new MemoryJobs({
      ...{ everySeconds, now: runtime.now, random: runtime.random },
      onAdded: environment => {
        if (work === 'unchanged') this.#state(environment).dueMs = this.clock.nowMs
      },
    })
    this.failed = new Promise((_, reject) => {
      this.#fail = reject
    })
  }

  /** One replica, until the signal. */
  async replica(at: number): Promise<void> {
    const { seed, everySeconds, jobs } = this.#simulated
    const runtime = this.clock.runtime(seed + at)
    const processor = new Processor(this.clock, this.stop.signal)
    this.#processors.push(processor)
    const atOnce = { now: 0, most: 0 }
    this.#tally.atOnce.push(atOnce)
    let commitKnown = false
    const fleet = new Fleet({
      host: hostOf(runtime, this.#fail),
      everyMs: everySeconds * 1000,
      jobs: this.#queue,
      metrics: noMetrics,
      stop: this.stop.signal,
      environments: async () => {
        commitKnown = this.#commitDone()
        return [...this.#states.keys()]
      },
      states: async () => {
        this.#tally.statements += 1
        return []
      },
      placeOf: async () => ({ directory: '.' }),
      reconcile: (environment, _place) =>
        this.#reconcile(environment, { runtime, processor, commitKnown, atOnce }),
      failed: async (_, error) => {
        throw error
      },
      isKeyFree: async key => !this.#keysInUse.has(key),
      note: async () => {},
    })
    await runtime.sleep(runtime.random() * 1_000)
    await Promise.all([fleet.schedule(), ...Array.from({ length: jobs }, () => fleet.work())])
  }

  /** Resolves when the work is done or the time is over. */
  async finished(): Promise<void> {
    const { work, hours = 1, mostHours = 10_000, environments } = this.#simulated
    await this.clock.sleep(this.#beginsAtMs - this.clock.nowMs)
    this.#tally.begin(this.#queue, this.#processors, this.clock.nowMs)
    this.#remaining = environments
    for (const state of this.#states.values()) {
      state.runs = 0
      state.dueMs = this.clock.nowMs
      if (work === 'changed') state.needs = 'changed'
    }
    const done = new Promise<void>(resolve => {
      this.#onDone = resolve
    })
    const longest = this.clock.sleep((work === 'unchanged' ? hours : mostHours) * 3_600_000)
    await (work === 'unchanged' ? longest : Promise.race([done, longest]))
  }

  result(): SimulatedResult {
    const all = [...this.#states.values()]
    return this.#tally.result({
      simulated: this.#simulated,
      runs: all.map(({ runs }) => runs),
      queue: this.#queue,
      processors: this.#processors,
      remaining: this.#remaining,
      clock: this.clock,
    })
  }

  #commitDone(): boolean {
    return this.#simulated.work === 'changed' && this.clock.nowMs >= this.#beginsAtMs
  }

  #state(environment: string): EnvironmentState {
    const state = this.#states.get(environment)
    if (!state) throw new Error(`no environment ${environment}`)
    return state
  }

  async #reconcile(
    environment: string,
    { runtime, processor, commitKnown, atOnce }: On,
  ): Promise<Reconciled | Busy> {
    const { costs } = this.#simulated
    const state = this.#state(environment)
    const tally = this.#tally
    if (this.#keysInUse.has(state.key)) {
      await processor.use(costs.refusedCpuMs)
      tally.refused()
      return { is: 'busy', why: 'its key is in use', waitsFor: state.key }
    }
    this.#keysInUse.add(state.key)
    atOnce.most = Math.max(atOnce.most, ++atOnce.now)
    const needs = state.needs === 'changed' && !commitKnown ? 'unchanged' : state.needs
    const isAwaited = needs === this.#simulated.work
    const startedAtMs = runtime.now()
    if (isAwaited) tally.waits.push(startedAtMs - state.dueMs)
    const requests = await this.#run(state.key, needs, { runtime, processor }).finally(() => {
      this.#keysInUse.delete(state.key)
      atOnce.now -= 1
    })
    state.runs += 1
    state.needs = state.needs === needs ? 'unchanged' : state.needs
    if (isAwaited) {
      tally.durations.push(runtime.now() - startedAtMs)
      if (state.runs === 1 || needs !== 'unchanged') this.#noteDone(runtime.now())
    }
    return { ...reconciled(environment, requests), freed: state.key }
  }

  #noteDone(atMs: number): void {
    this.#remaining -= 1
    if (this.#remaining > 0) return
    this.#tally.doneAtMs = atMs
    this.#onDone()
  }

  /** Reads, plans, and writes. */
  async #run(
    key: string,
    needs: Work,
    { runtime, processor }: Pick<On, 'runtime' | 'processor'>,
  ): Promise<number> {
    const { costs, limits } = this.#simulated
    const [cost, plan] = [costs[needs], costs.unchanged]
    const tally = this.#tally
    tally.statements += cost.statements
    tally.databaseMs += cost.databaseMs
    const database = {
      runtime,
      query: async (_: string, [name, wanted]: [string, number]) => [this.#take(name, wanted)],
    }
    // The pace asks only these of its database.
    const pace = new StorePace(database as unknown as Database, key, limits, this.#fail)
    for (let count = 0; count < plan.reads; count++) await this.#send(1, pace)
    await tally.measured('cpu', processor.use(plan.cpuMs), this.clock)
    const remaining = cost.reads + cost.writes - plan.reads
    const cpuMsEach = remaining > 0 ? (cost.cpuMs - plan.cpuMs) / remaining : 0
    for (let sent = 0; sent < remaining; sent += requestsAtOnce) {
      const count = Math.min(requestsAtOnce, remaining - sent)
      await this.#send(count, pace)
      await tally.measured('cpu', processor.use(count * cpuMsEach), this.clock)
    }
    return cost.reads + cost.writes
  }

  /** Sends requests at the same time. */
  async #send(count: number, pace: StorePace): Promise<void> {
    const { signal } = this.stop
    const allowed = Promise.all(Array.from({ length: count }, () => pace.take(signal)))
    await this.#tally.measured('pace', allowed, this.clock)
    this.#tally.requests += count
    await this.#tally.measured(
      'roundTrips',
      this.clock.sleep(this.#simulated.roundTripMs, signal),
      this.clock,
    )
  }

  #take(key: string, wanted: number) {
    const sent = this.#sent.get(key) ?? nothingSent()
    this.#sent.set(key, sent)
    const taken = takeRequests(sent, wanted, this.#simulated.limits, this.clock.nowMs)
    // The costs of a run have those that allow requests.
    if (taken.granted === 0) this.#tally.waitStatements += 1
    this.#tally.busiestKey = Math.max(this.#tally.busiestKey, sent.total)
    return taken
  }
}

interface EnvironmentState {
  readonly key: string
  needs: Work
  dueMs: number
  runs: number
}

interface On {
  readonly runtime: Runtime
  readonly processor: Processor
  readonly commitKnown: boolean
  readonly atOnce: { now: number; most: number }
}

/** The one processor of a replica. Work waits in the order in which it comes. */
class Processor {
  readonly #clock: VirtualClock
  readonly #signal: AbortSignal
  #freeAtMs = 0
  busyMs = 0

  constructor(clock: VirtualClock, signal: AbortSignal) {
    this.#clock = clock
    this.#signal = signal
  }

  async use(ms: number): Promise<void> {
    if (ms <= 0) return
    const startMs = Math.max(this.#clock.nowMs, this.#freeAtMs)
    this.#freeAtMs = startMs + ms
    this.busyMs += ms
    await this.#clock.sleep(this.#freeAtMs - this.#clock.nowMs, this.#signal)
  }
}

/** Counts what happens from the beginning of the work on. */
class Tally {
  statements = 0
  databaseMs = 0
  waitStatements = 0
  requests = 0
  busiestKey = 0
  doneAtMs = 0
  postponed = 0
  waits: number[] = []
  durations: number[] = []
  readonly atOnce: { now: number; most: number }[] = []
  readonly #ms = { cpu: 0, pace: 0, roundTrips: 0 }
  #beganAtMs = 0
  #queueBefore = { add: 0, next: 0, ended: 0, postponed: 0, other: 0 }
  #busyBefore = 0

  begin({ statements }: MemoryJobs, processors: readonly Processor[], nowMs: number): void {
    this.#beganAtMs = nowMs
    this.#queueBefore = { ...statements }
    this.#busyBefore = processors.reduce((sum, { busyMs }) => sum + busyMs, 0)
    Object.assign(this.#ms, { cpu: 0, pace: 0, roundTrips: 0 })
    Object.assign(this, {
      statements: 0,
      databaseMs: 0,
      waitStatements: 0,
      requests: 0,
      busiestKey: 0,
      postponed: 0,
    })
    Object.assign(this, { waits: [], durations: [] })
  }

  refused(): void {
    this.postponed += 1
  }

  async measured<Made>(
    name: 'cpu' | 'pace' | 'roundTrips',
    work: Promise<Made>,
    clock: VirtualClock,
  ): Promise<Made> {
    const startMs = clock.nowMs
    const made = await work
    this.#ms[name] += clock.nowMs - startMs
    return made
  }

  result(ended: {
    readonly simulated: SimulatedFleet
    readonly runs: readonly number[]
    readonly queue: MemoryJobs
    readonly processors: readonly Processor[]
    readonly remaining: number
    readonly clock: VirtualClock
  }): SimulatedResult {
    const { simulated, runs, queue, processors, remaining, clock } = ended
    const { statementMs } = simulated.costs
    const measuredMs = clock.nowMs - this.#beganAtMs
    const queued = (name: keyof MemoryJobs['statements']) => queue.statements[name] - this.#queueBefore[name]
    const seconds = measuredMs / 1000
    // Each replica shows every 4 seconds that it has its locks.
    const beats = processors.length * (seconds / 4)
    // A refused job looks at the lock and at its owner.
    const refusals = 2 * this.postponed + queued('postponed')
    const taken = queued('ended') + this.postponed
    const statements =
      this.statements +
      this.waitStatements +
      beats +
      refusals +
      queued('add') +
      queued('next') +
      queued('ended') +
      queued('other')
    const databaseMs =
      this.databaseMs +
      this.waitStatements * statementMs.pace +
      taken * statementMs.next +
      (queued('next') - taken) * statementMs.idle +
      queued('add') * statementMs.add +
      (queued('ended') + refusals + beats + queued('other')) * statementMs.ended
    const busyMs = processors.reduce((sum, processor) => sum + processor.busyMs, 0) - this.#busyBefore
    const total = this.#ms.cpu + this.#ms.pace + this.#ms.roundTrips || 1
    const waits = [...this.waits].sort((left, right) => left - right)
    return {
      wallMs: remaining > 0 ? measuredMs : this.doneAtMs - this.#beganAtMs,
      remaining,
      measuredMs,
      requests: this.requests,
      busiestKey: this.busiestKey,
      longestWaitMs: waits.at(-1) ?? 0,
      medianWaitMs: waits[Math.floor(waits.length / 2)] ?? 0,
      slowestToFastest: most(this.durations) / least(this.durations),
      runs: [least(runs), most(runs)],
      postponed: this.postponed,
      mostAtOnce: most(this.atOnce.map(each => each.most)),
      statementsPerSecond: statements / seconds,
      idleStatementsPerSecond: (this.waitStatements + refusals + queued('next') - queued('ended')) / seconds,
      databaseShare: databaseMs / measuredMs,
      cpuShare: busyMs / (processors.length * measuredMs),
      shares: {
        cpu: this.#ms.cpu / total,
        pace: this.#ms.pace / total,
        roundTrips: this.#ms.roundTrips / total,
      },
      events: clock.events,
    }
  }
}

const most = (values: readonly number[]) => values.reduce((left, right) => Math.max(left, right), 0)
const least = (values: readonly number[]) =>
  values.reduce((left, right) => Math.min(left, right), Number.POSITIVE_INFINITY)

function reconciled(environment: string, requests: number): Reconciled {
  return {
    ...{
      is: 'reconciled',
      result: 'as_declared',
      states: [],
      target: undefined,
      place: environment,
      requests,
      isAgain: false,
    },
    counts: { changes: 0, held: 0, conflicts: 0, drift: 0 },
  }
}

const noMetrics: FleetMetrics = {
  contentType: '',
  ended() {},
  states() {},
  postponed() {},
  jobsWaiting() {},
  storeUp() {},
  text: async () => '',
}

/** What `Fleet` needs of a host. An error of the simulation ends it. */
function hostOf(runtime: Runtime, fail: (error: unknown) => void): Host {
  const refuse = (text: string) => fail(new Error(text))
  const log = {
    debug() {},
    info() {},
    writeNote: ({ text }: { text: string }) => refuse(text),
    warn: refuse,
    error: refuse,
  }
  return { runtime, log } as unknown as Host
}
