import type { RedactedPart } from '../model/field.ts'
import { isJsonObject, type Json } from '../model/text/json.ts'
import type { EvaluationBehaviour } from '../services/differences.ts'
import { knownOperators } from './operators.ts'

/** The type of a member of filters. Null counts as absent unless the member is required. */
export type Takes =
  | { readonly is: 'text' | 'truth' | 'anything' }
  | { readonly is: 'number' | 'integer'; readonly from: number; readonly to: number }
  /** One of several words, each with its meaning. */
  | { readonly is: 'word'; readonly of: Readonly<Record<string, string>> }
  | { readonly is: 'part' | 'parts'; readonly of: FilterPartName }
  /** From the key of a variant to any JSON. */
  | { readonly is: 'payloads' }

export interface FilterMember {
  readonly takes: Takes
  readonly doc: string
  readonly required?: true
  /** It decides who gets what: in the wrong place, more people than meant get the flag. */
  readonly decides?: true
  /** The behaviour by which services differ about it: those with `unknown` there ignore it. */
  readonly rule?: keyof EvaluationBehaviour
  /** What people lose with the key of the flag if the member is set. */
  readonly lostWithKey?: string
  /** The part of `redact` for its value; for payloads, each of them, and for a list, each of its elements. */
  readonly redactedAs?: RedactedPart
}

export interface FilterPart {
  /** Its name for people, with its article. */
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
 * The parts of filters, for the checks, for the schema that editors complete by, and for the reference. The
 * service keeps members that nobody knows, so there may be more. [service-behaviour 2.5]
 */
export const filterParts: Readonly<Record<FilterPartName, FilterPart>> = {
  filters: {
    title: 'filters',
    doc: 'Who gets the flag, and what they get. Replaced whole: what is not written here is gone, but for what other parts of the product write.',
    members: {
      groups: {
        takes: { is: 'parts', of: 'condition' },
        decides: true,
        doc: 'The conditions. Whoever meets one of them gets the flag; `[]` is nobody, and no `groups` at all is everybody.',
      },
      multivariate: {
        takes: { is: 'part', of: 'multivariate' },
        decides: true,
        doc: 'The variants of a flag that answers with more than yes or no.',
      },
      payloads: {
        takes: { is: 'payloads' },
        decides: true,
        redactedAs: 'payloads',
        doc: 'What code receives beside the answer: any JSON, by the key of the variant, or by `"true"` in a flag without variants.',
      },
      aggregation_group_type_index: {
        takes: groupTypes,
        decides: true,
        doc: 'Releases to groups of this type (companies, say) instead of persons: 0 to 4.',
      },
      early_exit: {
        takes: { is: 'truth' },
        decides: true,
        rule: 'early_exit',
        doc: 'Whether who meets a condition and is outside of its percentage is out, whatever the conditions after it say; newer services do so.',
      },
      super_groups: {
        takes: { is: 'anything' },
        doc: 'Conditions of an early access feature. The service writes them; left alone when not declared.',
      },
      holdout_groups: {
        takes: { is: 'anything' },
        doc: 'People held out of an experiment. The service writes them; left alone when not declared.',
      },
      holdout: {
        takes: { is: 'anything' },
        rule: 'holdouts',
        doc: 'The holdout of an experiment. The service writes it; left alone when not declared.',
      },
      feature_enrollment: {
        takes: { is: 'anything' },
        rule: 'enrolment',
        lostWithKey: 'the enrolment of those who have opted in',
        doc: 'Whether people enrol by themselves. Newer services write it; left alone when not declared.',
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
        doc: 'What must be true of a person; all of them. Without any, everybody matches.',
      },
      rollout_percentage: {
        takes: percentages,
        decides: true,
        doc: 'How many of those who match get the flag: 0 to 100. Without it, all of them do.',
      },
      variant: {
        takes: { is: 'text' },
        decides: true,
        doc: 'The variant that everybody in this condition gets. Until September 2025 services tried such conditions first; write them first.',
      },
      aggregation_group_type_index: {
        takes: groupTypes,
        decides: true,
        rule: 'condition_groups',
        doc: 'The type of group that this condition counts, where it is another one than that of the flag; newer services do so.',
      },
      description: { takes: { is: 'anything' }, redactedAs: 'descriptions', doc: 'A note for people.' },
      sort_key: {
        takes: { is: 'anything' },
        doc: 'By which the screen of newer services keeps conditions apart.',
      },
      users_affected: {
        takes: { is: 'anything' },
        doc: 'How many people it reached when the screen last counted.',
      },
    },
  },
  property: {
    title: 'a property',
    doc: 'One thing that must be true of a person.',
    members: {
      key: {
        takes: { is: 'text' },
        required: true,
        decides: true,
        doc: 'The name of the property; `id` for a cohort, the key of the other flag for a flag; digits are its id.',
      },
      type: { takes: { is: 'word', of: propertyTypes }, required: true, doc: 'Whose property it is.' },
      operator: {
        takes: { is: 'word', of: knownOperators },
        decides: true,
        doc: 'How it is compared with the value; `exact` when left out.',
      },
      value: {
        takes: { is: 'anything' },
        decides: true,
        redactedAs: 'values',
        doc: 'What it is compared with: a text, or for `exact` and `is_not` also a list of them.',
      },
      group_type_index: { takes: groupTypes, doc: "The type of group; the same as the flag's." },
      negation: { takes: { is: 'truth' }, doc: 'Turns the property around.' },
      label: { takes: { is: 'anything' }, redactedAs: 'values', doc: 'A name for people.' },
      cohort_name: {
        takes: { is: 'anything' },
        doc: 'The name of the cohort; newer services add it on reading.',
      },
      group_key_names: {
        takes: { is: 'anything' },
        redactedAs: 'values',
        doc: 'Names of groups; newer services add them on reading.',
      },
      dependency_chain: {
        takes: { is: 'anything' },
        doc: 'The flags that this one waits for; newer services add it.',
      },
    },
  },
  multivariate: {
    title: '"multivariate"',
    doc: 'The variants, under one member.',
    members: {
      variants: {
        takes: { is: 'parts', of: 'variant' },
        required: true,
        decides: true,
        doc: 'The variants. Their percentages add up to 100; their order decides who gets which.',
      },
    },
  },
  variant: {
    title: 'a variant',
    doc: 'One answer of a flag with several.',
    members: {
      key: { takes: { is: 'text' }, required: true, decides: true, doc: 'What code receives.' },
      rollout_percentage: {
        takes: percentages,
        required: true,
        decides: true,
        doc: 'The share of those who get the flag: 0 to 100.',
      },
      name: { takes: { is: 'anything' }, redactedAs: 'descriptions', doc: 'What people call it.' },
    },
  },
}

/**
 * The members of filters that this product evaluates, in the order in which it describes them. All others,
 * known or not, are shown unchanged and judged by nobody here.
 */
export const describedMembers: readonly string[] = [
  'groups',
  'aggregation_group_type_index',
  'multivariate',
  'payloads',
]

/** The members that are only used as a number, so that its spelling does not matter. */
export const countedMembers: ReadonlySet<string> = new Set(
  Object.values(filterParts).flatMap(({ members }) =>
    Object.entries(members)
      .filter(([, { takes }]) => takes.is === 'number' || takes.is === 'integer')
      .map(([name]) => name),
  ),
)

/**
 * The members of filters that declarations own, with those of an old form and of rules of another version; all others
 * belong to other parts of the product.
 */
export const ownFilterMembers: readonly string[] = [
  ...Object.entries(filterParts.filters.members).flatMap(([name, { decides }]) => (decides ? [name] : [])),
  ...['properties', 'rollout_percentage'],
  ...['version', 'rules', 'return_type', 'default_value'],
]

/** What people lose by filters if their flag gets another key, or is removed. */
export function lostWithKey(filters: Json): string[] {
  return Object.entries(filterParts.filters.members).flatMap(([name, { lostWithKey: lost }]) =>
    lost !== undefined && isJsonObject(filters) && filters[name] === true ? [lost] : [],
  )
}

/** The members that a part is known to have. */
export function memberNames(part: FilterPartName): string[] {
  return Object.keys(filterParts[part].members)
}
