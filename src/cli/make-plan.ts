import type { Plan } from '../core/change.ts'
import type { Declarations } from '../core/desired.ts'
import { notKeptIn } from '../core/not-kept.ts'
import { plan } from '../core/plan.ts'
import type { Policy } from '../core/policy.ts'
import { baseOf } from '../core/receipt.ts'
import { takeSnapshot } from '../core/snapshot.ts'
import type { Host } from './host.ts'
import { withProgress } from './progress.ts'
import type { Session } from './session.ts'
import { readReceipts } from './state.ts'

/** Reads the live service and compares: what `plan`, `apply` and `drift` all start with. */
export async function makePlan(
  host: Host,
  session: Session,
  input: { readonly directory: string; readonly declarations: Declarations; readonly policy: Policy },
): Promise<Plan> {
  const { declarations, policy } = input
  const { parallelism } = session.connection
  const [snapshot, receipts] = await withProgress(host, 'reading the live service', () =>
    Promise.all([
      takeSnapshot({ client: session.client, declarations, policy, parallelism }),
      readReceipts(input.directory, session.target),
    ]),
  )
  return plan({
    declarations,
    snapshot,
    policy,
    base: receipts.length > 0 ? baseOf(receipts) : undefined,
    notKept: notKeptIn(receipts),
  })
}
