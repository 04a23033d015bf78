import type { RedactedPart } from '../model/field.ts'
import { isJsonObject, type Json } from '../model/text/json.ts'
import type { sdkWays } from '../services/sdk-rules.ts'
import { knownOperators } from './operators.ts'

/** The type of a member of filters. Null counts as absent unless the member is required. */
export type Takes =
  | { readonly is: 'text' | 'truth' | 'anything' }
  | { readonly is: 'number' | 'integer'; readonly from: number; readonly to: number }
  /** One of several words, with descriptions. */
  | { readonly is: 'word'; readonly of: Readonly<Record<string, string>> }
  | { readonly is: 'part' | 'parts'; readonly of: FilterPartName }
  /** Any JSON for each key of a variant. */
  | { readonly is: 'payloads' }

export interface FilterMember {
  readonly takes: Takes
  readonly doc: string
  readonly required?: true
  /** The member decides who gets what: if it is misplaced, too many people get the flag. */
  readonly decides?: true
  /** The behaviour of services that evaluates the member: a service with `unknown` ignores the member. */
  readonly rule?: keyof typeof sdkWays
  /** What people lose together with the key of the flag, if the member is set. */
  readonly lostWithKey?: string
  /** The part of `redact` for the value; it applies to each payload, and to each element of a list. */
  readonly redactedAs?: RedactedPart
}

export interface FilterPart {
  /** The name of the part for people, with its article. */
  readonly title: string
  readonly doc: string
  readonly members: Readonly<Record<string, FilterMember>>
}

export type FilterPartName = 'filters' | 'condition' | 'property' | 'multivariate' | 'variant'

/** From nobody to everybody. */
export const percentages = { is: 'number', from: 0, to: 100 } as const
/** A project has at most five types of groups. */
export const groupTypes = { is: 'integer', from: 0, to: 4 } as const

export const propertyTypes = {
  person: 'a property of the person',
  cohort: 'membership of a cohort, whose id is the `value`',
  group: 'a property of the group, in a flag that is released to groups',
  flag: 'the value of another flag, on newer services',
} as const

/**
 * The parts of filters, for the checks, for the schema in editors, and for the reference. The service stores
 * unknown members, so there may be more. [service-behaviour 2.5]
 */
export const filterParts: Readonly<Record<FilterPartName, FilterPart>> = {
  filters: {
    title: 'filters',
    doc: 'Who gets the flag, and what they get. A declared value replaces the whole live value, except for members that other parts of the product write.',
    members: {
      groups: {
        takes: { is: 'parts', of: 'condition' },
        decides: true,
        doc: 'The conditions. People who match one of them get the flag. `[]` means nobody; without `groups`, everybody gets the flag.',
      },
      multivariate: {
        takes: { is: 'part', of: 'multivariate' },
        decides: true,
        doc: 'The variants of a flag with more values than on and off.',
      },
      payloads: {
        takes: { is: 'payloads' },
        decides: true,
        redactedAs: 'payloads',
        doc: 'The JSON that code receives with the value of the flag: by the key of the variant, or by `"true"` in a flag without variants.',
      },
      aggregation_group_type_index: {
        takes: groupTypes,
        decides: true,
        doc: 'Releases to groups of this type (such as companies) instead of persons: 0 to 4.',
      },
      early_exit: {
        takes: { is: 'truth' },
        decides: true,
        rule: 'early_exit',
        doc: 'Whether a person who matches a condition but is outside its percentage is excluded, whatever later conditions say. Needs a newer service.',
      },
      super_groups: {
        takes: { is: 'anything' },
        doc: 'Conditions of an early access feature. The service writes them; unchanged unless declared.',
      },
      holdout_groups: {
        takes: { is: 'anything' },
        doc: 'People held out of an experiment. The service writes them; unchanged unless declared.',
      },
      holdout: {
        takes: { is: 'anything' },
        rule: 'holdouts',
        doc: 'The holdout of an experiment. The service writes it; unchanged unless declared.',
      },
      feature_enrollment: {
        takes: { is: 'anything' },
        rule: 'enrolment',
        lostWithKey: 'the enrollment of people who have opted in',
        doc: 'Whether people can opt in by themselves. Newer services write it; unchanged unless declared.',
      },
    },
  },
  condition: {
    title: 'a condition',
    doc: 'Who gets the flag, and how many of them. All properties must match.',
    members: {
      properties: {
        takes: { is: 'parts', of: 'property' },
        decides: true,
        doc: 'Requirements for a person: all must match. Without properties, everybody matches.',
      },
      rollout_percentage: {
        takes: percentages,
        decides: true,
        doc: 'The share of matching people who get the flag: 0 to 100. The default is 100.',
      },
      variant: {
        takes: { is: 'text' },
        decides: true,
        doc: 'The variant that everybody in this condition gets. Services before September 2025 try such conditions first, so write them first.',
      },
      aggregation_group_type_index: {
        takes: groupTypes,
        decides: true,
        rule: 'condition_groups',
        doc: 'The type of group that this condition counts, if it differs from that of the flag. Needs a newer service.',
      },
      description: { takes: { is: 'anything' }, redactedAs: 'descriptions', doc: 'A note for people.' },
      sort_key: {
        takes: { is: 'anything' },
        doc: 'The id by which the screen of newer services distinguishes conditions.',
      },
      users_affected: {
        takes: { is: 'anything' },
        doc: 'How many people the condition reached when the screen last counted them.',
      },
    },
  },
  property: {
    title: 'a property',
    doc: 'One requirement for a person.',
    members: {
      key: {
        takes: { is: 'text' },
        required: true,
        decides: true,
        doc: 'The name of the property; `id` for a cohort; the key of the other flag for a flag (digits are its id).',
      },
      type: { takes: { is: 'word', of: propertyTypes }, required: true, doc: 'The owner of the property.' },
      operator: {
        takes: { is: 'word', of: knownOperators },
        decides: true,
        doc: 'How the property is compared with the value. The default is `exact`.',
      },
      value: {
        takes: { is: 'anything' },
        decides: true,
        redactedAs: 'values',
        doc: 'The value to compare with: a text, or a list of texts for `exact` and `is_not`.',
      },
      group_type_index: { takes: groupTypes, doc: 'The type of group; must equal that of the flag.' },
      negation: { takes: { is: 'truth' }, doc: 'Inverts the property.' },
      label: { takes: { is: 'anything' }, redactedAs: 'values', doc: 'A name for people.' },
      cohort_name: {
        takes: { is: 'anything' },
        doc: 'The name of the cohort. Newer services add it when the flag is read.',
      },
      group_key_names: {
        takes: { is: 'anything' },
        redactedAs: 'values',
        doc: 'Names of groups. Newer services add them when the flag is read.',
      },
      dependency_chain: {
        takes: { is: 'anything' },
        doc: 'The flags that this flag depends on. Newer services add them.',
      },
    },
  },
  multivariate: {
    title: '"multivariate"',
    doc: 'Contains the variants.',
    members: {
      variants: {
        takes: { is: 'parts', of: 'variant' },
        required: true,
        decides: true,
        doc: 'The variants. Their percentages add up to 100. Their order decides who gets which variant.',
      },
    },
  },
  variant: {
    title: 'a variant',
    doc: 'One value of a flag with several values.',
    members: {
      key: { takes: { is: 'text' }, required: true, decides: true, doc: 'The value that code receives.' },
      rollout_percentage: {
        takes: percentages,
        required: true,
        decides: true,
        doc: 'The share of the people with the flag who get this variant: 0 to 100.',
      },
      name: {
        takes: { is: 'anything' },
        redactedAs: 'descriptions',
        doc: 'The name of the variant for people.',
      },
    },
  },
}

/** The members of filters that Vexil evaluates, in the order of descriptions. Others are shown unchanged. */
export const describedMembers: readonly string[] = [
  'groups',
  'aggregation_group_type_index',
  'multivariate',
  'payloads',
]

/** The members that are only used as numbers, so that their spelling has no meaning. */
export const countedMembers: ReadonlySet<string> = new Set(
  Object.values(filterParts).flatMap(({ members }) =>
    Object.entries(members)
      .filter(([, { takes }]) => takes.is === 'number' || takes.is === 'integer')
      .map(([name]) => name),
  ),
)

/**
 * The members of filters that declarations own, including those of an old form and of rules of another
 * version. All others belong to other parts of the product.
 */
export const ownFilterMembers: readonly string[] = [
  ...Object.entries(filterParts.filters.members).flatMap(([name, { decides }]) => (decides ? [name] : [])),
  ...['properties', 'rollout_percentage'],
  ...['version', 'rules', 'return_type', 'default_value'],
]

/** What people lose if the flag with these filters gets another key, or is removed. */
export function lostWithKey(filters: Json): string[] {
  return Object.entries(filterParts.filters.members).flatMap(([name, { lostWithKey: lost }]) =>
    lost !== undefined && isJsonObject(filters) && filters[name] === true ? [lost] : [],
  )
}

export function memberNames(part: FilterPartName): string[] {
  return Object.keys(filterParts[part].members)
}
