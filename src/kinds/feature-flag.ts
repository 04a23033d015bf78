import { offByDefault, tagSet, trimmedText, withDefault } from '../model/canonical.ts'
import { defineKind } from '../model/kind.ts'
import { areSurelySameFilters, canonicalFilters, compactFilters, completeFilters, wireFilters } from '../targeting/canonical-filters.ts'
import { keepFilters } from '../targeting/compare/align.ts'
import { ownFilterMembers } from '../targeting/filter-parts.ts'
import { byService } from '../targeting/operators.ts'
import { paging, userSummary } from './answers.ts'

const flags = '/api/projects/{project_id}/feature_flags'
const flag = `${flags}/{id}` as const
const organization = '/api/organizations/{parent_lookup_organization_id}/feature_flags'

const since2026 = { behaviour: 'scoped_operations', is: '2026' } as const

/** Fields that only the flags of the newer service have. [service-today 1] */
const today = { behaviour: 'flag_fields', is: '2026' } as const
const before = { behaviour: 'flag_fields', is: '2024' } as const

const keyCharacters = { pattern: /^[a-zA-Z0-9_-]+$/, words: 'letters, digits, "-" and "_"' }

export const featureFlag = defineKind({
  name: 'feature_flag',
  title: 'flag',
  section: 'feature_flags',
  doc: 'A switch that code asks for by its key, with the conditions under which a person gets it.',
  scope: 'project',
  parameters: { id: 'integer' },
  identity: { by: 'field', field: 'key', unique: true },
  fields: {
    id:                           { type: 'integer', access: 'read', doc: 'The id in paths.' },
    name:                         { type: 'string',  access: 'managed', describes: true, redactedAs: 'descriptions', canonical: trimmedText, doc: 'The description of the flag. The service keeps the field name for backwards compatibility.' },
    key:                          { type: 'string',  access: 'managed', required: true, maxLength: 400, characters: keyCharacters, canonical: trimmedText, doc: 'The key that code uses. Unique in a project, case-sensitive.' },
    filters:                      { type: 'json',    access: 'managed', targeting: true, canonical: canonicalFilters, isSurelySame: areSurelySameFilters, compact: compactFilters, keepSpelling: keepFilters, wire: wireFilters, complete: completeFilters, byService, ownMembers: ownFilterMembers, sealed: { members: ['payloads'], by: 'has_encrypted_payloads' }, openedBy: 'is_remote_configuration', doc: 'The release conditions, variants and payloads. A request replaces all of them.' },
    deleted:                      { type: 'boolean', access: 'writable', doc: 'Whether it is soft-deleted.' },
    active:                       { type: 'boolean', access: 'managed', switch: true, initial: true, doc: 'Whether the flag is evaluated. If it is off, nobody gets it.' },
    created_by:                   { type: 'structure', of: userSummary, access: 'read', stamp: 'author', doc: 'Who created the flag.' },
    created_at:                   { type: 'string',  access: 'writable', format: 'date-time', shown: true, stamp: 'created', doc: 'When the flag was created.' },
    is_simple_flag:               { type: 'boolean', access: 'read', doc: 'Whether one percentage describes the flag.' },
    rollout_percentage:           { type: 'integer', access: 'read', doc: 'That percentage, if the flag is simple.' },
    ensure_experience_continuity: { type: 'boolean', access: 'managed', nullable: true, canonical: offByDefault, places: 'logging_in', doc: 'Whether people keep their value when they log in.' },
    experiment_set:               { type: 'list', of: 'integer', access: 'read', guard: 'experiment', doc: 'Experiments of the flag.' },
    experiment_set_metadata:      { type: 'json', orArray: true, access: 'read', newer: true, guard: 'experiment', runsBy: 'is_running', doc: 'The same experiments by name, and whether each is running.' },
    surveys:                      { type: 'json', orArray: true, access: 'read', guard: 'survey', doc: 'Surveys that the flag shows.' },
    features:                     { type: 'json', orArray: true, access: 'read', guard: 'feature', doc: 'Early access features behind the flag.' },
    rollback_conditions:          { type: 'json', orArray: true, access: 'managed', offered: before, nullable: true, initial: null, doc: 'The conditions under which the service turns the flag off automatically.' },
    performed_rollback:           { type: 'boolean', access: 'writable', nullable: true, guard: 'rollback', initial: null, doc: 'Whether the service turned the flag off automatically.' },
    can_edit:                     { type: 'boolean', access: 'read', guard: 'can_edit', doc: 'Whether the caller may change the flag.' },
    user_access_level:            { type: 'string',  access: 'read', newer: true, oneOf: ['none', 'viewer', 'editor', 'manager'], guard: 'can_edit', forbidding: ['none', 'viewer'], doc: 'What the caller may do with the flag.' },
    archived:                     { type: 'boolean', access: 'managed', newer: true, offered: today, assumed: false, canonical: offByDefault, words: { true: 'archived', false: 'live' }, doc: 'Whether the flag is archived. An archived flag must be off, and lists do not show it. Default: false.' },
    evaluation_runtime:           { type: 'string',  access: 'managed', newer: true, offered: today, oneOf: ['server', 'client', 'all'], canonical: withDefault('all'), doc: 'Which SDKs get the flag. Default: `all`.' },
    evaluation_contexts:          { type: 'set', access: 'managed', newer: true, offered: today, maxElements: 50, canonical: tagSet, doc: 'Names of the parts of a product that get the flag. If empty, all parts get it.' },
    bucketing_identifier:         { type: 'string',  access: 'managed', newer: true, offered: today, oneOf: ['distinct_id', 'device_id'], canonical: withDefault('distinct_id'), places: 'everybody', passedOver: { value: 'device_id', rule: 'devices', instead: 'count people' }, doc: 'What percentages count: people (`distinct_id`, the default) or devices.' },
    is_remote_configuration:      { type: 'boolean', access: 'managed', newer: true, offered: today, canonical: offByDefault, doc: 'Whether code asks the flag only for its payload (a remote configuration).' },
    has_encrypted_payloads:       { type: 'boolean', access: 'managed', newer: true, offered: today, canonical: offByDefault, doc: 'Whether the payload is encrypted; only a remote configuration supports this. Vexil then neither declares, compares nor shows the payload.' },
    tags:                         { type: 'set', access: 'managed', maxLength: 255, unversioned: true, canonical: tagSet, doc: 'Tags. The service trims them and stores them in lower case.' },
    usage_dashboard:              { type: 'integer', access: 'read', doc: 'The dashboard of the flag\'s usage.' },
    analytics_dashboards:         { type: 'list', of: 'integer', access: 'writable', doc: 'Additional dashboards. The service only adds to the list.' },
    has_enriched_analytics:       { type: 'boolean', access: 'writable', nullable: true, doc: 'Whether events with more detail are recorded. The service sets it.' },
  },
  endpoints: {
    list:                 { method: 'GET',    path: flags, query: paging, answer: 'page', status: 200, doc: 'List flags.' },
    create:               { method: 'POST',   path: flags, body: 'writable', answer: 'record', status: 201, doc: 'Create a flag.' },
    read:                 { method: 'GET',    path: flag, answer: 'record', status: 200, doc: 'Read a flag.' },
    update:               { method: 'PATCH',  path: flag, body: 'writable', answer: 'record', status: 200, doc: 'Change the fields in the body. `deleted` soft-deletes the flag.' },
    hardDelete:           { method: 'DELETE', path: flag, answer: 'empty', status: 405, doc: 'Always refused; set `deleted` instead.' },
    activity:             { method: 'GET',    path: `${flag}/activity`, answer: 'shape', status: 200, keyScope: 'activity_log', doc: 'The activity trail of a flag.', source: { withoutId: 'allActivity', doc: 'The activity trail of a flag, or of all flags.' } },
    createStaticCohort:   { method: 'POST',   path: `${flag}/create_static_cohort_for_flag`, body: 'writable', answer: 'shape', status: 200, scopedKeys: false, doc: 'Create a cohort of the people who match now.' },
    dashboard:            { method: 'POST',   path: `${flag}/dashboard`, body: 'writable', answer: 'shape', status: 200, scopedKeys: false, doc: 'Create a usage dashboard. Each call creates a new dashboard.' },
    enrichUsageDashboard: { method: 'POST',   path: `${flag}/enrich_usage_dashboard`, body: 'writable', answer: 'shape', status: 200, scopedKeys: false, doc: 'Add enriched insights to the usage dashboard.' },
    allActivity:          { method: 'GET',    path: `${flags}/activity`, answer: 'shape', status: 200, keyScope: 'activity_log', doc: 'The activity trail of all flags.' },
    evaluationReasons:    { method: 'GET',    path: `${flags}/evaluation_reasons`, answer: 'shape', status: 200, scopedKeys: since2026, doc: 'Why a person gets each value.', source: { name: 'evaluation_reasons', doc: 'Why the caller gets each value.' } },
    localEvaluation:      { method: 'GET',    path: `${flags}/local_evaluation`, answer: 'shape', status: 200, doc: 'Active flags, for local evaluation.', source: { name: 'local_evaluation', doc: 'The active flags, for local evaluation.' } },
    myFlags:              { method: 'GET',    path: `${flags}/my_flags`, answer: 'shape', status: 200, scopedKeys: since2026, doc: 'The values that the caller gets.', source: { name: 'my_flags' } },
    userBlastRadius:      { method: 'POST',   path: `${flags}/user_blast_radius`, body: 'writable', answer: 'shape', status: 200, scopedKeys: since2026, doc: 'How many people a condition reaches.' },
    readByKey:            { method: 'GET',    path: `${organization}/{feature_flag_key}`, answer: 'empty', status: 200, scopedKeys: false, doc: 'All flags with one key in all projects of an organization.', source: { name: 'organization_feature_flag' } },
    enable:               { method: 'POST',   path: `${flag}/enable`, answer: 'record', status: 200, newer: true, doc: 'Turn a flag on, on newer services. They refuse an archived flag.' },
    disable:              { method: 'POST',   path: `${flag}/disable`, answer: 'record', status: 200, newer: true, doc: 'Turn a flag off, on newer services.' },
    archive:              { method: 'POST',   path: `${flag}/archive`, answer: 'record', status: 200, newer: true, doc: 'Archive a flag and turn it off, on newer services.' },
    unarchive:            { method: 'POST',   path: `${flag}/unarchive`, answer: 'record', status: 200, newer: true, doc: 'Unarchive a flag, on newer services. It stays off.' },
    changeRequest:        { method: 'GET',    path: '/api/projects/{project_id}/change_requests/{change_request_id}', answer: 'shape', status: 200, newer: true, keyScope: 'approvals', doc: 'The state of a flag change that needs an approval, on newer services.', source: false },
    copy:                 { method: 'POST',   path: `${organization}/copy_flags`, body: 'unstated', answer: 'empty', status: 200, scopedKeys: since2026, doc: 'Copy a flag to other projects.' },
  },
  lifecycle: {
    list: 'list', listedApart: { field: 'archived', ...today }, findBy: { parameter: 'key', behaviour: 'flag_list_query', is: 'taken' },
    read: 'read', create: 'create', update: 'update',
    remove: { by: 'update', body: { deleted: true } },
    softDelete: { field: 'deleted', is: true, restore: { deleted: false }, trail: 'allActivity' },
    version: { field: 'version', before: 'original_flag' },
    page: '/project/{project_id}/feature_flags/{id}',
    activity: { scope: 'FeatureFlag', all: 'allActivity', one: 'activity' },
    ownedBy: 'tags',
    estimate: 'userBlastRadius',
    approval: { endpoint: 'changeRequest', parameter: 'change_request_id' },
  },
  tells: [
    { member: 'archived', behaviour: 'flag_fields', is: '2026' },
    { member: 'is_simple_flag', behaviour: 'flag_fields', is: '2024' },
    { member: 'surveys', as: 'array', behaviour: 'shapes', is: 'real' },
    { member: 'surveys', as: 'object', behaviour: 'shapes', is: 'documented' },
  ],
  contradictions: [
    { fields: { archived: true, active: true }, doc: 'an archived flag cannot be on', remedy: 'declare `active: false` too, or remove `archived`' },
    { fields: { bucketing_identifier: 'device_id', ensure_experience_continuity: true }, doc: 'continuity works only if percentages count people', remedy: 'remove one of the two fields' },
    { fields: { has_encrypted_payloads: true, is_remote_configuration: false }, doc: 'only a remote configuration has encrypted payloads', remedy: 'declare `is_remote_configuration: true` too' },
  ],
  example: {
    label: 'checkout', identity: 'checkout_v2',
    fields: { name: 'New checkout', active: true, tags: ['checkout'] },
  },
})
