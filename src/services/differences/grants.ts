import type { Differences } from '../difference.ts'

/** Which roles may change a flag. */
// biome-ignore format: a table
export const grants = {
  grants_route:           { type: 'choice', of: ['role_access', 'both', 'access_controls'], documented: 'role_access', 'posthog-2026': 'access_controls', doc: 'How roles are given a flag: by role_access, by access_controls with levels of which none hides the flag, or by either. Roles themselves lose their level with role_access.', sources: ['service-behaviour 3', 'service-today 5'], certainty: 'medium' },
  role_access_query:      { type: 'choice', of: ['accepted', 'error'], documented: 'accepted', posthog: 'error', doc: 'Whether the list of grants takes limit and offset or fails with 500.', sources: ['service-behaviour 3'] },
  role_access_duplicate:  { type: 'choice', of: ['invalid', 'conflict', 'error', 'existing'], documented: 'invalid', posthog: 'error', doc: 'What granting a role twice gives: 400, 409, 500, or the grant that is there.', sources: ['service-behaviour 3'] },
} as const satisfies Differences
