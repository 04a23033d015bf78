import { isServiceError, isSettingError, isTransportError, UnexpectedAnswerError } from '../../api/index.ts'
import type { Plan } from '../../core/change.ts'
import { uses, usesOf } from '../../core/flag-links.ts'
import { blocksOf } from '../../core/guards/guards.ts'
import type { Live } from '../../core/live.ts'
import { authorOf } from '../../core/live-edits/authors.ts'
import type { LiveEditField } from '../../core/live-edits/live-edit.ts'
import { findLive, indexLive } from '../../core/plan/live-index.ts'
import { isAllowed, type Policy } from '../../core/policy.ts'
import { readAuthors } from '../../core/read/read-authors.ts'
import type { Snapshot } from '../../core/read/snapshot.ts'
import { lastSwitch } from '../../core/record/history.ts'
import type { Hold, Unchecked } from '../../core/retirement.ts'
import { isSameTarget } from '../../core/target.ts'
import { declarableKind } from '../../kinds/index.ts'
import { guardedFields, objectAddress, switchField } from '../../model/kind.ts'
import { type HoldKind, holdKinds } from '../../model/removal.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import { shellWord } from '../../model/text/shell-word.ts'
import { exitCode } from '../host/exit-code.ts'
import type { Flags } from '../host/flags.ts'
import type { Host } from '../host/host.ts'
import { type PlanFor, planFor } from '../plan/make-plan.ts'
import { resolvePolicy, withAddresses } from '../plan/resolve-policy.ts'
import { ConnectionError } from '../repository/connection.ts'
import { openRepository } from '../repository/repository.ts'
import { openSession, type Session } from '../repository/session.ts'
import type { DeclaredIn } from './declared-holds.ts'

/** The state of a flag in the service of one environment. */
export interface AskedLive {
  readonly live: Live | undefined
  readonly holds: readonly Hold[]
  /** What the answers do not show, each with the reason. */
  readonly unchecked: readonly Unchecked[]
  /** When the live flag was turned off, in milliseconds since 1970; undefined if unknown. */
  offSince(): Promise<number | undefined>
}

/**
 * Asks the service of an environment about one flag, with a plan of it alone. If the service cannot be asked,
 * `use` gets the reason instead. It is called while the connection is open.
 */
export async function askLive<Used>(
  host: Host,
  flags: Flags,
  flag: DeclaredIn,
  use: (asked: AskedLive | { readonly why: string }) => Promise<Used>,
): Promise<Used> {
  const ofEnvironment = withEnvironment(flags, flag.environment.name)
  const opened = await orReason(async () => {
    const repository = await openRepository(host, ofEnvironment)
    const session = await openSession(host, ofEnvironment, repository, { readOnly: true })
    return { repository, session }
  })
  if ('why' in opened) return use(opened)
  const { repository, session } = opened
  try {
    if (session.note !== undefined) host.log.info(escapeText(session.note))
    const made = await orReason(() =>
      planFor(host, session, repository, { ...ofEnvironment, target: [flag.desired.address] }),
    )
    if ('why' in made) return await use(made)
    const refused = made.snapshot.unreadable.get(flag.desired.kind)
    if (refused !== undefined) return await use({ why: refused })
    const policy = withAddresses(resolvePolicy(repository.policy, flags), {
      declared: [flag.desired.address],
    })
    return await use(askedOf(host, { session, directory: repository.directory, made, policy, flag }))
  } finally {
    await session.close()
  }
}

interface Asking {
  readonly session: Session
  readonly directory: string
  readonly made: PlanFor
  readonly policy: Policy
  readonly flag: DeclaredIn
}

function askedOf(host: Host, { session, directory, made, policy, flag }: Asking): AskedLive {
  const { plan, snapshot } = made
  const { desired } = flag
  const kind = declarableKind(desired.kind)
  const [found] = findLive(indexLive(snapshot.live), kind, desired)
  const live = found?.isSoftDeleted ? undefined : found
  const field = switchField(kind) ?? ''
  return {
    live,
    ...liveHolds(flag, { live, plan, snapshot, policy }),
    offSince: async () => {
      if (live?.record[field] !== false) return undefined
      const { address } = desired
      const isHere = ({ target }: { readonly target: Session['target'] }) =>
        isSameTarget(target, session.target)
      const onRecord = await lastSwitch(directory, { address, field }, isHere)
      if (onRecord?.is === 'off') return onRecord.at
      const wanted = { kind: kind.name, id: live.id, field }
      const authors = await readAuthors([wanted], snapshot, { client: session.client, signal: host.stop })
      return authorOf(authors, { kind, id: live.id, field, live: false })?.at
    },
  }
}

function withEnvironment(flags: Flags, name: string | undefined): Flags {
  const { env: _, ...others } = flags
  return name === undefined ? others : { ...others, env: name }
}

/** An error that a person cannot correct here becomes a reason, so that other findings are shown. */
async function orReason<Result extends object>(
  ask: () => Promise<Result>,
): Promise<Result | { readonly why: string }> {
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

interface LiveFlag {
  readonly live: Live | undefined
  readonly plan: Plan
  readonly snapshot: Snapshot
  readonly policy: Policy
}

/** What holds a flag in the service, and what could not be checked. */
function liveHolds(
  flag: DeclaredIn,
  seen: LiveFlag,
): {
  readonly holds: readonly Hold[]
  readonly unchecked: readonly Unchecked[]
} {
  return {
    holds: [
      ...guardHolds(flag, seen),
      ...dependentHolds(flag, seen),
      ...editHolds(flag, seen),
      ...planHolds(flag, seen),
    ],
    unchecked: hiddenUses(flag, seen),
  }
}

/** The guards that would stop a plan from turning the flag off, without those that the files show already. */
function guardHolds(
  { desired, environment: { name: environment } }: DeclaredIn,
  { live, policy }: LiveFlag,
): Hold[] {
  if (!live || desired.ensure === 'absent') return []
  const kind = declarableKind(desired.kind)
  const after = { [switchField(kind) ?? '']: false }
  return blocksOf({ kind, action: 'update', desired, live, after }, policy).flatMap((block): Hold[] => {
    const { rule, reason, remedy } = block
    if (rule === 'protected') return []
    const isPassed = desired.allow?.includes(rule) === true || isAllowed(policy, rule, desired.address)
    const use = uses.find(each => each === rule)
    const used =
      use === undefined
        ? ''
        : usesOf(kind, use, live.record)
            .filter(name => name !== '')
            .join(', ')
    return [
      {
        kind: isHoldKind(rule) ? rule : 'blocked',
        environment,
        what: used === '' ? reason : `${reason}: ${used}`,
        remedy,
        ...(isPassed ? { isAllowed: true } : {}),
      },
    ]
  })
}

function isHoldKind(rule: string): rule is HoldKind {
  return holdKinds.some(kind => kind === rule)
}

/** The fields that show uses of a flag may be missing in the answers of a service. */
function hiddenUses(
  { desired, environment: { name: environment } }: DeclaredIn,
  { live }: LiveFlag,
): Unchecked[] {
  if (!live) return []
  const kind = declarableKind(desired.kind)
  return uses.flatMap(use => {
    const isShown = guardedFields(kind, use).some(field => live.record[field] !== undefined)
    return isShown
      ? []
      : [{ environment, what: `${use}s`, reason: 'the service does not show them to this key' }]
  })
}

/** Live flags that name it and are on. */
function dependentHolds(
  { desired, environment: { name: environment } }: DeclaredIn,
  { live, snapshot }: LiveFlag,
): Hold[] {
  if (!live) return []
  const names = [live.identity, live.id]
  return (snapshot.links ?? []).flatMap((other): Hold[] => {
    const isMeant = other.kind === desired.kind && other.id !== live.id && other.isOn && !other.isDeleted
    if (!isMeant || !other.names.some(name => names.includes(name))) return []
    const address = objectAddress(other.kind, other.identity)
    return [
      {
        kind: 'dependent',
        environment,
        subject: address,
        what: `${address} (id ${other.id}) is live and names it in its conditions`,
        remedy: `take it out of the conditions of ${other.identity}, in the product or where that is declared`,
      },
    ]
  })
}

/** What was changed in the product since the flag was applied. */
function editHolds(
  { desired: { identity }, environment: { name: environment } }: DeclaredIn,
  { plan }: LiveFlag,
): Hold[] {
  const pull = `\`vexil pull ${shellWord(identity)}${envOption(environment)}\` takes it into the files`
  return plan.liveEdits.map(({ address, fields, remedies }) => ({
    kind: 'live_edit',
    environment,
    what: `${address}: ${fields.map(editText).join('; ')}`,
    remedy: fields.some(({ treatment }) => treatment === 'behind') ? (remedies[0] ?? pull) : pull,
  }))
}

function envOption(environment: string | undefined): string {
  return environment === undefined ? '' : ` --env ${shellWord(environment)}`
}

function editText({ field, treatment, author }: LiveEditField): string {
  if (treatment === 'behind') return `${field} is as another commit declares it`
  const who = author?.name === undefined ? '' : ` by ${author.name}`
  return `${field} was changed in the product${who}`
}

/** What a plan would do with the declared flag and its grants, or what blocks it. */
function planHolds(
  { desired, environment: { name: environment } }: DeclaredIn,
  { plan: { changes, blocked } }: LiveFlag,
): Hold[] {
  const where = envOption(environment)
  return [
    ...blocked.map(
      ({ address, action, reason, remedy }): Hold => ({
        kind: 'blocked',
        environment,
        what: `${address}: the plan cannot ${action}: ${reason}`,
        remedy,
      }),
    ),
    ...changes.map(({ address, action, after, summary }): Hold => {
      const isNew = action === 'create' && address === desired.address
      return {
        kind: 'unapplied',
        environment,
        what: `${address} is not live as it is declared: ${summary[0] ?? Object.keys(after).join(', ')}`,
        remedy: isNew
          ? `apply it first, \`vexil apply${where}\`; or take ${desired.identity} out of the files by hand, where it was never live`
          : `apply that first: \`vexil apply${where}\``,
      }
    }),
  ]
}
