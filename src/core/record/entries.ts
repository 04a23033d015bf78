import { declarableKind } from '../../kinds/index.ts'
import { isJsonArray, type JsonObject } from '../../model/json/json.ts'
import type { Change } from '../change.ts'
import type { EntryOutcome, RunEntry } from './run.ts'

/**
 * What came of each change of a run, as the lines of its journal tell it.
 *
 * | its last line                             | requests left        | entry                                     |
 * |-------------------------------------------|----------------------|-------------------------------------------|
 * | done                                      |                      | done, or already: somebody had done it    |
 * | failed, its only request refused (4xx)    | one                  | failed                                    |
 * | failed otherwise                          | any                  | failed, and maybe written                 |
 * | pending, its only request taken           | one                  | pending: nothing was written              |
 * | pending, after others                     | several              | pending, and maybe written                |
 * | stale                                     | none                 | stale                                     |
 * | stale, its only request refused           | one                  | stale                                     |
 * | stale otherwise                           | any                  | stale, and maybe written                  |
 * | stale, and what it made was taken back    | any                  | stale: nothing of it is left              |
 * | skipped, or none at all                   | none                 | skipped                                   |
 * | started                                   | none                 | skipped: the run broke off before it      |
 * | attempted                                 | any                  | failed, and maybe written: it broke off   |
 */
export function entriesOf(changes: readonly Change[], lines: readonly JsonObject[]): RunEntry[] {
  const byAddress = new Map<string, JsonObject[]>(changes.map(({ address }) => [address, []]))
  for (const line of lines) byAddress.get(String(line.address))?.push(line)
  return changes.map(change => entryOf(change, byAddress.get(change.address) ?? []))
}

function entryOf(change: Change, lines: readonly JsonObject[]): RunEntry {
  const last = lines.at(-1)
  if (last?.type === 'change_done') {
    const notKept = isJsonArray(last.not_kept) ? last.not_kept.map(String) : []
    return {
      change,
      outcome: last.already === true ? 'already' : 'done',
      id: String(last.id),
      ...(notKept.length > 0 ? { notKept } : {}),
    }
  }
  const outcome = outcomeOf(last)
  if (last?.took_back !== undefined) return { change, outcome }
  const attempts = lines.filter(({ type }) => type === 'change_attempt')
  const id =
    idTakenBack(change, attempts) ?? (outcome === 'failed' ? idWithoutFiles(change, attempts) : idMade(last))
  const [attempt, ...others] = attempts
  const isOpen = attempt !== undefined && (others.length > 0 || !isRefused(attempt, last))
  return {
    change,
    outcome,
    ...(id === undefined ? {} : { id }),
    ...(last?.type === 'change_pending' ? { changeRequest: String(last.change_request) } : {}),
    ...(isOpen ? { maybeWritten: true } : {}),
    ...(last?.type === 'change_attempt' ? { brokeOff: true } : {}),
  }
}

/** The id of an object that was made beside another one, and is there. */
function idMade(last: JsonObject | undefined): string | undefined {
  return last?.type === 'change_stale' && last.id !== undefined ? String(last.id) : undefined
}

/** The id of an object that the run made beside another one and was about to delete again: no other one is its own. */
function idTakenBack({ kind: name, action }: Change, attempts: readonly JsonObject[]): string | undefined {
  const { remove } = declarableKind(name).lifecycle
  if (action !== 'create' || remove?.by !== 'delete') return undefined
  const removal = attempts.find(({ endpoint }) => endpoint === remove.endpoint)
  return removal?.id === undefined ? undefined : String(removal.id)
}

function outcomeOf(last: JsonObject | undefined): EntryOutcome {
  switch (last?.type) {
    case 'change_pending':
      return 'pending'
    case 'change_stale':
      return 'stale'
    case 'change_skipped':
    case 'change_start':
    case undefined:
      return 'skipped'
    default:
      return 'failed'
  }
}

/**
 * A refusal says that nothing was written. What is answered with 5xx may have been done all the same, and a refusal of
 * the look that follows a lost answer says nothing of the write.
 */
function isRefused(attempt: JsonObject, last: JsonObject | undefined): boolean {
  const { type, request, status } = last ?? {}
  if (type === 'change_pending' || last?.refused === true) return true
  if (type !== 'change_failed' || request !== attempt.request) return false
  return typeof status === 'number' && status >= 400 && status < 500
}

/**
 * The id of an object whose own write had succeeded before that of its files failed. The files are sent last, and to
 * its id: nothing else names an object that the run has just created.
 */
function idWithoutFiles({ kind: name, action }: Change, attempts: readonly JsonObject[]): string | undefined {
  const { create, update, files } = declarableKind(name).lifecycle
  const last = attempts.at(-1)
  const before = action === 'create' ? create : update
  const isOwnWritten = attempts.some(({ endpoint }) => endpoint === before)
  return isOwnWritten && files && last?.endpoint === files.write && last.id !== undefined
    ? String(last.id)
    : undefined
}
