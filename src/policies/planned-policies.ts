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

/** The level of a policy on plans, and its exceptions, in addition to its options. */
export interface PlannedPolicy {
  readonly level: Level
  readonly except: readonly string[]
  /** What to do about what it blocks. */
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
  description: 'The time zone of its clock, such as Europe/Berlin; UTC when left out.',
}

/** The policies on what a plan may do, by their names in the settings. */
export const plannedPolicies = {
  frozen: {
    doc: 'Nothing is changed in these times. `vexil disable` works in them, and so do `enable` and `undo`.',
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
                  'The first day of it, as in 2026-12-20, or the first minute, as in 2026-12-20 16:00.',
              },
              to: {
                ...dateSchema,
                description: 'The last day of it, or the last minute.',
              },
              weekly: {
                ...weeklySchema,
                description:
                  'In place of both: when it begins and ends in each week, as in `fri 16:00 - mon 08:00`.',
              },
              timezone,
              because: { type: 'string', minLength: 1, description: 'Why, for people.' },
            },
          },
          description: 'The times: each with `from` and `to`, or `weekly`.',
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
    doc: 'What was changed in the product, and is held, is settled within this time.',
    remedy: 'settle it, as the plan describes',
    options: {
      within: {
        required: true,
        schema: {
          ...spanSchema,
          description: 'How long a field may be held, as in `14 days`.',
        },
      },
    },
    alone: 'within',
    isOfHolds: true,
  },
  protected_keys: {
    doc: 'What is live and called so is not changed, nor are its grants, also where nobody declares it any more.',
    remedy: 'have somebody allow it who may',
    options: {
      keys: {
        required: true,
        schema: {
          type: 'array',
          items: { type: 'string', minLength: 1 },
          description: 'Keys of flags and names of events and plugins; globs too.',
        },
      },
    },
    alone: 'keys',
  },
} as const satisfies Readonly<Record<keyof PlannedPolicies, SettingRow>>

export type PlannedPolicyName = keyof typeof plannedPolicies

// The table has these keys and no others.
export const plannedPolicyNames = Object.keys(plannedPolicies) as readonly PlannedPolicyName[]

/** Those of them that apply if nothing is written, as in a check for drift. */
export function policiesOfHolds(planned: PlannedPolicies): PlannedPolicies {
  const rows: Readonly<Record<string, SettingRow>> = plannedPolicies
  return Object.fromEntries(Object.entries(planned).filter(([name]) => rows[name]?.isOfHolds))
}

/** The result of options that fit their schemas. */
export function plannedPolicy(
  name: PlannedPolicyName,
  options: JsonObject,
  written: PlannedPolicy,
): PlannedPolicies {
  switch (name) {
    case 'frozen': {
      const { windows } = options
      // Wrong ones are already reported.
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
  // So it has the members of one of the two.
  return [window as unknown as FrozenWindow]
}

function wrongWindow(window: Json): string[] {
  if (!isJsonObject(window)) return []
  const { from, to, weekly } = window
  const isWeekly = weekly !== undefined
  if (isWeekly ? from !== undefined || to !== undefined : from === undefined || to === undefined)
    return ['a window has `from` and `to`, or `weekly`']
  // The schema has already reported values that are no text.
  if ([from, to, weekly, window.timezone].some(text => text !== undefined && typeof text !== 'string'))
    return ['its times are texts']
  const wrong = windowProblem(window as unknown as FrozenWindow)
  return wrong === undefined ? [] : [wrong]
}
