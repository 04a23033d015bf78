import type { JsonObject } from '../../model/json/json.ts'
import { levels, settingNames, settingRow } from '../../policies/said-policies.ts'
import type { PolicyOption, SettingRow } from '../../policies/setting-row.ts'

/** The schema of `policies` in the settings: each policy by its name, as a level, an option alone, or a map of both. */
export function policySettings(): JsonObject {
  const properties = Object.fromEntries(settingNames.map(name => [name, policySchema(settingRow(name))]))
  return {
    type: 'object',
    additionalProperties: false,
    properties,
    description:
      'What has to hold of all that is declared, and of plans: each policy by its name, with a level, with its options, or both. An environment lays its own over these.',
  }
}

/** What every policy takes beside options of its own. */
export const policyMembers = {
  level: {
    type: 'string',
    enum: [...levels],
    description:
      'What becomes of an object that is against it: `error`, the default, `warning` (or `warn`), or `off`.',
  },
  except: {
    type: 'array',
    items: { type: 'string', minLength: 1 },
    description:
      'Keys of flags, with their grants, and names of events and plugins, that it leaves alone; globs too.',
  },
} as const

function policySchema({ doc, options, alone }: SettingRow): JsonObject {
  const option = alone === undefined ? undefined : options[alone]
  return {
    ...valueSchema(option),
    description: doc,
    additionalProperties: false,
    properties: {
      ...policyMembers,
      ...Object.fromEntries(Object.entries(options).map(([name, { schema }]) => [name, schema])),
    },
  }
}

/** A level, a map, or a value of the option that stands alone. What is asked of that says nothing of the other two. */
function valueSchema(option: PolicyOption | undefined): JsonObject {
  const { type, description: _, ...asks } = option?.schema ?? {}
  if (type === 'string') {
    // A level is a text as well.
    const { pattern, ...others } = asks
    const texts =
      pattern === undefined ? others : { ...others, pattern: `^(${levels.join('|')})$|${pattern}` }
    return { type: ['string', 'object'], ...texts }
  }
  return {
    type: ['string', 'object', ...(typeof type === 'string' ? [type] : [])],
    if: { type: 'string' },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { enum: [...levels] },
    ...asks,
  }
}
