import { validateReceipt } from '../derive/validate.ts'
import { declarableKind } from '../kinds/index.ts'
import { isJsonObject, type Json, type JsonObject, pickMembers } from '../model/json.ts'
import type { ApplyEvent } from './apply.ts'
import type { Change } from './change.ts'
import { changeFromJson, changeToJson } from './change-json.ts'
import type { Base } from './drift.ts'
import { sentDigests } from './fingerprint.ts'
import { targetFromJson, targetToJson } from './plan-file.ts'
import type { Target } from './target.ts'

export const receiptFormat = '1.0'

export type EntryOutcome = 'done' | 'already' | 'failed' | 'stale' | 'skipped'

/**
 * One change of a run, with what came of it. `id` is the object's own, also when the run created it; a change that
 * failed has one when its object was written and only its source files were not.
 */
export interface ReceiptEntry {
  readonly change: Change
  readonly outcome: EntryOutcome
  readonly id?: string
  /** Fields that the service took and did not keep. */
  readonly notKept?: readonly string[]
}

/** What one apply did: enough to tell later what has changed since, and to undo it. */
export interface Receipt {
  readonly run: string
  readonly target: Target
  readonly environment?: string
  readonly startedAt: number
  readonly finishedAt: number
  readonly planDigest?: string
  readonly entries: readonly ReceiptEntry[]
}

/** Collects the last event of each change into receipt entries. A change without one was never begun. */
export function entriesOf(changes: readonly Change[], events: readonly ApplyEvent[]): ReceiptEntry[] {
  const byAddress = new Map<string, ApplyEvent[]>()
  for (const event of events) byAddress.set(event.address, [...(byAddress.get(event.address) ?? []), event])
  return changes.map(change => {
    const own = byAddress.get(change.address) ?? []
    const event = own.at(-1)
    if (event?.type !== 'change_done') {
      const outcome = outcomeOf(event)
      const made = event?.type === 'change_stale' ? event.id : undefined
      const id = outcome === 'failed' ? idWithoutFiles(change, own) : made
      return { change, outcome, ...(id === undefined ? {} : { id }) }
    }
    const notKept = event.notKept.length > 0 ? { notKept: event.notKept } : {}
    return { change, outcome: event.already ? 'already' : 'done', id: event.id, ...notKept }
  })
}

/** Whether a run is known to have written an object, be it without its source files or beside another one. */
export function hasWritten({ outcome, id }: ReceiptEntry): boolean {
  return outcome === 'done' || ((outcome === 'failed' || outcome === 'stale') && id !== undefined)
}

/** How a run left the objects it wrote, merged over runs: the later one counts. */
export function baseOf(receipts: readonly Receipt[]): Base {
  const base: Record<string, Record<string, string>> = {}
  const inOrder = [...receipts].sort((left, right) => left.finishedAt - right.finishedAt)
  for (const { change, outcome, notKept } of inOrder.flatMap(({ entries }) => entries)) {
    if (outcome !== 'done' && outcome !== 'already') continue
    if (change.action === 'delete') delete base[change.address]
    else base[change.address] = { ...base[change.address], ...leftDigests(change, notKept) }
  }
  return base
}

export function receiptToJson(receipt: Receipt): JsonObject {
  return {
    format_version: receiptFormat,
    run: receipt.run,
    ...(receipt.environment === undefined ? {} : { environment: receipt.environment }),
    target: targetToJson(receipt.target),
    started_at: new Date(receipt.startedAt).toISOString(),
    finished_at: new Date(receipt.finishedAt).toISOString(),
    ...(receipt.planDigest === undefined ? {} : { plan_digest: receipt.planDigest }),
    entries: receipt.entries.map(({ change, outcome, id, notKept }) => ({
      outcome,
      ...(id === undefined ? {} : { id }),
      ...(notKept ? { not_kept: [...notKept] } : {}),
      change: changeToJson(change),
    })),
  }
}

/** Reads a receipt back; undefined when the text is none. */
export function receiptFromJson(value: Json): Receipt | undefined {
  if (!isJsonObject(value) || !Array.isArray(value.entries) || !isJsonObject(value.target)) return undefined
  if (validateReceipt(value).length > 0) return undefined
  if (String(value.format_version).split('.')[0] !== receiptFormat.split('.')[0]) return undefined
  return {
    run: String(value.run),
    target: targetFromJson(value.target),
    ...(typeof value.environment === 'string' ? { environment: value.environment } : {}),
    startedAt: Date.parse(String(value.started_at)),
    finishedAt: Date.parse(String(value.finished_at)),
    ...(typeof value.plan_digest === 'string' ? { planDigest: value.plan_digest } : {}),
    entries: value.entries.filter(isJsonObject).map(entry => ({
      change: changeFromJson(entry.change as JsonObject),
      outcome: entry.outcome as EntryOutcome,
      ...(typeof entry.id === 'string' ? { id: entry.id } : {}),
      ...(entry.not_kept ? { notKept: entry.not_kept as readonly string[] } : {}),
    })),
  }
}

function outcomeOf(event: ApplyEvent | undefined): EntryOutcome {
  switch (event?.type) {
    case 'change_done':
      return 'done'
    case 'change_stale':
      return 'stale'
    case 'change_skipped':
      return 'skipped'
    case undefined:
      return 'skipped'
    // An attempt without an end: the run broke off in the middle of it.
    case 'change_failed':
    case 'change_start':
    case 'change_attempt':
      return 'failed'
  }
}

/**
 * The id of an object whose own write had succeeded before that of its files failed. The files are sent last, and to
 * its id: nothing else names an object that the run has just created.
 */
function idWithoutFiles({ kind: name, action }: Change, events: readonly ApplyEvent[]): string | undefined {
  const { create, update, files } = declarableKind(name).lifecycle
  const attempts = events.filter(event => event.type === 'change_attempt')
  const last = attempts.at(-1)
  const before = action === 'create' ? create : update
  const isOwnWritten = attempts.some(({ endpoint }) => endpoint === before)
  return isOwnWritten && files && last?.endpoint === files.write ? last.id : undefined
}

/** What was not kept was left as it was: it has not drifted when it is not as it was sent. */
function leftDigests({ kind, after }: Change, notKept: readonly string[] = []): Record<string, string> {
  const kept = pickMembers(after, (_, name) => !notKept.includes(name))
  return sentDigests(declarableKind(kind), kept)
}
