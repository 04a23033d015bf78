import type { eventDefinition, featureFlag, pluginKind } from '../kinds/index.ts'
import type { ValueOf, WriteOf } from '../model/field.ts'
import type { Json, JsonObject } from '../model/text/json.ts'
import { readDate, readMoment } from '../targeting/index.ts'

/** The content of the sandbox. A row is never changed in place: a change replaces the row of an id. */
export interface Row {
  readonly id: RowId
}
export type RowId = number | string

/** A row of a kind: a column for each stored field, and one for its container. */
export type ResourceRow = Row & JsonObject

type FlagFields = (typeof featureFlag)['fields']
type DefinitionFields = (typeof eventDefinition)['fields']
type PluginFields = (typeof pluginKind)['fields']

export interface CounterRow {
  readonly id: string
  readonly last: number
}

export interface UserRow {
  readonly id: number
  readonly uuid: string
  readonly distinct_id: string
  readonly first_name: string
  readonly email: string
  readonly is_email_verified: boolean
  /** The position in the world file; the first one owns the key. */
  readonly position: number
  readonly roles: readonly string[]
}

export interface OrganizationRow {
  readonly id: string
  readonly name: string
  /** The position in the world file. */
  readonly position: number
}

export interface ProjectRow {
  readonly id: number
  readonly name: string
  readonly organization_id: string
  /** The token of the project in product code. Rows of older folders have none. */
  readonly api_token?: string
  /** Names of the types of groups, in the order of their indexes. */
  readonly group_types?: readonly string[]
}

export interface GroupRow {
  readonly id: number
  readonly project_id: number
  /** The index of the type among those of the project. */
  readonly type: number
  readonly key: string
  readonly properties: JsonObject
}

export interface RoleRow {
  readonly id: string
  readonly name: string
  readonly organization_id: string
  readonly feature_flags_access_level: number
  readonly created_at: string
  readonly created_by: number | null
}

export type FlagRow = Required<Omit<WriteOf<FlagFields>, keyof LaterFields>> & {
  readonly id: number
  readonly project_id: number
  readonly key: string
  readonly name: string
  readonly filters: JsonObject
  readonly deleted: boolean
  readonly active: boolean
  readonly created_at: string
  readonly created_by: number | null
  readonly tags: readonly string[]
  readonly analytics_dashboards: readonly number[]
  readonly usage_dashboard: number | null
  readonly experiment_set: ValueOf<FlagFields['experiment_set']>
  /** The related objects of the flag, if any. */
  readonly surveys?: Json
  readonly features?: Json
  /** False if the world file forbids the caller to change the flag. */
  readonly editable: boolean
  /** The flag that decides who sees a survey: it belongs to the survey, not to people who manage flags. */
  readonly survey_targeting: boolean
  /** Counts the writes; only newer services show it. */
  readonly version: number
} & LaterFields

/** The fields that only newer services accept. */
type LaterWritten = {
  readonly [Name in keyof WriteOf<FlagFields> as FlagFields[Name] extends { readonly newer: true }
    ? Name
    : never]?: Exclude<WriteOf<FlagFields>[Name], null>
}

/** The members of a flag that only newer services have. Rows of older folders have none. */
export type LaterFields = LaterWritten & {
  /** Whether session replay uses it. */
  readonly used_in_replay?: boolean
  /** Whether all of its experiments have ended. */
  readonly experiments_stopped?: boolean
  readonly updated_at?: string
  /** The id of the user. */
  readonly last_modified_by?: number
}

export type GrantRow = {
  readonly id: number
  readonly flag_id: number
  readonly role_id: string
  readonly added_at: string
  readonly updated_at: string
}

/** The level of a role, a person or everybody else for a flag, if it is set. */
export interface AccessControlRow {
  /** The flag, and the subject of the level. */
  readonly id: string
  readonly flag_id: number
  readonly project_id: number
  readonly role: string | null
  /** The UUID of the user. */
  readonly organization_member: string | null
  readonly access_level: 'none' | 'viewer' | 'editor' | 'manager'
  readonly created_by: number | null
  readonly created_at: string
  readonly updated_at: string
}

export type PluginRow = Required<WriteOf<PluginFields>> & {
  readonly id: number
  readonly organization_id: string
  readonly url: string | null
  readonly latest_tag: string | null
  readonly is_global: boolean
  readonly source: Readonly<Record<string, string>>
  readonly in_use: boolean
}

export type DefinitionRow = Required<WriteOf<DefinitionFields>> & {
  readonly id: string
  readonly project_id: number
  readonly name: string
  readonly tags: readonly string[]
  readonly last_updated_at: string | null
}

export interface PersonRow {
  readonly id: number
  readonly uuid: string
  readonly project_id: number
  readonly distinct_ids: readonly string[]
  readonly properties: JsonObject
  readonly created_at: string
}

export interface EventRow {
  readonly id: string
  readonly project_id: number
  readonly event: string
  readonly distinct_id: string
  readonly timestamp: string
  readonly properties: JsonObject
  readonly elements_chain: string
}

export interface CohortRow {
  readonly id: number
  readonly project_id: number
  readonly name: string
  readonly created_at: string
  readonly created_by: number | null
  /** The persons that were listed as its members, by id. */
  readonly persons: readonly number[]
  /** The common properties of unlisted members: `{ type: 'AND' | 'OR', values: [...] }`. */
  readonly properties?: JsonObject
}

export interface DashboardRow {
  readonly id: number
  readonly project_id: number
  readonly name: string
  readonly flag_id: number | null
  readonly enriched: boolean
}

export interface ActivityRow {
  readonly id: number
  /** The name of the kind in the log. */
  readonly scope: string
  /** The container of the object: the project of a flag, the organization of a plugin. */
  readonly owner: RowId
  readonly item_id: RowId
  readonly user_id: number
  readonly activity: 'created' | 'updated' | 'deleted' | 'restored'
  readonly name: string
  readonly changes: readonly FieldChange[] | null
  readonly created_at: string
}

export interface FieldChange {
  readonly type: string
  readonly action: 'created' | 'changed' | 'deleted'
  readonly field: string
  readonly before: Json
  readonly after: Json
}

/** The id in a path, or undefined if it is not a whole number: such an object does not exist. */
export function integerId(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** A version 4 UUID drawn from a source of numbers from 0 up to 1; the same source gives the same ids. */
export function uuidFrom(random: () => number): string {
  let digits = ''
  for (let drawn = 0; drawn < 32; drawn++) digits += '0123456789abcdef'[Math.floor(random() * 16)]
  const variant = '89ab'[Math.floor(random() * 4)]
  const at = (from: number, to: number) => digits.slice(from, to)
  return `${at(0, 8)}-${at(8, 12)}-4${at(13, 16)}-${variant}${at(17, 20)}-${at(20, 32)}`
}

/** A time as the service writes it: in UTC, with microseconds only if they are not zero. */
export function isoTime(ms: number): string {
  const text = new Date(ms).toISOString()
  return text.endsWith('.000Z') ? `${text.slice(0, -5)}Z` : `${text.slice(0, -1)}000Z`
}

/** A whole date in the service's own form, or undefined if it is invalid. Without a zone it is in UTC. */
export function normalTime(text: string): string | undefined {
  if (isInOwnForm(text)) return text
  const reading = readMoment(text, 0)
  return 'why' in reading || reading.isPartial ? undefined : isoTime(reading.at)
}

/** Whether a text is already in the service's own form, like almost all: this saves the other parsers. */
function isInOwnForm(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text)) return false
  const at = Date.parse(text)
  return !Number.isNaN(at) && isoTime(at) === text
}

/** A date, or a relative one such as `-7d`, in milliseconds; undefined when it is neither. */
export function parseTime(text: string, now: number): number | undefined {
  const reading = readDate(text, now)
  return 'why' in reading ? undefined : reading.at
}
