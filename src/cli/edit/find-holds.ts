import { relative } from 'node:path'
import { isServiceError, isSettingError, isTransportError, UnexpectedAnswerError } from '../../api/index.ts'
import type { Desired } from '../../core/desired.ts'
import { namesIn, uses, usesOf } from '../../core/flag-links.ts'
import { findLive, indexLive, type Live } from '../../core/live.ts'
import { authorOf } from '../../core/live-edits/authors.ts'
import type { LiveEditField } from '../../core/live-edits/live-edit.ts'
import { blocksOf } from '../../core/plan/guards.ts'
import { isAllowed, type Policy } from '../../core/policy.ts'
import { readAuthors } from '../../core/read/read-authors.ts'
import { lastSwitch } from '../../core/record/history.ts'
import type { RunRecord } from '../../core/record/run.ts'
import { type Hold, mergeAlike, type Standing, type Unchecked, valueName } from '../../core/retirement.ts'
import { isSameTarget } from '../../core/target.ts'
import { declarableKind } from '../../kinds/index.ts'
import { guardedFields, objectAddress, switchField } from '../../model/kind.ts'
import type { Source } from '../../model/problem.ts'
import { allowedReferences, holdKinds } from '../../model/removal.ts'
import { isJsonObject, type Json, type JsonObject } from '../../model/text/json.ts'
import { durationText, escapeText, shellWord } from '../../model/text/printable.ts'
import { flagNames, singleValue, variantKeys } from '../../targeting/index.ts'
import type { ObjectDeclaration } from '../../yaml/declaration.ts'
import { effectiveIn } from '../../yaml/resolve/layers.ts'
import { namingFlags } from '../../yaml/resolve/names.ts'
import { placeDesired } from '../../yaml/resolve/resolve.ts'
import { type Environment, environmentsOf } from '../../yaml/settings.ts'
import type { Flags } from '../command-options.ts'
import { declaredFlags, searchReferences, type WrittenFlag } from '../commands/refs.ts'
import { exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { type PlanFor, planFor } from '../plan/make-plan.ts'
import { resolvePolicy, withAddresses } from '../plan/target-filter.ts'
import { ConnectionError } from '../repository/connection.ts'
import { openRepository } from '../repository/repository.ts'
import { openSession, type Session } from '../repository/session.ts'
import { dayMs } from './flag-states.ts'
import type { EditableRepository } from './write-edit.ts'

/** A flag that is to be removed, and the options for it. */
export interface Retiring {
  readonly repository: EditableRepository
  readonly flag: WrittenFlag
  /** In every environment that declares it. */
  readonly all: readonly DeclaredIn[]
  readonly flags: Flags
  /** How long it has to be off before it is declared absent. */
  readonly days: number
}

export interface Findings {
  readonly standings: readonly FoundStanding[]
  readonly holds: readonly Hold[]
  readonly unchecked: readonly Unchecked[]
  readonly notes: readonly string[]
}

export interface FoundStanding extends Standing {
  readonly flag: DeclaredIn
  readonly offSince: number | undefined
  /** Its filters: the declared ones or, if there are none, the live ones. */
  readonly filters: Json | undefined
}

/** Finds everything that blocks the removal of a flag: in files, in code, and in the live services. */
export async function findHolds(
  host: Host,
  retiring: Retiring,
  environments: readonly DeclaredIn[],
): Promise<Findings> {
  const found: InEnvironment[] = []
  // One after the other: the embedded sandbox can be open only once.
  for (const flag of environments) found.push(await askAbout(host, retiring, flag))
  const standings = found.map(({ standing }) => standing)
  const holds = mergeAlike(
    found.flatMap(each => each.holds),
    environments.map(({ environment: { name } }) => name),
  )
  const code = await referenceHolds(host, retiring, [...new Set(standings.map(({ value }) => value))])
  return {
    standings,
    holds: [...code.holds, ...holds],
    unchecked: [...code.unchecked, ...found.flatMap(({ unchecked }) => unchecked)],
    notes: code.notes,
  }
}

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

/** The live state of a flag in an environment, with a plan for this flag. */
interface Asked extends PlanFor {
  readonly session: Session
  readonly policy: Policy
  readonly live: Live | undefined
}

type Unasked = { readonly why: string }

interface InEnvironment {
  readonly standing: FoundStanding
  readonly holds: readonly Hold[]
  readonly unchecked: readonly Unchecked[]
}

/** Asks the service of an environment about one flag; returns the reason if that is impossible. */
async function askAbout(host: Host, retiring: Retiring, flag: DeclaredIn): Promise<InEnvironment> {
  const look = (asked: Asked | Unasked) => lookInto(host, retiring, flag, asked)
  if (retiring.flags.offline) return look({ why: '--offline was given' })
  const { kind, address } = flag.desired
  const allow = planRules(retiring.flags)
  const flags = { ...retiring.flags, allow, env: flag.environment.name }
  const opened = await orReason(async () => {
    const planned = await openRepository(host, flags)
    return { planned, session: await openSession(host, flags, planned, { readOnly: true }) }
  })
  if ('why' in opened) return look(opened)
  const { planned, session } = opened
  try {
    if (session.note !== undefined) host.log.info(escapeText(session.note))
    const made = await orReason(() => planFor(host, session, planned, { ...flags, target: [address] }))
    if ('why' in made) return await look(made)
    const why = made.snapshot.unreadable.get(kind)
    if (why !== undefined) return await look({ why })
    const policy = withAddresses(resolvePolicy(planned.policy, flags), { declared: [address] })
    const [found] = findLive(indexLive(made.snapshot.live), declarableKind(kind), flag.desired)
    return await look({ ...made, session, policy, live: found?.isSoftDeleted ? undefined : found })
  } finally {
    await session.close()
  }
}

/** The allowed rules of plans. `references` is not a rule of plans. */
export function planRules({ allow = [] }: Flags): readonly string[] {
  return allow.filter(each => each !== allowedReferences.rule)
}

/** Turns errors of the service into a reason, so that the other findings are still shown. */
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

type Found = Omit<Hold, 'environment'>

async function lookInto(
  host: Host,
  retiring: Retiring,
  flag: DeclaredIn,
  asked: Asked | Unasked,
): Promise<InEnvironment> {
  const environment = flag.environment.name
  const answers = 'plan' in asked ? asked : undefined
  const live = answers?.live?.record
  const filters = flag.desired.fields.filters ?? live?.filters
  const standing = standingOf(flag, live, filters)
  const declared = declaredHolds(retiring.repository, flag)
  // A hold that is both declared and live is reported once, with its line in the file.
  const known = new Set(declared.flatMap(({ subject }) => subject ?? []))
  const shown = answers ? [...liveHolds(flag, answers), ...planHolds(flag, answers)] : []
  const isApplied = !shown.some(({ kind }) => ['unapplied', 'live_edit', 'blocked'].includes(kind))
  const { offSince, wait } = await timeOff(host, retiring, flag, standing, answers, isApplied)
  const holds = [
    ...(standing.declared === 'on' && standing.value === undefined ? [valueHold(flag, filters)] : []),
    ...declared,
    ...shown.filter(({ subject }) => subject === undefined || !known.has(subject)),
    ...(wait ? [wait] : []),
  ]
  return {
    standing: { ...standing, flag, offSince, filters },
    holds: holds.map(hold => ({ ...hold, environment })),
    unchecked:
      'why' in asked ? [{ environment, what: liveThings, reason: asked.why }] : hiddenUses(flag, asked),
  }
}

const liveThings = 'what is live (experiments, surveys, early access features, other flags, live edits)'

/** The declared state of a flag, completed by the live state if known. The default is on. */
function standingOf(
  { desired: { ensure, fields }, environment: { name: environment } }: DeclaredIn,
  live: JsonObject | undefined,
  filters: Json | undefined,
): Standing {
  if (ensure === 'absent') return { environment, declared: 'absent', value: false }
  const isOff = (fields.active ?? live?.active) === false
  // Filters are never guessed.
  const known = filters === undefined ? undefined : singleValue({ filters, active: true })
  return { environment, declared: fields.active === false ? 'off' : 'on', value: isOff ? false : known }
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

/** Holds in the files: in its declaration, in conditions of other flags, and in audiences. */
function declaredHolds(
  { declared, audiences, contextIn }: EditableRepository,
  { declaration, desired, environment, source: place }: DeclaredIn,
): Found[] {
  const holds: Found[] = []
  // Includes overrides and defaults of the settings.
  const layer = effectiveIn(declaration, environment)?.layer
  const isPresent = desired.ensure === 'present'
  if (isPresent && desired.protect === true)
    holds.push({
      kind: 'protected',
      place,
      what: 'the declaration protects it from being deleted or turned off',
      remedy: 'remove `protect: true` first, in a separate change',
    })
  const isWritten = [layer, declaration.base].some(each => each?.members.permanent !== undefined)
  if (isPresent && layer?.permanent === true)
    holds.push({
      kind: 'permanent',
      place,
      what: 'it is declared as permanent',
      remedy: isWritten
        ? 'remove `permanent: true` first'
        : 'write `permanent: false` in its declaration first: `defaults` in the settings make it permanent',
    })
  const isMeant = (name: string) => name === desired.identity || name === desired.id
  for (const { declared: other, file, pointer, at } of placeDesired(
    namingFlags(declared),
    environment,
    () => undefined,
  )) {
    const { kind, address, ensure, fields, identity } = other
    if (kind !== desired.kind || address === desired.address || ensure !== 'present') continue
    if (!namesIn(declarableKind(kind), fields).some(isMeant)) continue
    holds.push({
      kind: 'dependent',
      subject: address,
      place: file.parsed.locate(pointer, at),
      what: `${address} names it in its conditions`,
      remedy: `remove it from the conditions of ${identity}, and apply`,
    })
  }
  for (const { identity, file, base } of audiences) {
    const properties = contextIn(environment.name).audience(identity)?.properties ?? []
    if (!flagNames({ groups: [{ properties }] }).some(isMeant)) continue
    holds.push({
      kind: 'audience',
      place: file.parsed.locate(base.pointer, 'key'),
      what: `the audience ${identity} names it`,
      remedy: `remove it from the audience ${identity}`,
    })
  }
  return holds
}

/** Live holds: guards against turning the flag off, and conditions of other live flags. */
function liveHolds({ desired }: DeclaredIn, { live, policy, snapshot }: Asked): Found[] {
  if (!live) return []
  const kind = declarableKind(desired.kind)
  const after = { [switchField(kind) ?? '']: false }
  const blocks =
    desired.ensure === 'absent' ? [] : blocksOf({ kind, action: 'update', desired, live, after }, policy)
  return [
    ...blocks.flatMap(({ rule, reason, remedy }): Found[] => {
      // Already reported from the files.
      if (rule === 'protected') return []
      const isPassed = desired.allow?.includes(rule) === true || isAllowed(policy, rule, desired.address)
      const use = uses.find(each => each === rule)
      const used = use === undefined ? [] : usesOf(kind, use, live.record).filter(name => name !== '')
      return [
        {
          kind: holdKinds.find(each => each === rule) ?? 'blocked',
          what: used.length === 0 ? reason : `${reason}: ${used.join(', ')}`,
          remedy,
          isAllowed: isPassed || undefined,
        },
      ]
    }),
    ...(snapshot.links ?? []).flatMap((other): Found[] => {
      const isOther = other.kind === desired.kind && other.id !== live.id && other.isOn && !other.isDeleted
      if (!isOther || !other.names.some(name => name === live.identity || name === live.id)) return []
      const address = objectAddress(other.kind, other.identity)
      return [
        {
          kind: 'dependent',
          subject: address,
          what: `${address} (id ${other.id}) is live and names it in its conditions`,
          remedy: `remove it from the conditions of ${other.identity}, in the product or in its declaration`,
        },
      ]
    }),
  ]
}

/** Uses of a flag that the service does not show. */
function hiddenUses({ desired, environment }: DeclaredIn, { live }: Asked): Unchecked[] {
  if (!live) return []
  const kind = declarableKind(desired.kind)
  const hidden = uses.filter(use => guardedFields(kind, use).every(field => live.record[field] === undefined))
  const reason = 'the service does not show them to this key'
  return hidden.map(use => ({ environment: environment.name, what: `${use}s`, reason }))
}

function editText({ field, treatment, author }: LiveEditField): string {
  if (treatment === 'behind') return `${field} is as another commit declares it`
  const who = author?.name === undefined ? '' : ` by ${author.name}`
  return `${field} was changed in the product${who}`
}

/** Holds in a plan: live edits, unapplied changes and blocked changes of the flag and its grants. */
function planHolds(
  { desired, environment: { name } }: DeclaredIn,
  { plan: { changes, blocked, liveEdits } }: Asked,
): Found[] {
  const option = name === undefined ? '' : ` --env ${shellWord(name)}`
  const pull = `\`vexil pull ${shellWord(desired.identity)}${option}\` writes it into the files`
  const apply = `\`vexil apply${option}\``
  return [
    ...liveEdits.map(({ address, fields, remedies }): Found => {
      const isBehind = fields.some(({ treatment }) => treatment === 'behind')
      return {
        kind: 'live_edit',
        what: `${address}: ${fields.map(editText).join('; ')}`,
        remedy: isBehind ? (remedies[0] ?? pull) : pull,
      }
    }),
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
        what: `${address} is not live as declared: ${summary[0] ?? Object.keys(after).join(', ')}`,
        remedy: isNew
          ? `apply it first, ${apply}; or remove ${desired.identity} from the files by hand if it was never live`
          : `apply that first: ${apply}`,
      }
    }),
  ]
}

interface TimeOff {
  readonly offSince?: number | undefined
  /** Why the removal has to wait. */
  readonly wait?: Found
}

/**
 * How long a flag has been off, according to the service or a recorded run. Without the service, only a
 * recorded run proves it.
 */
async function timeOff(
  host: Host,
  { repository, days }: Retiring,
  { desired }: DeclaredIn,
  { declared, environment }: Standing,
  asked: Asked | undefined,
  isApplied: boolean,
): Promise<TimeOff> {
  const waiting = (what: string, remedy: string): Found => ({ kind: 'waiting', what, remedy })
  if (declared === 'on' || (asked && (declared === 'absent' || !isApplied || !asked.live))) return {}
  const { directory } = repository.options
  const field = switchField(declarableKind(desired.kind)) ?? ''
  const isHere = (record: RunRecord) =>
    asked ? isSameTarget(record.target, asked.session.target) : record.environment === environment
  const isOff = !asked || asked.live?.record[field] === false
  const last = isOff ? await lastSwitch(directory, { address: desired.address, field }, isHere) : undefined
  if (declared === 'absent' && last?.is === 'deleted') return {}
  const recorded = declared === 'off' && last?.is === 'off' ? last.at : undefined
  const offSince =
    recorded ?? (isOff && asked ? await offSinceByTrail(host, desired, asked, field) : undefined)
  if (offSince === undefined && asked) {
    if (days === 0) return {}
    const unknown = 'it is off, but neither a run on record nor the activity trail shows since when'
    return { wait: waiting(unknown, `wait ${daysText(days)}, then go on with \`--days 0\``) }
  }
  if (offSince === undefined) {
    const unknown = `no recorded run shows when it was ${declared === 'off' ? 'turned off' : 'deleted'}`
    return {
      wait: waiting(unknown, 'apply that first; or ask the service, without --offline and with a key'),
    }
  }
  const offMs = host.runtime.now() - offSince
  const waitMs = days * dayMs - offMs
  if (waitMs <= 0) return { offSince }
  const early = `it has been off for ${durationText(offMs)}; it has to be off for ${daysText(days)}`
  const later = `run this again in ${durationText(waitMs)}, or with a smaller \`--days\``
  return { offSince, wait: waiting(early, later) }
}

/** When the live flag was turned off in the product, in milliseconds since 1970. */
async function offSinceByTrail(
  { stop: signal }: Host,
  desired: Desired,
  { session: { client }, snapshot, live }: Asked,
  field: string,
): Promise<number | undefined> {
  if (!live) return undefined
  const kind = declarableKind(desired.kind)
  const { id } = live
  const authors = await readAuthors([{ kind: kind.name, id, field }], snapshot, { client, signal })
  return authorOf(authors, { kind, id, field, live: false })?.at
}

function daysText(days: number): string {
  return days === 1 ? '1 day' : `${days} days`
}

async function referenceHolds(
  host: Host,
  { repository, flag, flags }: Retiring,
  values: readonly Standing['value'][],
): Promise<Omit<Findings, 'standings'>> {
  const declared = declaredFlags(repository.declared)
  const { found, notes } = await searchReferences(host, repository, declared, flags.in)
  if (found.searched === 0) {
    const reason = 'there are no code files to search; name their folders with --in'
    return { holds: [], unchecked: [{ step: 'code', what: 'references in code', reason }], notes }
  }
  const [value, ...others] = values
  const keep =
    value === undefined || others.length > 0
      ? 'decide what everybody gets, and remove the flag'
      : `keep the code for ${valueName(value)}, and remove the flag`
  const holds = found.references
    .filter(({ key }) => key === flag.key)
    .map(
      ({ path, line, column, kind, call }): Hold => ({
        kind: 'reference',
        place: { file: relative(host.directory, path), line, column },
        what: call ?? kind,
        remedy: keep,
        isAllowed: flags.allow?.includes(allowedReferences.rule) || undefined,
      }),
    )
  return { holds, unchecked: [], notes }
}
