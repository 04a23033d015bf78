import type { ApplyEvent } from '../core/apply/apply-event.ts'
import { apply } from '../core/apply.ts'
import type { Withheld } from '../core/change.ts'
import { changeToJson } from '../core/change-json.ts'
import { eventJson, openJournal } from '../core/record/journal.ts'
import { journalPath } from '../core/record/run-folder.ts'
import { codeOf } from '../model/error-code.ts'
import { escapeText } from '../model/escape-text.ts'
import { applyAdvice } from '../report/apply-advice.ts'
import { type ApplyReport, createApplyReport } from '../report/apply-report.ts'
import { jsonText } from '../report/json-text.ts'
import type { Style } from '../report/style.ts'
import { applySummaryText, countsOf } from '../report/terminal-apply.ts'
import { type ExitCode, exitCode, mostImportant } from './exit-code.ts'
import { changeFaults, failureWords } from './explain-failure.ts'
import type { Host, Signal } from './host.ts'
import { type Held, refuseKeyOnRecord } from './key-in-values.ts'
import { startProgress } from './progress.ts'
import { keepRecord, type RunFacts, recordOf, runOf } from './run-record.ts'
import type { Session } from './session.ts'
import { withheldJson, withheldText } from './withheld.ts'

export interface RunInput extends RunFacts {
  /** What the plan leaves out; it is told once more beside what was done. */
  readonly withheld: readonly Withheld[]
  readonly json: boolean
  readonly style: Style
  /** Writes nothing when one of the changes cannot be carried out as planned. */
  readonly allOrNothing?: boolean
}

/**
 * Applies changes while a person or a pipeline watches: one line per change, a journal that begins with the run itself
 * and has every request before it leaves, a record at the end whatever happened. A run without changes leaves a record
 * as well. The first SIGINT or SIGTERM lets what is in flight finish.
 */
export async function runChanges(host: Host, session: Session, input: RunInput): Promise<ExitCode> {
  refuseKeyOnRecord(host, 'refusing to put this run on record', heldBy(input))
  if (input.changes.length === 0) return recordNothingDone(host, session, input)
  // A run that nobody could undo is not begun.
  const run = await runOf(host, session, input)
  const journal = await openJournal(journalPath(input.directory, run.run), run, host.world, host.secrets.hide)
  const events: ApplyEvent[] = []
  const interruption = listen(host)
  const progress = startProgress(host, !input.json)
  const report = createApplyReport({ ...input, explain: failureWords })
  let ended = 0
  let hasEnded = false
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
      allOrNothing: input.allOrNothing,
    })
    for await (const event of running) {
      events.push(event)
      progress.wipe()
      show(host, event, input.json ? undefined : report)
      if (isEnd(event)) ended += 1
      progress.update(`${ended} of ${input.changes.length} changes`)
    }
    hasEnded = true
  } finally {
    progress.stop()
    interruption.close()
    // Everything that was to be in it has been waited for.
    await journal.close().catch(() => {})
    const isComplete = hasEnded && interruption.signal() === undefined
    // A disk that is full must not take along what else there is to say.
    const record = recordOf(run, host.world.now(), isComplete, events)
    const path = await keepRecord(host, input, record).catch(error => {
      isUnwritten = true
      host.stderr.write(`${unwrittenRecord(error)}\n`)
      return undefined
    })
    const { style } = input
    const isTold = path !== undefined && !host.isFleeting
    const kept = isTold ? `${style.dim(`run: ${escapeText(path)}`)}\n` : ''
    host.stdout.write(
      input.json
        ? `${summaryJson(events, input, path === undefined ? undefined : { run: run.run, record: path })}\n`
        : `${linesText(report.rest())}${withheldText(input.withheld, style)}\n${applySummaryText(countsOf(events), applyAdvice(events, failureWords), style)}\n${kept}`,
    )
  }
  const code = runCode(events, interruption.signal())
  return isUnwritten ? mostImportant([code, exitCode.error]) : code
}

/** What a run puts on record in a form in which it is used later: values, and the addresses of what was declared. */
function heldBy({ changes, scope }: RunInput): readonly Held[] {
  return [
    ...changes.map(change => ({ address: change.address, values: changeToJson(change) })),
    ...Object.keys(scope?.declared ?? {}).map(address => ({ address, values: {} })),
  ]
}

/** That everything was as declared is on record too: later it tells who changed what since. Nothing depends on it. */
async function recordNothingDone(host: Host, session: Session, input: RunInput): Promise<ExitCode> {
  try {
    const run = await runOf(host, session, input)
    await keepRecord(host, input, recordOf(run, host.world.now(), true, []))
  } catch (error) {
    host.stderr.write(`this run is not on record: ${codeOf(error, 'unknown reason')}\n`)
  }
  if (input.json) host.stdout.write(`${summaryJson([], input)}\n`)
  return exitCode.done
}

function unwrittenRecord(error: unknown): string {
  const why = codeOf(error, 'unknown reason')
  return `the record of this run cannot be written (${why}): \`vexil undo\` has to go by its journal`
}

/** The last line of a stream of events. */
function summaryJson(events: readonly ApplyEvent[], { withheld }: RunInput, kept = {}): string {
  const errors = changeFaults(events)
  return jsonText({
    type: 'summary',
    ...countsOf(events),
    ...(errors.length === 0 ? {} : { errors }),
    ...(withheld.length === 0 ? {} : { withheld: withheldJson(withheld) }),
    ...kept,
  })
}

/** Without a report, events are for programs. */
function show(host: Host, event: ApplyEvent, report: ApplyReport | undefined): void {
  const line = report ? report.line(event) : jsonText(eventJson(event))
  if (line !== undefined) host.stdout.write(`${line}\n`)
}

function linesText(lines: readonly string[]): string {
  return lines.map(line => `${line}\n`).join('')
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
  const { done, already, failed, stale } = countsOf(events)
  // Where everything was looked at first, nothing may have been begun.
  const isBegun = events.some(({ type }) => type === 'change_start')
  const codes: ExitCode[] = []
  if (signal) codes.push(signal === 'SIGINT' ? exitCode.interrupted : exitCode.terminated)
  if (failed > 0) codes.push(done + already + stale > 0 && isBegun ? exitCode.partly : exitCode.error)
  // What was skipped beside it hangs from what moved.
  if (stale > 0) codes.push(failed > 0 && isBegun ? exitCode.partly : exitCode.stale)
  return mostImportant(codes)
}
