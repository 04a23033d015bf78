import {
  type Answer,
  type Client,
  isConflict,
  isNotFound,
  isPendingApproval,
  isServiceError,
  isTransportError,
  isUnexpectedAnswerError,
  levelRecord,
  UnexpectedAnswerError,
  type Way,
} from '../../api/index.ts'
import { type DeclarableKind, identityField } from '../../model/kind.ts'
import type { Runtime } from '../../model/runtime.ts'
import { isJsonObject, type Json, type JsonObject } from '../../model/text/json.ts'
import type { Change } from '../change.ts'
import { isSameField } from '../diff.ts'
import { type Live, withoutSealed } from '../live.ts'
import { noLevels } from '../plan/object-context.ts'
import { thereReason } from '../read/find-soft-deleted.ts'
import { readAgain, requestLine } from '../read/read-record.ts'
import {
  changedMeanwhile,
  heldBody,
  movedMeanwhile,
  type PerformContext,
  parentParams,
  recordIn,
} from './performed.ts'
import { createdFields } from './request-body.ts'

export interface Write {
  readonly kind: DeclarableKind
  readonly endpoint: string
  readonly params: Readonly<Record<string, string>>
  readonly body?: JsonObject
  /** The object as it was read before the change. The service compares the change with it. */
  readonly basis?: JsonObject
  /** The record that an answer contains, if the answer is not the record itself. */
  readonly recordOf?: (answer: Json) => JsonObject | undefined
}

export interface ConfirmOptions {
  readonly client: Client
  readonly runtime: Runtime
  readonly attempting: PerformContext['attempting']
  readonly signal?: AbortSignal
  readonly write: Write
  /** Finds the object again after an unknown result. */
  readonly find: () => Promise<Live | undefined>
  readonly isDone: (live: Live) => boolean
  /** Whether the object is unchanged since before the write. Without it, only a missing object counts. */
  readonly isUntouched?: (live: Live) => boolean
  /** A deletion is done when the object can no longer be found. */
  readonly goneIsDone?: boolean
  /** Whether the object may be as wanted although the write was refused. */
  readonly readAfterRefusal?: boolean
}

/** Written now, or already as wanted. */
export interface Settled {
  readonly is: 'settled'
  readonly already: boolean
  readonly body?: Json
  readonly live?: Live
}

export type Confirmed =
  | Settled
  | {
      readonly is: 'stale'
      readonly reason: string
      /** Nothing was written: every write was refused. */
      readonly refused?: true
      /** Something was written anyway. */
      readonly written?: true
    }
  | {
      readonly is: 'failed'
      readonly error: unknown
      /** A write was sent, and its result is unknown. */
      readonly isOpen: boolean
      /** The record of the object, if it exists in spite of the failure. */
      readonly record?: JsonObject
    }

/** How often a write is sent at the most, if each read shows that it had no effect. */
const mostAttempts = 3
const firstWaitMs = 250

/**
 * Sends one write until its result is known. The result is unknown after a lost answer, a 5xx, an unusable
 * answer, or a success that still shows a deleted object as live. Then the object is read: if it is as
 * wanted, the write is done; if it is unchanged, the write is sent again; else someone has edited it, and
 * nothing more is written. A refusal is final, except for a create whose first attempt may have succeeded,
 * and for a conflict that may be about other fields: then the object is read too. A write that waits for
 * approval is never sent again. Throws only if the write may not be started.
 */
export async function confirmWrite(options: ConfirmOptions): Promise<Confirmed> {
  const { client, write, signal } = options
  const { kind, endpoint, params, body } = write
  let { basis } = write
  let isOpen = false
  for (let attempt = 1; ; attempt++) {
    await options.attempting({
      requestLine: requestLine(kind, endpoint, params, client.target),
      endpoint,
      id: params.id,
    })
    try {
      const sent = body && heldBody(kind, body, basis)
      const answered = await client.call(kind.name, endpoint, { params, body: sent, signal })
      const answer = isJsonObject(answered.body)
        ? { ...answered, body: withoutSealed(kind, answered.body) }
        : answered
      const moved =
        body && isJsonObject(answer.body) ? movedMeanwhile(kind, { body, basis }, answer.body) : undefined
      if (moved !== undefined) return { is: 'stale', reason: moved, written: true }
      requireDone(write, client, answer)
      const record = write.recordOf ? write.recordOf(answer.body) : answer.body
      return { is: 'settled', already: false, ...(record === undefined ? {} : { body: record }) }
    } catch (error) {
      isOpen ||= mayHaveArrived(error)
      const settled = await lookAfter(error, options, { isOpen, attempt })
      if (settled.is !== 'again') return settled
      basis &&= { ...basis, ...settled.live?.record }
    }
  }
}

/** The object after a write, from the answer or from the next read. */
export function writtenRecord({ body, live }: Settled): JsonObject | undefined {
  return recordIn(body) ?? live?.record
}

/** Accepts a deletion or a restoration as done only if its answer does not show the object as it was before. */
function requireDone(
  { kind, endpoint, params, body = {} }: Write,
  { target }: Client,
  { status, body: answered }: Answer,
): void {
  const { field = '' } = kind.lifecycle.softDelete ?? {}
  if (!isJsonObject(answered) || !(field in body) || !(field in answered)) return
  if (isSameField(kind, field, body[field] ?? null, answered[field] ?? null)) return
  throw new UnexpectedAnswerError({
    requestLine: requestLine(kind, endpoint, params, target),
    status,
    code: 'not_done',
    reason: `shows that it was not done: "${field}" is still ${answered[field]}`,
  })
}

/** The result of a write without a usable answer, or that it may be sent again. */
async function lookAfter(
  error: unknown,
  options: ConfirmOptions,
  { isOpen, attempt }: { readonly isOpen: boolean; readonly attempt: number },
): Promise<Confirmed | { readonly is: 'again'; readonly live?: Live }> {
  const { runtime, signal, write } = options
  const isHeld = write.basis !== undefined && isConflict(error)
  const isUndecided = isOutcomeOpen(error) || isHeld
  // The object was not as wanted before, or the service would have refused the write. So this write
  // succeeded.
  const already = !isOpen
  const failed = (why: unknown, live?: Live): Confirmed => ({
    is: 'failed',
    error: why,
    isOpen,
    ...(live ? { record: live.record } : {}),
  })
  if (isPendingApproval(error)) return failed(error)
  if (!isUndecided && isNotFound(error) && options.goneIsDone) return { is: 'settled', already }
  if (!isUndecided && !(options.readAfterRefusal && isRefusal(error))) return failed(error)
  try {
    const live = await options.find()
    const verdict = judge(live, options)
    if (verdict === 'done') return { is: 'settled', already, ...(live ? { live } : {}) }
    if (verdict === 'foreign') {
      if (!isHeld || !live) return { is: 'stale', reason: foreignReason(options, live) }
      return { is: 'stale', reason: changedMeanwhile, ...(already ? { refused: true } : {}) }
    }
    if (!isUndecided || attempt >= mostAttempts) return failed(error, live)
    await runtime.sleep(backoffMs(firstWaitMs, attempt, runtime), signal)
    return { is: 'again', ...(live ? { live } : {}) }
  } catch (why) {
    return failed(why)
  }
}

function judge(live: Live | undefined, options: ConfirmOptions): 'done' | 'untouched' | 'foreign' {
  if (!live) return options.goneIsDone ? 'done' : options.isUntouched ? 'foreign' : 'untouched'
  if (options.isDone(live)) return 'done'
  return options.isUntouched?.(live) ? 'untouched' : 'foreign'
}

function foreignReason({ write, client }: ConfirmOptions, live: Live | undefined): string {
  return live ? thereReason(write.kind, live, client.target) : 'it is gone'
}

function isOutcomeOpen(error: unknown): boolean {
  if (isServiceError(error)) return error.status >= 500
  return isTransportError(error) || isUnexpectedAnswerError(error)
}

/** Whether the write may have been done anyway. A refused or unsent request was not done. */
function mayHaveArrived(error: unknown): boolean {
  if (isServiceError(error)) return error.status >= 500
  return !(isTransportError(error) && error.sent === 'no')
}

function isRefusal(error: unknown): boolean {
  return isServiceError(error) && (error.status === 400 || error.status === 409)
}

/**
 * How long to wait before the next read, in milliseconds: exponential backoff with up to 50% random
 * reduction, so that simultaneous runs spread out.
 */
export function backoffMs(firstMs: number, attempt: number, { random }: Pick<Runtime, 'random'>): number {
  return Math.round(firstMs * 2 ** attempt * (0.5 + random() / 2))
}

/** The write that sets a level; null removes the object. */
export function levelWrite(
  kind: DeclarableKind,
  change: Change,
  level: Json,
  context: PerformContext,
): Write | undefined {
  const { levels, parent } = kind.lifecycle
  if (!levels || !parent) return undefined
  const params = parentParams(kind, change, context)
  const subject = change.after[identityField(kind)] ?? change.identity
  return {
    kind,
    endpoint: levels.put,
    params,
    body: { [levels.subject]: subject, [levels.members[levels.field] ?? levels.field]: level },
    recordOf: body => levelRecord(kind, params[parent.parameter] ?? '', body),
  }
}

/** Sends one write until its result is known. While it reads for that, `others` lets other requests run. */
type Settle = (write: Write, others: () => void) => Promise<Confirmed>

/**
 * Creates an object in the form that the service uses. If the form is unknown, the likelier one is tried first.
 * If the service does not know that path, nothing was written, and the other form is used. A level is never dropped.
 */
export async function createEitherWay(
  kind: DeclarableKind,
  change: Change,
  context: PerformContext,
  settle: Settle,
): Promise<Confirmed> {
  const others = kind.lifecycle.levels ? await context.client.routes.turn(kind.name) : () => {}
  try {
    return await createInTurn(kind, change, context, write => settle(write, others))
  } finally {
    others()
  }
}

async function createInTurn(
  kind: DeclarableKind,
  change: Change,
  context: PerformContext,
  settle: (write: Write) => Promise<Confirmed>,
): Promise<Confirmed> {
  const { client } = context
  const { levels, create = '' } = kind.lifecycle
  const records = {
    kind,
    endpoint: create,
    params: parentParams(kind, change, context),
    body: createdFields(kind, change.after),
  }
  if (!levels) return settle(records)
  const declared = change.after[levels.field]
  const write = (way: Way) =>
    way === 'records'
      ? records
      : levelWrite(kind, change, declared ?? kind.fields[levels.field]?.assumed ?? null, context)
  const isKnown = client.routes.known(kind.name) === 'levels'
  let missing: Confirmed | undefined
  for (const way of client.routes.toTry(kind, client.target.profile)) {
    const sent = way === 'records' && declared !== undefined ? undefined : write(way)
    const outcome = sent && (await settle(sent))
    if (outcome && !isMissing(outcome)) return outcome
    missing ??= outcome
  }
  return missing && (isKnown || declared === undefined) ? missing : withoutLevels
}

const withoutLevels: Confirmed = { is: 'failed', error: new Error(noLevels.reason), isOpen: false }

function isMissing(outcome: Confirmed): boolean {
  return outcome.is === 'failed' && isNotFound(outcome.error)
}

/** Sends the source files that a change names, if any. After a lost answer, reading the files shows the result. */
export async function writeFiles(
  kind: DeclarableKind,
  change: Change,
  id: string,
  context: PerformContext,
): Promise<Confirmed> {
  const { files } = change
  const endpoint = kind.lifecycle.files?.write
  if (!files || !endpoint) return { is: 'settled', already: true }
  return confirmWrite({
    ...context,
    write: { kind, endpoint, params: { id }, body: files },
    find: () => readAgain(kind, { ...change, id }, context),
    isDone: live => Object.entries(files).every(([name, text]) => (live.files?.[name] ?? null) === text),
    // Writing the same texts again changes nothing. So files are sent again even if the key cannot read them.
    isUntouched: () => true,
  })
}
