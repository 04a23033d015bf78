import { declarableKinds, roleAccess } from '../kinds/index.ts'
import { pluralTitle } from '../model/kind.ts'
import type { Json, JsonObject } from '../model/text/json.ts'
import { dayMs, spanMs, spanSchema } from './frozen-window.ts'
import type { PatternText, PolicyName, PolicyOption, PolicyRule, SettingRow } from './policy.ts'

/** A policy on what is declared, written down once. */
export interface PolicyRow extends SettingRow {
  /** Its name in data, and as a class for constructs. */
  readonly rule: PolicyName
  /** The rule made from options; required ones are present, and all fit their schemas. */
  readonly toRule: (options: JsonObject) => PolicyRule
}

const everyoneOnly: PolicyOption = {
  schema: {
    type: 'boolean',
    description: 'Looks only at conditions that leave nobody out: those that name people may go further.',
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

/** The policies on what is declared, by their names in the settings. */
export const declaredPolicies = {
  expiry: {
    rule: 'RequireExpiry',
    doc: 'Every flag has a date in `expires`, unless it is `permanent`.',
    remedy:
      'add `expires: DAY`, as in 2027-03-01, or `permanent: true`; in a stack, the tag `expires:2027-03-01`',
    options: {
      within: {
        needsToday: true,
        schema: {
          ...spanSchema,
          description: 'How far off that day may be, as in `180 days`; any day when left out.',
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
    doc: 'All of those who match a condition get a flag only where another environment declares that too.',
    remedy: 'declare it so there first',
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
    doc: 'Flags are granted to these roles alone.',
    remedy: 'take the grant out, or add the role to the policy',
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
          description: 'The highest level that a grant may give; any when left out.',
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
    doc: 'No condition of a flag that is on goes to more than so many percent.',
    remedy: 'lower `rollout_percentage`',
    options: {
      at_most: percent('The most percent that a condition may go to.'),
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
    doc: 'Keys of flags, and names of events and plugins, look as they should.',
    remedy: 'give it another name',
    options: Object.fromEntries(
      named.map(kind => [
        kind.section,
        pattern(`A regular expression that is found in the ${nounOf(kind)} of ${pluralTitle(kind)}.`),
      ]),
    ),
    toRule: options => ({ policy: 'NamePattern', patterns: byTitle(options, patternOf) }),
  },
  no_personal_email: {
    rule: 'NoPersonalEmail',
    doc: 'No condition names a person by an e-mail address.',
    remedy: 'name the person by something else, such as a cohort or a property of their own',
    options: {},
    toRule: () => ({ policy: 'NoPersonalEmail' }),
  },
  no_release_to_everyone: {
    rule: 'NoReleaseToEveryone',
    doc: 'No flag that is on has a condition for everybody without a percentage.',
    remedy: 'add `properties`, or a `rollout_percentage` below 100',
    options: {},
    toRule: () => ({ policy: 'NoReleaseToEveryone' }),
  },
  owner: {
    rule: 'RequireOwnerTag',
    doc: 'Every flag and event definition has an owner.',
    remedy: 'add `owner: NAME`; in a stack, the tag `owner:NAME`',
    options: {
      tag: pattern(
        'A regular expression that is found in one of its tags, `owner: NAME` counting as `owner:NAME`; `^(owner|team)[:-]` when left out.',
      ),
    },
    toRule: ({ tag = '^(owner|team)[:-]' }) => ({ policy: 'RequireOwnerTag', pattern: patternOf(tag) }),
  },
  schemas: {
    rule: 'OwnSchemas',
    isForSettings: true,
    doc: 'Each object, as it is sent to the service, fits a JSON Schema of your own.',
    remedy: 'make it fit the schema',
    options: Object.fromEntries(
      named.map(kind => [
        kind.section,
        {
          schema: {
            type: 'string',
            minLength: 1,
            description: `The file with the schema of ${pluralTitle(kind)}, such as policies/${kind.title.replaceAll(' ', '-')}.schema.json, from the folder of the settings; draft 2020-12.`,
          },
        },
      ]),
    ),
    toRule: options => ({ policy: 'OwnSchemas', files: byTitle(options, String) }),
  },
  two_person: {
    rule: 'TwoPerson',
    doc: 'A flag that is on and goes to more than so many percent has a tag that shows that a second person looked at it.',
    remedy: 'have a second person look at it and add the tag, or lower `rollout_percentage`',
    options: {
      above: percent('The most percent without a second person.'),
      everyone_only: everyoneOnly,
      tag: {
        schema: {
          type: 'string',
          minLength: 1,
          description: 'The tag, or a glob of it, as in `reviewed-by:*`; `reviewed` when left out.',
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

// The table has these keys and no others.
export const declaredPolicyNames = Object.keys(declaredPolicies) as readonly DeclaredPolicyName[]

/** The row of a policy, for code that treats all of them in the same way. */
export function policyRow(name: DeclaredPolicyName): PolicyRow {
  return declaredPolicies[name]
}

/** The hint for an object that breaks a policy of the settings. */
export function remedyOf(name: DeclaredPolicyName): string {
  return `${policyRow(name).remedy}; or name it in "except" of the policy`
}

/** The name of a policy in the settings. */
export function settingName(rule: PolicyName): DeclaredPolicyName {
  const name = declaredPolicyNames.find(each => declaredPolicies[each].rule === rule)
  if (name === undefined) throw new RangeError(`there is no policy "${rule}"`)
  return name
}

/** The stable name of the problems that a policy finds: `policy-max-rollout`. */
export function policyCode(rule: PolicyName): string {
  return `policy-${settingName(rule).replaceAll('_', '-')}`
}

function nounOf({ identity }: (typeof named)[number]): string {
  return identity.by === 'field' ? identity.field : 'name'
}

/** Texts by the titles of kinds; for options, by their sections. */
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
