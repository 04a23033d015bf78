import type { ValueOf, WriteOf } from '../../model/field.ts'
import type { JsonObject } from '../../model/json/json.ts'
import type { DefinitionFields, FlagFields, PluginFields } from '../store/rows.ts'

/** The content of a world file. Everything absent is generated when the world is seeded. */
export interface WorldFile {
  readonly version?: 1
  readonly users?: readonly WorldUser[]
  readonly organizations: readonly WorldOrganization[]
}

export interface WorldUser {
  readonly id?: number
  readonly uuid?: string
  readonly email: string
  readonly first_name?: string
  readonly distinct_id?: string
  readonly roles?: readonly string[]
}

export interface WorldOrganization {
  readonly id?: string
  readonly name: string
  readonly roles?: readonly WorldRole[]
  readonly projects?: readonly WorldProject[]
  readonly plugins?: readonly WorldPlugin[]
}

export interface WorldRole {
  readonly id?: string
  readonly name: string
  readonly feature_flags_access_level?: 21 | 37
}

export interface WorldProject {
  readonly id?: number
  readonly name: string
  /** The token of the project in product code. */
  readonly api_token?: string
  /** In the order of their indexes. */
  readonly group_types?: readonly string[]
  readonly groups?: readonly WorldGroup[]
  readonly persons?: readonly WorldPerson[]
  readonly cohorts?: readonly WorldCohort[]
  readonly events?: readonly WorldEvent[]
  readonly event_definitions?: readonly WorldDefinition[]
  readonly feature_flags?: readonly WorldFlag[]
}

export interface WorldPerson {
  readonly distinct_ids: readonly string[]
  readonly properties?: JsonObject
  readonly created_at?: string
}

export interface WorldGroup {
  readonly type: string
  readonly key: string
  readonly properties?: JsonObject
}

/** Its members either share properties, or are listed. */
export interface WorldCohort {
  readonly id?: number
  readonly name: string
  readonly properties?: JsonObject
  readonly persons?: readonly string[]
}

export interface WorldEvent {
  readonly id?: string
  readonly event: string
  readonly distinct_id: string
  readonly timestamp?: string
  readonly properties?: JsonObject
  readonly elements_chain?: string
}

export type WorldFlag = WriteOf<FlagFields> & {
  readonly key: string
  readonly id?: number
  readonly experiment_set?: ValueOf<FlagFields['experiment_set']>
  readonly surveys?: ValueOf<FlagFields['surveys']>
  readonly features?: ValueOf<FlagFields['features']>
  readonly can_edit?: boolean
  /** Created by a survey to decide who sees it; the public service lists no such flag. */
  readonly survey_targeting?: boolean
  readonly archived?: boolean
  /** The caller's permission for it, on services with access controls; `none` hides it. */
  readonly access_level?: 'none' | 'viewer' | 'editor' | 'manager'
  readonly used_in_replay?: boolean
  readonly experiments_stopped?: boolean
  readonly created_by?: string
  readonly role_access?: readonly string[]
}

export type WorldDefinition = WriteOf<DefinitionFields> & { readonly id?: string; readonly name: string }

export type WorldPlugin = WriteOf<PluginFields> & {
  readonly id?: number
  /** The service also stores plugins without a name. */
  readonly name: string | null
  readonly url?: string
  readonly latest_tag?: string
  readonly source?: Readonly<Record<string, string>>
  readonly in_use?: boolean
}
