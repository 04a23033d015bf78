import { spawn } from 'node:child_process'
import { join } from 'node:path'

export interface Measured {
  readonly wallMs: number
  /** What the processors did for it, all threads together: other programs on the machine move it less than `wallMs`. */
  readonly cpuMs: number
  /** The largest resident size that the process reached. */
  readonly peakMb: number
  readonly stdout: string
  readonly code: number | null
}

/** Runs a Node program as a process of its own and measures it whole, from spawn to exit. */
export async function measure(
  given: readonly string[],
  options: {
    readonly cwd?: string
    readonly env?: Readonly<Record<string, string>>
    /** Exit codes that are what is measured. */
    readonly ends?: readonly number[]
  } = {},
): Promise<Measured> {
  const hook = join(import.meta.dirname, 'report-peak.js')
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['--import', hook, ...given], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const chunks: Buffer[] = []
  const errors: Buffer[] = []
  let used = { peakKb: 0, cpuUs: 0 }
  child.stdout?.on('data', chunk => chunks.push(chunk))
  child.stderr?.on('data', chunk => errors.push(chunk))
  child.on('message', message => {
    used = message as typeof used
  })
  const code = await new Promise<number | null>(resolve => child.on('close', resolve))
  const wallMs = performance.now() - startedAt
  if (code === null || !(options.ends ?? [0, 2]).includes(code))
    throw new Error(`${given.join(' ')} ended in ${code}: ${Buffer.concat(errors)}`)
  const stdout = Buffer.concat(chunks).toString()
  return { wallMs, cpuMs: used.cpuUs / 1000, peakMb: used.peakKb / 1024, stdout, code }
}

/** The median of several runs. */
export async function medianOf(runs: number, run: () => Promise<Measured>): Promise<Measured> {
  const { only } = await mediansOf(runs, { only: run })
  return only
}

/**
 * The medians of several things, run in turns: what else the machine does meanwhile falls on all of them, so that their
 * ratios hold where their times do not.
 */
export async function mediansOf<Name extends string>(
  runs: number,
  each: Readonly<Record<Name, () => Promise<Measured>>>,
): Promise<Record<Name, Measured>> {
  const all = Object.entries<() => Promise<Measured>>(each).map(([name, run]) => ({
    name,
    run,
    measured: [] as Measured[],
  }))
  for (let count = 0; count < runs; count++) {
    for (const { run, measured } of all) measured.push(await run())
  }
  const medians = all.map(({ name, measured }) => [name, medianIn(measured)])
  // One for each name.
  return Object.fromEntries(medians) as Record<Name, Measured>
}

/** The middle of each figure by itself; what was printed is that of the run with the middle time. */
function medianIn(measured: readonly Measured[]): Measured {
  const sorted = (figure: (one: Measured) => number) => {
    const inOrder = [...measured].sort((left, right) => figure(left) - figure(right))
    return inOrder[Math.floor(inOrder.length / 2)] as Measured
  }
  const middle = sorted(({ wallMs }) => wallMs)
  return {
    ...middle,
    cpuMs: sorted(({ cpuMs }) => cpuMs).cpuMs,
    peakMb: sorted(({ peakMb }) => peakMb).peakMb,
  }
}
