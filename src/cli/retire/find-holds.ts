import { relative } from 'node:path'
import { lastSwitch } from '../../core/record/history.ts'
import { type Hold, mergeAlike, type Standing, type Unchecked, valueName } from '../../core/retirement.ts'
import type { JsonObject } from '../../model/json/json.ts'
import { durationText } from '../../model/text/duration-text.ts'
import { declaredFlags, searchReferences, type WrittenFlag } from '../commands/refs.ts'
import type { EditableRepository } from '../edit/write-edit.ts'
import type { Flags } from '../host/flags.ts'
import type { Host } from '../host/host.ts'
import { type DeclaredIn, declaredHolds, filtersOf, standingOf, valuesOf } from './declared-holds.ts'
import { type AskedLive, askLive } from './live-holds.ts'
import type { RetireChoice } from './retire-choice.ts'

/** What is known of a flag: its state in each environment, and all that holds it. */
export interface Findings {
  readonly standings: readonly FoundStanding[]
  readonly holds: readonly Hold[]
  readonly unchecked: readonly Unchecked[]
  readonly notes: readonly string[]
}

export interface FoundStanding extends Standing {
  readonly flag: DeclaredIn
  readonly offSince?: number | undefined
  /** Its filters: the declared ones or, if there are none, the live ones. */
  readonly filters: ReturnType<typeof filtersOf>
}

interface Asking {
  readonly repository: EditableRepository
  readonly flag: WrittenFlag
  readonly environments: readonly DeclaredIn[]
  readonly choice: RetireChoice
  readonly flags: Flags
}

/** Finds everything that still holds a flag: in files, in code, and in the service of each environment. */
export async function findHolds(host: Host, asking: Asking): Promise<Findings> {
  const { repository, environments, choice, flags } = asking
  const found: InEnvironment[] = []
  // One after the other: the embedded sandbox is open once at a time.
  for (const flag of environments) {
    const look = (asked: AskedLive | { readonly why: string }) =>
      lookInto(host, repository, flag, asked, choice)
    found.push(
      choice.isOffline
        ? await look({ why: '--offline asks nobody' })
        : await askLive(host, { ...flags, allow: choice.rules }, flag, look),
    )
  }
  const names = environments.map(({ environment: { name } }) => name)
  const code = await referenceHolds(host, asking, [...new Set(found.map(({ standing }) => standing.value))])
  return {
    standings: found.map(({ standing }) => standing),
    holds: [
      ...code.holds,
      ...mergeAlike(
        found.flatMap(({ holds }) => holds),
        names,
      ),
    ],
    unchecked: [...code.unchecked, ...found.flatMap(({ unchecked }) => unchecked)],
    notes: code.notes,
  }
}

interface InEnvironment {
  readonly standing: FoundStanding
  readonly holds: readonly Hold[]
  readonly unchecked: readonly Unchecked[]
}

async function lookInto(
  host: Host,
  repository: EditableRepository,
  flag: DeclaredIn,
  asked: AskedLive | { readonly why: string },
  choice: RetireChoice,
): Promise<InEnvironment> {
  const environment = flag.environment.name
  const isAsked = 'holds' in asked
  const live = isAsked ? asked.live?.record : undefined
  const standing = standingOf(flag, live)
  const declared = declaredHolds(repository, flag)
  const seen = isAsked ? withoutDeclared(asked.holds, declared) : []
  const time = isAsked
    ? await waitAsked(host, standing, seen, asked, choice)
    : await waitOnRecord(host, repository, standing, flag, choice)
  return {
    standing: { ...standing, flag, offSince: time.offSince, filters: filtersOf(flag, live) },
    holds: [...valueHolds(standing, flag, live), ...declared, ...seen, ...time.holds],
    unchecked: isAsked ? asked.unchecked : [{ environment, what: liveThings, reason: asked.why }],
  }
}

const liveThings = 'what is live (experiments, surveys, early access features, other flags, live edits)'

/** A hold that is both declared and live is reported once, with the line that declares it. */
function withoutDeclared(seen: readonly Hold[], declared: readonly Hold[]): Hold[] {
  const known = new Set(declared.flatMap(({ subject }) => subject ?? []))
  return seen.filter(({ subject }) => subject === undefined || !known.has(subject))
}

function valueHolds(
  { declared, value, environment }: Standing,
  flag: DeclaredIn,
  live: JsonObject | undefined,
): Hold[] {
  if (declared !== 'on' || value !== undefined) return []
  const filters = filtersOf(flag, live)
  const options = valuesOf(filters).map(way => `\`--value ${way}\``)
  return [
    {
      kind: 'values',
      environment,
      place: flag.source,
      what:
        filters === undefined
          ? 'who gets it is not declared, and not known from here'
          : 'people get different values of it, or other parts of the product decide who gets it',
      remedy: `decide first: ${options.join(' or ')} gives everybody that; \`vexil ramp\` takes one condition to 100 or 0`,
    },
  ]
}

interface Waiting {
  readonly offSince?: number | undefined
  readonly holds: readonly Hold[]
}

/** How long it has been off, by the service or a record. Unapplied changes are holds themselves. */
async function waitAsked(
  host: Host,
  { declared, environment }: Standing,
  seen: readonly Hold[],
  asked: AskedLive,
  { days }: RetireChoice,
): Promise<Waiting> {
  const isApplied = !seen.some(
    ({ kind }) => kind === 'unapplied' || kind === 'live_edit' || kind === 'blocked',
  )
  if (declared !== 'off' || !isApplied || !asked.live) return { holds: [] }
  const offSince = await asked.offSince()
  if (offSince !== undefined) return waitSince(host, environment, offSince, days)
  if (days === 0) return { holds: [] }
  return {
    holds: [
      {
        kind: 'waiting',
        environment,
        what: 'it is off, and neither a run on record nor the activity trail tells since when',
        remedy: `wait ${daysText(days)}, then go on with \`--days 0\``,
      },
    ],
  }
}

/** The same without asking a service: a recorded run must have done it. */
async function waitOnRecord(
  host: Host,
  { options: { directory } }: EditableRepository,
  { declared, environment }: Standing,
  { desired: { address } }: DeclaredIn,
  { days }: RetireChoice,
): Promise<Waiting> {
  if (declared === 'on') return { holds: [] }
  const last = await lastSwitch(
    directory,
    { address, field: 'active' },
    record => record.environment === environment,
  )
  if (declared === 'off' && last?.is === 'off') return waitSince(host, environment, last.at, days)
  if (declared === 'absent' && last?.is === 'deleted') return { holds: [] }
  const done = declared === 'off' ? 'turned it off' : 'deleted it'
  return {
    holds: [
      {
        kind: 'waiting',
        environment,
        what: `no run on record here has ${done} last`,
        remedy: 'apply that first; or ask the service, without --offline and with a key',
      },
    ],
  }
}

function waitSince(host: Host, environment: string | undefined, offSince: number, days: number): Waiting {
  const left = offSince + days * dayMs - host.runtime.now()
  if (left <= 0) return { offSince, holds: [] }
  return {
    offSince,
    holds: [
      {
        kind: 'waiting',
        environment,
        what: `it has been off for ${durationText(host.runtime.now() - offSince)}, and ${daysText(days)} are asked for`,
        remedy: `call this again in ${durationText(left)}, or with a smaller \`--days\``,
      },
    ],
  }
}

const dayMs = 24 * 60 * 60_000

function daysText(days: number): string {
  return days === 1 ? '1 day' : `${days} days`
}

interface FoundReferences {
  readonly holds: readonly Hold[]
  readonly unchecked: readonly Unchecked[]
  readonly notes: readonly string[]
}

async function referenceHolds(
  host: Host,
  { repository, flag, choice }: Asking,
  values: readonly Standing['value'][],
): Promise<FoundReferences> {
  const declared = declaredFlags(repository.declared)
  const { found, notes } = await searchReferences(host, repository, declared, choice.in)
  if (found.searched === 0) {
    const reason = 'there is no file of code to search; name the folders that have it with --in'
    return { holds: [], unchecked: [{ step: 'code', what: 'references in code', reason }], notes }
  }
  const [value, ...others] = values
  const keep =
    value === undefined || others.length > 0
      ? 'decide what it is to do for everybody, and take the flag out'
      : `keep what it does for ${valueName(value)}, and take the flag out`
  return {
    holds: found.references
      .filter(({ key }) => key === flag.key)
      .map(({ path, line, column, kind, call }) => ({
        kind: 'reference',
        place: { file: relative(host.directory, path), line, column },
        what: call ?? kind,
        remedy: keep,
        ...(choice.allowsReferences ? { isAllowed: true as const } : {}),
      })),
    unchecked: [],
    notes,
  }
}
