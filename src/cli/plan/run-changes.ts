import { apply } from '../../core/apply/apply.ts'
import type { ApplyEvent } from '../../core/apply/apply-event.ts'
import type { Plan } from '../../core/change.ts'
import { changeToJson, valuesText, valuesToJson } from '../../core/record/change-json.ts'
import { eventJson, type Journal, openJournal } from '../../core/record/journal.ts'
import { planDocument } from '../../core/record/plan-file.ts'
import type { Run, RunRecord } from '../../core/record/run.ts'
import { journalPath, repeatsNewest, writeRunValues } from '../../core/record/run-folder.ts'
import { recordedChanges, redactedChanges, redactedPlan } from '../../core/redaction.ts'
import { codeOf } from '../../model/files.ts'
import { within } from '../../model/runtime.ts'
import { writeJson } from '../../model/text/json-text.ts'
import { version } from '../../model/version.ts'
import type { RunDocument, RunEvent, RunHead } from '../../report/document.ts'
import { countEvents } from '../../report/lines/run-report.ts'
import type { Flags } from '../command-options.ts'
import { type ExitCode, exitCode, mostImportant } from '../host/exit-code.ts'
import type { Host, Signal } from '../host/host.ts'
import { follow, isForPeople, present, print, startProgress } from '../host/output.ts'
import { pushRuns } from '../past/recorded-runs.ts'
import { type Session, shownTarget } from '../repository/session.ts'
import { journalCopy } from '../repository/shared-store.ts'
import { changeFailure } from './explain-failure.ts'
import { type Held, keepRecord, type RunFacts, recordOf, refuseKeyOnRecord, runOf } from './run-record.ts'

export interface RunInput extends RunFacts, Pick<RunHead, 'authors' | 'sourceUrl'> {
  readonly isOfSavedPlan?: boolean
  readonly flags: Flags
  /** Writes nothing if any change cannot be made as planned. */
  readonly allOrNothing?: boolean
  /** Whether a value that the service accepts but does not store is a failure. */
  readonly mustKeep?: boolean
  /** Receives the events instead of standard output. Promises are awaited; a failure stops the run. */
  readonly follow?: { event(event: RunEvent): unknown; end(run: RunDocument): void }
}

/**
 * Applies changes and prints one line for each. The journal has every request before it is sent. A record is
 * written at the end, even without changes. The first SIGINT or SIGTERM lets running requests finish. So does
 * a failure of `follow`, which is thrown once the run is recorded.
 */
export function runChanges(host: Host, session: Session, input: RunInput): Promise<ExitCode> {
  return within(host.runtime, 'apply', {}, () => carryOut(host, session, input))
}

async function carryOut(host: Host, session: Session, input: RunInput): Promise<ExitCode> {
  refuseKeyOnRecord(host, 'refusing to record this run', heldBy(input))
  if (input.plan.changes.length === 0) return recordNothingDone(host, session, input)
  const following = input.follow ?? (await follow(host, input.flags, headOf(host, input)))
  // Written before the first change: a run without it could not be undone.
  const run = await runOf(host, session, input)
  await keepValues(host, input, run)
  const journal = await journalOf(host, input, run)
  const events: RunEvent[] = []
  const interruption = listen(host)
  const progress = startProgress(host, isForPeople(input.flags))
  let ended = 0
  let hasEnded = false
  const failing = new AbortController()
  let isUnwritten = false
  try {
    progress.update(`0 of ${input.plan.changes.length} changes`)
    const running = apply({
      changes: input.plan.changes,
      client: session.client,
      runtime: host.runtime,
      parallelism: session.connection.parallelism,
      record: event => journal.append(event),
      stop: AbortSignal.any([interruption.stop, failing.signal]),
      abort: interruption.abort,
      allOrNothing: input.allOrNothing,
    })
    for await (const happened of running) {
      const event = toRunEvent(happened)
      events.push(event)
      progress.wipe()
      if (!failing.signal.aborted) {
        try {
          await following.event(event)
        } catch (error) {
          failing.abort(error)
        }
      }
      if (isEnd(event)) ended += 1
      progress.update(`${ended} of ${input.plan.changes.length} changes`)
    }
    hasEnded = true
  } finally {
    progress.stop()
    interruption.close()
    // All lines are already written.
    await journal.close().catch(() => {})
    const isComplete = hasEnded && !failing.signal.aborted && interruption.signal() === undefined
    // A full disk must not suppress the other messages.
    const record = recordOf(
      run,
      host.runtime.now(),
      isComplete,
      events.map(({ line }) => line),
    )
    const path = await kept(host, input, record).catch(error => {
      isUnwritten = true
      host.log.error(unwrittenRecord(error))
      return undefined
    })
    const where = path === undefined ? {} : { kept: { run: run.run, path, isFleeting: host.isFleeting } }
    following.end({ ...documentOf(host, session, input, events), ...where })
    // The result is shown before the slow remote is used.
    if (path !== undefined) await pushRuns(host, input.place, input.unshared)
  }
  failing.signal.throwIfAborted()
  const isLost =
    input.mustKeep && events.some(event => event.type === 'change_done' && event.notKept.length > 0)
  if (isLost) host.log.error('the service answered, but did not make the change')
  const isBeside = events.some(event => event.type === 'change_done' && event.changedBeside !== undefined)
  const code = mostImportant([
    runCode(events, interruption.signal()),
    ...(isLost ? [exitCode.error] : []),
    ...(isBeside ? [exitCode.stale] : []),
  ])
  return isUnwritten ? mostImportant([code, exitCode.error]) : code
}

/** Everything that a run records: values, and the addresses of declared objects. */
function heldBy({ plan: { changes }, scope }: RunInput): readonly Held[] {
  return [
    ...changes.map(change => ({ address: change.address, values: changeToJson(change) })),
    ...Object.keys(scope?.declared ?? {}).map(address => ({ address, values: {} })),
  ]
}

/** Records a run without changes: later edits are detected relative to it. A failure is only a warning. */
async function recordNothingDone(host: Host, session: Session, input: RunInput): Promise<ExitCode> {
  try {
    const run = await runOf(host, session, input)
    if (input.flags.onlyNews && (await repeatsNewest(input.place.directory, run))) return await ended()
    const path = await kept(host, input, recordOf(run, host.runtime.now(), true, []))
    if (path !== undefined) await pushRuns(host, input.place, input.unshared)
  } catch (error) {
    host.log.warn(`this run is not recorded: ${codeOf(error, 'unknown reason')}`)
  }
  return ended()

  async function ended(): Promise<ExitCode> {
    const document = documentOf(host, session, input, [])
    if (input.follow) input.follow.end(document)
    else await print(host, input.flags, document)
    return exitCode.done
  }
}

async function journalOf(host: Host, { place, isUnrecorded }: RunInput, run: Run): Promise<Journal> {
  const path = journalPath(place.directory, run.run)
  if (isUnrecorded) return { path, append: async () => {}, close: async () => {} }
  const { redaction, runtime, secrets } = host
  const changes = recordedChanges(run.changes, redaction)
  const copy = await journalCopy(host, place, run)
  return openJournal(path, { ...run, changes }, runtime, secrets.hide, copy)
}

/** Writes hidden values to their own file, before the journal begins. */
async function keepValues({ redaction }: Host, { place, isUnrecorded }: RunInput, run: Run): Promise<void> {
  const changes = valuesToJson(run.changes, redaction)
  if (isUnrecorded || Object.keys(changes).length === 0) return
  const text = valuesText({ changes }, content => writeJson(content, 2))
  await writeRunValues(place.directory, run.run, text)
}

/** Writes the record of a run; returns its path, or undefined if there is none. */
async function kept(host: Host, input: RunInput, record: RunRecord): Promise<string | undefined> {
  return input.isUnrecorded ? undefined : keepRecord(host, input, record)
}

function unwrittenRecord(error: unknown): string {
  const why = codeOf(error, 'unknown reason')
  return `the record of this run cannot be written (${why}): \`vexil undo\` has to use its journal`
}

function documentOf(host: Host, session: Session, input: RunInput, events: readonly RunEvent[]): RunDocument {
  const { revision, place } = input
  const meta = { target: shownTarget(session), environment: place.environment, ...revision }
  return { is: 'run', meta, ...headOf(host, input), events }
}

function headOf(
  { redaction }: Host,
  { command, plan, authors, sourceUrl, isOfSavedPlan }: RunInput,
): RunHead {
  const { changes, blocked, liveEdits, ownershipTag, groupTypes, owners } = plan
  return {
    command,
    changes: redactedChanges(changes, redaction),
    ...{ blocked, liveEdits, ownershipTag, groupTypes, owners, authors, sourceUrl, isOfSavedPlan },
  }
}

/** An event for reports, with an explained failure. */
function toRunEvent(event: ApplyEvent): RunEvent {
  const line = eventJson(event)
  if (event.type !== 'change_failed') return { ...event, line }
  const { error, ...same } = event
  return { ...same, failure: changeFailure(error), line }
}

function isEnd({ type }: RunEvent): boolean {
  return type !== 'change_start' && type !== 'change_attempt'
}

interface Interruption {
  /** Aborted by the first signal: no further change begins. */
  readonly stop: AbortSignal
  /** Aborted by the second: running requests are cut off. */
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
    host.log.warn('stopping after the running requests; interrupt again to cut them off')
  })
  return { stop: stop.signal, abort: abort.signal, signal: () => signal, close }
}

function runCode(events: readonly RunEvent[], signal: Signal | undefined): ExitCode {
  const { done, already, failed, pending, stale } = countEvents(events)
  // With `--all-or-nothing`, a failed check means that nothing began.
  const isBegun = events.some(({ type }) => type === 'change_start')
  const codes: ExitCode[] = []
  if (signal) codes.push(signal === 'SIGINT' ? exitCode.interrupted : exitCode.terminated)
  if (failed > 0) codes.push(done + already + stale > 0 && isBegun ? exitCode.partly : exitCode.error)
  if (pending > 0) codes.push(done + already > 0 ? exitCode.partly : exitCode.refused)
  // Changes are skipped only because of the stale ones.
  if (stale > 0) codes.push(failed > 0 && isBegun ? exitCode.partly : exitCode.stale)
  return mostImportant(codes)
}

/** What a command is about to do, other than applying declarations. */
interface Deed {
  readonly plan: Plan
  readonly environment?: string
  readonly deed: string
  /** One line. */
  readonly note?: string
}

/** Shows the planned changes of such a command, without drift and undeclared objects. */
export function presentDeed(
  host: Host,
  flags: Flags,
  session: Session,
  { plan: made, environment, deed, note }: Deed,
): Promise<void> {
  const { taggedUndeclared: _, ...about } = made
  const plan = { ...redactedPlan(about, host.redaction), drift: [], liveEdits: [] }
  const requests = session.client.requestCount
  return present(host, flags, {
    is: 'plan',
    plan,
    meta: { target: shownTarget(session), environment, requests },
    get saved() {
      return planDocument(plan, { toolVersion: version, target: session.target, environment, requests })
    },
    deed,
    note,
  })
}
