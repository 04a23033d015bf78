import type { Differences } from '../difference.ts'

/** Plugins of an organization. */
// biome-ignore format: a table
export const plugins = {
  plugins_route:          { type: 'choice', of: ['served', 'gone'], documented: 'served', doc: 'Whether there are plugins; that their routes go is proposed.', sources: ['service-today 7'], certainty: 'medium' },
  plugin_without_url:     { type: 'choice', of: ['accepted', 'error'], documented: 'accepted', posthog: 'error', doc: 'Whether a plugin that is not of type source can be created without a url.', sources: ['service-behaviour 4'] },
} as const satisfies Differences
