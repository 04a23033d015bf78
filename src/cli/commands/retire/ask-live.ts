import {
  isServiceError,
  isSettingError,
  isTransportError,
  UnexpectedAnswerError,
} from '../../../api/index.ts'
import type { Live } from '../../../core/live.ts'
import { authorOf } from '../../../core/live-edits/authors.ts'
import { findLive, indexLive } from '../../../core/plan/live-index.ts'
import type { Policy } from '../../../core/policy.ts'
import { readAuthors } from '../../../core/read/read-authors.ts'
import { lastSwitch } from '../../../core/record/last-switch.ts'
import type { Hold, Unchecked } from '../../../core/retire/retirement.ts'
import { isSameTarget } from '../../../core/target.ts'
import { declarableKind } from '../../../kinds/index.ts'
import { switchField } from '../../../model/kind.ts'
import { escapeText } from '../../../model/text/escape-text.ts'
import type { RepositoryFlags } from '../../connection/repository-settings.ts'
import { ConnectionError } from '../../connection/resolve-connection.ts'
import { openSession, type Session, type SessionFlags } from '../../connection/session.ts'
import { exitCode } from '../../host/exit-code.ts'
import type { Host } from '../../host/host.ts'
import { type PlanFor, planFor } from '../../plan/plan-for.ts'
import { resolvePolicy, withAddresses } from '../../plan/resolve-policy.ts'
import { openRepository } from '../../repository/repository.ts'
import type { DeclaredIn } from './declared-in.ts'
import { liveHolds } from './live-holds.ts'

export interface AskFlags extends RepositoryFlags, SessionFlags {
  /** Rules of plans. */
  readonly allow?: readonly string[]
}

/** What the service of one environment tells of a flag. */
export interface AskedLive {
  readonly live: Live | undefined
  readonly holds: readonly Hold[]
  /** What its answers do not tell, each with the reason. */
  readonly unchecked: readonly Unchecked[]
  /** When the live flag was turned off, in milliseconds since 1970; undefined where nobody can tell. */
  offSince(): Promise<number | undefined>
}

/**
 * Asks the service of an environment about one flag, with a plan of it alone. Where nobody can ask it, the reason is told and
 * nothing is known; `use` is called while the connection is open.
 */
export async function askLive<Used>(
  host: Host,
  flags: AskFlags,
  flag: DeclaredIn,
  use: (asked: AskedLive | { readonly why: string }) => Promise<Used>,
): Promise<Used> {
  const ofEnvironment = withEnvironment(flags, flag.environment.name)
  const opened = await told(async () => {
    const repository = await openRepository(host, ofEnvironment)
    const session = await openSession(host, ofEnvironment, repository, { readOnly: true })
    return { repository, session }
  })
  if ('why' in opened) return use(opened)
  const { repository, session } = opened
  try {
    if (session.note !== undefined) host.log.info(escapeText(session.note))
    const made = await told(() =>
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

function withEnvironment<Flags extends AskFlags>(flags: Flags, name: string | undefined): AskFlags {
  const { env: _, ...others } = flags
  return name === undefined ? others : { ...others, env: name }
}

/** What a person can do nothing about here is no reason to tell nothing; a wrong option is. */
async function told<Result extends object>(
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
