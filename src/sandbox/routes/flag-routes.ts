import type { featureFlag } from '../../kinds/index.ts'
import type { Actions } from '../call.ts'
import { createDashboard, createStaticCohort, enrichDashboard } from '../flag-actions.ts'
import { evaluationReasons, localEvaluation, myFlags, userBlastRadius } from '../flag-evaluation.ts'
import { copyFlags, flagsByKey } from '../flag-organization.ts'
import { findRow } from '../server/find-row.ts'
import { flagResource } from './flag-resource.ts'

/** What can be done with flags beside what can be done with every kind. */
export const flagRoutes: Actions<typeof featureFlag> = {
  createStaticCohort: call => createStaticCohort(call, findRow(flagResource, call)),
  dashboard: call => createDashboard(call, findRow(flagResource, call)),
  enrichUsageDashboard: call => enrichDashboard(call, findRow(flagResource, call)),
  evaluationReasons,
  localEvaluation,
  myFlags,
  userBlastRadius,
  readByKey: flagsByKey,
  copy: copyFlags,
}
