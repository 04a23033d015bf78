import { readChanges, type WantedAuthor } from '../../../core/read/read-authors.ts'
import type { TrailChanges } from '../../../core/read/trail-changes.ts'
import type { Target } from '../../../core/target.ts'
import { declarableKinds } from '../../../kinds/index.ts'
import type { JsonObject } from '../../../model/json/json.ts'
import { type DeclarableKind, hasTargeting, switchField, targetingField } from '../../../model/kind.ts'
import { existsField } from '../../../model/safety/live-edit-policy.ts'
import { escapeText } from '../../../model/text/escape-text.ts'
import { valueForAll } from '../../../targeting/index.ts'
import { openSession, type SessionFlags, type SessionOrigin } from '../../connection/session.ts'
import { CommandError } from '../../host/exit-code.ts'
import type { Host } from '../../host/host.ts'
import { withProgress } from '../../host/output/progress.ts'
import { requireOwnPlace } from '../compare/read-live.ts'
import type { Since } from './since.ts'

/** A flag as the service has it. */
export interface LiveFlag {
  /** What everybody gets; undefined where people may get different values. */
  readonly value: boolean | string | undefined
  /** Since when; undefined where the activity trail does not tell. */
  readonly since?: Since
  /** When somebody asked for it last, in milliseconds since 1970. */
  readonly lastCalled?: number
}

/** The flags of one environment. */
export interface LiveFlags {
  readonly target: Target
  /** By key. */
  readonly flags: ReadonlyMap<string, LiveFlag>
  /** Why the trail does not tell since when flags are as they are. */
  readonly why?: string
}

export interface ReadingLive {
  readonly cutoff: number
  /** Where other environments are: none of them is the same place. Undefined where there is no other. */
  readonly places: readonly { readonly name: string; readonly target: Target }[] | undefined
}

/**
 * Reads the live flags, and the newest rows of the activity trail: back to `cutoff`, for what is older than that is old enough.
 * Only reading requests are sent.
 */
export async function readLiveFlags(
  host: Host,
  flags: SessionFlags,
  origin: SessionOrigin,
  { cutoff, places }: ReadingLive,
): Promise<LiveFlags> {
  const session = await openSession(host, flags, origin, { readOnly: true })
  try {
    const { client, target, note } = session
    if (places) requireOwnPlace(session, places)
    if (note !== undefined && !places?.length) host.log.info(escapeText(note))
    const [kind] = declarableKinds.filter(hasTargeting)
    if (!kind) return { target, flags: new Map() }
    const words =
      origin.environment === undefined ? 'reading the live flags' : `reading ${origin.environment}`
    return await withProgress(host, words, async () => {
      const records = await readRecords(client.list(kind.name, { signal: host.stop }))
      const wanted = records.flatMap(record => wantedOf(kind, record, cutoff))
      const { changes, why } = await readChanges(kind, wanted, { client, signal: host.stop })
      const live = records.map(record => [String(record.key), liveFlag(kind, record, changes)] as const)
      return { target, flags: new Map(live), ...(why === undefined ? {} : { why }) }
    })
  } finally {
    await session.close()
  }
}

type RecordList = AsyncIterable<JsonObject> & { readonly inventory: { readonly complete: boolean } }

async function readRecords(list: RecordList): Promise<readonly JsonObject[]> {
  const records: JsonObject[] = []
  for await (const record of list) if (record.deleted !== true) records.push(record)
  if (list.inventory.complete) return records
  throw new CommandError('the list of flags was not read whole; it changed meanwhile; try again')
}

function wantedOf(kind: DeclarableKind, { id }: JsonObject, since: number): WantedAuthor[] {
  return decisive(kind).map(field => ({ kind: kind.name, id: String(id), field, since }))
}

/** What decides who gets an object. */
function decisive(kind: DeclarableKind): readonly string[] {
  return [switchField(kind) ?? '', targetingField(kind) ?? '', existsField]
}

function liveFlag(kind: DeclarableKind, record: JsonObject, changes: TrailChanges): LiveFlag {
  const [isOn = '', targeting = ''] = decisive(kind)
  const { [isOn]: active, [targeting]: filters = null, last_called_at: called } = record
  const since = sinceOf(kind, record, changes)
  const lastCalled = typeof called === 'string' ? Date.parse(called) : Number.NaN
  return {
    value: valueForAll({ active: active !== false, filters }),
    ...(since ? { since } : {}),
    ...(Number.isNaN(lastCalled) ? {} : { lastCalled }),
  }
}

/**
 * | the trail has of the flag                       | since                                          |
 * |-------------------------------------------------|------------------------------------------------|
 * | rows that changed who gets it, or made it       | the newest of them                             |
 * | none, and the flag was made after its oldest row | when it was made                              |
 * | none                                            | at least the oldest row of all                 |
 * | nothing, and neither of any other flag          | not known                                      |
 */
function sinceOf(
  kind: DeclarableKind,
  { id, created_at: createdAt }: JsonObject,
  { objects, oldest }: TrailChanges,
): Since | undefined {
  const trail = objects.get(String(id))
  const rows = [
    ...decisive(kind).flatMap(field => trail?.changes.get(field)?.at ?? []),
    ...(trail?.created ? [trail.created.at] : []),
  ]
  if (rows.length > 0) return { at: Math.max(...rows), from: 'trail', isAtLeast: false }
  if (oldest === Number.POSITIVE_INFINITY) return undefined
  const made = typeof createdAt === 'string' ? Date.parse(createdAt) : Number.NaN
  return made > oldest
    ? { at: made, from: 'trail', isAtLeast: false }
    : { at: oldest, from: 'trail', isAtLeast: true }
}
