import { chmod, rename, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { readTextFile } from '../../../model/files/read-text-file.ts'
import { largestSaved } from '../../../model/limits.ts'
import type { Document, DriftDocument } from '../../../report/document.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import type { Host } from '../host.ts'
import { type OutPlace, openOutFile } from './out-file.ts'

export interface MetricsFlags {
  readonly metrics?: string
  readonly env?: string
}

/** Whoever collects metrics is another user. */
const readableByAll = 0o644

/**
 * The file of `--metrics`. It is looked at before the command begins and written when it has ended, however it ended. It
 * is renamed into its place, so that nobody reads half of it.
 */
export class MetricsFile {
  readonly #host: Host
  readonly #startedAt: number
  #place: OutPlace | undefined
  #flags: MetricsFlags = {}
  #found: DriftDocument | undefined

  constructor(host: Host) {
    this.#host = host
    this.#startedAt = host.runtime.now()
  }

  async open(flags: MetricsFlags): Promise<void> {
    if (flags.metrics === undefined) return
    this.#flags = flags
    const { isDriftMetrics } = await import('../../../report/drift-metrics.ts')
    this.#place = await openOutFile(this.#host, {
      name: flags.metrics,
      failing: 'the metrics cannot be written to',
      what: 'metrics of an earlier run',
      isEarlier: isDriftMetrics,
      write: async (path, text, unfinished) => {
        await writeFile(unfinished, text, { mode: 0o600 })
        // Apart, since the umask of whoever runs this cuts the mode of a new file.
        await chmod(unfinished, readableByAll)
        await rename(unfinished, path)
      },
    })
  }

  take(document: Document): void {
    if (document.is === 'drift') this.#found = document
  }

  /** Writes it; answers whether it could be. */
  async write(code: ExitCode): Promise<boolean> {
    if (this.#place === undefined || this.#flags.metrics === undefined) return true
    if (this.#place.failure !== undefined) return false
    const { driftMetrics } = await import('../../../report/drift-metrics.ts')
    const { runtime, directory, secrets } = this.#host
    const path = resolve(directory, this.#flags.metrics)
    const earlier = await readTextFile(path, largestSaved).catch(() => '')
    const run = {
      environment: this.#found?.meta.environment ?? this.#flags.env,
      startedAt: this.#startedAt,
      endedAt: runtime.now(),
      exitCode: code,
      isSuccess: code === exitCode.done || code === exitCode.drift,
      ...(this.#found ? { found: this.#found } : {}),
    }
    return (await this.#place.save(secrets.hide(driftMetrics(run, earlier)))) === undefined
  }
}
