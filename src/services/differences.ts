import { type Profile, profiles } from '../model/connection.ts'

/** Lists and their pages. */
// biome-ignore format: a table
const lists = {
  page_size_cap:          { type: 'number', documented: 0, doc: 'The largest page. A larger limit is lowered to this number. 0: no limit.', sources: ['service-behaviour 1', 'service-today 1'] },
  survey_flags:           { type: 'choice', of: ['shown', 'hidden'], documented: 'shown', posthog: 'hidden', doc: 'Whether the list of flags contains the targeting flags of surveys. Hidden flags keep their keys.', sources: ['service-behaviour 1', 'service-today 1'] },
  flag_list_query:        { type: 'choice', of: ['ignored', 'without_key', 'taken'], documented: 'ignored', 'posthog-2026': 'taken', doc: 'Whether the list of flags accepts the query members active, created_by_id, search, type, evaluation_runtime, tags and excluded_tags, and key since September 2026. Unknown members are ignored.', sources: ['service-behaviour 1', 'service-today 1'], certainty: 'medium' },
} as const satisfies Differences

/** The shapes of answers, over all kinds. */
// biome-ignore format: a table
const answers = {
  event_envelope:         { type: 'choice', of: ['counted', 'next_only'], documented: 'counted', posthog: 'next_only', doc: 'The envelope of the event list: as documented, or only next and results.', sources: ['service-behaviour 0'] },
  shapes:                 { type: 'choice', of: ['documented', 'real'], documented: 'documented', posthog: 'real', doc: 'The types of surveys, features, members, associated_flags, is_action and the parts of an event: as documented, or as the public service returns them.', sources: ['service-behaviour 0'] },
  action_answers:         { type: 'choice', of: ['record', 'own'], documented: 'record', posthog: 'own', doc: 'Whether an operation on one flag or plugin answers with its record or with its own shape.', sources: ['service-behaviour 0', 'service-behaviour 7'] },
  static_cohort_status:   { type: 'choice', of: ['200', '201'], documented: '200', posthog: '201', doc: 'The status of create_static_cohort_for_flag.', sources: ['service-behaviour 0'] },
  post_to_chat_name:      { type: 'choice', of: ['post_to_chat', 'post_to_slack'], documented: 'post_to_chat', posthog: 'post_to_slack', doc: 'How post_to_chat is spelled on the wire.', sources: ['service-behaviour 5'] },
  roles_route:            { type: 'switch', documented: false, posthog: true, doc: 'Whether the list of roles exists. The document does not have it.', sources: ['service-behaviour 3', 'service-today 5'] },
} as const satisfies Differences

/** Flags: accepted values, the stored form, and the result of a delete. */
// biome-ignore format: a table
const flags = {
  filters:                { type: 'choice', of: ['verbatim', 'rewritten'], documented: 'verbatim', 'posthog-2026': 'rewritten', doc: 'Whether filters are returned as sent, or rewritten: the group type in each condition, old operators renamed, payloads as text with spaces.', sources: ['service-behaviour 2.2', 'service-today 2'] },
  filters_without_groups: { type: 'choice', of: ['stored', 'lost', 'refused'], documented: 'stored', posthog: 'lost', 'posthog-2026': 'refused', doc: 'What happens to filters without groups: they are stored, fail on POST (500), or are refused on POST (400). A PATCH ignores them unless they are stored.', sources: ['service-behaviour 2.3', 'service-today 2', 'service-today 3'] },
  filters_patch:          { type: 'choice', of: ['replaced', 'merged'], documented: 'replaced', 'posthog-2026': 'merged', doc: 'Whether the filters of a PATCH replace all others, or are merged by member.', sources: ['service-behaviour 2.3', 'service-today 3'], certainty: 'medium' },
  no_filters:             { type: 'choice', of: ['everybody', 'nobody'], documented: 'everybody', 'posthog-2026': 'nobody', doc: 'Who gets a flag that was created without filters.', sources: ['service-behaviour 2.2', 'service-today 2'] },
  remote_rollout:         { type: 'choice', of: ['kept', 'on_create', 'always'], documented: 'kept', 'posthog-2026': 'on_create', doc: 'Whether 0% or a missing percentage in a remote configuration stays, or becomes 100% on creation or on every change.', sources: ['service-today 2'], certainty: 'medium' },
  filter_rules:           { type: 'choice', of: ['2024', '2026'], documented: '2024', 'posthog-2026': '2026', doc: 'Which filters are refused (400). The service of 2026 also refuses percentages outside 0 to 100, unknown operators, in and not_in without a cohort, conditions without key or type, unusual characters in variant keys, dependencies on flags that are off, and a version.', sources: ['service-behaviour 2.5', 'service-today 2', 'service-today 3'] },
  unsettled_operators:    { type: 'choice', of: ['kept', 'refused'], documented: 'kept', 'posthog-2026': 'refused', doc: 'Whether conditions may use between, starts_with, ends_with and their opposites.', sources: ['service-behaviour 2.5', 'service-today 2', 'service-today 10'], certainty: 'low' },
  bad_property:           { type: 'choice', of: ['invalid', 'error'], documented: 'invalid', posthog: 'error', 'posthog-2026': 'invalid', doc: 'The status for a condition without a value or with an unknown type: 400 or 500.', sources: ['service-behaviour 2.5', 'service-today 2'] },
  flag_dependencies:      { type: 'choice', of: ['id_or_key', 'id', 'refused'], documented: 'id_or_key', posthog: 'id', doc: 'Whether conditions refer to other flags by id or key, only by id, or not at all.', sources: ['service-today 2'] },
  flag_version:           { type: 'switch', documented: false, 'posthog-2026': true, doc: 'Whether flags have a version. If so, a PATCH with an older version and original_flag is refused (409) if somebody else has changed the same field.', sources: ['service-today 3'] },
  stale_patch:            { type: 'choice', of: ['refused', 'dropped'], documented: 'refused', doc: 'Whether such a PATCH is refused (409), or the field is dropped (200).', sources: ['service-today 3'], certainty: 'medium' },
  unchanged_patch:        { type: 'choice', of: ['unseen', 'counted'], documented: 'unseen', 'posthog-2026': 'counted', doc: 'Whether a PATCH that changes nothing raises the version.', sources: ['service-behaviour 2.3', 'service-today 3'] },
  trail_rows:             { type: 'choice', of: ['fields', 'columns'], documented: 'fields', 'posthog-2026': 'columns', doc: 'Whether rows of the activity trail contain each field, or the database columns: with the version, without tags.', sources: ['service-behaviour 7', 'service-today 3'], certainty: 'medium' },
  flag_fields:            { type: 'choice', of: ['2024', '2026'], documented: '2024', 'posthog-2026': '2026', doc: 'Which fields flags have: the documented fields, or those of 2026 with archived, contexts and a runtime. Archived flags are listed only on request.', sources: ['service-today 1'] },
  flag_created_at:        { type: 'choice', of: ['writable', 'ignored'], documented: 'writable', 'posthog-2026': 'ignored', doc: 'Whether requests can set created_at.', sources: ['service-behaviour 2.2', 'service-today 1'] },
  flag_key_characters:    { type: 'choice', of: ['any', 'checked'], documented: 'any', 'posthog-2026': 'checked', doc: 'Whether keys may contain characters other than letters, digits, - and _.', sources: ['service-behaviour 2.1', 'service-today 2'] },
  usage_dashboard:        { type: 'choice', of: ['made', 'null'], documented: 'made', 'posthog-2026': 'null', doc: 'Whether each new flag gets a dashboard.', sources: ['service-behaviour 2.2', 'service-today 2'] },
  blast_radius:           { type: 'choice', of: ['users_affected', 'affected'], documented: 'users_affected', 'posthog-2026': 'affected', doc: 'The name of the count in user_blast_radius.', sources: ['service-behaviour 7', 'service-today 9'] },
  tags:                   { type: 'choice', of: ['kept', 'dropped'], documented: 'kept', doc: 'Whether tags are stored, or dropped silently as on a plan without tags.', sources: ['service-behaviour 2.6', 'service-today 7'] },
  tag_order:              { type: 'choice', of: ['shuffled', 'sorted'], documented: 'shuffled', doc: 'The order of tags in answers.', sources: ['service-behaviour 2.6'] },
  restore_own_key_trap:    { type: 'switch', documented: true, 'posthog-2026': false, doc: 'Whether a PATCH with a soft-deleted flag\'s own key loses its grants, tags and dashboards.', sources: ['service-behaviour 2.4', 'service-today 3'] },
  variant_sum:            { type: 'choice', of: ['on_create', 'always'], documented: 'on_create', 'posthog-2026': 'always', doc: 'When percentages of variants must have the sum 100.', sources: ['service-behaviour 2.3', 'service-today 2'], certainty: 'low' },
  analytics_dashboards:   { type: 'choice', of: ['accepted', 'error'], documented: 'accepted', posthog: 'error', 'posthog-2026': 'accepted', doc: 'Whether a POST with analytics_dashboards works or fails (500).', sources: ['service-behaviour 2.2'] },
  evaluation_id_required: { type: 'switch', documented: false, posthog: true, doc: 'Whether evaluation_reasons needs a distinct_id.', sources: ['service-behaviour 7'] },
  enrich_checked:         { type: 'switch', documented: false, posthog: true, doc: 'Whether enrich_usage_dashboard refuses a flag without enriched analytics, or a second call.', sources: ['service-behaviour 7'] },
  local_evaluation:       { type: 'choice', of: ['served', 'gone'], documented: 'served', 'posthog-2026': 'gone', doc: 'Whether local_evaluation exists inside a project. If not, the SDK routes also list flags that are off.', sources: ['service-behaviour 7', 'service-today 6'], certainty: 'medium' },
  linked_flags:           { type: 'choice', of: ['free', 'guarded'], documented: 'free', 'posthog-2026': 'guarded', doc: 'Whether these requests are refused (400): deleting a flag of an early access feature, a running experiment or session replay, removing a variant of a running experiment, and groups in a flag of an early access feature.', sources: ['service-behaviour 2.4', 'service-today 3'] },
  deleted_key:            { type: 'choice', of: ['kept', 'renamed'], documented: 'kept', 'posthog-2026': 'renamed', doc: 'Whether a deleted flag with an experiment keeps its key, or is renamed to KEY:deleted:ID until it is restored.', sources: ['service-behaviour 2.4', 'service-today 4'] },
  approvals:              { type: 'choice', of: ['none', 'required', 'pending', 'accepted'], documented: 'none', doc: 'Whether turning a flag on or off, changing a percentage, or creating a flag that is on needs approval: 409 with a new or a waiting change request, or 202.', sources: ['service-today 3'] },
  change_request:         { type: 'choice', of: ['none', 'pending', 'approved', 'applied', 'rejected', 'expired', 'failed'], documented: 'none', 'posthog-2026': 'pending', doc: 'The state of a change request.', sources: ['service-today 3'] },
  flag_state_operations:  { type: 'switch', documented: false, 'posthog-2026': true, doc: 'Whether enable, disable, archive and unarchive exist.', sources: ['service-today 3'] },
} as const satisfies Differences

/** Who gets a flag: the order of conditions, and what their operators compare. */
// biome-ignore format: a table
export const evaluation = {
  condition_order:        { type: 'choice', of: ['overrides_first', 'as_written'], documented: 'overrides_first', 'posthog-2026': 'as_written', doc: 'Whether conditions with their own variant are tried first, or all as written.', sources: ['service-behaviour 12', 'service-today 10'] },
  truth_values:           { type: 'choice', of: ['text', 'truth'], documented: 'text', 'posthog-2026': 'truth', doc: 'Whether exact and is_not compare true and false as texts, or only check whether the property is true. A project of 2026 can be set to texts.', sources: ['service-behaviour 12', 'service-today 10'], certainty: 'medium' },
  number_comparison:      { type: 'choice', of: ['mixed', 'numbers'], documented: 'mixed', 'posthog-2026': 'numbers', doc: 'Whether gt, gte, lt and lte compare numbers if both sides are numbers, otherwise texts; or only numbers.', sources: ['service-behaviour 12', 'service-today 10'] },
  letter_case:            { type: 'choice', of: ['unicode', 'ascii'], documented: 'unicode', 'posthog-2026': 'ascii', doc: 'For which letters icontains and not_icontains ignore case: all, or A to Z.', sources: ['service-behaviour 12', 'service-today 10'] },
  null_properties:        { type: 'choice', of: ['absent', 'text'], documented: 'absent', 'posthog-2026': 'text', doc: 'Whether a null property is missing, or is the text null.', sources: ['service-behaviour 12', 'service-today 10'] },
  date_forms:             { type: 'choice', of: ['lenient', 'iso'], documented: 'lenient', 'posthog-2026': 'iso', doc: "Whether dates may have any usual form, in UTC; or only ISO dates in the project's time zone, or seconds since 1970.", sources: ['service-behaviour 12', 'service-today 10'] },
  pattern_dialect:        { type: 'choice', of: ['python', 'rust'], documented: 'python', 'posthog-2026': 'rust', doc: 'The syntax of regular expressions.', sources: ['service-behaviour 12', 'service-today 10'] },
  later_operators:        { type: 'choice', of: ['unknown', 'known'], documented: 'unknown', 'posthog-2026': 'known', doc: 'Whether semver_*, between, is_date_exact, icontains_multi, starts_with, ends_with and their opposites work.', sources: ['service-behaviour 12', 'service-today 10'] },
  property_negation:      { type: 'choice', of: ['obeyed', 'ignored'], documented: 'obeyed', 'posthog-2026': 'ignored', doc: 'Whether negation counts in a property of a condition. In cohorts it always does.', sources: ['service-behaviour 12', 'service-today 10'], certainty: 'medium' },
  cohort_operators:       { type: 'choice', of: ['ignored', 'obeyed'], documented: 'ignored', 'posthog-2026': 'obeyed', doc: 'Whether in and not_in of a cohort have an effect. If not, not_in selects the members, and only negation excludes them.', sources: ['service-behaviour 12', 'service-today 10'] },
  condition_groups:       { type: 'choice', of: ['unknown', 'own'], documented: 'unknown', 'posthog-2026': 'own', doc: 'Whether each condition has its own group type.', sources: ['service-behaviour 12', 'service-today 10'] },
  early_exit:             { type: 'choice', of: ['unknown', 'obeyed'], documented: 'unknown', 'posthog-2026': 'obeyed', doc: 'Whether early_exit turns a flag off for a person who matches a condition but is outside its percentage.', sources: ['service-behaviour 12', 'service-today 10'] },
  holdouts:               { type: 'choice', of: ['unknown', 'first'], documented: 'unknown', 'posthog-2026': 'first', doc: 'Whether people in a holdout get holdout-ID before any condition is checked.', sources: ['service-behaviour 12', 'service-today 10'] },
  enrolment:              { type: 'choice', of: ['unknown', 'first'], documented: 'unknown', 'posthog-2026': 'first', doc: 'Whether feature_enrollment decides before any condition, for people who have enrolled or declined.', sources: ['service-behaviour 12', 'service-today 10'] },
} as const satisfies Differences

/** Which roles may change a flag. */
// biome-ignore format: a table
const grants = {
  grants_route:           { type: 'choice', of: ['role_access', 'both', 'access_controls'], documented: 'role_access', 'posthog-2026': 'access_controls', doc: 'Whether roles get access to a flag by role_access, by access_controls with levels, or by either.', sources: ['service-behaviour 3', 'service-today 5'], certainty: 'medium' },
  role_access_query:      { type: 'choice', of: ['accepted', 'error'], documented: 'accepted', posthog: 'error', doc: 'Whether the list of grants accepts limit and offset, or fails (500).', sources: ['service-behaviour 3'] },
  role_access_duplicate:  { type: 'choice', of: ['invalid', 'conflict', 'error', 'existing'], documented: 'invalid', posthog: 'error', doc: 'The answer if a role gets the same grant twice: 400, 409, 500, or the existing grant.', sources: ['service-behaviour 3'] },
} as const satisfies Differences

// biome-ignore format: a table
const plugins = {
  plugins_route:          { type: 'choice', of: ['served', 'gone'], documented: 'served', doc: 'Whether plugins exist. Their removal is proposed.', sources: ['service-today 7'], certainty: 'medium' },
  plugin_without_url:     { type: 'choice', of: ['accepted', 'error'], documented: 'accepted', posthog: 'error', doc: 'Whether a plugin of another type than source can be created without a url.', sources: ['service-behaviour 4'] },
} as const satisfies Differences

// biome-ignore format: a table
const definitions = {
  definition_fields:      { type: 'choice', of: ['all', 'tags'], documented: 'all', posthog: 'tags', doc: 'Which documented fields of a definition a PATCH can change. It ignores the others.', sources: ['service-behaviour 5', 'service-today 7'] },
  post_to_chat:           { type: 'choice', of: ['kept', 'echoed'], documented: 'kept', posthog: 'echoed', doc: 'Whether post_to_chat is stored, or appears only in the answer to the PATCH.', sources: ['service-behaviour 5'] },
  definition_unknown:     { type: 'choice', of: ['not_found', 'error'], documented: 'not_found', posthog: 'error', 'posthog-2026': 'not_found', doc: 'The status for an unknown definition: 404 or 500.', sources: ['service-behaviour 5', 'service-today 7'], certainty: 'low' },
  definition_query:       { type: 'choice', of: ['2024', '2026'], documented: '2024', 'posthog-2026': '2026', doc: 'Whether the list of definitions accepts names (separated by commas), and refuses an invalid limit, offset or event_type (400).', sources: ['service-behaviour 5', 'service-today 7'] },
} as const satisfies Differences

// biome-ignore format: a table
const events = {
  event_id_checked:       { type: 'switch', documented: false, posthog: true, doc: 'Whether an event id that is not a UUID gives 400 instead of 404.', sources: ['service-behaviour 6'] },
  event_person:           { type: 'choice', of: ['always', 'on_request'], documented: 'always', posthog: 'on_request', doc: 'Whether a single event always includes its person, or only with include_person=true.', sources: ['service-behaviour 6'] },
  event_limit:            { type: 'choice', of: ['default', 'error'], documented: 'default', posthog: 'error', doc: 'Whether a limit of the event list that is not a number means the default, or gives 500.', sources: ['service-behaviour 6'] },
  event_expressions:      { type: 'choice', of: ['honoured', 'ignored'], documented: 'honoured', posthog: 'ignored', doc: 'Whether the event list supports select and where.', sources: ['service-behaviour 6'] },
} as const satisfies Differences

/** Requests in general: their forms, keys and limits. */
// biome-ignore format: a table
const requests = {
  format_elsewhere:       { type: 'choice', of: ['ignored', 'not_found'], documented: 'ignored', posthog: 'not_found', doc: 'Whether format=csv outside of events is ignored, or gives 404.', sources: ['service-behaviour 6'] },
  form_bodies:            { type: 'switch', documented: false, posthog: true, doc: 'Whether request bodies may be forms, or give 415.', sources: ['service-behaviour 8'] },
  put:                    { type: 'switch', documented: false, posthog: true, doc: 'Whether PUT works like PATCH with the required fields, or gives 405.', sources: ['service-behaviour 2.3'] },
  scoped_operations:      { type: 'choice', of: ['2024', '2026'], documented: '2024', 'posthog-2026': '2026', doc: 'Which operations have no scope. In 2026 my_flags, evaluation_reasons, user_blast_radius and copy_flags have one.', sources: ['service-behaviour 8', 'service-today 9'] },
  throttle:               { type: 'number', documented: 0, doc: 'Requests per window before 429. 0: no limit.', sources: ['service-behaviour 8', 'service-today 8'] },
  throttle_seconds:       { type: 'number', documented: 60, doc: 'The length of the window.', sources: ['service-behaviour 8', 'service-today 8'] },
} as const satisfies Differences

/**
 * The known services as data: every behaviour in which they differ, or that the interface document leaves
 * open. `documented` is the document; for its gaps, it is the public service of early 2024. `posthog` is that
 * service as it really answers, and `posthog-2026` is the service of autumn 2026. The sandbox can set each
 * row separately, pages show the rows, and code that depends on the service reads them.
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

/** A section of docs/service-facts.md: `service-behaviour 2.4`. */
export type Source = `${'service-behaviour' | 'service-today'} ${number}`

interface Row<Value> {
  /** The values by profile. A missing value is the same as in the previous profile. */
  readonly documented: Value
  readonly posthog?: Value
  readonly 'posthog-2026'?: Value
  /** What the behaviour decides, in one or two sentences. */
  readonly doc: string
  /** The sources of the values. */
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
type ValueOf<D extends Difference> = D extends {
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
  const latest = upTo.findLast(name => difference[name] !== undefined)
  return difference[latest ?? 'documented'] ?? difference.documented
}

export type DifferenceName = keyof typeof differences

/** The values of one service for all behaviours. */
export type Behaviour = { readonly [Name in DifferenceName]: ValueOf<(typeof differences)[Name]> }

/** The behaviours that affect the evaluation of flags. */
export type EvaluationBehaviour = Pick<Behaviour, keyof typeof evaluation>

const behaviours = Object.fromEntries(profiles.map(profile => [profile, readBehaviour(profile)]))

export function behaviourOf(profile: Profile): Behaviour {
  return behaviours[profile] ?? readBehaviour(profile)
}

function readBehaviour(profile: Profile): Behaviour {
  const values = Object.entries(differences).map(([name, row]) => [name, valueIn(row, profile)])
  // Each value has the type of its row in the table.
  return Object.fromEntries(values) as Behaviour
}

/** Whether a profile's value for a behaviour is uncertain, so that every value must be considered. */
export function isOpen(name: string, profile: Profile): boolean {
  return rowNamed(name)?.certainty !== undefined && profile === profiles.at(-1)
}

/** The profiles with this value for a behaviour. */
export function profilesWith(name: string, value: string): readonly Profile[] {
  const row = rowNamed(name)
  return row ? profiles.filter(profile => valueIn(row, profile) === value) : []
}

/** The value of each profile for a behaviour. */
export function valuesOf<Name extends DifferenceName>(
  name: Name,
): Readonly<Record<Profile, Behaviour[Name]>> {
  // Each value has the type of its row.
  return valuesIn(differences[name]) as Record<Profile, Behaviour[Name]>
}

export function valuesIn(row: Difference): Readonly<Record<Profile, string | number | boolean>> {
  const values = profiles.map(profile => [profile, valueIn(row, profile)])
  // Every profile has a value.
  return Object.fromEntries(values) as Record<Profile, string | number | boolean>
}

function rowNamed(name: string): Difference | undefined {
  return Object.entries<Difference>(differences).find(([known]) => known === name)?.[1]
}
