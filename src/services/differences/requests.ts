import type { Differences } from '../difference.ts'

/** Requests as such: their forms, keys and limits. */
// biome-ignore format: a table
export const requests = {
  format_elsewhere:       { type: 'choice', of: ['ignored', 'not_found'], documented: 'ignored', posthog: 'not_found', doc: 'What format=csv, or any other format but json, gives on what are no events: nothing, or 404.', sources: ['service-behaviour 6'] },
  form_bodies:            { type: 'switch', documented: false, posthog: true, doc: 'Whether bodies may be forms, or give 415: the document has JSON alone.', sources: ['service-behaviour 8'] },
  put:                    { type: 'switch', documented: false, posthog: true, doc: 'Whether PUT changes what PATCH does, with its required fields; the document has no PUT, which gives 405.', sources: ['service-behaviour 2.3'] },
  scoped_operations:      { type: 'choice', of: ['2024', '2026'], documented: '2024', 'posthog-2026': '2026', doc: 'Which operations have no scope: in 2026 no more my_flags, evaluation_reasons, user_blast_radius and copy_flags.', sources: ['service-behaviour 8', 'service-today 9'] },
  throttle:               { type: 'number', documented: 0, doc: 'Requests per window before 429. 0: no limit.', sources: ['service-behaviour 8', 'service-today 8'] },
  throttle_seconds:       { type: 'number', documented: 60, doc: 'The length of the window.', sources: ['service-behaviour 8', 'service-today 8'] },
} as const satisfies Differences
