import type { Differences } from '../difference.ts'

/** Recorded events. */
// biome-ignore format: a table
export const events = {
  event_id_checked:       { type: 'switch', documented: false, posthog: true, doc: 'Whether an event id that is no UUID gives 400 instead of 404.', sources: ['service-behaviour 6'] },
  event_person:           { type: 'choice', of: ['always', 'on_request'], documented: 'always', posthog: 'on_request', doc: 'Whether an event that is read by its id has its person, or only with include_person=true.', sources: ['service-behaviour 6'] },
  event_limit:            { type: 'choice', of: ['default', 'error'], documented: 'default', posthog: 'error', doc: 'What a limit of the event list that is no number gives: the default, or 500.', sources: ['service-behaviour 6'] },
  event_expressions:      { type: 'choice', of: ['honoured', 'ignored'], documented: 'honoured', posthog: 'ignored', doc: 'Whether select and where of the event list have an effect.', sources: ['service-behaviour 6'] },
} as const satisfies Differences
