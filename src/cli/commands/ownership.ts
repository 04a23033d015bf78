import { adoptDeclarations, releaseDeclarations } from '../../core/ownership.ts'
import { plan } from '../../core/plan.ts'
import type { Policy } from '../../core/policy.ts'
import { takeSnapshot } from '../../core/snapshot.ts'
import { planText } from '../../report/terminal-plan.ts'
import { CommandError, type ExitCode, exitCode } from '../exit-code.ts'
import type { Host } from '../host.ts'
import { commandStyle } from '../output.ts'
import { openRepository } from '../repository.ts'
import { runChanges } from '../run-changes.ts'
import { openSession, settlePolicy } from '../session.ts'
import { onlyTargets } from '../target-filter.ts'
import { type ApplyFlags, isApproved } from './apply.ts'

/** `vexil adopt` and `vexil release`: put the ownership marker on declared objects, or take it off. Nothing else. */
export async function runOwnership(
  host: Host,
  verb: 'adopt' | 'release',
  addresses: readonly string[],
  flags: ApplyFlags,
): Promise<ExitCode> {
  const repository = await openRepository(host, flags)
  const settled = settlePolicy(repository.policy, flags)
  const { tag } = settled.ownership
  if (tag === undefined) throw new CommandError('no marker is set; give `ownership.tag` in vexil.yaml')
  const session = await openSession(host, flags, repository, { readOnly: false })
  try {
    const declared = onlyTargets(repository.declarations, addresses)
    const { parallelism } = session.connection
    const unowned: Policy = { ...settled, ownership: { prune: 'never' } }
    const snapshot = await takeSnapshot({
      client: session.client,
      declarations: declared,
      policy: unowned,
      parallelism,
    })
    const input =
      verb === 'adopt'
        ? {
            declarations: adoptDeclarations(declared, snapshot),
            policy: { ...unowned, ownership: { tag, prune: 'never' as const } },
          }
        : { declarations: releaseDeclarations(declared, snapshot, tag), policy: unowned }
    const made = plan({ ...input, snapshot })
    const style = commandStyle(host, flags)
    const meta = { target: session.target, environment: repository.environment }
    const shown = flags.json ? host.stderr : host.stdout
    shown.write(planText({ ...made, drift: [] }, { meta, style }))
    if (made.changes.length === 0) return exitCode.done
    if (!flags.autoApprove && !(await isApproved(host, flags))) return exitCode.refused
    return await runChanges(host, session, {
      changes: made.changes,
      directory: repository.directory,
      environment: repository.environment,
      json: flags.json ?? false,
      style,
    })
  } finally {
    await session.close()
  }
}
