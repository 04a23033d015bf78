import { featureFlag, type Kinds } from '../kinds/index.ts'
import type { WriteOf } from '../model/field.ts'
import { isJsonArray, isJsonObject, type JsonObject } from '../model/json.ts'
import type { ProjectCall } from './call.ts'
import { checkFlagFilters } from './check-filters.ts'
import { checkCircle } from './flag-dependencies.ts'
import { keptTags } from './labels.ts'
import { invalid, serverError } from './refusal.ts'
import type { FlagRow } from './rows.ts'
import { databaseOrder } from './shown-filters.ts'
import { normalTime } from './time.ts'

export type FlagBody = WriteOf<Kinds['feature_flag']['fields']>
type Mutable<T> = { -readonly [Name in keyof T]: T[Name] }

/** The members of a row that a request body sets, checked and in the form in which they are kept. */
export function writtenFields(call: ProjectCall, before: FlagRow, creating: boolean): Partial<FlagRow> {
  // The body was checked against the schema that comes from the same fields.
  const body = call.body as FlagBody
  const fields: Mutable<Partial<FlagRow>> = {}
  if (body.key !== undefined) fields.key = keptKey(body.key ?? '')
  if (body.name !== undefined) fields.name = (body.name ?? '').trim()
  if (body.filters !== undefined) {
    const filters = keptFilters(call, { ...before, ...fields }, body.filters, creating)
    if (filters) fields.filters = filters
  }
  if (body.deleted !== undefined) fields.deleted = body.deleted ?? false
  if (body.active !== undefined) fields.active = body.active ?? false
  if (body.created_at !== undefined) fields.created_at = keptTime(body.created_at ?? '')
  if (body.ensure_experience_continuity !== undefined)
    fields.ensure_experience_continuity = body.ensure_experience_continuity
  if (body.has_enriched_analytics !== undefined) fields.has_enriched_analytics = body.has_enriched_analytics
  if (body.rollback_conditions !== undefined) fields.rollback_conditions = body.rollback_conditions
  if (body.performed_rollback !== undefined) fields.performed_rollback = body.performed_rollback
  // Switching a flag on is what ends a rollback, whatever else the request says of it.
  if (body.active === true) fields.performed_rollback = false
  if (isJsonArray(body.tags)) fields.tags = keptTags(call, featureFlag.fields.tags, body.tags, before.tags)
  if (body.analytics_dashboards)
    fields.analytics_dashboards = linkedDashboards(call, before, body.analytics_dashboards, creating)
  return fields
}

/** A key as it is kept: trimmed, and neither blank nor too long. */
export function keptKey(text: string): string {
  const key = text.trim()
  if (key === '') throw invalid('key', 'This field may not be blank.', 'blank')
  const { maxLength } = featureFlag.fields.key
  if ([...key].length > maxLength)
    throw invalid('key', `Ensure this field has no more than ${maxLength} characters.`, 'max_length')
  return key
}

/** Filters as they are kept, or undefined where the service would ignore them. */
function keptFilters(
  call: ProjectCall,
  flag: FlagRow,
  filters: unknown,
  creating: boolean,
): JsonObject | undefined {
  if (!isJsonObject(filters)) throw invalid('filters', 'Expected a dictionary of items.', 'not_a_dict')
  if (!isJsonArray(filters.groups) && call.quirks.filters_without_groups === 'lost') {
    if (creating) throw serverError()
    return undefined
  }
  checkFlagFilters(call, filters, creating)
  checkCircle(call, flag, filters)
  return databaseOrder(filters)
}

function keptTime(text: string): string {
  const time = normalTime(text)
  if (time === undefined) throw invalid('created_at', 'Datetime has wrong format.')
  return time
}

/** Links are only ever added. */
function linkedDashboards(
  { store, quirks, project }: ProjectCall,
  before: FlagRow,
  ids: readonly number[],
  creating: boolean,
): readonly number[] {
  if (creating && quirks.analytics_dashboards === 'error') throw serverError()
  for (const id of ids)
    if (store.dashboards.get(id)?.project_id !== project.id)
      throw invalid('analytics_dashboards', `Invalid pk "${id}" - object does not exist.`, 'does_not_exist')
  return [...new Set([...before.analytics_dashboards, ...ids])]
}
