import { eventDefinition } from '../../kinds/index.ts'
import type { Profile } from '../../model/profile.ts'

interface SwitchQuirk {
  readonly type: 'switch'
  readonly documented: boolean
  readonly posthog: boolean
  readonly doc: string
}
interface NumberQuirk {
  readonly type: 'number'
  readonly documented: number
  readonly posthog: number
  readonly doc: string
}
interface ChoiceQuirk {
  readonly type: 'choice'
  readonly of: readonly string[]
  readonly documented: string
  readonly posthog: string
  readonly doc: string
}
export type Quirk = SwitchQuirk | NumberQuirk | ChoiceQuirk

const { spelling } = eventDefinition.fields.post_to_chat

/**
 * Where the interface document is silent, or the public service differs from it, the sandbox can be told which way
 * to go. `documented` is the document, and for what it does not show the public service of early 2024; `posthog` is
 * that service as it answers on the wire.
 */
// biome-ignore format: a table
export const quirkTable = {
  // Lists
  page_size_default:      { type: 'number', documented: 100, posthog: 100, doc: 'Results per page when no limit is given.' },
  page_size_cap:          { type: 'number', documented: 0, posthog: 0, doc: 'The largest page; a larger limit is lowered to it. 0: no cap.' },
  next_at_end:            { type: 'choice', of: ['null', 'absent'], documented: 'null', posthog: 'null', doc: 'What next and previous hold when there is no such page.' },
  count:                  { type: 'choice', of: ['present', 'absent'], documented: 'present', posthog: 'present', doc: 'Whether a page tells the total number of results.' },
  list_deleted:           { type: 'choice', of: ['hidden', 'shown'], documented: 'hidden', posthog: 'hidden', doc: 'Whether the list of flags holds soft-deleted ones.' },
  survey_flags:           { type: 'choice', of: ['shown', 'hidden'], documented: 'shown', posthog: 'hidden', doc: 'Whether the list of flags holds the targeting flags of surveys; hidden, they still hold their keys.' },
  event_envelope:         { type: 'choice', of: ['counted', 'next_only'], documented: 'counted', posthog: 'next_only', doc: 'The envelope of the event list: the documented one, or next and results alone.' },
  // Shapes
  shapes:                 { type: 'choice', of: ['documented', 'real'], documented: 'documented', posthog: 'real', doc: 'Types of surveys, features, members, associated_flags, is_action and the parts of an event.' },
  action_answers:         { type: 'choice', of: ['record', 'own'], documented: 'record', posthog: 'own', doc: 'Whether an operation on one flag or plugin answers with its record or with a shape of its own.' },
  plugin_source:          { type: 'choice', of: ['files', 'record'], documented: 'files', posthog: 'files', doc: 'Whether source and update_source answer the files or the plugin.' },
  organization_flag_body: { type: 'choice', of: ['json', 'empty'], documented: 'json', posthog: 'json', doc: 'Whether the organization routes of flags answer a body.' },
  static_cohort_status:   { type: 'choice', of: ['200', '201'], documented: '200', posthog: '201', doc: 'The status of create_static_cohort_for_flag.' },
  post_to_chat_name:      { type: 'choice', of: ['post_to_chat', spelling.posthog], documented: 'post_to_chat', posthog: spelling.posthog, doc: 'How post_to_chat is spelled on the wire.' },
  roles_route:            { type: 'switch', documented: false, posthog: true, doc: 'Whether the list of an organization\'s roles, which the document leaves out, exists.' },
  // Flags
  filters:                { type: 'choice', of: ['verbatim', 'normalised'], documented: 'verbatim', posthog: 'verbatim', doc: 'Whether filters are shown as they were sent or, as since 2026, with nulls added, cohorts named and payloads as text.' },
  filters_without_groups: { type: 'choice', of: ['stored', 'lost'], documented: 'stored', posthog: 'lost', doc: 'Filters without groups are stored, or fail on POST (500) and are ignored on PATCH.' },
  bad_property:           { type: 'choice', of: ['invalid', 'error'], documented: 'invalid', posthog: 'error', doc: 'What a condition without a value, or of an unknown type, gives: 400 or 500.' },
  flag_dependencies:      { type: 'choice', of: ['id_or_key', 'id', 'refused'], documented: 'id_or_key', posthog: 'id', doc: 'How conditions name other flags: by id or key, by id alone as since 2025, or not at all as before.' },
  flag_version:           { type: 'switch', documented: false, posthog: false, doc: 'Whether a flag shows its version and refuses a stale one with 409, as since 2025.' },
  tags:                   { type: 'choice', of: ['kept', 'dropped'], documented: 'kept', posthog: 'kept', doc: 'Whether tags are kept, or dropped without a word as on a plan without tagging.' },
  tag_order:              { type: 'choice', of: ['shuffled', 'sorted'], documented: 'shuffled', posthog: 'shuffled', doc: 'The order in which tags are answered.' },
  can_edit:               { type: 'switch', documented: true, posthog: true, doc: 'Whether the caller may change every flag, or only their own and those granted to their roles.' },
  key_reuse:              { type: 'choice', of: ['replace', 'refuse'], documented: 'replace', posthog: 'replace', doc: 'What a POST with the key of a soft-deleted flag does: destroy the old one, or fail.' },
  revive_own_key_trap:    { type: 'switch', documented: true, posthog: true, doc: 'Whether a PATCH that names a soft-deleted flag\'s own key loses its grants, tags and dashboards.' },
  read_deleted:           { type: 'choice', of: ['shown', 'not_found'], documented: 'shown', posthog: 'shown', doc: 'Whether a soft-deleted flag can still be read and changed by its id.' },
  variant_sum:            { type: 'choice', of: ['on_create', 'always'], documented: 'on_create', posthog: 'on_create', doc: 'When variants are required to add up to 100.' },
  analytics_dashboards:   { type: 'choice', of: ['accepted', 'error'], documented: 'accepted', posthog: 'error', doc: 'Whether a POST that names analytics_dashboards works or fails with 500.' },
  evaluation_id_required: { type: 'switch', documented: false, posthog: true, doc: 'Whether evaluation_reasons needs a distinct_id; without one it speaks of the caller.' },
  enrich_checked:         { type: 'switch', documented: false, posthog: true, doc: 'Whether enrich_usage_dashboard refuses a flag without enriched analytics, or a second time.' },
  // Grants
  role_access_query:      { type: 'choice', of: ['accepted', 'error'], documented: 'accepted', posthog: 'error', doc: 'Whether the list of grants takes limit and offset or fails with 500.' },
  role_access_duplicate:  { type: 'choice', of: ['invalid', 'conflict', 'error', 'existing'], documented: 'invalid', posthog: 'error', doc: 'What granting a role twice gives: 400, 409, 500, or the grant that is there.' },
  // Plugins
  plugins_access_level:   { type: 'choice', of: ['none', 'config', 'install', 'root'], documented: 'root', posthog: 'root', doc: 'What the organization may do with plugins; hosted customers have config.' },
  plugin_without_url:     { type: 'choice', of: ['accepted', 'error'], documented: 'accepted', posthog: 'error', doc: 'Whether a plugin that is not of type source can be created without a url.' },
  // Event definitions
  definitions:            { type: 'choice', of: ['open', 'payment_required'], documented: 'open', posthog: 'open', doc: 'Whether definitions can be changed, or a PATCH gives 402 as on a plan without taxonomy.' },
  definition_fields:      { type: 'choice', of: ['all', 'tags'], documented: 'all', posthog: 'tags', doc: 'Which documented fields of a definition a PATCH changes; the others are ignored.' },
  post_to_chat:           { type: 'choice', of: ['kept', 'echoed'], documented: 'kept', posthog: 'echoed', doc: 'Whether post_to_chat is kept, or answered to the PATCH and then lost.' },
  definition_unknown:     { type: 'choice', of: ['not_found', 'error'], documented: 'not_found', posthog: 'error', doc: 'What an unknown definition gives: 404 or 500.' },
  definition_delete_status: { type: 'choice', of: ['204', '200', '202'], documented: '204', posthog: '204', doc: 'The status of a definition\'s DELETE.' },
  definition_delete_body: { type: 'choice', of: ['empty', 'json'], documented: 'empty', posthog: 'empty', doc: 'The body of a definition\'s DELETE; a 204 never has one.' },
  // Events
  event_id_checked:       { type: 'switch', documented: false, posthog: true, doc: 'Whether an event id that is no UUID gives 400 instead of 404.' },
  event_person:           { type: 'choice', of: ['always', 'on_request'], documented: 'always', posthog: 'on_request', doc: 'Whether an event that is read by its id has its person, or only with include_person=true.' },
  event_limit:            { type: 'choice', of: ['default', 'error'], documented: 'default', posthog: 'error', doc: 'What a limit of the event list that is no number gives: the default, or 500.' },
  event_expressions:      { type: 'choice', of: ['honoured', 'ignored'], documented: 'honoured', posthog: 'ignored', doc: 'Whether select and where of the event list have an effect.' },
  // Requests
  format_elsewhere:       { type: 'choice', of: ['ignored', 'not_found'], documented: 'ignored', posthog: 'not_found', doc: 'What format=csv, or any other format but json, gives on what are no events: nothing, or 404.' },
  form_bodies:            { type: 'switch', documented: false, posthog: true, doc: 'Whether bodies may be forms, or give 415: the document has JSON alone.' },
  put:                    { type: 'switch', documented: false, posthog: true, doc: 'Whether PUT changes what PATCH does, with its required fields; the document has no PUT, which gives 405.' },
  // Keys and limits
  scoped_key:             { type: 'switch', documented: false, posthog: false, doc: 'Whether the key has scopes; such a key gets 403 on the operations that have none.' },
  throttle:               { type: 'number', documented: 0, posthog: 0, doc: 'Requests per window before 429. 0: no limit.' },
  throttle_seconds:       { type: 'number', documented: 60, posthog: 60, doc: 'The length of the window.' },
  retry_after:            { type: 'choice', of: ['seconds', 'date'], documented: 'seconds', posthog: 'seconds', doc: 'How Retry-After is written.' },
  body_limit_mb:          { type: 'number', documented: 20, posthog: 20, doc: 'The largest request body in megabytes; a larger one gives 413.' },
} as const satisfies Readonly<Record<string, Quirk>>

export type QuirkName = keyof typeof quirkTable

type QuirkValue<Q extends Quirk> = Q extends {
  readonly type: 'choice'
  readonly of: readonly (infer Choice)[]
}
  ? Choice
  : Q extends { readonly type: 'number' }
    ? number
    : boolean

/** A value for every quirk. */
export type Quirks = { readonly [Name in QuirkName]: QuirkValue<(typeof quirkTable)[Name]> }

/** The quirks of a profile, with single ones set otherwise. */
export function quirksOf(profile: Profile, changed: Partial<Quirks> = {}): Quirks {
  const defaults = Object.entries<Quirk>(quirkTable).map(([name, quirk]) => [name, quirk[profile]])
  // One value of the right type per row of the table.
  return { ...(Object.fromEntries(defaults) as Quirks), ...changed }
}
