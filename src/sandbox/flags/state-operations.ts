import { featureFlag } from '../../kinds/index.ts'
import type { JsonObject } from '../../model/json/json.ts'
import { type Answer, jsonAnswer } from '../http/answer.ts'
import { changedBy, invalid, notFound } from '../http/refusal.ts'
import type { ProjectCall } from '../resource/call.ts'
import { findRow } from '../resource/find-row.ts'
import { updateRow } from '../resource/write-row.ts'
import { flagRecord } from './flag-record.ts'
import { flagResource } from './flag-resource.ts'

/**
 * Operations that set what a flag is and take no body: one that is so already is answered as it is, and nothing is
 * written. [service-today 3]
 */
export const stateOperations = {
  enable: (call: ProjectCall) => {
    if (findRow(flagResource, call).archived)
      throw invalid(null, 'Cannot enable an archived feature flag. Unarchive it first.')
    return become(call, { active: true })
  },
  disable: (call: ProjectCall) => become(call, { active: false }),
  archive: (call: ProjectCall) => become(call, { archived: true, active: false }),
  unarchive: (call: ProjectCall) => become(call, { archived: false }),
} as const

function become(call: ProjectCall, wanted: JsonObject): Answer {
  const flag = findRow(flagResource, call)
  const held: JsonObject = { active: flag.active, archived: flag.archived ?? false }
  const body = Object.fromEntries(Object.entries(wanted).filter(([name, value]) => held[name] !== value))
  const isThere = Object.keys(body).length === 0
  const asUpdate: ProjectCall = { ...call, body }
  flagResource.allow?.(asUpdate, 'update', flag)
  return jsonAnswer(flagRecord(call, isThere ? flag : updateRow(flagResource, asUpdate, flag)))
}

/** How far a request for approval is: all are as far here. */
export function showChangeRequest({ params, quirks }: ProjectCall<'change_request_id'>): Answer {
  const id = params.change_request_id
  const rowId = changedBy(id)
  if (rowId === undefined) throw notFound()
  return jsonAnswer({
    id,
    state: quirks.change_request,
    resource_type: featureFlag.name,
    resource_id: String(rowId),
  })
}
