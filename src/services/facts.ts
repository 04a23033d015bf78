import { createHash } from 'node:crypto'
import type { Profile } from '../model/connection.ts'
import { differences, type Source } from './differences.ts'
import { refusals } from './refusals.ts'

interface Facts {
  readonly title: string
  /** The date of the newest source. The interface document has no date. */
  readonly newestSource?: string
}

/** The age of the facts about each service in `docs/service-facts.md`. */
export const facts: Readonly<Record<Profile, Facts>> = {
  documented: { title: 'the documented interface' },
  posthog: { title: 'PostHog of early 2024', newestSource: '2024-10-07' },
  'posthog-2026': { title: 'PostHog of autumn 2026', newestSource: '2026-09-15' },
}

/** How many requests a service accepts before it answers 429. */
export interface Limit {
  /** The requests that count together. */
  readonly of: string
  readonly perMinute: number
  readonly perHour?: number
  /** Whether requests count per key or per project. */
  readonly each: 'key' | 'project'
  readonly sources: readonly [Source, ...Source[]]
  readonly certainty?: 'medium'
}

/** The document contains no limits, and a self-hosted server has none unless it is configured. */
// biome-ignore format: a table
export const limits: Readonly<Record<Profile, readonly Limit[]>> = {
  documented: [],
  posthog: [
    { of: 'requests',                      perMinute: 480, perHour: 4800, each: 'key', sources: ['service-behaviour 8'], certainty: 'medium' },
    { of: 'requests for events',           perMinute: 240, perHour: 1200, each: 'key', sources: ['service-behaviour 8'] },
    { of: 'requests for local evaluation', perMinute: 600, each: 'key', sources: ['service-behaviour 8'] },
  ],
  'posthog-2026': [
    { of: 'requests',                                   perMinute: 480, perHour: 4800, each: 'key', sources: ['service-today 8'] },
    { of: 'copies of flags',               perMinute: 120, perHour: 300, each: 'key', sources: ['service-today 8'] },
    { of: 'requests for local evaluation', perMinute: 600, each: 'project', sources: ['service-today 8'] },
  ],
}

/** The version of the facts about services. Two builds with the same facts have the same version. */
export function factsVersion(): string {
  const known = JSON.stringify({ facts, limits, differences, refusals }, (_, value: unknown) =>
    value instanceof RegExp ? value.source : value,
  )
  return createHash('sha256').update(known).digest('hex').slice(0, 12)
}
