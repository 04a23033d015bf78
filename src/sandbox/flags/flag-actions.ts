import type { JsonObject } from '../../model/json/json.ts'
import { personsWithFlag } from '../evaluation/flag-evaluation.ts'
import { type Answer, jsonAnswer } from '../http/refusal.ts'
import type { ProjectCall } from '../resource/resource.ts'
import { userRecord } from '../resource/show-record.ts'
import type { CohortRow, DashboardRow, FlagRow } from '../store/rows.ts'
import { isoTime } from '../time.ts'
import { flagRecord } from './flag-record.ts'

/** Saves the persons who get a flag now. Each call creates another cohort. */
export function createStaticCohort(call: ProjectCall, flag: FlagRow): Answer {
  const { store, project, caller, now, quirks } = call
  const { persons, doubt } = personsWithFlag(call, flag)
  const cohort = store.cohorts.put({
    id: store.nextId(store.cohorts),
    project_id: project.id,
    name: `Users with feature flag ${flag.key} enabled at ${isoTime(now)}`,
    created_at: isoTime(now),
    created_by: caller.id,
    persons: persons.map(person => person.id),
  })
  const outcome = { cohort: { ...cohortRecord(call, cohort), ...doubt } }
  return actionAnswer(call, flag, outcome, Number(quirks.static_cohort_status))
}

/** Creates a usage dashboard. Each call creates another one, and the flag points to the last. */
export function createDashboard(call: ProjectCall, flag: FlagRow): Answer {
  const dashboard = createUsageDashboard(call, flag)
  const after = call.store.flags.put({ ...flag, usage_dashboard: dashboard.id })
  return actionAnswer(call, after, { success: true })
}

/** The dashboard that every flag has from its creation. */
export function createUsageDashboard(
  { store, project }: Pick<ProjectCall, 'store' | 'project'>,
  { id, key }: Pick<FlagRow, 'id' | 'key'>,
): DashboardRow {
  return store.dashboards.put({
    id: store.nextId(store.dashboards),
    project_id: project.id,
    name: `Generated Dashboard: ${key} Usage`,
    flag_id: id,
    enriched: false,
  })
}

export function enrichDashboard(call: ProjectCall, flag: FlagRow): Answer {
  const { store, quirks } = call
  const dashboard = flag.usage_dashboard === null ? undefined : store.dashboards.get(flag.usage_dashboard)
  if (quirks.enrich_checked) {
    if (!dashboard) return failure('Usage dashboard not found')
    if (dashboard.enriched) return failure('Usage dashboard already has enriched data')
    if (!flag.has_enriched_analytics) return failure('No enriched analytics available for this feature flag')
  }
  if (dashboard) store.dashboards.put({ ...dashboard, enriched: true })
  return actionAnswer(call, flag, { success: true })
}

/** In the document these operations return the flag; the public service only returns their result. */
function actionAnswer(call: ProjectCall, flag: FlagRow, outcome: JsonObject, status = 200): Answer {
  const { action_answers } = call.quirks
  return jsonAnswer(action_answers === 'own' ? outcome : { ...flagRecord(call, flag), ...outcome }, status)
}

function failure(error: string): Answer {
  return jsonAnswer({ success: false, error }, 400)
}

function cohortRecord({ store }: ProjectCall, cohort: CohortRow): JsonObject {
  return {
    id: cohort.id,
    name: cohort.name,
    description: '',
    groups: [],
    deleted: false,
    filters: {},
    is_calculating: false,
    created_by: userRecord(store, cohort.created_by),
    created_at: cohort.created_at,
    errors_calculating: 0,
    count: cohort.persons.length,
    is_static: cohort.properties === undefined,
  }
}
