import type { Differences } from '../difference.ts'

/** Which roles may change a flag. */
// biome-ignore format: a table
export const grants = {
  role_access_query:      { type: 'choice', of: ['accepted', 'error'], documented: 'accepted', posthog: 'error', doc: 'Whether the list of grants takes limit and offset or fails with 500.', sources: ['service-behaviour 3'] },
  role_access_duplicate:  { type: 'choice', of: ['invalid', 'conflict', 'error', 'existing'], documented: 'invalid', posthog: 'error', doc: 'What granting a role twice gives: 400, 409, 500, or the grant that is there.', sources: ['service-behaviour 3'] },
} as const satisfies Differences
