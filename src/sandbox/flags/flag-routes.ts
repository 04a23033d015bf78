import type { featureFlag } from '../../kinds/index.ts'
import {
  evaluationReasons,
  localEvaluation,
  myFlags,
  userBlastRadius,
} from '../evaluation/flag-evaluation.ts'
import type { Actions } from '../resource/call.ts'
import { findRow } from '../resource/find-row.ts'
import { createDashboard, createStaticCohort, enrichDashboard } from './flag-actions.ts'
import { copyFlags, flagsByKey } from './flag-organization.ts'
import { flagResource } from './flag-resource.ts'
import { showChangeRequest, stateOperations } from './state-operations.ts'

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
  ...stateOperations,
  changeRequest: showChangeRequest,
}
