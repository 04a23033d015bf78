import type { Differences } from '../difference.ts'

/** The shapes of answers, over all kinds. */
// biome-ignore format: a table
export const answers = {
  event_envelope:         { type: 'choice', of: ['counted', 'next_only'], documented: 'counted', posthog: 'next_only', doc: 'The envelope of the event list: the documented one, or next and results alone.', sources: ['service-behaviour 0'] },
  shapes:                 { type: 'choice', of: ['documented', 'real'], documented: 'documented', posthog: 'real', doc: 'Types of surveys, features, members, associated_flags, is_action and the parts of an event.', sources: ['service-behaviour 0'] },
  action_answers:         { type: 'choice', of: ['record', 'own'], documented: 'record', posthog: 'own', doc: 'Whether an operation on one flag or plugin answers with its record or with a shape of its own.', sources: ['service-behaviour 0', 'service-behaviour 7'] },
  static_cohort_status:   { type: 'choice', of: ['200', '201'], documented: '200', posthog: '201', doc: 'The status of create_static_cohort_for_flag.', sources: ['service-behaviour 0'] },
  post_to_chat_name:      { type: 'choice', of: ['post_to_chat', 'post_to_slack'], documented: 'post_to_chat', posthog: 'post_to_slack', doc: 'How post_to_chat is spelled on the wire.', sources: ['service-behaviour 5'] },
  roles_route:            { type: 'switch', documented: false, posthog: true, doc: 'Whether the list of an organization\'s roles, which the document leaves out, exists.', sources: ['service-behaviour 3', 'service-today 5'] },
} as const satisfies Differences
