import { isJsonObject, type JsonObject } from '../model/json.ts'
import { activityAnswer } from './activity.ts'
import { type Answer, emptyAnswer, jsonAnswer } from './answer.ts'
import type { KindHandlers, ProjectCall } from './call.ts'
import { createDashboard, createStaticCohort, enrichDashboard } from './flag-actions.ts'
import { evaluationReasons, localEvaluation, myFlags, userBlastRadius } from './flag-evaluation.ts'
import { createFlag, updateFlag } from './flag-life.ts'
import { copyFlags, flagsByKey } from './flag-organization.ts'
import { flagRecord } from './flag-record.ts'
import { pageAnswer, windowOf } from './page.ts'
import { requireEdit } from './permission.ts'
import { notFound } from './refusal.ts'
import { integerId } from './row-id.ts'
import type { FlagRow } from './rows.ts'

export const flagHandlers: KindHandlers<'feature_flag'> = {
  list: listFlags,
  create: call => jsonAnswer(asSent(call, createFlag(call)), 201),
  read: call => jsonAnswer(flagRecord(call, findFlag(call))),
  update: call => {
    const flag = findFlag(call)
    requireEdit(call, flag)
    return jsonAnswer(flagRecord(call, updateFlag(call, flag)))
  },
  hardDelete: () => emptyAnswer(405, { Allow: 'GET, PATCH, DELETE, HEAD, OPTIONS' }),
  activity: call => {
    const id = integerId(call.params.id)
    // The one 404 of this interface that is not an object.
    if (call.store.flags.get(id ?? -1)?.project_id !== call.project.id) return jsonAnswer('', 404)
    return activityAnswer(call, 'FeatureFlag', call.project.id, id)
  },
  createStaticCohort: call => createStaticCohort(call, findFlag(call)),
  dashboard: call => createDashboard(call, findFlag(call)),
  enrichUsageDashboard: call => enrichDashboard(call, findFlag(call)),
  allActivity: call => activityAnswer(call, 'FeatureFlag', call.project.id),
  evaluationReasons,
  localEvaluation,
  myFlags,
  userBlastRadius,
  readByKey: flagsByKey,
  copy: copyFlags,
}

function listFlags(call: ProjectCall): Answer {
  const { store, project, quirks } = call
  const flags = quirks.list_deleted === 'shown' ? store.allFlags : store.liveFlags
  const window = windowOf(call)
  const { limit, offset } = window
  const isWhole = quirks.survey_flags === 'shown' || store.surveyFlags.count(project.id) === 0
  const total = flags.count(project.id)
  // A page is a slice of all there is, unless some of it is hidden.
  const listed = isWhole ? [] : flags.last(project.id, 0, total).filter(row => !row.survey_targeting)
  const rows = isWhole ? flags.last(project.id, offset, limit) : listed.slice(offset, offset + limit)
  return pageAnswer(
    call,
    window,
    isWhole ? total : listed.length,
    rows.map(row => flagRecord(call, row)),
  )
}

/** The flag that a path names. Soft-deleted ones are found too, as everywhere but in lists. */
function findFlag(call: ProjectCall<'project_id' | 'id'>): FlagRow {
  const flag = call.store.flags.get(integerId(call.params.id) ?? -1)
  if (flag?.project_id !== call.project.id) throw notFound()
  if (flag.deleted && call.quirks.read_deleted === 'not_found') throw notFound()
  return flag
}

/** The answer to a POST still has the members of `filters` in the order in which they were sent. */
function asSent(call: ProjectCall, flag: FlagRow): JsonObject {
  const { filters } = call.body
  return flagRecord(call, isJsonObject(filters) ? { ...flag, filters } : flag)
}
