import type { Plan } from '../../core/change.ts'
import { planDocument } from '../../core/record/plan-file.ts'
import { redactedPlan } from '../../core/redacted-plan.ts'
import { version } from '../../model/version.ts'
import { type Session, shownTarget } from '../connection/session.ts'
import type { Host } from '../host/host.ts'
import { type OutputFlags, tell } from '../host/output/output.ts'

/** A plan that is not one of the declarations, and what it is then. */
interface Deed {
  readonly plan: Plan
  readonly environment?: string
  readonly deed: string
  /** One line. */
  readonly note?: string
}

/** Shows what is about to be done where that is not a plan of the declarations. Drift, and what is declared nowhere, is none of its business. */
export function tellDeed(
  host: Host,
  flags: OutputFlags,
  session: Session,
  { plan: made, environment, deed, note }: Deed,
): Promise<void> {
  const { taggedUndeclared: _, ...about } = made
  const plan = { ...redactedPlan(about, host.redaction), drift: [], liveEdits: [] }
  const requests = session.client.requestCount
  return tell(host, flags, {
    is: 'plan',
    plan,
    meta: { target: shownTarget(session), environment, requests },
    get saved() {
      return planDocument(plan, { toolVersion: version, target: session.target, environment, requests })
    },
    deed,
    ...(note === undefined ? {} : { note }),
  })
}
