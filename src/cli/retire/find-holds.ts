import { relative } from 'node:path'
import { isServiceError, isSettingError, isTransportError, UnexpectedAnswerError } from '../../api/index.ts'
import type { Desired } from '../../core/desired.ts'
import { namesIn, uses, usesOf } from '../../core/flag-links.ts'
import { blocksOf } from '../../core/guards/guards.ts'
import type { Live } from '../../core/live.ts'
import { authorOf } from '../../core/live-edits/authors.ts'
import type { LiveEditField } from '../../core/live-edits/live-edit.ts'
import { findLive, indexLive } from '../../core/plan/live-index.ts'
import { isAllowed, type Policy } from '../../core/policy.ts'
import { readAuthors } from '../../core/read/read-authors.ts'
import { lastSwitch } from '../../core/record/history.ts'
import {
  type FlagValue,
  type Hold,
  mergeAlike,
  type Standing,
  type Unchecked,
  valueName,
} from '../../core/retirement.ts'
import { isSameTarget } from '../../core/target.ts'
import { declarableKind } from '../../kinds/index.ts'
import { isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { guardedFields, objectAddress, switchField } from '../../model/kind.ts'
import type { Source } from '../../model/problem.ts'
import { holdKinds } from '../../model/removal.ts'
import { durationText } from '../../model/text/duration-text.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import { shellWord } from '../../model/text/shell-word.ts'
import { flagNames, singleValue, variantKeys } from '../../targeting/index.ts'
import type { ObjectDeclaration } from '../../yaml/declaration.ts'
import { effectiveIn } from '../../yaml/resolve/effective.ts'
import { namingFlags } from '../../yaml/resolve/names.ts'
import { placeDesired } from '../../yaml/resolve/resolve.ts'
import { type Environment, environmentsOf } from '../../yaml/settings.ts'
import { declaredFlags, searchReferences, type WrittenFlag } from '../commands/refs.ts'
import type { EditableRepository } from '../edit/write-edit.ts'
import { exitCode } from '../host/exit-code.ts'
import type { Flags } from '../host/flags.ts'
import type { Host } from '../host/host.ts'
import { type PlanFor, planFor } from '../plan/make-plan.ts'
import { resolvePolicy, withAddresses } from '../plan/resolve-policy.ts'
import { ConnectionError } from '../repository/connection.ts'
import { openRepository } from '../repository/repository.ts'
import { openSession, type Session } from '../repository/session.ts'
import { dayMs } from './flag-states.ts'
import type { RetireChoice } from './retire-choice.ts'

/** The findings about a flag: its state in each environment, and all its holds. */
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
  readonly filters: Json | undefined
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
  const { environments } = asking
  const found: InEnvironment[] = []
  // One after the other: the embedded sandbox can be open only once.
  for (const flag of environments) found.push(await askAbout(host, asking, flag))
  const standings = found.map(({ standing }) => standing)
  const holds = mergeAlike(
    found.flatMap(each => each.holds),
    environments.map(({ environment: { name } }) => name),
  )
  const code = await referenceHolds(host, asking, [...new Set(standings.map(({ value }) => value))])
  return {
    standings,
    holds: [...code.holds, ...holds],
    unchecked: [...code.unchecked, ...found.flatMap(({ unchecked }) => unchecked)],
    notes: code.notes,
  }
}

/** The declaration of a flag in one environment. */
export interface DeclaredIn {
  readonly environment: Environment
  readonly declaration: ObjectDeclaration
  readonly desired: Desired
  readonly source: Source
}

/** The environments that declare a flag, present or absent, in the order of the settings. */
export function declaredIn(
  { settings }: Pick<EditableRepository, 'settings'>,
  declarations: readonly ObjectDeclaration[],
): DeclaredIn[] {
  return environmentsOf(settings).flatMap(environment =>
    declarations.flatMap(declaration => {
      const objects = [declaration]
      const placed = placeDesired([{ objects, grants: [] }], environment, () => undefined)
      return placed.flatMap(({ declared: desired, file, pointer, at }) =>
        desired.address === declaration.address
          ? [{ environment, declaration, desired, source: file.parsed.locate(pointer, at) }]
          : [],
      )
    }),
  )
}

/** The values that everybody can get from a flag, by name: `off`, and `on` or a variant. */
export function valuesOf(filters: Json | undefined): readonly string[] {
  const variants = isJsonObject(filters) ? variantKeys(filters) : []
  return variants.length > 0 ? [...variants, 'off'] : ['on', 'off']
}

/** The answers of an environment about a flag, with a plan of only that flag. */
interface Asked extends PlanFor {
  readonly session: Session
  readonly policy: Policy
  readonly live: Live | undefined
}

type Unasked = { readonly why: string }

/** A flag in one environment, with the answers of the service about it. */
interface Seen {
  readonly repository: EditableRepository
  readonly choice: RetireChoice
  readonly flag: DeclaredIn
  readonly asked: Asked | Unasked
}

interface InEnvironment {
  readonly standing: FoundStanding
  readonly holds: readonly Hold[]
  readonly unchecked: readonly Unchecked[]
}

/** Asks the service of an environment about one flag. If it cannot be asked, the reason is reported. */
async function askAbout(
  host: Host,
  { repository, choice, flags }: Asking,
  flag: DeclaredIn,
): Promise<InEnvironment> {
  const look = (asked: Seen['asked']) => lookInto(host, { repository, choice, flag, asked })
  if (choice.isOffline) return look({ why: '--offline asks nobody' })
  const { kind, address } = flag.desired
  const ofEnvironment = { ...flags, allow: choice.rules, env: flag.environment.name }
  const opened = await orReason(async () => {
    const planned = await openRepository(host, ofEnvironment)
    return { planned, session: await openSession(host, ofEnvironment, planned, { readOnly: true }) }
  })
  if ('why' in opened) return look(opened)
  const { planned, session } = opened
  try {
    if (session.note !== undefined) host.log.info(escapeText(session.note))
    const made = await orReason(() =>
      planFor(host, session, planned, { ...ofEnvironment, target: [address] }),
    )
    if ('why' in made) return await look(made)
    const why = made.snapshot.unreadable.get(kind)
    if (why !== undefined) return await look({ why })
    const policy = withAddresses(resolvePolicy(planned.policy, ofEnvironment), { declared: [address] })
    const [found] = findLive(indexLive(made.snapshot.live), declarableKind(kind), flag.desired)
    return await look({
      ...made,
      session,
      policy,
      live: found?.isSoftDeleted ? undefined : found,
    })
  } finally {
    await session.close()
  }
}

/** An error that a person cannot correct here becomes a reason, so that other findings are shown. */
async function orReason<Result extends object>(ask: () => Promise<Result>): Promise<Result | Unasked> {
  try {
    return await ask()
  } catch (error) {
    const isConnection = error instanceof ConnectionError && error.code !== exitCode.usage
    const isAnswer =
      isServiceError(error) || isTransportError(error) || error instanceof UnexpectedAnswerError
    if ((isConnection || isAnswer || isSettingError(error)) && error instanceof Error)
      return { why: error.message }
    throw error
  }
}

/** A hold of one environment, which is added to all of them at once. */
type Found = Omit<Hold, 'environment'>

async function lookInto(host: Host, seen: Seen): Promise<InEnvironment> {
  const { flag, asked } = seen
  const environment = flag.environment.name
  const isAsked = 'plan' in asked
  const live = isAsked ? asked.live?.record : undefined
  const filters = flag.desired.fields.filters ?? live?.filters
  const standing = standingOf(flag, live, filters)
  const declared = [...ownHolds(seen), ...declaredDependents(seen), ...audienceHolds(seen)]
  // A hold that is both declared and live is reported once, with the line that declares it.
  const known = new Set(declared.flatMap(({ subject }) => subject ?? []))
  const shown = isAsked
    ? [
        ...guardHolds(seen, asked),
        ...liveDependents(seen, asked),
        ...editHolds(seen, asked),
        ...planHolds(seen, asked),
      ]
    : []
  const applied = !shown.some(
    ({ kind }) => kind === 'unapplied' || kind === 'live_edit' || kind === 'blocked',
  )
  const time = isAsked
    ? await waitAsked(host, seen, standing, applied ? asked : undefined)
    : await waitOnRecord(host, seen, standing)
  const holds = [
    ...(standing.declared === 'on' && standing.value === undefined ? [valueHold(flag, filters)] : []),
    ...declared,
    ...shown.filter(({ subject }) => subject === undefined || !known.has(subject)),
    ...time.holds,
  ]
  return {
    standing: { ...standing, flag, offSince: time.offSince, filters },
    holds: holds.map(hold => ({ ...hold, environment })),
    unchecked: isAsked ? hiddenUses(seen, asked) : [{ environment, what: liveThings, reason: asked.why }],
  }
}

const liveThings = 'what is live (experiments, surveys, early access features, other flags, live edits)'

/** The declared state of a flag, completed by the live one if known. The default is on. */
function standingOf(
  { desired: { ensure, fields }, environment: { name: environment } }: DeclaredIn,
  live: JsonObject | undefined,
  filters: Json | undefined,
): Standing {
  if (ensure === 'absent') return { environment, declared: 'absent', value: false }
  const isOff = (fields.active ?? live?.active) === false
  // Filters are never guessed.
  const value: FlagValue | undefined = isOff
    ? false
    : filters === undefined
      ? undefined
      : singleValue({ filters, active: true })
  return { environment, declared: fields.active === false ? 'off' : 'on', value }
}

function valueHold({ source }: DeclaredIn, filters: Json | undefined): Found {
  const options = valuesOf(filters).map(value => `\`--value ${value}\``)
  return {
    kind: 'values',
    place: source,
    what:
      filters === undefined
        ? 'who gets it is not declared, and not known from here'
        : 'people get different values of it, or other parts of the product decide who gets it',
    remedy: `decide first: ${options.join(' or ')} gives everybody that; \`vexil ramp\` takes one condition to 100 or 0`,
  }
}

function ownHolds({ flag: { declaration, desired, environment, source: place } }: Seen): Found[] {
  if (desired.ensure === 'absent') return []
  // Includes overrides and the defaults of the settings, like the list of stale flags.
  const layer = effectiveIn(declaration, environment)?.layer
  const isWritten = layer?.members.permanent !== undefined || declaration.base.members.permanent !== undefined
  const holds: (Found & { readonly is: boolean })[] = [
    {
      is: desired.protect === true,
      kind: 'protected',
      place,
      what: 'the declaration protects it from being deleted or turned off',
      remedy: 'remove `protect: true` first, in a change of its own',
    },
    {
      is: layer?.permanent === true,
      kind: 'permanent',
      place,
      what: 'it is declared as permanent',
      remedy: isWritten
        ? 'remove `permanent: true` first'
        : 'write `permanent: false` in its declaration first: `defaults` in the settings say otherwise',
    },
  ]
  return holds.flatMap(({ is, ...hold }) => (is ? [hold] : []))
}

/** Whether a list of names has the flag, by its key or its id. */
function isNamed({ flag: { desired } }: Seen, names: readonly string[]): boolean {
  return names.some(name => name === desired.identity || name === desired.id)
}

function declaredDependents(seen: Seen): Found[] {
  const { kind, address } = seen.flag.desired
  const placed = placeDesired(namingFlags(seen.repository.declared), seen.flag.environment, () => undefined)
  return placed.flatMap(({ declared: other, file, pointer, at }): Found[] => {
    const isOther = other.kind === kind && other.address !== address && other.ensure === 'present'
    if (!isOther || !isNamed(seen, namesIn(declarableKind(kind), other.fields))) return []
    return [
      {
        kind: 'dependent',
        subject: other.address,
        place: file.parsed.locate(pointer, at),
        what: `${other.address} names it in its conditions`,
        remedy: `take it out of the conditions of ${other.identity}, and apply that`,
      },
    ]
  })
}

function audienceHolds(seen: Seen): Found[] {
  const { audiences, contextIn } = seen.repository
  return audiences.flatMap(({ identity, file, base }): Found[] => {
    const properties = contextIn(seen.flag.environment.name).audience(identity)?.properties ?? []
    if (!isNamed(seen, flagNames({ groups: [{ properties }] }))) return []
    return [
      {
        kind: 'audience',
        place: file.parsed.locate(base.pointer, 'key'),
        what: `the audience ${identity} asks for it`,
        remedy: `take it out of the audience ${identity}`,
      },
    ]
  })
}

/** The guards that would stop a plan from turning the flag off, except those shown by files already. */
function guardHolds({ flag: { desired } }: Seen, { live, policy }: Asked): Found[] {
  if (!live || desired.ensure === 'absent') return []
  const kind = declarableKind(desired.kind)
  const after = { [switchField(kind) ?? '']: false }
  return blocksOf({ kind, action: 'update', desired, live, after }, policy).flatMap((block): Found[] => {
    const { rule, reason, remedy } = block
    if (rule === 'protected') return []
    const isPassed = desired.allow?.includes(rule) === true || isAllowed(policy, rule, desired.address)
    const use = uses.find(each => each === rule)
    const used = use === undefined ? [] : usesOf(kind, use, live.record).filter(name => name !== '')
    return [
      {
        kind: holdKinds.find(each => each === rule) ?? 'blocked',
        what: used.length === 0 ? reason : `${reason}: ${used.join(', ')}`,
        remedy,
        ...(isPassed ? { isAllowed: true } : {}),
      },
    ]
  })
}

/** The fields that show uses of a flag may be missing in the answers of a service. */
function hiddenUses({ flag: { desired, environment } }: Seen, { live }: Asked): Unchecked[] {
  if (!live) return []
  const kind = declarableKind(desired.kind)
  const hidden = uses.filter(use => guardedFields(kind, use).every(field => live.record[field] === undefined))
  const reason = 'the service does not show them to this key'
  return hidden.map(use => ({ environment: environment.name, what: `${use}s`, reason }))
}

/** Live flags that are on and have it in a condition. */
function liveDependents({ flag: { desired } }: Seen, { live, snapshot }: Asked): Found[] {
  if (!live) return []
  return (snapshot.links ?? []).flatMap((other): Found[] => {
    const isMeant = other.kind === desired.kind && other.id !== live.id && other.isOn && !other.isDeleted
    if (!isMeant || !other.names.some(name => name === live.identity || name === live.id)) return []
    const address = objectAddress(other.kind, other.identity)
    return [
      {
        kind: 'dependent',
        subject: address,
        what: `${address} (id ${other.id}) is live and names it in its conditions`,
        remedy: `take it out of the conditions of ${other.identity}, in the product or where that is declared`,
      },
    ]
  })
}

/** Changes in the product since the flag was applied. */
function editHolds({ flag }: Seen, { plan }: Asked): Found[] {
  const pull = `\`vexil pull ${shellWord(flag.desired.identity)}${envOption(flag)}\` takes it into the files`
  return plan.liveEdits.map(({ address, fields, remedies }) => ({
    kind: 'live_edit',
    what: `${address}: ${fields.map(editText).join('; ')}`,
    remedy: fields.some(({ treatment }) => treatment === 'behind') ? (remedies[0] ?? pull) : pull,
  }))
}

function envOption({ environment: { name } }: DeclaredIn): string {
  return name === undefined ? '' : ` --env ${shellWord(name)}`
}

function editText({ field, treatment, author }: LiveEditField): string {
  if (treatment === 'behind') return `${field} is as another commit declares it`
  const who = author?.name === undefined ? '' : ` by ${author.name}`
  return `${field} was changed in the product${who}`
}

/** The changes that a plan would make to the flag and its grants, or what blocks them. */
function planHolds({ flag }: Seen, { plan: { changes, blocked } }: Asked): Found[] {
  const { desired } = flag
  const apply = `\`vexil apply${envOption(flag)}\``
  return [
    ...blocked.map(
      ({ address, action, reason, remedy }): Found => ({
        kind: 'blocked',
        what: `${address}: the plan cannot ${action}: ${reason}`,
        remedy,
      }),
    ),
    ...changes.map(({ address, action, after, summary }): Found => {
      const isNew = action === 'create' && address === desired.address
      return {
        kind: 'unapplied',
        what: `${address} is not live as it is declared: ${summary[0] ?? Object.keys(after).join(', ')}`,
        remedy: isNew
          ? `apply it first, ${apply}; or take ${desired.identity} out of the files by hand, where it was never live`
          : `apply that first: ${apply}`,
      }
    }),
  ]
}

interface Waiting {
  readonly offSince?: number | undefined
  readonly holds: readonly Found[]
}

function waiting(what: string, remedy: string): Waiting {
  return { holds: [{ kind: 'waiting', what, remedy }] }
}

/** How long it has been off, according to the service or a record. Unapplied changes are separate holds. */
async function waitAsked(
  host: Host,
  seen: Seen,
  { declared }: Standing,
  applied: Asked | undefined,
): Promise<Waiting> {
  const { days } = seen.choice
  if (declared !== 'off' || !applied?.live) return { holds: [] }
  const offSince = await offSinceIn(host, seen, applied, applied.live)
  if (offSince !== undefined) return waitSince(host, offSince, days)
  if (days === 0) return { holds: [] }
  return waiting(
    'it is off, but neither a run on record nor the activity trail shows since when',
    `wait ${daysText(days)}, then go on with \`--days 0\``,
  )
}

/** When the live flag was turned off, in milliseconds since 1970; undefined if unknown. */
async function offSinceIn(
  host: Host,
  { repository, flag: { desired } }: Seen,
  { session, snapshot }: Asked,
  { id, record }: Live,
): Promise<number | undefined> {
  const kind = declarableKind(desired.kind)
  const { directory } = repository.options
  const field = switchField(kind) ?? ''
  if (record[field] !== false) return undefined
  const last = await lastSwitch(directory, { address: desired.address, field }, ({ target }) =>
    isSameTarget(target, session.target),
  )
  if (last?.is === 'off') return last.at
  const wanted = { kind: kind.name, id, field }
  const authors = await readAuthors([wanted], snapshot, { client: session.client, signal: host.stop })
  return authorOf(authors, { kind, id, field, live: false })?.at
}

/** The same without the service: only a recorded run can prove it. */
async function waitOnRecord(
  host: Host,
  { repository, flag: { desired }, choice: { days } }: Seen,
  { declared, environment }: Standing,
): Promise<Waiting> {
  if (declared === 'on') return { holds: [] }
  const { directory } = repository.options
  const asked = { address: desired.address, field: 'active' }
  const last = await lastSwitch(directory, asked, record => record.environment === environment)
  if (declared === 'off' && last?.is === 'off') return waitSince(host, last.at, days)
  if (declared === 'absent' && last?.is === 'deleted') return { holds: [] }
  return waiting(
    `no run on record here has ${declared === 'off' ? 'turned it off' : 'deleted it'} last`,
    'apply that first; or ask the service, without --offline and with a key',
  )
}

function waitSince({ runtime }: Host, offSince: number, days: number): Waiting {
  const offMs = runtime.now() - offSince
  const waitMs = days * dayMs - offMs
  if (waitMs <= 0) return { offSince, holds: [] }
  return {
    offSince,
    ...waiting(
      `it has been off for ${durationText(offMs)}; it has to be off for ${daysText(days)}`,
      `call this again in ${durationText(waitMs)}, or with a smaller \`--days\``,
    ),
  }
}

function daysText(days: number): string {
  return days === 1 ? '1 day' : `${days} days`
}

async function referenceHolds(
  host: Host,
  { repository, flag, choice }: Asking,
  values: readonly Standing['value'][],
): Promise<Omit<Findings, 'standings'>> {
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
