import { declarableKinds, roleAccess } from '../kinds/index.ts'
import { pluralTitle } from '../model/kind.ts'
import type { Json, JsonObject } from '../model/text/json.ts'
import { dayMs, spanMs, spanSchema } from './frozen-window.ts'
import type { PatternText, PolicyName, PolicyOption, PolicyRule, SettingRow } from './policy.ts'

/** A policy on declarations. */
export interface PolicyRow extends SettingRow {
  /** Its name in stored policies, and the name of its class for constructs. */
  readonly rule: PolicyName
  /** Creates the rule from options. Required options are present, and all options match their schemas. */
  readonly toRule: (options: JsonObject) => PolicyRule
}

const everyoneOnly: PolicyOption = {
  schema: {
    type: 'boolean',
    description: 'Checks only conditions for everybody. Conditions with properties may exceed the limit.',
  },
}

function percent(description: string): PolicyOption {
  return { required: true, schema: { type: 'number', minimum: 0, maximum: 100, description } }
}

function pattern(description: string): PolicyOption {
  return {
    schema: { type: 'string', minLength: 1, description },
    problem: value => {
      try {
        new RegExp(String(value), 'u')
        return undefined
      } catch (error) {
        return error instanceof SyntaxError ? error.message : String(error)
      }
    },
  }
}

const named = declarableKinds.filter(({ identity }) => identity.by === 'field')

/** The policies on declarations, by their names in the settings. */
export const declaredPolicies = {
  expiry: {
    rule: 'RequireExpiry',
    doc: 'Every flag needs an `expires` date, unless it is `permanent`.',
    remedy:
      'add `expires: DAY`, such as 2027-03-01, or `permanent: true`; in a stack, the tag `expires:2027-03-01`',
    options: {
      within: {
        needsToday: true,
        schema: {
          ...spanSchema,
          description: 'The longest time until that day, such as `180 days`. Default: no limit.',
        },
      },
    },
    alone: 'within',
    toRule: ({ within }) => ({
      policy: 'RequireExpiry',
      ...(typeof within === 'string' ? { within: Math.floor((spanMs(within) ?? 0) / dayMs) } : {}),
    }),
  },
  first_in: {
    rule: 'FirstIn',
    doc: 'A flag may go to everybody who matches a condition only if another environment declares the same.',
    remedy: 'declare the same there first',
    options: {
      environment: {
        required: true,
        schema: { type: 'string', minLength: 1, description: 'The name of that environment.' },
      },
    },
    alone: 'environment',
    needsEnvironments: true,
    isForSettings: true,
    toRule: ({ environment }) => ({ policy: 'FirstIn', environment: String(environment) }),
  },
  grants_only_to: {
    rule: 'GrantsOnlyTo',
    doc: 'Only these roles may get grants on flags.',
    remedy: 'remove the grant, or add the role to the policy',
    options: {
      roles: {
        required: true,
        schema: {
          type: 'array',
          items: { type: 'string', minLength: 1 },
          description: 'The names of roles, or their UUIDs.',
        },
      },
      at_most: {
        schema: {
          type: 'string',
          enum: [...roleAccess.fields.access_level.oneOf],
          description: 'The highest level that a grant may give. Default: any level.',
        },
      },
    },
    alone: 'roles',
    toRule: ({ roles, at_most: atMost }) => ({
      policy: 'GrantsOnlyTo',
      roles: textsIn(roles),
      ...(typeof atMost === 'string' ? { atMost } : {}),
    }),
  },
  max_rollout: {
    rule: 'MaxRollout',
    doc: 'No condition of a flag that is on may exceed this percentage.',
    remedy: 'lower `rollout_percentage`',
    options: {
      at_most: percent('The highest percentage of a condition.'),
      everyone_only: everyoneOnly,
    },
    alone: 'at_most',
    toRule: ({ at_most: ceiling, everyone_only: only }) => ({
      policy: 'MaxRollout',
      ceiling: Number(ceiling),
      everyoneOnly: only === true,
    }),
  },
  name_pattern: {
    rule: 'NamePattern',
    doc: 'Keys of flags, and names of events and plugins, must match a pattern.',
    remedy: 'choose another name',
    options: Object.fromEntries(
      named.map(kind => [
        kind.section,
        pattern(`A regular expression that the ${nounOf(kind)} of ${pluralTitle(kind)} must match.`),
      ]),
    ),
    toRule: options => ({ policy: 'NamePattern', patterns: byTitle(options, patternOf) }),
  },
  no_personal_email: {
    rule: 'NoPersonalEmail',
    doc: "No condition may contain a person's e-mail address.",
    remedy: 'select the person in another way, for example by a cohort or by another property',
    options: {},
    toRule: () => ({ policy: 'NoPersonalEmail' }),
  },
  no_release_to_everyone: {
    rule: 'NoReleaseToEveryone',
    doc: 'No flag that is on may have a condition for everybody without a percentage.',
    remedy: 'add `properties`, or a `rollout_percentage` below 100',
    options: {},
    toRule: () => ({ policy: 'NoReleaseToEveryone' }),
  },
  owner: {
    rule: 'RequireOwnerTag',
    doc: 'Every flag and event definition needs an owner.',
    remedy: 'add `owner: NAME`; in a stack, the tag `owner:NAME`',
    options: {
      tag: pattern(
        'A regular expression that one of its tags must match. `owner: NAME` counts as `owner:NAME`. Default: `^(owner|team)[:-]`.',
      ),
    },
    toRule: ({ tag = '^(owner|team)[:-]' }) => ({ policy: 'RequireOwnerTag', pattern: patternOf(tag) }),
  },
  schemas: {
    rule: 'OwnSchemas',
    isForSettings: true,
    doc: 'Each object, in the form sent to the service, must match a JSON Schema of your own.',
    remedy: 'change the object to match the schema',
    options: Object.fromEntries(
      named.map(kind => [
        kind.section,
        {
          schema: {
            type: 'string',
            minLength: 1,
            description: `The file with the schema (draft 2020-12) of ${pluralTitle(kind)}, relative to the folder of the settings, such as policies/${kind.title.replaceAll(' ', '-')}.schema.json.`,
          },
        },
      ]),
    ),
    toRule: options => ({ policy: 'OwnSchemas', files: byTitle(options, String) }),
  },
  two_person: {
    rule: 'TwoPerson',
    doc: "A flag that is on and exceeds this percentage needs a tag that shows a second person's review.",
    remedy: 'ask a second person for a review and add the tag, or lower `rollout_percentage`',
    options: {
      above: percent('The highest percentage without a review.'),
      everyone_only: everyoneOnly,
      tag: {
        schema: {
          type: 'string',
          minLength: 1,
          description: 'The tag, or a glob for it, such as `reviewed-by:*`. Default: `reviewed`.',
        },
      },
    },
    alone: 'above',
    toRule: ({ above, everyone_only: only, tag = 'reviewed' }) => ({
      policy: 'TwoPerson',
      above: Number(above),
      everyoneOnly: only === true,
      tag: String(tag),
    }),
  },
} as const satisfies Readonly<Record<string, PolicyRow>>

export type DeclaredPolicyName = keyof typeof declaredPolicies

// The table has exactly these keys.
export const declaredPolicyNames = Object.keys(declaredPolicies) as readonly DeclaredPolicyName[]

/** The row of a policy, with a general type. */
export function policyRow(name: DeclaredPolicyName): PolicyRow {
  return declaredPolicies[name]
}

/** The hint for an object that violates a policy in the settings. */
export function remedyOf(name: DeclaredPolicyName): string {
  return `${policyRow(name).remedy}; or add it to "except" of the policy`
}

/** The name of a policy in the settings. */
export function settingName(rule: PolicyName): DeclaredPolicyName {
  const name = declaredPolicyNames.find(each => declaredPolicies[each].rule === rule)
  if (name === undefined) throw new RangeError(`there is no policy "${rule}"`)
  return name
}

/** The code of a policy's problems: `policy-max-rollout`. */
export function policyCode(rule: PolicyName): string {
  return `policy-${settingName(rule).replaceAll('_', '-')}`
}

function nounOf({ identity }: (typeof named)[number]): string {
  return identity.by === 'field' ? identity.field : 'name'
}

/** Values by kind title, for options by section. */
function byTitle<Value>(options: JsonObject, read: (text: string) => Value): Record<string, Value> {
  return Object.fromEntries(
    named.flatMap(({ section, title }) => {
      const text = options[section]
      return typeof text === 'string' ? [[title, read(text)] as const] : []
    }),
  )
}

function patternOf(source: Json): PatternText {
  return { source: String(source), flags: 'u' }
}

function textsIn(list: Json | undefined): string[] {
  return Array.isArray(list) ? list.map(String) : []
}
