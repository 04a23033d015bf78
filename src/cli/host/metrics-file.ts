import { resolve } from 'node:path'
import { readTextFile } from '../../model/files.ts'
import { largestSaved } from '../../model/limits.ts'
import type { Document } from '../../report/document.ts'
import { driftMetrics, isDriftMetrics } from '../../report/pipeline-formats.ts'
import { isForOne, type SeveralFlags } from '../command-options.ts'
import { type ExitCode, exitCode } from './exit-code.ts'
import type { Host } from './host.ts'
import { type OutPlace, openOutFile } from './out-file.ts'

interface MetricsRun extends Pick<SeveralFlags, 'env'> {
  readonly name: string
  readonly startedAt: number
}

interface MetricsFile {
  readonly place: OutPlace
  /** Undefined if nothing is known about any environment. */
  readonly textFor: (end: { readonly code: ExitCode }) => Promise<string | undefined>
}

/** The file of `--metrics`. After a failure it keeps the values of the last successful command. */
export async function openMetrics(
  host: Host,
  { name, env, startedAt }: MetricsRun,
  documentOf: () => Document | undefined,
): Promise<MetricsFile> {
  const place = await openOutFile(host, {
    name,
    failing: 'the metrics cannot be written to',
    what: 'metrics of an earlier run',
    isEarlier: isDriftMetrics,
    // The collector may run as another user.
    mode: 0o644,
  })
  const textFor: MetricsFile['textFor'] = async ({ code }) => {
    const document = documentOf()
    // Which environments failed is unknown, so the file stays as it is.
    if (document?.is !== 'environments' && !isForOne({ env })) return undefined
    const one = { name: typeof env === 'string' ? env : undefined, exitCode: code, document }
    const results = document?.is === 'environments' ? document.environments : [one]
    const runs = results.map(result => {
      const found = result.document?.is === 'drift' ? result.document : undefined
      return {
        environment: found?.meta.environment ?? result.name,
        startedAt,
        endedAt: host.runtime.now(),
        exitCode: result.exitCode,
        isSuccess: result.exitCode === exitCode.done || result.exitCode === exitCode.drift,
        ...(found ? { found } : {}),
      }
    })
    const earlier = await readTextFile(resolve(host.directory, name), largestSaved).catch(() => '')
    return driftMetrics(runs, earlier)
  }
  return { place, textFor }
}
