import type { Differences } from '../difference.ts'

/** Lists and their pages. */
// biome-ignore format: a table
export const lists = {
  page_size_cap:          { type: 'number', documented: 0, doc: 'The largest page; a larger limit is lowered to it. 0: no cap.', sources: ['service-behaviour 1', 'service-today 1'] },
  survey_flags:           { type: 'choice', of: ['shown', 'hidden'], documented: 'shown', posthog: 'hidden', doc: 'Whether the list of flags holds the targeting flags of surveys; hidden, they still hold their keys.', sources: ['service-behaviour 1', 'service-today 1'] },
  flag_list_query:        { type: 'choice', of: ['ignored', 'without_key', 'taken'], documented: 'ignored', 'posthog-2026': 'taken', doc: 'Whether the list of flags takes active, created_by_id, search, type, evaluation_runtime, tags and excluded_tags in its query, and since September 2026 key; what it does not know it ignores.', sources: ['service-behaviour 1', 'service-today 1'], certainty: 'medium' },
} as const satisfies Differences
