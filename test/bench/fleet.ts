import type { PaceLimits } from '../../src/fleet/index.ts'
import { limits } from '../../src/services/facts.ts'
import { type SimulatedResult, simulateFleet, type Work } from '../fleet/simulated-fleet.ts'
import { printFigures } from './print-figures.ts'
import { atOnce, measureReconciling, type ReplicaCosts } from './reconcile-costs.ts'

/** Assumed, not measured: the time between a request and its answer. */
const roundTripMs = 150
const everySeconds = 300
/** The first write with one key takes days, and nothing new happens after some hours. */
const mostHours = 2

const works = {
  unchanged: 'unchanged, each 5 minutes',
  changed: 'a commit changes 1 %',
  first: 'first write',
} as const

/**
 * A fleet against the limits of the public service, in virtual time. What one run takes is measured with the built program
 * before; the scheduler, the workers and the pace are the real ones.
 */
export async function benchFleet(folder: string, environments: number, flags: number): Promise<void> {
  const costs = await measureReconciling(folder, environments, flags)
  for (const name of ['first', 'unchanged', 'changed'] as const)
    printFigures(`measured: ${name} run of ${flags} flags`, { ...costs[name] })
  printFigures(`measured: a replica with ${environments} environments`, {
    ...{ 'idle MB': costs.memoryMb.idle, 'peak MB with 1 job': costs.memoryMb.one },
    ...{ [`peak MB with ${atOnce} jobs`]: costs.memoryMb.all, 'CPU ms of a refused job': costs.refusedCpuMs },
    ...Object.fromEntries(
      Object.entries(costs.statementMs).map(([name, ms]) => [`database ms of ${name}`, ms]),
    ),
  })
  await printSimulations(costs, environments)
}

/** A row for each work, for one key or many, and for 1 to 8 replicas. */
export async function printSimulations(costs: ReplicaCosts, environments: number): Promise<void> {
  const { perMinute, perHour } = publicLimits()
  console.log(
    `assumed: a round trip of ${roundTripMs} ms, one processor for each replica, ${atOnce} jobs at once`,
  )
  console.log(`limits: ${perMinute} requests a minute and ${perHour} an hour for each key\n`)
  console.log(`| ${columns.join(' | ')} |\n|${columns.map(() => '---|').join('')}`)
  for (const work of ['unchanged', 'changed', 'first'] as const)
    for (const keys of ['each', 'one'] as const)
      for (const replicas of [1, 2, 4, 8]) {
        const startedAt = performance.now()
        const result = await simulateFleet({
          ...{ work, keys, replicas, environments, everySeconds, roundTripMs, costs, seed: 1 },
          ...{ jobs: atOnce, limits: { perMinute, perHour } },
          ...(work === 'first' && keys === 'one' ? { mostHours } : {}),
        })
        const seconds = (performance.now() - startedAt) / 1000
        const cells = cellsOf({ work, keys, replicas, costs, environments, result, seconds })
        console.log(`| ${cells.join(' | ')} |`)
      }
}

const columns = [
  ...[
    'work',
    'keys',
    'replicas',
    'wall',
    'requests',
    'requests an hour, busiest key',
    'wait: longest',
    'median',
  ],
  ...[
    'slowest / fastest run',
    'runs of an environment',
    'postponed',
    'MB of a replica',
    'statements a second',
  ],
  ...['of these idle', 'database busy', 'CPU busy', 'limit', 'simulated in'],
]

interface Row {
  readonly work: Work
  readonly keys: 'each' | 'one'
  readonly replicas: number
  readonly costs: ReplicaCosts
  readonly environments: number
  readonly result: SimulatedResult
  readonly seconds: number
}

function cellsOf(row: Row): readonly string[] {
  const { work, keys, replicas, costs, environments, result, seconds } = row
  const { first } = costs
  const all = environments * (first.reads + first.writes)
  // What was sent until the end of the simulation is the rate of the rest.
  const isCut = result.remaining > 0 && work === 'first'
  const wallMs = isCut ? (all / result.requests) * result.measuredMs : result.wallMs
  const isOpen = result.remaining > 0 && !isCut
  const { idle, one, all: several } = costs.memoryMb
  const mb = one + ((several - one) / (atOnce - 1)) * (result.mostAtOnce - 1)
  return [
    ...[works[work], keys === 'each' ? 'one each' : 'one for all', String(replicas)],
    `${isCut ? 'about ' : isOpen ? 'over ' : ''}${duration(wallMs)}`,
    ...[String(result.requests), String(result.busiestKey)],
    ...(isCut ? ['-', '-'] : [duration(result.longestWaitMs), duration(result.medianWaitMs)]),
    isCut ? '-' : result.slowestToFastest.toFixed(1),
    ...[isCut ? '-' : result.runs.join(' to '), String(result.postponed), Math.max(idle, mb).toFixed(0)],
    ...[result.statementsPerSecond.toFixed(0), result.idleStatementsPerSecond.toFixed(0)],
    ...[percent(result.databaseShare), percent(result.cpuShare), limitOf(row), `${seconds.toFixed(1)} s`],
  ]
}

/** What would have to grow, so that the work is done earlier. */
function limitOf({ work, keys, result }: Row): string {
  const { cpuShare, shares, wallMs, remaining } = result
  if (cpuShare > 0.85) return keys === 'one' ? 'CPU of refused jobs' : 'CPU'
  if (shares.pace > 0.5) return keys === 'one' ? 'pace' : 'pace, jobs'
  if (work !== 'first' && remaining === 0 && wallMs < everySeconds * 1000) return 'interval'
  if (keys === 'one') return 'one job for a key'
  return shares.roundTrips > shares.cpu ? 'round trips' : 'CPU'
}

function publicLimits(): PaceLimits {
  const found = limits['posthog-2026'].find(({ of, each }) => of === 'requests' && each === 'key')
  return { perMinute: found?.perMinute, perHour: found?.perHour }
}

function duration(ms: number): string {
  if (ms >= 2 * 3_600_000) return `${(ms / 3_600_000).toFixed(1)} h`
  if (ms >= 2 * 60_000) return `${(ms / 60_000).toFixed(1)} min`
  return `${(ms / 1000).toFixed(0)} s`
}

const percent = (share: number) => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`
