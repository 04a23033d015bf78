import type { Differences } from '../difference.ts'

/** Plugins of an organization. */
// biome-ignore format: a table
export const plugins = {
  plugin_without_url:     { type: 'choice', of: ['accepted', 'error'], documented: 'accepted', posthog: 'error', doc: 'Whether a plugin that is not of type source can be created without a url.', sources: ['service-behaviour 4'] },
} as const satisfies Differences
