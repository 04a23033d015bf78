import { driftSides, type FoundDrift, isDifference } from '../core/plan/found-drift.ts'
import { declarableKinds } from '../kinds/index.ts'
import type { DriftDocument } from './document.ts'

/** How a run of `vexil drift` ended. Times are in milliseconds since 1970. */
export interface DriftRun {
  /** Undefined if none was chosen, and if the run failed before it was known. */
  readonly environment: string | undefined
  readonly startedAt: number
  readonly endedAt: number
  readonly exitCode: number
  /** Whether the service was read whole. */
  readonly isSuccess: boolean
  /** What it found; undefined if it failed earlier. */
  readonly found?: Pick<DriftDocument, 'plan' | 'found'>
}

/** The verdict on an object: a side of `found`, or one of these. */
type Verdict = keyof FoundDrift | 'as_declared' | 'not_compared'

interface Metric {
  readonly name: string
  readonly help: string
  /** Whether it is about the run itself. Metrics of objects keep their values if a run finds nothing out. */
  readonly isOfRun: boolean
  readonly samples: (run: DriftRun) => readonly Sample[]
}

interface Sample {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

const metrics: readonly Metric[] = [
  {
    name: 'vexil_drift_objects',
    help: 'Objects by kind and verdict, as the last run found them that could compare.',
    isOfRun: false,
    samples: ({ found }) => (found ? countedObjects(found) : []),
  },
  {
    name: 'vexil_held_objects',
    help: 'Objects of which something is held as it was changed in the product.',
    isOfRun: false,
    samples: ({ found }) => (found ? heldObjects(found) : []),
  },
  {
    name: 'vexil_held_oldest_timestamp_seconds',
    help: 'When the oldest hold began; absent where nothing is held, or no run on record has held it.',
    isOfRun: false,
    samples: ({ found }) => (found ? oldestHold(found) : []),
  },
  {
    name: 'vexil_drift_last_success_timestamp_seconds',
    help: 'When the last run ended that read the service whole (exit code 0 or 6).',
    isOfRun: false,
    samples: ({ isSuccess, endedAt }) => (isSuccess ? [{ value: endedAt / 1000 }] : []),
  },
  {
    name: 'vexil_drift_last_run_timestamp_seconds',
    help: 'When the last run ended, however it ended.',
    isOfRun: true,
    samples: ({ endedAt }) => [{ value: endedAt / 1000 }],
  },
  {
    name: 'vexil_drift_exit_code',
    help: 'What the last run ended with: 0 no drift, 6 drift, anything else a failure.',
    isOfRun: true,
    samples: ({ exitCode }) => [{ value: exitCode }],
  },
  {
    name: 'vexil_drift_duration_seconds',
    help: 'How long the last run took.',
    isOfRun: true,
    samples: ({ startedAt, endedAt }) => [{ value: (endedAt - startedAt) / 1000 }],
  },
]

/**
 * The metrics of a run in the text format of Prometheus, as its textfile collector reads them. `earlier` is
 * the file of the run before. What this run did not find out is taken from it, so that an alert on drift does
 * not end because the service could not be asked.
 */
export function driftMetrics(run: DriftRun, earlier = ''): string {
  const environment = run.environment ?? environmentIn(earlier)
  const isSamePlace = environmentIn(earlier) === environment
  const blocks = metrics.map(({ name, help, isOfRun, samples }) => {
    const isKnown = isOfRun || (name.includes('_last_success_') ? run.isSuccess : run.found !== undefined)
    const lines = isKnown
      ? samples(run).map(sample => sampleLine(name, environment, sample))
      : isSamePlace
        ? linesOf(name, earlier)
        : []
    return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, ...lines]
  })
  return `${blocks.flat().join('\n')}\n`
}

/** Whether a text is an earlier file of metrics. */
export function isDriftMetrics(text: string): boolean {
  return text.startsWith(`# HELP ${metrics[0]?.name} `)
}

function countedObjects({ plan, found }: Pick<DriftDocument, 'plan' | 'found'>): Sample[] {
  const notCompared = plan.blocked.filter(each => !isDifference(each)).map(({ address }) => address)
  // The sides of `vexil drift --json`, by the same names.
  const sides = driftSides(found) as Readonly<Record<keyof FoundDrift, readonly string[]>>
  const verdicts: Readonly<Record<Verdict, readonly string[]>> = {
    as_declared: plan.unchanged,
    ...sides,
    not_compared: [...new Set(notCompared)],
  }
  return declarableKinds.flatMap(({ name: kind }) =>
    Object.entries(verdicts).map(([verdict, addresses]) => ({
      labels: { kind, verdict },
      value: addresses.filter(address => address.startsWith(`${kind}.`)).length,
    })),
  )
}

function heldObjects({ plan }: Pick<DriftDocument, 'plan'>): Sample[] {
  const held = plan.liveEdits.filter(({ fields }) => fields.some(({ treatment }) => treatment === 'held'))
  return declarableKinds.map(({ name }) => ({
    labels: { kind: name },
    value: held.filter(({ kind }) => kind === name).length,
  }))
}

function oldestHold({ plan }: Pick<DriftDocument, 'plan'>): Sample[] {
  const since = plan.liveEdits.flatMap(({ fields }) => fields.flatMap(({ heldSince }) => heldSince ?? []))
  return since.length === 0 ? [] : [{ value: since.reduce((a, b) => Math.min(a, b)) / 1000 }]
}

function sampleLine(name: string, environment: string | undefined, { labels = {}, value }: Sample): string {
  const all = { ...(environment === undefined ? {} : { environment }), ...labels }
  const written = Object.entries(all).map(([label, text]) => `${label}="${escaped(text)}"`)
  return `${name}${written.length === 0 ? '' : `{${written.join(',')}}`} ${value}`
}

/** The samples of a metric in a text that `driftMetrics` has written. */
function linesOf(name: string, text: string): string[] {
  return text.split('\n').filter(line => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
}

function environmentIn(text: string): string | undefined {
  const [line = ''] = linesOf('vexil_drift_exit_code', text)
  const found = /environment="((?:[^"\\]|\\.)*)"/.exec(line)?.[1]
  return found?.replaceAll(/\\(.)/g, (_, character) => (character === 'n' ? '\n' : character))
}

/** The three characters that end or escape something in a label. */
function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
