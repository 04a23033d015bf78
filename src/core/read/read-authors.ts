import pMap from 'p-map'
import {
  type Client,
  isServiceError,
  isTransportError,
  UnexpectedAnswerError,
  unlessRefused,
} from '../../api/index.ts'
import { declarableKind } from '../../kinds/index.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import { isJsonObject } from '../../model/text/json.ts'
import type { Plan } from '../change.ts'
import type { Declarations, Desired } from '../desired.ts'
import { keysOf, type Rename, renamedFields } from '../flag-links.ts'
import { findLive, indexLive, type Pending } from '../live.ts'
import { type Authors, clockTolerance, noAuthors, type ObjectTrail, trailKey } from '../live-edits/authors.ts'
import { type Records, surplusGrants } from '../live-edits/records.ts'
import { liveEditPolicyOf, type Policy } from '../policy.ts'
import { hasMore, isTrailPage, TrailChanges } from './activity-trail.ts'
import type { ReadTrail } from './find-soft-deleted.ts'
import type { SnapshotOptions } from './read-record.ts'
import type { Snapshot } from './snapshot.ts'

export interface WantedAuthor {
  readonly kind: string
  readonly id: string
  readonly field: string
  /** When it last converged, in milliseconds since 1970. Older rows are not needed. */
  readonly since?: number
}

/** The largest number of pages, and the rows of a page: the newest 4,000 rows. */
const mostPages = 20
const pageRows = 200

/**
 * Reads from the activity trails who changed these fields. Each trail is read once, the newest rows first. A
 * trail that was already read to find hidden objects is used again.
 *
 * | the trail                                | is read                             |
 * |------------------------------------------|-------------------------------------|
 * | was already read                         | not again                           |
 * | has a row for each field                 | to the page with the last of them   |
 * | has rows older than the last convergence | to the page with the first of them  |
 * | is longer                                | 20 pages of 200 rows                |
 * | is refused, fails, or does not exist     | no further, and one line reports it |
 *
 * Authors are optional: a failure is reported, and the plan continues without them.
 */
export async function readAuthors(
  wanted: readonly WantedAuthor[],
  snapshot: Pick<Snapshot, 'trails' | 'links'>,
  options: Pick<SnapshotOptions, 'client' | 'signal'>,
): Promise<Authors> {
  const names = [...new Set(wanted.map(({ kind }) => kind))].sort()
  const readings = await Promise.all(
    names.map(async name => {
      const kind = declarableKind(name)
      const ofKind = wanted.filter(each => each.kind === name)
      const read = snapshot.trails?.find(trail => trail.kind === name)
      const reading = read ? readingOf(read, ofKind) : await readChanges(kind, ofKind, options)
      return { kind, ofKind, ...reading }
    }),
  )
  if (readings.length === 0) return noAuthors
  const rename = keysOf((snapshot.links ?? []).filter(({ hasKey }) => hasKey))
  return {
    objects: new Map(
      readings.flatMap(({ kind, ofKind, changes }) =>
        [...new Set(ofKind.map(({ id }) => id))].flatMap(id => {
          const trail = changes.objects.get(id)
          return trail ? [[trailKey(kind.name, id), withKeys(kind, trail, rename)] as const] : []
        }),
      ),
    ),
    notes: readings.flatMap(({ kind, why }) =>
      why === undefined ? [] : [`who changed ${kind.title}s in the product is unknown: ${why}`],
    ),
  }
}

export interface ReadChanges {
  readonly changes: TrailChanges
  /** Why authors are missing that the trail may have. */
  readonly why?: string
}

function readingOf({ trail, changes }: ReadTrail, wanted: readonly WantedAuthor[]): ReadChanges {
  if (trail.is === 'none') return { changes, why: noTrail }
  if (trail.is === 'refused') return { changes, why: trail.reason }
  const isMissing = missingIn(changes, wanted).length > 0
  return isMissing && trail.gap !== undefined ? { changes, why: trail.gap } : { changes }
}

const noTrail = 'the service keeps no activity trail of them'

/** Reads a trail back to the rows that the fields need. */
export async function readChanges(
  kind: DeclarableKind,
  wanted: readonly WantedAuthor[],
  { client, signal }: Pick<SnapshotOptions, 'client' | 'signal'>,
): Promise<ReadChanges> {
  const changes = new TrailChanges(kind)
  const endpoint = kind.lifecycle.activity?.all
  if (endpoint === undefined) return { changes, why: noTrail }
  for (let page = 1; page <= mostPages; page++) {
    try {
      const { body } = await client.call(kind.name, endpoint, { query: { limit: pageRows, page }, signal })
      if (!isTrailPage(body)) return { changes, why: noTrail }
      changes.add(body.results)
      if (!hasMore(body) || missingIn(changes, wanted).length === 0) return { changes }
    } catch (error) {
      // If the command was stopped, this stops too.
      signal?.throwIfAborted()
      return { changes, why: failureText(error) }
    }
  }
  return { changes, why: `the newest ${mostPages * pageRows} rows of the activity trail do not show it` }
}

/** Fields for which older rows are needed. */
function missingIn(changes: TrailChanges, wanted: readonly WantedAuthor[]): readonly WantedAuthor[] {
  return wanted.filter(({ id, field, since }) => {
    if (since !== undefined && changes.oldest < since - clockTolerance) return false
    const trail = changes.objects.get(id)
    return !trail?.created && !trail?.changes.has(field)
  })
}

/** A failure of the service as a result; our own errors are rethrown. */
function failureText(error: unknown): string {
  if (error instanceof UnexpectedAnswerError) return noTrail
  if (isTransportError(error)) return 'the activity trail did not answer'
  if (!isServiceError(error)) throw error
  const { status } = error
  return status < 500 ? `the activity trail was refused (${status})` : `the activity trail failed (${status})`
}

/** Rows name flags in conditions by id; the compared values name them by key. */
function withKeys(kind: DeclarableKind, trail: ObjectTrail, rename: Rename): ObjectTrail {
  const changes = [...trail.changes].map(([field, change]) => {
    const { [field]: after = change.after } = renamedFields(kind, { [field]: change.after }, rename)
    return [field, { ...change, after }] as const
  })
  return { ...trail, changes: new Map(changes) }
}

interface Asking {
  readonly client: Client
  readonly parallelism?: number
  readonly signal?: AbortSignal
}

/**
 * The requests that still wait for approval, according to the service. They may have been decided since.
 *
 * | the request in the service            | it waits                               |
 * |---------------------------------------|----------------------------------------|
 * | pending, or approved and not made yet | yes                                    |
 * | applied, rejected, expired, failed    | no: the difference needs a new request |
 * | unknown: another state, no such path  | assumed                                |
 */
export async function stillPending(
  pending: Pending,
  desired: readonly Desired[],
  { client, parallelism = 8, signal }: Asking,
): Promise<Pending> {
  if (Object.keys(pending).length === 0) return pending
  const asked = desired.flatMap(({ address, kind }) => {
    const waiting = pending[address]
    const { approval } = declarableKind(kind).lifecycle
    return waiting && approval ? [{ address, kind, ...approval, ...waiting }] : []
  })
  const closed = await pMap(
    asked,
    async ({ address, kind, endpoint, parameter, changeRequest }) => {
      const state = await unlessRefused(async () => {
        const { body } = await client.call(kind, endpoint, { params: { [parameter]: changeRequest }, signal })
        return isJsonObject(body) ? body.state : undefined
      })
      return closedStates.some(each => each === state) ? [address] : []
    },
    { concurrency: parallelism },
  )
  const gone = new Set(closed.flat())
  return gone.size === 0
    ? pending
    : Object.fromEntries(Object.entries(pending).filter(([at]) => !gone.has(at)))
}

const closedStates = ['applied', 'rejected', 'expired', 'failed']

export interface PlannedOn {
  readonly declared: Declarations
  readonly live: Pick<Snapshot, 'live'>
  readonly records?: Pick<Records, 'base'>
}

/** The fields of live edits whose authors are unknown. Records and commits already name the other authors. */
export function wantedAuthors({ liveEdits }: Pick<Plan, 'liveEdits'>, on: PlannedOn): WantedAuthor[] {
  if (liveEdits.length === 0) return []
  const askFor = askingFor(on, liveEdits)
  return liveEdits.flatMap(({ address, kind, fields }) =>
    fields.flatMap(({ field, author, treatment }) => {
      const asked = author || treatment === 'behind' ? undefined : askFor(address, field)
      return asked ? [{ kind, field, ...asked }] : []
    }),
  )
}

/**
 * The fields without a base that a plan changes, if the trail can prove that a person set them: only if the
 * settings name automation users.
 */
export function unprovenFields({ changes }: Pick<Plan, 'changes'>, on: UnprovenOn): WantedAuthor[] {
  if (changes.length === 0) return []
  const declared = new Map(on.declared.desired.map(desired => [desired.address, desired]))
  return changes.flatMap(({ address, kind, action, id, after }) => {
    const desired = declared.get(address)
    if (action !== 'update' || id === undefined || !desired) return []
    if (liveEditPolicyOf(on.policy, desired).automation.length === 0) return []
    const base = on.records?.base
    const object = base && Object.hasOwn(base, address) ? base[address] : undefined
    const since = object?.origin.at
    return Object.keys(after)
      .filter(field => field in desired.fields && object?.fields[field] === undefined)
      .map(field => ({ kind, id, field, ...(since === undefined ? {} : { since }) }))
  })
}

interface UnprovenOn extends PlannedOn {
  readonly policy: Policy
}

/** The live or recorded object of an address, and when it last converged. */
function askingFor(
  { declared: declarations, live: snapshot, records: { base = {} } = {} }: PlannedOn,
  liveEdits: Plan['liveEdits'],
): (address: string, field: string) => Pick<WantedAuthor, 'id' | 'since'> | undefined {
  const addresses = new Set(liveEdits.map(({ address }) => address))
  const all = [...declarations.desired, ...surplusGrants(declarations, snapshot.live)]
  const declared = new Map(
    all.flatMap(desired => (addresses.has(desired.address) ? [[desired.address, desired] as const] : [])),
  )
  const index = indexLive(snapshot.live)
  return (address, field) => {
    const desired = declared.get(address)
    const [live] = desired ? findLive(index, declarableKind(desired.kind), desired) : []
    const object = Object.hasOwn(base, address) ? base[address] : undefined
    const since = object && (object.fields[field]?.origin ?? object.origin).at
    const id = live?.id ?? object?.id
    return desired && id !== undefined ? { id, ...(since === undefined ? {} : { since }) } : undefined
  }
}
