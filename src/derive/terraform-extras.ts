import { type DeclarableKind, isDeclarable, type Kind } from '../model/kind.ts'
import type { TerraformAttribute, TerraformAttributes } from './terraform-attribute.ts'

/**
 * What Terraform's users can say beyond the fields of the interface, and for which kinds. An extra whose value the
 * provider works out by itself when it is left out is `computed`.
 */
interface Extra {
  readonly appliesTo: (kind: DeclarableKind) => boolean
  readonly attribute: TerraformAttribute
  /** Another value is another object. */
  readonly replaces?: true
}

const isFlag = (kind: Kind) => 'filters' in kind.fields
const isScoped = (scope: Kind['scope']) => (kind: Kind) => kind.scope === scope

const property: TerraformAttributes = {
  key: { type: 'string', required: true, description: 'The name of the property; `id` for a cohort.' },
  value: { type: 'string', optional: true, description: 'The value to compare with.' },
  values: {
    type: ['list', 'string'],
    optional: true,
    description: 'Several values, one of which has to match. Instead of `value`.',
  },
  operator: {
    type: 'string',
    optional: true,
    description: 'How to compare: "exact" when left out, "is_not", "icontains", "regex", "gt", "is_set" ...',
  },
  type: {
    type: 'string',
    optional: true,
    description: 'Whose property it is: "person" when left out, "cohort", "group" or "flag".',
  },
  group_type_index: {
    type: 'number',
    optional: true,
    description: 'The index of the group type, for a property of a group.',
  },
  negation: { type: 'bool', optional: true, description: 'Whether the opposite is meant.' },
}

const condition: TerraformAttributes = {
  properties: {
    list: property,
    optional: true,
    description: 'What a person must match, all of it. Everybody matches when it is left out.',
  },
  rollout_percentage: {
    type: 'number',
    optional: true,
    description: 'How many of those who match, from 0 to 100. All of them when it is left out.',
  },
  variant: { type: 'string', optional: true, description: 'The variant that they all get.' },
  description: {
    type: 'string',
    optional: true,
    description: 'Why the condition is there: a note for people, kept with it by the service.',
  },
}

const variant: TerraformAttributes = {
  key: { type: 'string', required: true, description: 'What code receives.' },
  name: { type: 'string', optional: true, description: 'What the variant is called.' },
  rollout_percentage: {
    type: 'number',
    required: true,
    description: 'Its share; the shares of all variants add up to 100.',
  },
  payload: { type: 'string', optional: true, description: 'What code receives with it, as JSON text.' },
}

const insteadOfFilters = 'Instead of `filters`.'

export const extras = {
  adopt: {
    appliesTo: kind => kind.lifecycle.create !== undefined,
    attribute: {
      type: 'bool',
      optional: true,
      description:
        'Whether an object that is live already, and exactly as configured, is taken over instead of refused.',
    },
  },
  project_id: {
    appliesTo: isScoped('project'),
    replaces: true,
    attribute: {
      type: 'string',
      optional: true,
      computed: true,
      description: 'The project it lives in; that of the provider when left out.',
    },
  },
  organization_id: {
    appliesTo: isScoped('organization'),
    replaces: true,
    attribute: {
      type: 'string',
      optional: true,
      computed: true,
      description: 'The organization it lives in; that of the provider when left out.',
    },
  },
  feature_flag_id: {
    appliesTo: kind => kind.lifecycle.parent !== undefined,
    replaces: true,
    attribute: {
      type: 'string',
      required: true,
      description: 'The id of the flag: `vexil_feature_flag.NAME.id`.',
    },
  },
  source: {
    appliesTo: kind => kind.lifecycle.files !== undefined,
    attribute: {
      type: ['map', 'string'],
      optional: true,
      computed: true,
      description:
        'Source files, from name to text. A file that is taken out is removed; others are left alone.',
    },
  },
  on_destroy: {
    appliesTo: kind => kind.lifecycle.cannotCreate !== undefined,
    attribute: {
      type: 'string',
      optional: true,
      description:
        'What destroying does: "forget" (the default) leaves it as it is, "restore" puts back what was there before, "delete" deletes it until such an event is seen again.',
    },
  },
  release: {
    appliesTo: isFlag,
    attribute: {
      list: condition,
      optional: true,
      description: `Who gets the flag: conditions in their order. ${insteadOfFilters}`,
    },
  },
  variants: {
    appliesTo: isFlag,
    attribute: {
      list: variant,
      optional: true,
      description: `The variants of a multivariate flag in their order. ${insteadOfFilters}`,
    },
  },
  payload: {
    appliesTo: isFlag,
    attribute: {
      type: 'string',
      optional: true,
      description: `What code receives with a flag without variants, as JSON text. ${insteadOfFilters}`,
    },
  },
  group_type_index: {
    appliesTo: isFlag,
    attribute: {
      type: 'number',
      optional: true,
      description: `The group type to whose groups the flag is released, from 0 to 4; persons when left out. ${insteadOfFilters}`,
    },
  },
  acknowledge: {
    appliesTo: isFlag,
    attribute: {
      type: ['set', 'string'],
      optional: true,
      description:
        'Guards to wave through: "experiment", "survey", "feature" (what hangs from the flag when it is turned off or destroyed), "rollback" (widening it after the service rolled it back), "can_edit".',
    },
  },
  tags_all: {
    appliesTo: kind => kind.lifecycle.ownedBy !== undefined,
    attribute: {
      type: ['set', 'string'],
      computed: true,
      description: 'The labels with the `default_tags` of the provider, as the service keeps them.',
    },
  },
} satisfies Readonly<Record<string, Extra>>

/** Computed fields that are shown: few, and such as never change by themselves. */
const shownFields: Readonly<Record<string, readonly string[]>> = {
  feature_flag: ['created_at'],
  feature_flag_role_access: ['added_at'],
  event_definition: ['created_at'],
}

/** The read-only fields of a kind that its resource shows beside `id`. */
export function shownFieldsOf(kind: DeclarableKind): readonly string[] {
  return shownFields[kind.name] ?? []
}

/** The extras of a kind's resource. */
export function extrasOf(kind: DeclarableKind): TerraformAttributes {
  const rows = Object.entries<Extra>(extras).filter(([, { appliesTo }]) => appliesTo(kind))
  return Object.fromEntries(rows.map(([name, { attribute }]) => [name, attribute]))
}

/** The attributes of a kind's resource that make another object of it when they change. */
export function replacingAttributes(kind: Kind): string[] {
  if (!isDeclarable(kind)) return []
  const rows = Object.entries<Extra>(extras)
  const replacing = rows.filter(([, extra]) => extra.replaces && extra.appliesTo(kind)).map(([name]) => name)
  return [...replacing, ...replacingIdentity(kind)]
}

/**
 * Another role is another grant and another name another event. A flag and a plugin are renamed in place: the
 * service keeps their id and with it grants, experiments and history, which a replacement would lose.
 */
function replacingIdentity({ identity, lifecycle }: DeclarableKind): string[] {
  if (identity.by === 'parent') return [identity.sentAs]
  return lifecycle.create === undefined ? [identity.field] : []
}
