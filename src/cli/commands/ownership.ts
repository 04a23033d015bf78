import type { Declarations } from '../../core/desired.ts'
import { claimedDeclarations, unclaimedDeclarations } from '../../core/ownership.ts'
import { plan } from '../../core/plan/plan.ts'
import type { Policy } from '../../core/policy.ts'
import { declarableKind } from '../../kinds/index.ts'
import { escapeText } from '../../model/text/printable.ts'
import type { Flags } from '../command-options.ts'
import { blockedCode, CommandError, type ExitCode, mostImportant } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { readLive } from '../plan/make-plan.ts'
import { presentDeed, runChanges } from '../plan/run-changes.ts'
import { currentRevision, requireApproval, withLock } from '../plan/run-record.ts'
import { onlyChosen, resolvePolicy } from '../plan/target-filter.ts'
import { noteNothingDeclared, notePolicies, openRepository } from '../repository/repository.ts'
import type { Repository } from '../repository/repository-settings.ts'
import { type Session, usingSession } from '../repository/session.ts'

/** `vexil claim` and `vexil unclaim`: add or remove only the ownership tag of declared objects. */
export async function runOwnership(
  host: Host,
  verb: 'claim' | 'unclaim',
  addresses: readonly string[],
  flags: Flags,
): Promise<ExitCode> {
  const repository = await openRepository(host, flags)
  notePolicies(host, repository.warnings, flags)
  const { tag } = resolvePolicy(repository.policy, flags).ownership
  const chosen = { ...flags, target: addresses.length > 0 ? addresses : undefined }
  if (tag === undefined) throw new CommandError('no ownership tag is set; give `ownership.tag` in vexil.yaml')
  return usingSession(host, flags, repository, { readOnly: false }, session =>
    withLock(host, session, repository, verb, held =>
      tagObjects(held, session, repository, verb, tag, chosen),
    ),
  )
}

async function tagObjects(
  host: Host,
  session: Session,
  repository: Repository,
  verb: 'claim' | 'unclaim',
  tag: string,
  flags: Flags,
): Promise<ExitCode> {
  const declared = onlyChosen(repository.declarations, flags)
  const { ownership: _, ...policy } = resolvePolicy(repository.policy, flags)
  const unowned: Policy = { ...policy, ownership: { prune: 'never' } }
  const snapshot = await readLive(host, session, declared, unowned)
  const isClaim = verb === 'claim'
  const wanted = isClaim
    ? claimedDeclarations(declared, snapshot)
    : unclaimedDeclarations(declared, snapshot, tag)
  const ownership = isClaim ? { tag, prune: 'never' as const } : unowned.ownership
  const made = plan({
    declared: wanted,
    live: snapshot,
    policy: { ...policy, ownership, redaction: host.redaction },
  })
  const { environment } = repository
  await presentDeed(host, flags, session, { plan: made, environment, deed: deeds[verb](tag) })
  noteNothingDeclared(host, repository)
  if (flags.target) noteUntouched(host, verb, declared, wanted)
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

/** Warns for each named object that nothing happens to it, and why. */
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
      ? 'belongs to a kind without tags'
      : verb === 'claim'
        ? 'is not live; there is nothing to tag'
        : 'does not carry the ownership tag'
    host.log.warn(`${escapeText(address)} ${why}`, { address })
  }
}
