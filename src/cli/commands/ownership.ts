import type { Declarations } from '../../core/desired.ts'
import { claimedDeclarations, unclaimedDeclarations } from '../../core/ownership.ts'
import { plan } from '../../core/plan/plan.ts'
import type { Policy } from '../../core/policy.ts'
import { declarableKind } from '../../kinds/index.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import { blockedCode, CommandError, type ExitCode, mostImportant } from '../host/exit-code.ts'
import type { Flags } from '../host/flags.ts'
import type { Host } from '../host/host.ts'
import { requireApproval } from '../plan/approval.ts'
import { readLive } from '../plan/make-plan.ts'
import { resolvePolicy } from '../plan/resolve-policy.ts'
import { presentDeed, runChanges } from '../plan/run-changes.ts'
import { currentRevision, withLock } from '../plan/run-record.ts'
import { onlyChosen } from '../plan/target-filter.ts'
import { noteNothingDeclared, notePolicies, openRepository } from '../repository/repository.ts'
import type { Repository } from '../repository/repository-settings.ts'
import { type Session, usingSession } from '../repository/session.ts'

/** `vexil claim` and `vexil unclaim`: add or remove the ownership tag of declared objects. Nothing else. */
export async function runOwnership(
  host: Host,
  verb: 'claim' | 'unclaim',
  addresses: readonly string[],
  flags: Flags,
): Promise<ExitCode> {
  const repository = await openRepository(host, flags)
  notePolicies(host, repository.warnings, flags)
  const policy = resolvePolicy(repository.policy, flags)
  const { tag } = policy.ownership
  if (tag === undefined) throw new CommandError('no ownership tag is set; give `ownership.tag` in vexil.yaml')
  return usingSession(host, flags, repository, { readOnly: false }, session =>
    withLock(host, session, repository, verb, held =>
      tagObjects(held, { verb, addresses, flags, repository, policy, tag, session }),
    ),
  )
}

interface TagChange {
  readonly verb: 'claim' | 'unclaim'
  readonly addresses: readonly string[]
  readonly flags: Flags
  readonly repository: Repository
  readonly policy: Policy
  readonly tag: string
  readonly session: Session
}

async function tagObjects(
  host: Host,
  { verb, addresses, flags, repository, policy, tag, session }: TagChange,
): Promise<ExitCode> {
  const declared = onlyChosen(repository.declarations, {
    target: addresses.length > 0 ? addresses : undefined,
    owner: flags.owner,
  })
  const unowned: Policy = { ...policy, ownership: { prune: 'never' } }
  const snapshot = await readLive(host, session, declared, unowned)
  const input =
    verb === 'claim'
      ? {
          declarations: claimedDeclarations(declared, snapshot),
          policy: { ...unowned, ownership: { tag, prune: 'never' as const } },
        }
      : { declarations: unclaimedDeclarations(declared, snapshot, tag), policy: unowned }
  const made = plan({
    declared: input.declarations,
    live: snapshot,
    policy: { ...input.policy, redaction: host.redaction },
  })
  const { environment } = repository
  await presentDeed(host, flags, session, { plan: made, environment, deed: deeds[verb](tag) })
  noteNothingDeclared(host, repository)
  if (addresses.length > 0) noteUntouched(host, verb, declared, input.declarations)
  await requireApproval(host, verb, flags, made.changes)
  const code = await runChanges(host, session, {
    command: verb,
    plan: { changes: made.changes, blocked: made.blocked, liveEdits: [] },
    unchanged: made.unchanged.length,
    revision: await currentRevision(host, repository.directory),
    place: repository,
    flags,
  })
  return mostImportant([code, blockedCode(made)])
}

const deeds = {
  claim: (tag: string) => `putting the ownership tag "${tag}" on objects`,
  unclaim: (tag: string) => `taking the ownership tag "${tag}" off objects`,
} as const

/** A person who names an object wants to know why nothing happens to it. */
function noteUntouched(
  host: Host,
  verb: 'claim' | 'unclaim',
  named: Declarations,
  { desired }: Declarations,
): void {
  const left = named.desired.filter(({ address }) => !desired.some(each => each.address === address))
  for (const { address, kind } of left) {
    const { lifecycle } = declarableKind(kind)
    if (lifecycle.parent) continue
    const why = !lifecycle.ownedBy
      ? 'is of a kind without tags'
      : verb === 'claim'
        ? 'is not live; there is nothing to tag'
        : 'does not carry the ownership tag'
    host.log.warn(`${escapeText(address)} ${why}`, { address })
  }
}
