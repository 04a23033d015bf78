import type { Differences } from '../difference.ts'

/** Event definitions. */
// biome-ignore format: a table
export const definitions = {
  definition_fields:      { type: 'choice', of: ['all', 'tags'], documented: 'all', posthog: 'tags', doc: 'Which documented fields of a definition a PATCH changes; the others are ignored.', sources: ['service-behaviour 5', 'service-today 7'] },
  post_to_chat:           { type: 'choice', of: ['kept', 'echoed'], documented: 'kept', posthog: 'echoed', doc: 'Whether post_to_chat is kept, or answered to the PATCH and then lost.', sources: ['service-behaviour 5'] },
  definition_unknown:     { type: 'choice', of: ['not_found', 'error'], documented: 'not_found', posthog: 'error', 'posthog-2026': 'not_found', doc: 'What an unknown definition gives: 404 or 500.', sources: ['service-behaviour 5', 'service-today 7'], certainty: 'low' },
  definition_query:       { type: 'choice', of: ['2024', '2026'], documented: '2024', 'posthog-2026': '2026', doc: 'What the list of definitions takes in its query: since 2026 also names, with commas between them, and a bad limit, offset or event_type gives 400.', sources: ['service-behaviour 5', 'service-today 7'] },
} as const satisfies Differences
