import type { Differences } from '../difference.ts'

/** Flags: what is taken, what is made of it, and what becomes of deleted ones. */
// biome-ignore format: a table
export const flags = {
  filters:                { type: 'choice', of: ['verbatim', 'normalised'], documented: 'verbatim', 'posthog-2026': 'normalised', doc: 'Whether filters are shown as they were sent or, as since 2026, with nulls added, cohorts named and payloads as text.', sources: ['service-behaviour 2.2', 'service-today 2'] },
  filters_without_groups: { type: 'choice', of: ['stored', 'lost'], documented: 'stored', posthog: 'lost', doc: 'Filters without groups are stored, or fail on POST (500) and are ignored on PATCH.', sources: ['service-behaviour 2.3', 'service-today 3'] },
  bad_property:           { type: 'choice', of: ['invalid', 'error'], documented: 'invalid', posthog: 'error', 'posthog-2026': 'invalid', doc: 'What a condition without a value, or of an unknown type, gives: 400 or 500.', sources: ['service-behaviour 2.5', 'service-today 2'] },
  flag_dependencies:      { type: 'choice', of: ['id_or_key', 'id', 'refused'], documented: 'id_or_key', posthog: 'id', doc: 'How conditions name other flags: by id or key, by id alone as since 2025, or not at all as before.', sources: ['service-behaviour 10', 'service-today 2'] },
  flag_version:           { type: 'switch', documented: false, 'posthog-2026': true, doc: 'Whether a flag shows its version and refuses a stale one with 409, as since 2025.', sources: ['service-behaviour 10', 'service-today 3'] },
  tags:                   { type: 'choice', of: ['kept', 'dropped'], documented: 'kept', doc: 'Whether tags are kept, or dropped without a word as on a plan without tagging.', sources: ['service-behaviour 2.6', 'service-today 7'] },
  tag_order:              { type: 'choice', of: ['shuffled', 'sorted'], documented: 'shuffled', doc: 'The order in which tags are answered.', sources: ['service-behaviour 2.6'] },
  can_edit:               { type: 'switch', documented: true, doc: 'Whether the caller may change every flag, or only their own and those granted to their roles.', sources: ['service-behaviour 2.2'] },
  key_reuse:              { type: 'choice', of: ['replace', 'refuse'], documented: 'replace', doc: 'What a POST with the key of a soft-deleted flag does: destroy the old one, or fail.', sources: ['service-behaviour 2.4', 'service-today 2'] },
  revive_own_key_trap:    { type: 'switch', documented: true, 'posthog-2026': false, doc: 'Whether a PATCH that names a soft-deleted flag\'s own key loses its grants, tags and dashboards.', sources: ['service-behaviour 2.4', 'service-today 3'] },
  read_deleted:           { type: 'choice', of: ['shown', 'not_found'], documented: 'shown', doc: 'Whether a soft-deleted flag can still be read and changed by its id.', sources: ['service-behaviour 1', 'service-today 1'] },
  variant_sum:            { type: 'choice', of: ['on_create', 'always'], documented: 'on_create', 'posthog-2026': 'always', doc: 'When variants are required to add up to 100.', sources: ['service-behaviour 2.3', 'service-today 2'], certainty: 'low' },
  analytics_dashboards:   { type: 'choice', of: ['accepted', 'error'], documented: 'accepted', posthog: 'error', 'posthog-2026': 'accepted', doc: 'Whether a POST that names analytics_dashboards works or fails with 500.', sources: ['service-behaviour 2.2'] },
  evaluation_id_required: { type: 'switch', documented: false, posthog: true, doc: 'Whether evaluation_reasons needs a distinct_id; without one it speaks of the caller.', sources: ['service-behaviour 7'] },
  enrich_checked:         { type: 'switch', documented: false, posthog: true, doc: 'Whether enrich_usage_dashboard refuses a flag without enriched analytics, or a second time.', sources: ['service-behaviour 7'] },
} as const satisfies Differences
