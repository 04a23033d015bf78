import { resolve } from 'node:path'
import type { Plan } from '../../core/change.ts'
import { plan } from '../../core/plan.ts'
import type { Policy } from '../../core/policy.ts'
import type { Receipt } from '../../core/receipt.ts'
import { isSameTarget, isSandbox, targetText } from '../../core/target.ts'
import { tellWhatIsLost, undoDeclarations, withholdChangedSince } from '../../core/undo.ts'
import { planText } from '../../report/terminal-plan.ts'
import { requireApproval } from '../approval.ts'
import { CommandError, type ExitCode, exitCode, mostImportant } from '../exit-code.ts'
import { findReceipt, fitsPlace } from '../find-receipt.ts'
import type { Host } from '../host.ts'
import { withLock } from '../lock/with-lock.ts'
import { readLive } from '../make-plan.ts'
import { commandStyle } from '../output.ts'
import { declaredAddresses, settlePolicy, withAddresses } from '../policy.ts'
import { tellWhatHides, withProtection } from '../protected-today.ts'
import { openWritten, type RepositorySettings, type WrittenRepository } from '../repository.ts'
import { runChanges } from '../run-changes.ts'
import { openSession, type Session, type SessionPlace, shownTarget } from '../session.ts'
import { readAllReceipts } from '../state.ts'
import { onlyTargets } from '../target-filter.ts'
import type { ApplyFlags } from './apply.ts'

/**
 * `vexil undo RECEIPT`: puts what a run wrote back as it was, except what somebody has changed since. Nothing that the
 * declarations protect today is deleted or turned off.
 */
export async function runUndo(host: Host, receiptFile: string, flags: ApplyFlags): Promise<ExitCode> {
  const { receipt, repository, session } = await openRun(host, receiptFile, flags)
  try {
    if (!isSameTarget(receipt.target, session.target)) {
      throw new CommandError(
        `that run was for ${targetText(receipt.target)}, not for ${targetText(session.target)}`,
      )
    }
    return await withLock(host, session, repository, 'undo', held =>
      undoReceipt(held, { receipt, repository, session }, flags),
    )
  } finally {
    await session.close()
  }
}

async function undoReceipt(
  host: Host,
  { receipt, repository, session }: OpenRun,
  flags: ApplyFlags,
): Promise<ExitCode> {
  const made = await planUndo(host, session, receipt, repository, flags)
  const style = commandStyle(host, flags)
  const meta = { target: shownTarget(session), environment: receipt.environment }
  const shown = flags.json ? host.stderr : host.stdout
  shown.write(planText({ ...made, drift: [] }, { meta, style, deed: `undo of run ${receipt.run}` }))
  await requireApproval(host, 'undo', flags, made.changes)
  const code = await runChanges(host, session, {
    changes: made.changes,
    withheld: made.withheld,
    directory: repository.directory,
    environment: receipt.environment,
    json: flags.json ?? false,
    style,
  })
  return mostImportant([code, ...made.withheld.map(heldCode)])
}

interface OpenRun {
  readonly receipt: Receipt
  readonly repository: WrittenRepository
  readonly session: Session
}

/**
 * Opens the place of a run. An environment that the command line chose decides; without one, the receipt says which it
 * was, and in which project.
 */
async function openRun(host: Host, named: string, flags: ApplyFlags): Promise<OpenRun> {
  const receipts = await readAllReceipts(resolve(host.directory, flags.chdir ?? '.'))
  const options = { readOnly: false }
  if (flags.env !== undefined) {
    const repository = await openWritten(host, flags)
    const session = await openSession(host, flags, repository, options)
    try {
      const isMeant = (target: Receipt['target']) => isSameTarget(target, session.target)
      return { receipt: await findReceipt(host, named, receipts, isMeant), repository, session }
    } catch (error) {
      await session.close()
      throw error
    }
  }
  const receipt = await findReceipt(host, named, receipts, fitsPlace(host, flags))
  const repository = await openWritten(host, flags, receipt.environment)
  requireEnvironment(receipt, repository)
  const sandbox = flags.sandbox || (isSandbox(receipt.target) && flags.baseUrl === undefined)
  const session = await openSession(host, { ...flags, sandbox }, placeOf(receipt, repository), options)
  return { receipt, repository, session }
}

/** The keys and limits of one environment are not for the run of another. */
function requireEnvironment({ environment }: Receipt, repository: RepositorySettings): void {
  const { environment: chosen, settingsFile = 'vexil.yaml' } = repository
  if (environment === undefined || chosen === undefined || chosen === environment) return
  throw new CommandError(
    `that run was for environment "${environment}", which ${settingsFile} does not have; choose one with --env`,
  )
}

/**
 * The settings with the ids that the run was for. The address stays that of the settings: a receipt can come from
 * anywhere, and the key must not follow it.
 */
function placeOf({ target }: Receipt, repository: RepositorySettings): SessionPlace {
  const { projectId: project, organizationId: organization } = target
  const source = 'the receipt'
  return {
    ...repository,
    otherSources: {
      ...(project === undefined ? {} : { project: source }),
      ...(organization === undefined ? {} : { organization: source }),
    },
    connection: {
      ...repository.connection,
      ...(project === undefined ? {} : { project }),
      ...(organization === undefined ? {} : { organization }),
    },
  }
}

async function planUndo(
  host: Host,
  session: Session,
  receipt: Receipt,
  repository: WrittenRepository,
  flags: ApplyFlags,
): Promise<Plan> {
  const unknown = 'is nothing that this run has written'
  const { protection } = repository
  const written = withProtection(undoDeclarations(receipt), protection)
  const declared = declaredAddresses(written)
  const declarations = onlyTargets(written, flags.target ?? [], unknown)
  // What the run did not write is none of this command's business: nothing is pruned and nothing is marked.
  const limits: Policy = { ...settlePolicy(repository.policy, flags), ownership: { prune: 'never' } }
  const policy = withAddresses(limits, { declared, unknown })
  const snapshot = await readLive(host, session, declarations, policy)
  const made = withholdChangedSince(plan({ declarations, snapshot, policy }), receipt, snapshot)
  return tellWhatIsLost(tellWhatHides(made, written, protection))
}

/** What somebody changed since is stale; what a guard holds back was refused. */
function heldCode({ rule }: Plan['withheld'][number]): ExitCode {
  return rule === 'changed_since' ? exitCode.stale : exitCode.refused
}
