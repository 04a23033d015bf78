import type { Type } from '../../hcl/values.ts'

import { profiles } from '../../model/connection.ts'

/** The parameters and the result of a provider function. */
export interface FunctionSignature {
  readonly summary: string
  readonly description: string
  readonly parameters: readonly FunctionParameter[]
  /** The variadic parameter; Terraform has no other optional arguments. */
  readonly variadic?: FunctionParameter
  readonly returns: Type
}

export interface FunctionParameter {
  readonly name: string
  readonly type: Type
  readonly description: string
  /** Without it Terraform refuses null itself. */
  readonly allowNull?: true
  /** Without it Terraform treats the result as unknown while anything in the argument is. */
  readonly allowUnknown?: true
}

const filters = {
  name: 'filters',
  type: 'string',
  description: 'The `filters` of a flag, as JSON text.',
} as const

export const functionSignatures = {
  filters: {
    summary: 'The filters of a flag',
    description:
      'Who gets a flag, as JSON text: what the typed attributes of a resource amount to, or its `filters`. So the other ' +
      'functions can be asked about any flag. The result is sensitive where anything of the flag is. Nothing is asked of the service.',
    parameters: [
      {
        name: 'flag',
        type: 'dynamic',
        description: 'The resource, `vexil_feature_flag.NAME`, or an object with attributes of it.',
        allowUnknown: true,
      },
    ],
    returns: 'string',
  },
  rollout: {
    summary: 'How far filters reach',
    description:
      'Which conditions reach whom and how many of them, in percent of the people they mean. Nothing is asked of the service.',
    parameters: [filters],
    returns: [
      'object',
      {
        max_percentage: 'number',
        everyone: 'bool',
        conditions: ['list', ['object', { people: 'string', percentage: 'number', variant: 'string' }]],
      },
    ],
  },
  variants: {
    summary: 'The variants of filters',
    description: 'From each variant to its share in percent; empty for a flag without variants.',
    parameters: [filters],
    returns: ['map', 'number'],
  },
  evaluate: {
    summary: 'What a person gets',
    description:
      'Evaluates a flag for one person as the service would, from the properties that are given and from nothing else. ' +
      'Where that does not settle it (a property that is not given, a cohort, a group, a holdout, a pattern that is ' +
      'not worked out here), `undecided` is true and `undecided_reason` has the reason. The same if those who evaluate give ' +
      'different values: services of several profiles where none is named, or the service and SDKs that evaluate by themselves.',
    parameters: [
      {
        name: 'key',
        type: 'string',
        description: 'The key of the flag; it decides who falls into which share.',
      },
      filters,
      { name: 'distinct_id', type: 'string', description: 'Who asks.' },
      {
        name: 'properties',
        type: 'string',
        description:
          'What is known of them, as JSON text: `jsonencode({ country = "DE" })`. Null when nothing is.',
        allowNull: true,
      },
    ],
    variadic: {
      name: 'profile',
      type: 'string',
      description: `Which service evaluates: ${profiles.map(profile => `"${profile}"`).join(', ')}. Any of them when left out, or \`"auto"\`: a function cannot know the provider's own setting.`,
    },
    returns: [
      'object',
      {
        enabled: 'bool',
        variant: 'string',
        reason: 'string',
        payload: 'string',
        undecided: 'bool',
        undecided_reason: 'string',
      },
    ],
  },
} as const satisfies Readonly<Record<string, FunctionSignature>>

export type FunctionName = keyof typeof functionSignatures
