import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Flags and people that SDKs read differently, one a line in `cases.jsonl`:
 *
 * | member                | what it is                                                             |
 * |-----------------------|------------------------------------------------------------------------|
 * | `condition`           | the only condition of flag `f`, for property `p` of a person, at 100 % |
 * | `filters`             | the whole filters of flag `f`                                          |
 * | `flags`               | several flags, or `f` with members beside its filters                  |
 * | `person`, `groups`    | what the program that asks knows                                       |
 * | `zone`                | the time zone of that program, UTC without it                          |
 */
interface Line {
  readonly id: string
  readonly condition?: object
  readonly filters?: object
  readonly flags?: readonly object[]
  readonly cohorts?: object
  readonly property_matching_version?: unknown
  readonly distinctId?: string
  readonly person?: object
  readonly groups?: object
  readonly groupProperties?: object
  readonly zone?: string
}

export type SdkCase = ReturnType<typeof toCase>

const dayMs = 86_400_000

/** All cases, with their relative times counted from `now`. `parse` may keep the spelling of numbers (`5.0`). */
export function readCases(now: number, parse: (text: string) => unknown = JSON.parse): readonly SdkCase[] {
  const text = readFileSync(join(import.meta.dirname, 'cases.jsonl'), 'utf8')
  const lines = withTimes(text, now).trimEnd().split('\n')
  return lines.map(line => toCase(parse(line) as Line))
}

function withTimes(text: string, now: number): string {
  return text.replaceAll(/"\{(\w+ )?([\d.]+) days? ago\}"/g, (_, unit: string | undefined, days: string) => {
    const time = now - Number(days) * dayMs
    const date = new Date(time).toISOString()
    switch (unit) {
      case 'seconds ':
        return String(Math.floor(time / 1000))
      case 'milliseconds ':
        return String(time)
      case 'microseconds ':
        return `"${date.slice(0, -1)}000+00:00"`
      default:
        return `"${date.slice(0, -5)}Z"`
    }
  })
}

function toCase({ id, zone = 'UTC', cohorts = {}, ...line }: Line) {
  const { person: personProperties, groups, groupProperties, property_matching_version: version } = line
  return {
    id,
    zone,
    /** What the service delivers to an SDK that evaluates flags itself. */
    definitions: {
      flags: flagsOf(line).map((flag, index) => ({
        id: index + 1,
        name: 'key' in flag ? flag.key : undefined,
        active: true,
        ensure_experience_continuity: false,
        ...flag,
      })),
      cohorts,
      group_type_mapping: { 0: 'company', 1: 'project' },
      ...(version !== undefined && { property_matching_version: version }),
    },
    /** What the program asks: always flag `f`. */
    question: {
      key: 'f',
      distinctId: line.distinctId ?? 'user-1',
      personProperties,
      groups,
      groupProperties,
    },
  }
}

function flagsOf({ condition, filters, flags }: Omit<Line, 'id'>): readonly object[] {
  if (flags) return flags
  const property = { key: 'p', type: 'person', ...condition }
  return [{ key: 'f', filters: filters ?? { groups: [{ properties: [property], rollout_percentage: 100 }] } }]
}
