import { type Performed, perform } from '../../../core/apply/perform.ts'
import type { Change } from '../../../core/change.ts'
import type { Live } from '../../../core/live.ts'
import type { FindShadowed } from '../../../core/read/shadowed.ts'
import { findShadowed, type ResourceContext } from '../resource-context.ts'

/**
 * Carries out one change through the reconciler. What was read a moment ago for the change is not read again. A change
 * that has begun is brought to its end when Terraform asks to stop, as long as that does not take long.
 */
export async function carryOut(
  context: ResourceContext,
  change: Change,
  seen?: Live,
  lookBehind: FindShadowed = findShadowed(context),
): Promise<Performed> {
  const { run, session, signal } = context
  // Nothing is begun any more once everything is to end.
  signal.throwIfAborted()
  return perform(change, {
    client: run.client,
    runtime: session.runtime,
    idOf: () => undefined,
    isNew: () => false,
    attempting: async () => {},
    findShadowed: lookBehind,
    signal: session.finishing,
    ...(seen ? { seen } : {}),
  })
}
