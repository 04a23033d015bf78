import { resolve } from 'node:path'
import { plan } from '../../core/plan.ts'
import type { Receipt } from '../../core/receipt.ts'
import { takeSnapshot } from '../../core/snapshot.ts'
import { isSameTarget, targetText } from '../../core/target.ts'
import { undoDeclarations, withholdChangedSince } from '../../core/undo.ts'
import { planText } from '../../report/terminal-plan.ts'
import { CommandError, type ExitCode, exitCode, mostImportant } from '../exit-code.ts'
import type { Host } from '../host.ts'
import { commandStyle } from '../output.ts'
import { withProgress } from '../progress.ts'
import { openRepository } from '../repository.ts'
import { runChanges } from '../run-changes.ts'
import { openSession, settlePolicy } from '../session.ts'
import { readReceipt, readReceipts } from '../state.ts'
import { onlyTargets } from '../target-filter.ts'
import { type ApplyFlags, isApproved } from './apply.ts'

/** `vexil undo RECEIPT`: puts what a run wrote back as it was, except what somebody has changed since. */
export async function runUndo(host: Host, receiptFile: string, flags: ApplyFlags): Promise<ExitCode> {
  const repository = await openRepository(host, flags, { needsDeclarations: false })
  const session = await openSession(host, flags, repository, { readOnly: false })
  try {
    const receipt = await findReceipt(host, receiptFile, () =>
      readReceipts(repository.directory, session.target),
    )
    if (!isSameTarget(receipt.target, session.target)) {
      throw new CommandError(
        `that run was for ${targetText(receipt.target)}, not for ${targetText(session.target)}`,
      )
    }
    const declarations = onlyTargets(undoDeclarations(receipt), flags.target ?? [])
    const policy = settlePolicy(undefined, flags)
    const { parallelism } = session.connection
    const snapshot = await withProgress(host, 'reading the live service', () =>
      takeSnapshot({ client: session.client, declarations, policy, parallelism }),
    )
    const made = withholdChangedSince(plan({ declarations, snapshot, policy }), receipt, snapshot)
    const style = commandStyle(host, flags)
    const meta = { target: session.target, environment: receipt.environment }
    const shown = flags.json ? host.stderr : host.stdout
    shown.write(planText({ ...made, drift: [] }, { meta, style }))
    const heldCode = made.withheld.length > 0 ? exitCode.stale : exitCode.done
    const isAsked = made.changes.length > 0 && !flags.autoApprove
    if (isAsked && !(await isApproved(host, flags))) return exitCode.refused
    const code = await runChanges(host, session, {
      changes: made.changes,
      directory: repository.directory,
      environment: receipt.environment,
      json: flags.json ?? false,
      style,
    })
    return mostImportant([code, heldCode])
  } finally {
    await session.close()
  }
}

/** A receipt by its file, by the name of its run, or `last`. */
async function findReceipt(host: Host, named: string, all: () => Promise<Receipt[]>): Promise<Receipt> {
  const receipts = await all()
  const latest = [...receipts].sort((left, right) => right.startedAt - left.startedAt)[0]
  const known = named === 'last' ? latest : receipts.find(({ run }) => run === named)
  if (known) return known
  const read = await readReceipt(resolve(host.directory, named)).catch(() => undefined)
  if (read) return read
  const hint = latest ? `; the latest run is "${latest.run}"` : ''
  throw new CommandError(`"${named}" is no receipt${hint}`)
}
