import { spawn } from 'node:child_process'
import { join } from 'node:path'

export interface Measured {
  readonly wallMs: number
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
  let peakMb = 0
  child.stdout?.on('data', chunk => chunks.push(chunk))
  child.stderr?.on('data', chunk => errors.push(chunk))
  child.on('message', message => {
    peakMb = Number(message) / 1024
  })
  const code = await new Promise<number | null>(resolve => child.on('close', resolve))
  const wallMs = performance.now() - startedAt
  if (code === null || !(options.ends ?? [0, 2]).includes(code))
    throw new Error(`${given.join(' ')} ended in ${code}: ${Buffer.concat(errors)}`)
  return { wallMs, peakMb, stdout: Buffer.concat(chunks).toString(), code }
}

/** The median of several runs. */
export async function medianOf(runs: number, run: () => Promise<Measured>): Promise<Measured> {
  const measured: Measured[] = []
  for (let count = 0; count < runs; count++) measured.push(await run())
  measured.sort((left, right) => left.wallMs - right.wallMs)
  return measured[Math.floor(runs / 2)] as Measured
}
