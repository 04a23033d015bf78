import { type ApplyEvent, apply } from '../core/apply.ts'
import type { Change } from '../core/change.ts'
import { eventJson, openJournal } from '../core/journal.ts'
import { entriesOf, type Receipt } from '../core/receipt.ts'
import type { Style } from '../report/style.ts'
import { applyEventText, applySummaryText, countsOf } from '../report/terminal-apply.ts'
import { type ExitCode, exitCode, mostImportant } from './exit-code.ts'
import type { Host } from './host.ts'
import type { Session } from './session.ts'
import { journalPath, runName, writeReceipt } from './state.ts'

export interface RunInput {
  readonly changes: readonly Change[]
  readonly directory: string
  readonly environment?: string
  readonly planDigest?: string
  readonly json: boolean
  readonly style: Style
}

/**
 * Applies changes while a person or a pipeline watches: one line per change, a journal before every request, a
 * receipt at the end whatever happened. The first SIGINT or SIGTERM lets what is in flight finish.
 */
export async function runChanges(host: Host, session: Session, input: RunInput): Promise<ExitCode> {
  const startedAt = host.world.now()
  const run = runName(startedAt, host.world.uniqueId())
  const journal = await openJournal(journalPath(input.directory, run), host.world)
  const events: ApplyEvent[] = []
  const byAddress = new Map(input.changes.map(change => [change.address, change]))
  const stop = new AbortController()
  const abort = new AbortController()
  let signal: 'SIGINT' | 'SIGTERM' | undefined
  const stopListening = host.onInterrupt(received => {
    if (signal) return abort.abort()
    signal = received
    stop.abort()
    host.stderr.write('stopping: finishing what is in flight; once more to cut it off\n')
  })
  try {
    const running = apply({
      changes: input.changes,
      client: session.client,
      world: host.world,
      parallelism: session.connection.parallelism,
      record: event => journal.append(event),
      stop: stop.signal,
      abort: abort.signal,
    })
    for await (const event of running) {
      events.push(event)
      const line = input.json
        ? JSON.stringify(eventJson(event))
        : applyEventText(event, byAddress.get(event.address), input.style)
      if (line !== undefined) host.stdout.write(`${line}\n`)
    }
  } finally {
    stopListening()
    await journal.close()
    const receipt: Receipt = {
      run,
      target: session.target,
      ...(input.environment === undefined ? {} : { environment: input.environment }),
      startedAt,
      finishedAt: host.world.now(),
      ...(input.planDigest === undefined ? {} : { planDigest: input.planDigest }),
      entries: entriesOf(input.changes, events),
    }
    const path = await writeReceipt(input.directory, receipt)
    const counts = countsOf(events)
    if (input.json) host.stdout.write(`${JSON.stringify({ type: 'summary', ...counts, receipt: path })}\n`)
    else
      host.stdout.write(
        `\n${applySummaryText(counts, input.style)}\n${input.style.dim(`receipt: ${path}`)}\n`,
      )
  }
  return codeOf(events, signal)
}

function codeOf(events: readonly ApplyEvent[], signal: 'SIGINT' | 'SIGTERM' | undefined): ExitCode {
  const { done, already, failed, stale, skipped } = countsOf(events)
  const codes: ExitCode[] = []
  if (signal) codes.push(signal === 'SIGINT' ? exitCode.interrupted : exitCode.terminated)
  if (failed > 0) codes.push(done + already + stale > 0 ? exitCode.partly : exitCode.error)
  if (stale > 0) codes.push(failed + skipped > 0 ? exitCode.partly : exitCode.stale)
  return mostImportant(codes)
}
