import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/text/json.ts'
import {
  dateSchema,
  type FrozenWindow,
  spanMs,
  spanSchema,
  weeklySchema,
  windowProblem,
} from './frozen-window.ts'
import type { Level, SettingRow } from './policy.ts'

/** The level and the exceptions of a policy on plans. */
export interface PlannedPolicy {
  readonly level: Level
  readonly except: readonly string[]
  /** The remedy for a blocked change. */
  readonly remedy: string
}

/** The policies that need a plan, as in the settings of an environment. */
export interface PlannedPolicies {
  readonly frozen?: PlannedPolicy & { readonly windows: readonly FrozenWindow[] }
  /** `within`: milliseconds. */
  readonly longest_hold?: PlannedPolicy & { readonly within: number }
  readonly protected_keys?: PlannedPolicy & { readonly keys: readonly string[] }
}

const timezone = {
  type: 'string',
  minLength: 1,
  description: 'The time zone, such as Europe/Berlin. Default: UTC.',
}

/** The policies on plans, by their names in the settings. */
export const plannedPolicies = {
  frozen: {
    doc: 'Nothing may be changed during these times. `vexil disable`, `enable` and `undo` still work.',
    remedy: 'wait until the freeze ends',
    options: {
      windows: {
        required: true,
        schema: {
          type: 'array',
          items: {
            type: 'object',
            additionalProperties: false,
            properties: {
              from: {
                ...dateSchema,
                description:
                  'The first day, such as 2026-12-20, or the first minute, such as 2026-12-20 16:00.',
              },
              to: {
                ...dateSchema,
                description: 'The last day or the last minute.',
              },
              weekly: {
                ...weeklySchema,
                description:
                  'Instead of `from` and `to`: when it begins and ends each week, such as `fri 16:00 - mon 08:00`.',
              },
              timezone,
              because: { type: 'string', minLength: 1, description: 'The reason, for people.' },
            },
          },
          description: 'The periods. Each has `from` and `to`, or `weekly`.',
        },
        problem: windows => {
          const [wrong] = isJsonArray(windows) ? windows.flatMap(window => wrongWindow(window)) : []
          return wrong
        },
      },
    },
    alone: 'windows',
  },
  longest_hold: {
    doc: 'A held live edit must be resolved within this time.',
    remedy: 'resolve the live edit, as the plan describes',
    options: {
      within: {
        required: true,
        schema: {
          ...spanSchema,
          description: 'How long a field may be held, such as `14 days`.',
        },
      },
    },
    alone: 'within',
    isOfHolds: true,
  },
  protected_keys: {
    doc: 'Live objects with these names, and their grants, may not be changed, even if they are no longer declared.',
    remedy: 'ask an approver',
    options: {
      keys: {
        required: true,
        schema: {
          type: 'array',
          items: { type: 'string', minLength: 1 },
          description: 'Keys of flags and names of events and plugins. Globs work too.',
        },
      },
    },
    alone: 'keys',
  },
} as const satisfies Readonly<Record<keyof PlannedPolicies, SettingRow>>

export type PlannedPolicyName = keyof typeof plannedPolicies

// The table has exactly these keys.
export const plannedPolicyNames = Object.keys(plannedPolicies) as readonly PlannedPolicyName[]

/** The policies on live objects, which apply even without a change, for example in a drift check. */
export function policiesOfHolds(planned: PlannedPolicies): PlannedPolicies {
  const rows: Readonly<Record<string, SettingRow>> = plannedPolicies
  return Object.fromEntries(Object.entries(planned).filter(([name]) => rows[name]?.isOfHolds))
}

/** The policy for options that match their schemas. */
export function plannedPolicy(
  name: PlannedPolicyName,
  options: JsonObject,
  written: PlannedPolicy,
): PlannedPolicies {
  switch (name) {
    case 'frozen': {
      const { windows } = options
      // Invalid windows are already reported.
      const right = isJsonArray(windows ?? null) ? (windows as readonly Json[]).flatMap(rightWindow) : []
      return { frozen: { ...written, windows: right } }
    }
    case 'longest_hold': {
      const within = spanMs(String(options.within))
      // An invalid duration is already reported.
      return within === undefined ? {} : { longest_hold: { ...written, within } }
    }
    case 'protected_keys': {
      const { keys = [] } = options
      return { protected_keys: { ...written, keys: isJsonArray(keys) ? keys.map(String) : [] } }
    }
  }
}

function rightWindow(window: Json): FrozenWindow[] {
  if (!isJsonObject(window) || wrongWindow(window).length > 0) return []
  // A valid window has the members of one of the two forms.
  return [window as unknown as FrozenWindow]
}

function wrongWindow(window: Json): string[] {
  if (!isJsonObject(window)) return []
  const { from, to, weekly } = window
  const isWeekly = weekly !== undefined
  if (isWeekly ? from !== undefined || to !== undefined : from === undefined || to === undefined)
    return ['a window has `from` and `to`, or `weekly`']
  // The schema has already reported values that are not strings.
  if ([from, to, weekly, window.timezone].some(text => text !== undefined && typeof text !== 'string'))
    return ['its times must be strings']
  const wrong = windowProblem(window as unknown as FrozenWindow)
  return wrong === undefined ? [] : [wrong]
}
