import { featureFlag } from '../../kinds/index.ts'
import { isJsonArray, type Json, type JsonObject } from '../../model/text/json.ts'
import { type Answer, changedBy, invalid, jsonAnswer, notFound, Refusal } from '../http/messages.ts'
import { type CohortRow, type FlagRow, isoTime, type ProjectRow } from '../rows.ts'
import {
  evaluationReasons,
  localEvaluation,
  myFlags,
  personsWithFlag,
  userBlastRadius,
} from './evaluation.ts'
import { canEdit, flagRecord, mapProperties, shownFilters } from './flag-record.ts'
import { createUsageDashboard, flagResource } from './flag-resource.ts'
import type { Call, Handlers, ProjectCall } from './resource.ts'
import { userRecord } from './serve-kind.ts'
import { createRow, findRow, updateRow } from './write-row.ts'

/** The operations for flags beside those for every kind. */
export const flagRoutes: Handlers = {
  createStaticCohort: call => createStaticCohort(call, findRow(flagResource, call)),
  dashboard: call => createDashboard(call, findRow(flagResource, call)),
  enrichUsageDashboard: call => enrichDashboard(call, findRow(flagResource, call)),
  evaluationReasons,
  localEvaluation,
  myFlags,
  userBlastRadius,
  readByKey: flagsByKey,
  copy: copyFlags,
  enable: call => {
    if (findRow(flagResource, call).archived)
      throw invalid(null, 'Cannot enable an archived feature flag. Unarchive it first.')
    return become(call, { active: true })
  },
  disable: call => become(call, { active: false }),
  archive: call => become(call, { archived: true, active: false }),
  unarchive: call => become(call, { archived: false }),
  changeRequest: showChangeRequest,
}

/** The live flags of one key, over the projects of an organization. */
function flagsByKey(call: Call): Answer {
  const { store, organization, params } = call
  const flags = store.projectsOfOrganization.all(organization.id).flatMap(project => {
    return store.liveFlag(project.id, params.feature_flag_key ?? '') ?? []
  })
  return jsonAnswer(
    flags.map(flag => ({
      flag_id: flag.id,
      team_id: flag.project_id,
      created_by: userRecord(store, flag.created_by),
      filters: shownFilters(call, flag.filters),
      created_at: flag.created_at,
      active: flag.active,
    })),
  )
}

/** Copies a flag to other projects. Failures are reported in an answer with a success status. */
function copyFlags(call: Call): Answer {
  const { feature_flag_key: key, from_project: from, target_project_ids: targets } = call.body
  if (typeof key !== 'string' || key === '' || !isId(from) || !isJsonArray(targets) || targets.length === 0)
    return copyFailure(400, 'Missing required fields')
  const source = call.store.liveFlag(Number(from), key)
  if (!source || !projectOf(call, from)) return copyFailure(400, 'Feature flag to copy does not exist.')
  if (!canEdit(call, source)) return copyFailure(403, 'You do not have permission to copy this flag.')
  const success: Json[] = []
  const failed: Json[] = []
  for (const target of targets) {
    const project = isId(target) ? projectOf(call, target) : undefined
    if (!project) failed.push({ project_id: target, errors: 'Project not found.' })
    else
      try {
        success.push(flagRecord(call, copyTo(call, source, project)))
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        failed.push({ project_id: project.id, errors: error.message })
      }
  }
  return jsonAnswer({ success, failed })
}

function copyTo(call: Call, source: FlagRow, project: ProjectRow): FlagRow {
  const there = call.store.liveFlag(project.id, source.key)
  const { key, name, active, ensure_experience_continuity } = source
  const filters = withCohortsOf(call, project, source.filters)
  const body: JsonObject = { key, name, filters, active, ensure_experience_continuity }
  const inTarget: ProjectCall = { ...call, project, body }
  return there ? updateRow(flagResource, inTarget, there) : createRow(flagResource, inTarget)
}

/** Cohorts belong to a project: a condition that names one gets the cohort of the same name in the target. */
function withCohortsOf(call: Call, project: ProjectRow, filters: JsonObject): JsonObject {
  const everybody = { groups: [{ properties: [], rollout_percentage: null }] }
  return mapProperties(isJsonArray(filters.groups) ? filters : { ...filters, ...everybody }, property => {
    const cohort = property.type === 'cohort' ? call.store.cohorts.get(Number(property.value)) : undefined
    return cohort ? { ...property, value: cohortLike(call, project, cohort).id } : property
  })
}

function cohortLike({ store, caller, now }: Call, project: ProjectRow, cohort: CohortRow): CohortRow {
  for (const candidate of store.cohorts.all())
    if (candidate.project_id === project.id && candidate.name === cohort.name) return candidate
  return store.cohorts.put({
    id: store.nextId(store.cohorts),
    project_id: project.id,
    name: cohort.name,
    created_at: isoTime(now),
    created_by: caller.id,
    persons: [],
    ...(cohort.properties ? { properties: cohort.properties } : {}),
  })
}

/** These two routes have their own error body. */
function copyFailure(status: number, error: string): Answer {
  return jsonAnswer({ error }, status)
}

function projectOf({ store, organization }: Call, id: Json): ProjectRow | undefined {
  const project = store.projects.get(Number(id))
  return project?.organization_id === organization.id ? project : undefined
}

function isId(value: Json | undefined): value is number | string {
  return typeof value === 'string' ? /^\d+$/.test(value) : Number.isSafeInteger(value)
}

function become(call: ProjectCall, wanted: JsonObject): Answer {
  const flag = findRow(flagResource, call)
  const held: JsonObject = { active: flag.active, archived: flag.archived ?? false }
  const body = Object.fromEntries(Object.entries(wanted).filter(([name, value]) => held[name] !== value))
  const isThere = Object.keys(body).length === 0
  const asUpdate: ProjectCall = { ...call, body }
  flagResource.allow?.(asUpdate, 'update', flag)
  return jsonAnswer(flagRecord(call, isThere ? flag : updateRow(flagResource, asUpdate, flag)))
}

/** The state of a request for approval: the same for all here. */
function showChangeRequest({ params, quirks }: ProjectCall): Answer {
  const id = params.change_request_id ?? ''
  const rowId = changedBy(id)
  if (rowId === undefined) throw notFound()
  return jsonAnswer({
    id,
    state: quirks.change_request,
    resource_type: featureFlag.name,
    resource_id: String(rowId),
  })
}

/** Saves the persons who get a flag now. Each call creates another cohort. */
function createStaticCohort(call: ProjectCall, flag: FlagRow): Answer {
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
function createDashboard(call: ProjectCall, flag: FlagRow): Answer {
  const dashboard = createUsageDashboard(call, flag)
  const after = call.store.flags.put({ ...flag, usage_dashboard: dashboard.id })
  return actionAnswer(call, after, { success: true })
}

function enrichDashboard(call: ProjectCall, flag: FlagRow): Answer {
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
