import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'

/** What formats 1 and 2 of runs call otherwise. Plans of these formats are refused; a run must be undoable for longer. */
const commands = new Map<Json | undefined, string>([
  ['adopt', 'claim'],
  ['release', 'unclaim'],
])
const actions = new Map<Json | undefined, string>([
  ['adopt', 'claim'],
  ['revive', 'restore'],
])

/**
 * A record of a run, or the first line of its journal, with the members of the format that is written today. Only what
 * was renamed is touched, so what is broken stays broken.
 */
export function inTodaysFormat(run: JsonObject): JsonObject {
  if (!['1', '2'].includes(majorOf(run))) return run
  const { command, changes, entries } = run
  return {
    ...run,
    ...(commands.has(command) ? { command: commands.get(command) ?? '' } : {}),
    ...(isJsonArray(changes) ? { changes: changes.map(changeOfToday) } : {}),
    ...(isJsonArray(entries) ? { entries: entries.map(entryOfToday) } : {}),
  }
}

/** The major version of a document, as text; empty where it has none. */
export function majorOf({ format_version }: JsonObject): string {
  return typeof format_version === 'string' ? (format_version.split('.')[0] ?? '') : ''
}

function entryOfToday(entry: Json): Json {
  return isJsonObject(entry) && entry.change !== undefined
    ? { ...entry, change: changeOfToday(entry.change) }
    : entry
}

function changeOfToday(change: Json): Json {
  if (!isJsonObject(change)) return change
  const { base, words, action, ...same } = change
  return {
    ...same,
    ...(action === undefined ? {} : { action: actions.get(action) ?? action }),
    ...(base === undefined ? {} : { fingerprint: base }),
    ...(words === undefined ? {} : { summary: words }),
  }
}
