import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type ApplyEvent, apply } from '../core/apply.ts'
import type { Change, Withheld } from '../core/change.ts'
import { eventJson, openJournal } from '../core/journal.ts'
import { entriesOf, type Receipt } from '../core/receipt.ts'
import { codeOf } from '../model/error-code.ts'
import { escapeText } from '../model/escape-text.ts'
import { jsonText } from '../report/json-text.ts'
import type { Style } from '../report/style.ts'
import { applyEventText, applySummaryText, countsOf } from '../report/terminal-apply.ts'
import { type ExitCode, exitCode, mostImportant } from './exit-code.ts'
import { explainFailure } from './explain-failure.ts'
import type { Host, Signal } from './host.ts'
import { startProgress } from './progress.ts'
import type { Session } from './session.ts'
import { journalPath, receiptPath, runName, writeReceipt } from './state.ts'
import { withheldJson, withheldText } from './withheld.ts'

export interface RunInput {
  readonly changes: readonly Change[]
  /** What the plan leaves out; it is told once more beside what was done. */
  readonly withheld: readonly Withheld[]
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
  if (input.changes.length === 0) {
    if (input.json) host.stdout.write(`${summaryJson([], input)}\n`)
    return exitCode.done
  }
  const startedAt = host.world.now()
  const run = runName(startedAt, host.world.uniqueId())
  // A run that nobody could undo is not begun.
  await mkdir(dirname(receiptPath(input.directory, run)), { recursive: true })
  const journal = await openJournal(journalPath(input.directory, run), host.world)
  const events: ApplyEvent[] = []
  const interruption = listen(host)
  const progress = startProgress(host, !input.json)
  const show = showEvents(host, input)
  let ended = 0
  let isUnwritten = false
  try {
    progress.update(`0 of ${input.changes.length} changes`)
    const running = apply({
      changes: input.changes,
      client: session.client,
      world: host.world,
      parallelism: session.connection.parallelism,
      record: event => journal.append(event),
      stop: interruption.stop,
      abort: interruption.abort,
    })
    for await (const event of running) {
      events.push(event)
      progress.wipe()
      show(event)
      if (isEnd(event)) ended += 1
      progress.update(`${ended} of ${input.changes.length} changes`)
    }
  } finally {
    progress.stop()
    interruption.close()
    // Everything that was to be in it has been waited for.
    await journal.close().catch(() => {})
    const receipt: Receipt = {
      run,
      target: session.target,
      ...(input.environment === undefined ? {} : { environment: input.environment }),
      startedAt,
      finishedAt: host.world.now(),
      ...(input.planDigest === undefined ? {} : { planDigest: input.planDigest }),
      entries: entriesOf(input.changes, events),
    }
    // A disk that is full must not take along what else there is to say.
    const path = await writeReceipt(input.directory, receipt).catch(error => {
      isUnwritten = true
      host.stderr.write(`${unwrittenReceipt(error)}\n`)
      return undefined
    })
    const { style } = input
    const isTold = path !== undefined && !host.isFleeting
    const kept = isTold ? `${style.dim(`receipt: ${escapeText(path)}`)}\n` : ''
    host.stdout.write(
      input.json
        ? `${summaryJson(events, input, path)}\n`
        : `${withheldText(input.withheld, style)}\n${applySummaryText(countsOf(events), style)}\n${kept}`,
    )
  }
  const code = runCode(events, interruption.signal())
  return isUnwritten ? mostImportant([code, exitCode.error]) : code
}

function unwrittenReceipt(error: unknown): string {
  const why = codeOf(error, 'unknown reason')
  return `the receipt cannot be written (${why}): this run cannot be undone with \`vexil undo\``
}

/** The last line of a stream of events. */
function summaryJson(events: readonly ApplyEvent[], { withheld }: RunInput, receipt?: string): string {
  return jsonText({
    type: 'summary',
    ...countsOf(events),
    ...(withheld.length === 0 ? {} : { withheld: withheldJson(withheld) }),
    ...(receipt === undefined ? {} : { receipt }),
  })
}

function showEvents(host: Host, { changes, json, style }: RunInput): (event: ApplyEvent) => void {
  const byAddress = new Map(changes.map(change => [change.address, change]))
  return event => {
    const line = json
      ? jsonText(eventJson(event))
      : applyEventText(event, byAddress.get(event.address), { style, explain: explainFailure })
    if (line !== undefined) host.stdout.write(`${line}\n`)
  }
}

function isEnd({ type }: ApplyEvent): boolean {
  return type !== 'change_start' && type !== 'change_attempt'
}

interface Interruption {
  /** Aborted by the first signal: nothing more is begun. */
  readonly stop: AbortSignal
  /** Aborted by the second: what is under way is cut off. */
  readonly abort: AbortSignal
  signal(): Signal | undefined
  close(): void
}

function listen(host: Host): Interruption {
  const stop = new AbortController()
  const abort = new AbortController()
  let signal: Signal | undefined
  const close = host.onInterrupt(received => {
    if (signal) return abort.abort()
    signal = received
    stop.abort()
    host.stderr.write('stopping: finishing what is in flight; once more to cut it off\n')
  })
  return { stop: stop.signal, abort: abort.signal, signal: () => signal, close }
}

function runCode(events: readonly ApplyEvent[], signal: Signal | undefined): ExitCode {
  const { done, already, failed, stale, skipped } = countsOf(events)
  const codes: ExitCode[] = []
  if (signal) codes.push(signal === 'SIGINT' ? exitCode.interrupted : exitCode.terminated)
  if (failed > 0) codes.push(done + already + stale > 0 ? exitCode.partly : exitCode.error)
  if (stale > 0) codes.push(failed + skipped > 0 ? exitCode.partly : exitCode.stale)
  return mostImportant(codes)
}
