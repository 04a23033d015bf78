import { type Profile, profiles } from '../model/connection.ts'

/** Lists and their pages. */
// biome-ignore format: a table
const lists = {
  page_size_cap:          { type: 'number', documented: 0, doc: 'The largest page; a larger limit is lowered to it. 0: no cap.', sources: ['service-behaviour 1', 'service-today 1'] },
  survey_flags:           { type: 'choice', of: ['shown', 'hidden'], documented: 'shown', posthog: 'hidden', doc: 'Whether the list of flags holds the targeting flags of surveys; hidden, they still hold their keys.', sources: ['service-behaviour 1', 'service-today 1'] },
  flag_list_query:        { type: 'choice', of: ['ignored', 'without_key', 'taken'], documented: 'ignored', 'posthog-2026': 'taken', doc: 'Whether the list of flags takes active, created_by_id, search, type, evaluation_runtime, tags and excluded_tags in its query, and since September 2026 key; what it does not know it ignores.', sources: ['service-behaviour 1', 'service-today 1'], certainty: 'medium' },
} as const satisfies Differences

/** The shapes of answers, over all kinds. */
// biome-ignore format: a table
const answers = {
  event_envelope:         { type: 'choice', of: ['counted', 'next_only'], documented: 'counted', posthog: 'next_only', doc: 'The envelope of the event list: the documented one, or next and results alone.', sources: ['service-behaviour 0'] },
  shapes:                 { type: 'choice', of: ['documented', 'real'], documented: 'documented', posthog: 'real', doc: 'Types of surveys, features, members, associated_flags, is_action and the parts of an event.', sources: ['service-behaviour 0'] },
  action_answers:         { type: 'choice', of: ['record', 'own'], documented: 'record', posthog: 'own', doc: 'Whether an operation on one flag or plugin answers with its record or with a shape of its own.', sources: ['service-behaviour 0', 'service-behaviour 7'] },
  static_cohort_status:   { type: 'choice', of: ['200', '201'], documented: '200', posthog: '201', doc: 'The status of create_static_cohort_for_flag.', sources: ['service-behaviour 0'] },
  post_to_chat_name:      { type: 'choice', of: ['post_to_chat', 'post_to_slack'], documented: 'post_to_chat', posthog: 'post_to_slack', doc: 'How post_to_chat is spelled on the wire.', sources: ['service-behaviour 5'] },
  roles_route:            { type: 'switch', documented: false, posthog: true, doc: 'Whether the list of an organization\'s roles, which the document leaves out, exists.', sources: ['service-behaviour 3', 'service-today 5'] },
} as const satisfies Differences

/** Flags: accepted values, the stored form, and the result of a delete. */
// biome-ignore format: a table
const flags = {
  filters:                { type: 'choice', of: ['verbatim', 'rewritten'], documented: 'verbatim', 'posthog-2026': 'rewritten', doc: 'How filters are shown: as they were sent, or as today\'s service rewrites them, with the type of groups in each condition, old operators renamed and payloads as spaced text.', sources: ['service-behaviour 2.2', 'service-today 2'] },
  filters_without_groups: { type: 'choice', of: ['stored', 'lost', 'refused'], documented: 'stored', posthog: 'lost', 'posthog-2026': 'refused', doc: 'Filters without groups are stored; or fail on POST (500); or are refused on POST (400), as are those with an empty list. PATCH ignores them but for the first.', sources: ['service-behaviour 2.3', 'service-today 2', 'service-today 3'] },
  filters_patch:          { type: 'choice', of: ['replaced', 'merged'], documented: 'replaced', 'posthog-2026': 'merged', doc: 'Whether the filters of a PATCH replace all there were, or their members those of the same name.', sources: ['service-behaviour 2.3', 'service-today 3'], certainty: 'medium' },
  no_filters:             { type: 'choice', of: ['everybody', 'nobody'], documented: 'everybody', 'posthog-2026': 'nobody', doc: 'Who gets a flag that was created without filters.', sources: ['service-behaviour 2.2', 'service-today 2'] },
  remote_rollout:         { type: 'choice', of: ['kept', 'on_create', 'always'], documented: 'kept', 'posthog-2026': 'on_create', doc: 'What becomes of 0% and of no percentage in the conditions of a remote configuration: they are kept; or are 100% as soon as it is created, or with every change too.', sources: ['service-today 2'], certainty: 'medium' },
  filter_rules:           { type: 'choice', of: ['2024', '2026'], documented: '2024', 'posthog-2026': '2026', doc: 'What filters are refused for (400): since 2026 also for percentages outside of 0 to 100, unknown operators, in and not_in of what is no cohort, conditions without key or type, keys of variants with odd characters, flags that are off, and a version.', sources: ['service-behaviour 2.5', 'service-today 2', 'service-today 3'] },
  unsettled_operators:    { type: 'choice', of: ['kept', 'refused'], documented: 'kept', 'posthog-2026': 'refused', doc: 'Whether conditions may have between, starts_with, ends_with and their opposites. Services before 2026 keep any operator; that of today works these out.', sources: ['service-behaviour 2.5', 'service-today 2', 'service-today 10'], certainty: 'low' },
  bad_property:           { type: 'choice', of: ['invalid', 'error'], documented: 'invalid', posthog: 'error', 'posthog-2026': 'invalid', doc: 'What a condition without a value, or of an unknown type, gives: 400 or 500.', sources: ['service-behaviour 2.5', 'service-today 2'] },
  flag_dependencies:      { type: 'choice', of: ['id_or_key', 'id', 'refused'], documented: 'id_or_key', posthog: 'id', doc: 'How conditions name other flags: by id or key, by id alone as since 2025, or not at all as before.', sources: ['service-behaviour 10', 'service-today 2'] },
  flag_version:           { type: 'switch', documented: false, 'posthog-2026': true, doc: 'Whether a flag shows its version, and a PATCH with another version and with original_flag is held against the live flag: 409 for what was changed meanwhile, while what it leaves as it was is not written.', sources: ['service-behaviour 10', 'service-today 3'] },
  stale_patch:            { type: 'choice', of: ['refused', 'dropped'], documented: 'refused', doc: 'What becomes of a field that a PATCH with an older version changes and that somebody else has changed meanwhile: the request is refused (409), or that field alone is not written (200).', sources: ['service-today 3'], certainty: 'medium' },
  unchanged_patch:        { type: 'choice', of: ['unseen', 'counted'], documented: 'unseen', 'posthog-2026': 'counted', doc: 'Whether a PATCH that changes nothing counts as a change of the flag: in its version, and in who changed it when.', sources: ['service-behaviour 2.3', 'service-today 3'] },
  trail_rows:             { type: 'choice', of: ['fields', 'columns'], documented: 'fields', 'posthog-2026': 'columns', doc: 'What rows of the activity trail tell of a changed flag: each field; or what its table holds, so the version and no tags, with deleted and restored in place of updated.', sources: ['service-behaviour 7', 'service-today 3'], certainty: 'medium' },
  flag_fields:            { type: 'choice', of: ['2024', '2026'], documented: '2024', 'posthog-2026': '2026', doc: 'Which fields flags have: those of the document; or those of 2026, with archived, contexts and a runtime, without rollbacks and what describes simple flags. Archived flags are listed only for a query that says archived.', sources: ['service-today 1'] },
  flag_created_at:        { type: 'choice', of: ['writable', 'ignored'], documented: 'writable', 'posthog-2026': 'ignored', doc: 'Whether requests set when a flag was created.', sources: ['service-behaviour 2.2', 'service-today 1'] },
  flag_key_characters:    { type: 'choice', of: ['any', 'checked'], documented: 'any', 'posthog-2026': 'checked', doc: 'Whether keys of flags are refused that have other characters than letters, digits, - and _.', sources: ['service-behaviour 2.1', 'service-today 2'] },
  usage_dashboard:        { type: 'choice', of: ['made', 'null'], documented: 'made', 'posthog-2026': 'null', doc: 'Whether each new flag gets a dashboard of its usage.', sources: ['service-behaviour 2.2', 'service-today 2'] },
  blast_radius:           { type: 'choice', of: ['users_affected', 'affected'], documented: 'users_affected', 'posthog-2026': 'affected', doc: 'How user_blast_radius calls what it counts.', sources: ['service-behaviour 7', 'service-behaviour 10'] },
  tags:                   { type: 'choice', of: ['kept', 'dropped'], documented: 'kept', doc: 'Whether tags are kept, or dropped without a word as on a plan without tagging.', sources: ['service-behaviour 2.6', 'service-today 7'] },
  tag_order:              { type: 'choice', of: ['shuffled', 'sorted'], documented: 'shuffled', doc: 'The order in which tags are answered.', sources: ['service-behaviour 2.6'] },
  restore_own_key_trap:    { type: 'switch', documented: true, 'posthog-2026': false, doc: 'Whether a PATCH that names a soft-deleted flag\'s own key loses its grants, tags and dashboards.', sources: ['service-behaviour 2.4', 'service-today 3'] },
  variant_sum:            { type: 'choice', of: ['on_create', 'always'], documented: 'on_create', 'posthog-2026': 'always', doc: 'When variants are required to add up to 100.', sources: ['service-behaviour 2.3', 'service-today 2'], certainty: 'low' },
  analytics_dashboards:   { type: 'choice', of: ['accepted', 'error'], documented: 'accepted', posthog: 'error', 'posthog-2026': 'accepted', doc: 'Whether a POST that names analytics_dashboards works or fails with 500.', sources: ['service-behaviour 2.2'] },
  evaluation_id_required: { type: 'switch', documented: false, posthog: true, doc: 'Whether evaluation_reasons needs a distinct_id; without one it speaks of the caller.', sources: ['service-behaviour 7'] },
  enrich_checked:         { type: 'switch', documented: false, posthog: true, doc: 'Whether enrich_usage_dashboard refuses a flag without enriched analytics, or a second time.', sources: ['service-behaviour 7'] },
  local_evaluation:       { type: 'choice', of: ['served', 'gone'], documented: 'served', 'posthog-2026': 'gone', doc: 'Whether local_evaluation is answered inside of a project. What SDKs ask is answered in any case; where it is gone, with flags that are off.', sources: ['service-behaviour 7', 'service-today 6'], certainty: 'medium' },
  linked_flags:           { type: 'choice', of: ['free', 'guarded'], documented: 'free', 'posthog-2026': 'guarded', doc: 'Whether a flag can be deleted that an early access feature, a running experiment or session replay uses, whether a running experiment can lose a variant, and whether a flag with an early access feature can count groups; guarded, that gives 400.', sources: ['service-behaviour 2.4', 'service-today 3'] },
  deleted_key:            { type: 'choice', of: ['kept', 'renamed'], documented: 'kept', 'posthog-2026': 'renamed', doc: 'What becomes of the key of a deleted flag that has an experiment: it stays, or is KEY:deleted:ID until the flag is restored.', sources: ['service-behaviour 2.4', 'service-today 4'] },
  approvals:              { type: 'choice', of: ['none', 'required', 'pending', 'accepted'], documented: 'none', doc: 'Whether a policy wants somebody to approve what switches a flag, changes a percentage or makes a flag that is on: 409 with a change request, which is new or waits already; or 202 with one.', sources: ['service-today 3'] },
  change_request:         { type: 'choice', of: ['none', 'pending', 'approved', 'applied', 'rejected', 'expired', 'failed'], documented: 'none', 'posthog-2026': 'pending', doc: 'How far a request for approval is said to be, where it can be asked for.', sources: ['service-today 3'] },
  flag_state_operations:  { type: 'switch', documented: false, 'posthog-2026': true, doc: 'Whether a flag can be turned on and off, put away and taken out again by operations of its own (enable, disable, archive, unarchive).', sources: ['service-today 3'] },
} as const satisfies Differences

/** Who gets a flag: the order of conditions, and what their operators compare. */
// biome-ignore format: a table
export const evaluation = {
  condition_order:        { type: 'choice', of: ['overrides_first', 'as_written'], documented: 'overrides_first', 'posthog-2026': 'as_written', doc: 'In which order conditions are tried: those with a variant of their own first, or as they are written.', sources: ['service-behaviour 12', 'service-today 10'] },
  truth_values:           { type: 'choice', of: ['text', 'truth'], documented: 'text', 'posthog-2026': 'truth', doc: 'What exact and is_not do with true and false: compare texts; or ask only whether the property is true, so that false is for everything else. A project of today may have been set to texts.', sources: ['service-behaviour 12', 'service-today 10'], certainty: 'medium' },
  number_comparison:      { type: 'choice', of: ['mixed', 'numbers'], documented: 'mixed', 'posthog-2026': 'numbers', doc: 'What gt, gte, lt and lte compare: numbers where the value reads as one and the property is one, else texts; or numbers alone, so that any other text is for nobody.', sources: ['service-behaviour 12', 'service-today 10'] },
  letter_case:            { type: 'choice', of: ['unicode', 'ascii'], documented: 'unicode', 'posthog-2026': 'ascii', doc: 'Which letters icontains and not_icontains take for the same in either case: all, or A to Z.', sources: ['service-behaviour 12', 'service-today 10'] },
  null_properties:        { type: 'choice', of: ['absent', 'text'], documented: 'absent', 'posthog-2026': 'text', doc: 'What a property that is null is to operators: as one that is not there, or the text null.', sources: ['service-behaviour 12', 'service-today 10'] },
  date_forms:             { type: 'choice', of: ['lenient', 'iso'], documented: 'lenient', 'posthog-2026': 'iso', doc: 'How dates are read: in any usual form, in UTC; or as ISO dates in the time zone of the project, and a property also as seconds since 1970.', sources: ['service-behaviour 12', 'service-today 10'] },
  pattern_dialect:        { type: 'choice', of: ['python', 'rust'], documented: 'python', 'posthog-2026': 'rust', doc: 'Whose regular expressions patterns are.', sources: ['service-behaviour 12', 'service-today 10'] },
  later_operators:        { type: 'choice', of: ['unknown', 'known'], documented: 'unknown', 'posthog-2026': 'known', doc: 'Whether semver_*, between, is_date_exact, icontains_multi, starts_with, ends_with and their opposites are worked out.', sources: ['service-behaviour 12', 'service-today 10'] },
  property_negation:      { type: 'choice', of: ['obeyed', 'ignored'], documented: 'obeyed', 'posthog-2026': 'ignored', doc: 'Whether negation turns a property of a condition around. In cohorts it does in any case.', sources: ['service-behaviour 12', 'service-today 10'], certainty: 'medium' },
  cohort_operators:       { type: 'choice', of: ['ignored', 'obeyed'], documented: 'ignored', 'posthog-2026': 'obeyed', doc: 'What the operator of a cohort does: nothing, so that not_in means its members and only negation turns them around; or in and not_in are obeyed, and any other is for nobody.', sources: ['service-behaviour 12', 'service-today 10'] },
  condition_groups:       { type: 'choice', of: ['unknown', 'own'], documented: 'unknown', 'posthog-2026': 'own', doc: 'Whether each condition counts groups of its own type.', sources: ['service-behaviour 12', 'service-today 10'] },
  early_exit:             { type: 'choice', of: ['unknown', 'obeyed'], documented: 'unknown', 'posthog-2026': 'obeyed', doc: 'Whether a flag with early_exit is off for who meets a condition and is outside of its percentage, whatever the conditions after it say.', sources: ['service-behaviour 12', 'service-today 10'] },
  holdouts:               { type: 'choice', of: ['unknown', 'first'], documented: 'unknown', 'posthog-2026': 'first', doc: 'Whether a holdout gives its people holdout-ID before any condition is tried.', sources: ['service-behaviour 12', 'service-today 10'] },
  enrolment:              { type: 'choice', of: ['unknown', 'first'], documented: 'unknown', 'posthog-2026': 'first', doc: 'Whether feature_enrollment gives a flag to who has enrolled, and to nobody who has declined, before any condition is tried.', sources: ['service-behaviour 12', 'service-today 10'] },
} as const satisfies Differences

/** Which roles may change a flag. */
// biome-ignore format: a table
const grants = {
  grants_route:           { type: 'choice', of: ['role_access', 'both', 'access_controls'], documented: 'role_access', 'posthog-2026': 'access_controls', doc: 'How roles are given a flag: by role_access, by access_controls with levels of which none hides the flag, or by either. Roles themselves lose their level with role_access.', sources: ['service-behaviour 3', 'service-today 5'], certainty: 'medium' },
  role_access_query:      { type: 'choice', of: ['accepted', 'error'], documented: 'accepted', posthog: 'error', doc: 'Whether the list of grants takes limit and offset or fails with 500.', sources: ['service-behaviour 3'] },
  role_access_duplicate:  { type: 'choice', of: ['invalid', 'conflict', 'error', 'existing'], documented: 'invalid', posthog: 'error', doc: 'What granting a role twice gives: 400, 409, 500, or the grant that is there.', sources: ['service-behaviour 3'] },
} as const satisfies Differences

/** Plugins of an organization. */
// biome-ignore format: a table
const plugins = {
  plugins_route:          { type: 'choice', of: ['served', 'gone'], documented: 'served', doc: 'Whether there are plugins; that their routes go is proposed.', sources: ['service-today 7'], certainty: 'medium' },
  plugin_without_url:     { type: 'choice', of: ['accepted', 'error'], documented: 'accepted', posthog: 'error', doc: 'Whether a plugin that is not of type source can be created without a url.', sources: ['service-behaviour 4'] },
} as const satisfies Differences

/** Event definitions. */
// biome-ignore format: a table
const definitions = {
  definition_fields:      { type: 'choice', of: ['all', 'tags'], documented: 'all', posthog: 'tags', doc: 'Which documented fields of a definition a PATCH changes; the others are ignored.', sources: ['service-behaviour 5', 'service-today 7'] },
  post_to_chat:           { type: 'choice', of: ['kept', 'echoed'], documented: 'kept', posthog: 'echoed', doc: 'Whether post_to_chat is kept, or answered to the PATCH and then lost.', sources: ['service-behaviour 5'] },
  definition_unknown:     { type: 'choice', of: ['not_found', 'error'], documented: 'not_found', posthog: 'error', 'posthog-2026': 'not_found', doc: 'What an unknown definition gives: 404 or 500.', sources: ['service-behaviour 5', 'service-today 7'], certainty: 'low' },
  definition_query:       { type: 'choice', of: ['2024', '2026'], documented: '2024', 'posthog-2026': '2026', doc: 'What the list of definitions takes in its query: since 2026 also names, with commas between them, and a bad limit, offset or event_type gives 400.', sources: ['service-behaviour 5', 'service-today 7'] },
} as const satisfies Differences

/** Recorded events. */
// biome-ignore format: a table
const events = {
  event_id_checked:       { type: 'switch', documented: false, posthog: true, doc: 'Whether an event id that is no UUID gives 400 instead of 404.', sources: ['service-behaviour 6'] },
  event_person:           { type: 'choice', of: ['always', 'on_request'], documented: 'always', posthog: 'on_request', doc: 'Whether an event that is read by its id has its person, or only with include_person=true.', sources: ['service-behaviour 6'] },
  event_limit:            { type: 'choice', of: ['default', 'error'], documented: 'default', posthog: 'error', doc: 'What a limit of the event list that is no number gives: the default, or 500.', sources: ['service-behaviour 6'] },
  event_expressions:      { type: 'choice', of: ['honoured', 'ignored'], documented: 'honoured', posthog: 'ignored', doc: 'Whether select and where of the event list have an effect.', sources: ['service-behaviour 6'] },
} as const satisfies Differences

/** Requests in general: their forms, keys and limits. */
// biome-ignore format: a table
const requests = {
  format_elsewhere:       { type: 'choice', of: ['ignored', 'not_found'], documented: 'ignored', posthog: 'not_found', doc: 'What format=csv, or any other format but json, gives on what are no events: nothing, or 404.', sources: ['service-behaviour 6'] },
  form_bodies:            { type: 'switch', documented: false, posthog: true, doc: 'Whether bodies may be forms, or give 415: the document has JSON alone.', sources: ['service-behaviour 8'] },
  put:                    { type: 'switch', documented: false, posthog: true, doc: 'Whether PUT changes what PATCH does, with its required fields; the document has no PUT, which gives 405.', sources: ['service-behaviour 2.3'] },
  scoped_operations:      { type: 'choice', of: ['2024', '2026'], documented: '2024', 'posthog-2026': '2026', doc: 'Which operations have no scope: in 2026 no more my_flags, evaluation_reasons, user_blast_radius and copy_flags.', sources: ['service-behaviour 8', 'service-today 9'] },
  throttle:               { type: 'number', documented: 0, doc: 'Requests per window before 429. 0: no limit.', sources: ['service-behaviour 8', 'service-today 8'] },
  throttle_seconds:       { type: 'number', documented: 60, doc: 'The length of the window.', sources: ['service-behaviour 8', 'service-today 8'] },
} as const satisfies Differences

/**
 * The known services, as data: every behaviour in which they differ or which the interface document leaves
 * open. `documented` is the document and, for its gaps, the public service of early 2024. `posthog` is that
 * service on the wire; `posthog-2026` is the one of autumn 2026. The sandbox can set each row by itself,
 * pages show them, and code that differs between services reads the row.
 */
export const differences = {
  ...lists,
  ...answers,
  ...flags,
  ...evaluation,
  ...grants,
  ...plugins,
  ...definitions,
  ...events,
  ...requests,
}

/** A section of a page in docs: `service-behaviour 2.4`. */
export type Source = `${'service-behaviour' | 'service-today'} ${number}`

interface Row<Value> {
  /** The behaviour of the profile. An absent one is the same as in the previous profile. */
  readonly documented: Value
  readonly posthog?: Value
  readonly 'posthog-2026'?: Value
  /** What it decides, in one or two sentences. */
  readonly doc: string
  /** The sources of this knowledge. */
  readonly sources: readonly [Source, ...Source[]]
  /** How certain the value of the newest profile is; high if absent. */
  readonly certainty?: 'medium' | 'low'
}
interface SwitchDifference extends Row<boolean> {
  readonly type: 'switch'
}
interface NumberDifference extends Row<number> {
  readonly type: 'number'
}
interface ChoiceDifference extends Row<string> {
  readonly type: 'choice'
  readonly of: readonly string[]
}

/** One behaviour in which the known services differ, or which their documents leave open. */
export type Difference = SwitchDifference | NumberDifference | ChoiceDifference

type Differences = Readonly<Record<string, Difference>>

/** The type of a profile's value in one behaviour. */
export type ValueOf<D extends Difference> = D extends {
  readonly type: 'choice'
  readonly of: readonly (infer Choice)[]
}
  ? Choice
  : D extends { readonly type: 'number' }
    ? number
    : boolean

/** The value of a profile: that of its row, or of the nearest earlier profile that has one. */
export function valueIn(difference: Difference, profile: Profile): string | number | boolean {
  const upTo = profiles.slice(0, profiles.indexOf(profile) + 1)
  const said = upTo.findLast(name => difference[name] !== undefined)
  return difference[said ?? 'documented'] ?? difference.documented
}
