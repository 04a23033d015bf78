import { withoutEndSlash } from '../../api/base-url.ts'
import { readLeft } from '../../core/live-edits/base-index.ts'
import type { LeftByRuns } from '../../core/live-edits/base-of-runs.ts'
import { existsField } from '../../core/live-edits/live-edit.ts'
import type { Base } from '../../core/live-edits/verdict.ts'
import type { TrailChanges } from '../../core/read/activity-trail.ts'
import { readChanges } from '../../core/read/read-authors.ts'
import type { UnreadFile } from '../../core/record/run-folder.ts'
import { isDeclaredSo, readLastWritten } from '../../core/retirement.ts'
import type { Target } from '../../core/target.ts'
import { declarableKinds } from '../../kinds/index.ts'
import { type DeclarableKind, hasTargeting, switchField, targetingField } from '../../model/kind.ts'
import type { JsonObject } from '../../model/text/json.ts'
import { escapeText } from '../../model/text/printable.ts'
import { valueForAll } from '../../targeting/index.ts'
import type { Environment } from '../../yaml/settings.ts'
import type { Flags } from '../command-options.ts'
import { requireOwnPlace } from '../commands/compare.ts'
import { CommandError, EnvironmentError } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { withProgress } from '../host/output.ts'
import { fetchRuns, unreadNote } from '../past/recorded-runs.ts'
import { resolvedFor, type SessionOrigin, usingSession } from '../repository/session.ts'
import type { FlagState, Opened, Since } from './flag-states.ts'

export interface LiveFlag {
  /** The value for everybody; undefined if people may get different values. */
  readonly value: boolean | string | undefined
  /** Since when it has this value; undefined if unknown. */
  readonly since?: Since
  /** When it was last evaluated, in milliseconds since 1970. */
  readonly lastCalled?: number
}

export interface LiveFlags {
  readonly target: Target
  /** By key. */
  readonly flags: ReadonlyMap<string, LiveFlag>
  /** Why the activity trail could not be read. */
  readonly why?: string
}

export interface KnownEnvironment {
  readonly name: string | undefined
  readonly states: readonly FlagState[]
  readonly records: Records
  /** Undefined if the service was not asked. */
  readonly live?: LiveFlags | undefined
}

/** Reads records, and the service if requested, one environment after the other. */
export async function knownEnvironments(
  host: Host,
  flags: Flags,
  { options: { directory }, settings, settingsFile }: Opened,
  environments: readonly Environment[],
  states: readonly FlagState[],
  cutoff: number,
): Promise<readonly KnownEnvironment[]> {
  await fetchRuns(host, { directory, runs: settings.runs, store: settings.store })
  const places: ReadPlace[] = []
  const known: KnownEnvironment[] = []
  const missing = new Set<string>()
  for (const { name, connection } of environments) {
    const origin = {
      directory,
      connection,
      environments: settings.environments,
      environment: name,
      settingsFile,
      store: settings.store,
    }
    const ofEnvironment = name === undefined ? flags : { ...flags, env: name }
    const own = states.filter(state => state.environment === name)
    const others = environments.length > 1 ? places : undefined
    const live =
      flags.activity || flags.sandbox
        ? await readLiveFlags(host, ofEnvironment, origin, cutoff, others).catch(error => {
            throw name === undefined ? error : new EnvironmentError(name, error)
          })
        : undefined
    if (live) places.push({ name: name ?? '', target: live.target })
    const target = live?.target ?? targetOf(host, flags, origin)
    const records = await readRecords(directory, target, own)
    const unreadLine = unreadNote(directory, records.unread)
    if (unreadLine !== undefined) missing.add(unreadLine)
    known.push({ name, states: own, records, live })
  }
  for (const line of missing) host.log.warn(escapeText(line))
  return known
}

/** An environment that was already read, to find two with the same target. */
interface ReadPlace {
  readonly name: string
  readonly target: Target
}

/**
 * Reads the live flags, and the activity trail back to `cutoff`, which is old enough. It only reads. `places`
 * is undefined if there are no other environments.
 */
async function readLiveFlags(
  host: Host,
  flags: Flags,
  origin: SessionOrigin,
  cutoff: number,
  places: readonly ReadPlace[] | undefined,
): Promise<LiveFlags> {
  return usingSession(host, flags, origin, { readOnly: true }, async session => {
    const { client, target, note } = session
    if (places) requireOwnPlace(session, places)
    if (note !== undefined && !places?.length) host.log.info(escapeText(note))
    const [kind] = declarableKinds.filter(hasTargeting)
    if (!kind) return { target, flags: new Map() }
    const words =
      origin.environment === undefined ? 'reading the live flags' : `reading ${origin.environment}`
    return withProgress(host, words, async () => {
      const records = await readLiveRecords(client.list(kind.name, { signal: host.stop }))
      const wanted = records.flatMap(({ id }) =>
        decisive(kind).map(field => ({ kind: kind.name, id: String(id), field, since: cutoff })),
      )
      const { changes, why } = await readChanges(kind, wanted, { client, signal: host.stop })
      const live = records.map(record => [String(record.key), liveFlag(kind, record, changes)] as const)
      return { target, flags: new Map(live), why }
    })
  })
}

type RecordList = AsyncIterable<JsonObject> & { readonly inventory: { readonly complete: boolean } }

async function readLiveRecords(list: RecordList): Promise<readonly JsonObject[]> {
  const records: JsonObject[] = []
  for await (const record of list) if (record.deleted !== true) records.push(record)
  if (list.inventory.complete) return records
  throw new CommandError('the list of flags changed while it was read; try again')
}

/** The fields that decide who gets a flag. */
function decisive(kind: DeclarableKind): readonly string[] {
  return [switchField(kind) ?? '', targetingField(kind) ?? '', existsField]
}

function liveFlag(kind: DeclarableKind, record: JsonObject, changes: TrailChanges): LiveFlag {
  const [isOn = '', targeting = ''] = decisive(kind)
  const { [isOn]: active, [targeting]: filters = null, last_called_at: called } = record
  const lastCalled = typeof called === 'string' ? Date.parse(called) : Number.NaN
  return {
    value: valueForAll({ active: active !== false, filters }),
    since: sinceOf(kind, record, changes),
    lastCalled: Number.isNaN(lastCalled) ? undefined : lastCalled,
  }
}

/**
 * | rows of the flag in the trail                   | since                          |
 * |-------------------------------------------------|--------------------------------|
 * | some changed its value, or created it           | the newest of them             |
 * | none, and the flag is newer than the oldest row | its creation                   |
 * | none                                            | at least the oldest row of all |
 * | none, and the trail has no rows at all          | unknown                        |
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

/** Facts from recorded runs about the flags of one environment. */
export interface Records {
  since(state: FlagState): Since | undefined
  /** Whether the last recorded run left a flag as declared; undefined if there is none. */
  isAsDeclared(state: FlagState): boolean | undefined
  readonly unread: readonly UnreadFile[]
}

const noRecords: Records = { unread: [], since: () => undefined, isAsDeclared: () => undefined }

async function readRecords(
  directory: string,
  target: Target | undefined,
  states: readonly FlagState[],
): Promise<Records> {
  if (!target) return noRecords
  const asked = states.filter(({ meaning }) => meaning !== undefined)
  const [{ left, unread }, { written, found }] = await Promise.all([
    readLeft(directory, target),
    readLastWritten(directory, target, asked.map(askedOf)),
  ])
  return {
    unread,
    since({ address }) {
      const run = written.get(address)
      const oldest = found.get(address)
      const known = run ?? oldest
      return known && { at: known.at, from: 'run', name: known.run, isAtLeast: run === undefined }
    },
    isAsDeclared: state => isAsDeclared(left, state),
  }
}

function askedOf({ address, kind, ensure, known, value }: FlagState) {
  return { address, kind: kind.name, ensure, known, value }
}

function isAsDeclared(left: LeftByRuns, state: FlagState): boolean | undefined {
  const { address, kind } = state
  const outside = (left.outsideWrites[address] ?? []).flatMap(({ fields }) => Object.keys(fields))
  const held = Object.keys(left.heldSince[address] ?? {})
  if ([...outside, ...held].some(name => decisive(kind).includes(name))) return false
  const base = left.base[address]
  return base && isDeclaredSo(askedOf(state), declaredIn(base))
}

function declaredIn({ ensure, fields }: NonNullable<Base[string]>) {
  if (ensure === 'absent') return { ensure }
  const digests = Object.entries(fields).flatMap(([name, field]) => (field ? [[name, field.digest]] : []))
  return { fields: Object.fromEntries(digests) }
}

/** The target of an environment, as far as known without a request; undefined without a base URL. */
function targetOf(host: Host, flags: Flags, origin: SessionOrigin): Target | undefined {
  const { baseUrl, project, organization, profile } = resolvedFor(host, flags, origin)
  if (!baseUrl) return undefined
  return {
    baseUrl: withoutEndSlash(baseUrl.value),
    projectId: project?.value,
    organizationId: organization?.value,
    profile: profile?.value ?? '',
  }
}
