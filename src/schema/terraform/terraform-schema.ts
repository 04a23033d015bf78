import type { Type } from '../../hcl/values.ts'
import { declarableKind, declarableKinds } from '../../kinds/index.ts'
import { parallelismRange, profileSettings, profiles } from '../../model/connection.ts'
import { guards, guardsOfKind, objectGuards } from '../../model/guard-rules.ts'
import {
  type DeclarableKind,
  hasTargeting,
  isDeclarable,
  isTargeting,
  type Kind,
  managedFields,
  pluralTitle,
  shownFields,
} from '../../model/kind.ts'
import { destroyWays } from '../../model/removal.ts'
import { oncePer } from '../../model/runtime.ts'
import type { JsonObject } from '../../model/text/json.ts'
import { baseUrlDescription } from '../settings-schema.ts'
import {
  blockJson,
  computed,
  managedAttribute,
  optional,
  orVariables,
  settable,
  shownAttribute,
  type TerraformAttribute,
  type TerraformAttributes,
  type TerraformBlock,
  typedTerraformAttributes,
} from './terraform-attribute.ts'
import { dataSourceBlock, dataSources } from './terraform-data-sources.ts'
import { identityJson } from './terraform-identity.ts'
import { parentAttribute, providerSource, typeName } from './terraform-names.ts'

export interface TerraformSchema {
  readonly provider: TerraformBlock
  readonly resources: Readonly<Record<string, TerraformBlock>>
  readonly dataSources: Readonly<Record<string, TerraformBlock>>
  readonly functions: Readonly<Record<string, FunctionSignature>>
}

/** Everything that Terraform knows about the provider, computed from kinds and tables of additions. */
export function terraformSchema(): TerraformSchema {
  return {
    provider: providerBlock,
    resources: Object.fromEntries(declarableKinds.map(kind => [typeName(kind.name), resourceBlock(kind)])),
    dataSources: Object.fromEntries(
      Object.entries(dataSources).map(([name, source]) => [typeName(name), dataSourceBlock(source)]),
    ),
    functions: functionSignatures,
  }
}

/** The attributes of a kind's resource: managed fields, Terraform's additions, a few read-only ones. */
export const resourceBlock = oncePer(describeResource)

function describeResource(kind: DeclarableKind): TerraformBlock {
  const managed = managedFields(kind).flatMap(name => {
    const field = kind.fields[name]
    return field
      ? [
          [
            name,
            isTargeting(kind, name) ? withMoreText(managedAttribute(field)) : managedAttribute(field),
          ] as const,
        ]
      : []
  })
  const shown = shownFields(kind).flatMap(name => {
    const field = kind.fields[name]
    return field ? [[name, shownAttribute(field)] as const] : []
  })
  const attributes: TerraformAttributes = {
    id: computed('string', 'The id in the service.'),
    ...Object.fromEntries(managed),
    ...extrasOf(kind),
    ...Object.fromEntries(shown),
  }
  return { version: resourceVersion, description: kind.doc, attributes }
}

function withMoreText(attribute: TerraformAttribute): TerraformAttribute {
  return { ...attribute, description: `${attribute.description} ${targetingText}` }
}

/** The version of every resource's state. */
const resourceVersion = 0

/** The block of the provider itself. */
export const providerBlock: TerraformBlock = {
  version: 0,
  description: 'Feature flags, role access, plugins and event definitions of a product-analytics service.',
  attributes: {
    base_url: optional('string', `${baseUrlDescription} ${orVariables('base_url')}`),
    api_key: {
      type: 'string',
      optional: true,
      sensitive: true,
      description: `The personal API key, which is better left to the environment. ${orVariables('api_key')} One that ends in _FILE holds the path of a file with the key.`,
    },
    project_id: optional('string', `The project of everything that names none. ${orVariables('project_id')}`),
    organization_id: optional(
      'string',
      `The organization of everything that names none. ${orVariables('organization_id')}`,
    ),
    profile: optional(
      'string',
      `Which service answers: "auto" (the default) goes by its first answers; "documented" is the interface as documented, "posthog" the public service of early 2024, "posthog-2026" that of autumn 2026. ${orVariables('profile')}`,
      profileSettings,
    ),
    parallelism: optional(
      'number',
      `How many requests may be under way at once, from ${parallelismRange.from} to ${parallelismRange.to}; 8 when left out. ${orVariables('parallelism')}`,
    ),
    retry_attempts: optional('number', 'How often one request is sent at the most; 5 when left out.'),
    retry_budget: optional('number', 'How many retries all requests together may use up; 50 when left out.'),
    default_tags: optional(
      ['set', 'string'],
      'Tags for every flag and event definition, beside its own `tags`.',
    ),
    allow: optional(
      ['set', 'string'],
      `Rules that block nothing, as \`allow\` does for one resource: ${objectGuards()
        .map(rule => `"${rule}" (${guards[rule].doc})`)
        .join(', ')}.`,
      objectGuards(),
    ),
  },
}

/** The schema in the form of `terraform providers schema -json`. */
export function providerSchemaJson(): JsonObject {
  const { provider, resources, dataSources: sources, functions } = terraformSchema()
  return {
    format_version: '1.0',
    provider_schemas: {
      [providerSource]: {
        provider: blockJson(provider),
        resource_schemas: mapValues(resources, blockJson),
        resource_identity_schemas: Object.fromEntries(
          declarableKinds.map(kind => [typeName(kind.name), identityJson(kind)]),
        ),
        data_source_schemas: mapValues(sources, blockJson),
        functions: mapValues(functions, functionJson),
      },
    },
  }
}

function functionJson({
  summary,
  description,
  parameters,
  variadic,
  returns,
}: FunctionSignature): JsonObject {
  return {
    summary,
    description,
    return_type: returns,
    parameters: parameters.map(parameterJson),
    ...(variadic ? { variadic_parameter: parameterJson(variadic) } : {}),
  }
}

function parameterJson({ name, type, description, allowNull }: FunctionParameter): JsonObject {
  return { name, type, description, ...(allowNull ? { is_nullable: true } : {}) }
}

function mapValues<V>(record: Readonly<Record<string, V>>, form: (value: V) => JsonObject): JsonObject {
  const names = Object.keys(record).sort()
  // The names are those of the record itself.
  return Object.fromEntries(names.map(name => [name, form(record[name] as V)]))
}

/** The kinds whose objects `terraform query` lists: those that a data source lists. */
export const listedKinds: readonly DeclarableKind[] = declarableKinds.filter(
  kind => listSource(kind) !== undefined,
)

/** The arguments of a list of a kind's resource: those of the data source that lists them. */
export function listResourceBlock(kind: DeclarableKind): TerraformBlock {
  const source = listSource(kind)
  if (!source) throw new RangeError(`nothing lists ${kind.title}s`)
  const given = Object.entries(dataSourceBlock(source).attributes).flatMap(([name, attribute]) => {
    const { computed: _filledIn, ...asked } = attribute
    return attribute.optional || attribute.required ? [[name, asked] as const] : []
  })
  // A query is complete without the members that were removed.
  const attributes: TerraformAttributes = Object.fromEntries(given)
  return { version: 0, description: `The ${pluralTitle(kind)} that there are, managed or not.`, attributes }
}

function listSource(kind: DeclarableKind) {
  return Object.values(dataSources).find(source => source.is === 'many' && source.kind.name === kind.name)
}

/**
 * What Terraform's users can set beyond the fields of the interface, and for which kinds. An extra is
 * `computed` if the provider calculates its default value.
 */
interface Extra {
  readonly appliesTo: (kind: DeclarableKind) => boolean
  readonly attribute: TerraformAttribute | ((kind: DeclarableKind) => TerraformAttribute)
  /** Another value means another object. */
  readonly replaces?: true
}

const isScoped = (scope: Kind['scope']) => (kind: Kind) => kind.scope === scope

/** Advice for Terraform's users about the field that defines who gets an object, beyond its description. */
const targetingText =
  'Where `release`, `variants` or `payload` say it instead, this is null, or what they cannot say of what somebody made of it in the product; those are what to ignore changes of. `provider::vexil::filters(vexil_feature_flag.NAME)` is what either way amounts to.'

const extras = {
  adopt: {
    appliesTo: kind => kind.lifecycle.create !== undefined,
    attribute: optional(
      'bool',
      'Whether an object that is live already, and exactly as configured, is taken over instead of refused.',
    ),
  },
  project_id: {
    appliesTo: isScoped('project'),
    replaces: true,
    attribute: settable('string', 'The project it lives in; that of the provider when left out.'),
  },
  organization_id: {
    appliesTo: isScoped('organization'),
    replaces: true,
    attribute: settable('string', 'The organization it lives in; that of the provider when left out.'),
  },
  source: {
    appliesTo: kind => kind.lifecycle.files !== undefined,
    attribute: settable(
      ['map', 'string'],
      'Source files, from name to text. A file that is taken out is removed; others are left alone.',
    ),
  },
  on_destroy: {
    appliesTo: kind => kind.lifecycle.cannotCreate !== undefined,
    attribute: optional(
      'string',
      'What destroying does: "forget" (the default) leaves it as it is, "restore" puts back what was there before, "delete" deletes it until such an event is seen again.',
      destroyWays,
    ),
  },
  ...typedExtras(),
  allow: {
    appliesTo: kind => guardsOfKind(kind).length > 0,
    attribute: kind =>
      optional(
        ['set', 'string'],
        `Rules that do not block it: ${guardsOfKind(kind)
          .map(rule => `"${rule}" (${guards[rule].doc})`)
          .join(', ')}.`,
        guardsOfKind(kind),
      ),
  },
  deleted: {
    appliesTo: kind => kind.lifecycle.softDelete !== undefined,
    attribute: computed(
      'bool',
      'Whether somebody has deleted it in the service, which keeps it: then it is planned to be restored, with its id and its grants, as it is configured. To have it stay deleted, take the resource out: `removed` or `terraform state rm`.',
    ),
  },
  tags_all: {
    appliesTo: kind => kind.lifecycle.ownedBy !== undefined,
    attribute: computed(
      ['set', 'string'],
      'The tags with the `default_tags` of the provider, as the service keeps them. To leave tags to people in the product, ignore changes of the others: `ignore_changes = [tags]`. The default ones are put back all the same.',
    ),
  },
} satisfies Readonly<Record<string, Extra>>

/** The attributes that express in parts what the conditions of a flag hold as JSON. */
function typedExtras(): Readonly<Record<string, Extra>> {
  return Object.fromEntries(
    Object.entries(typedTerraformAttributes('filters')).map(([name, attribute]) => [
      name,
      { appliesTo: hasTargeting, attribute },
    ]),
  )
}

/** The extras of a kind's resource. */
export const extrasOf = oncePer(describeExtras)

function describeExtras(kind: DeclarableKind): TerraformAttributes {
  const rows = Object.entries<Extra>(extras).filter(([, { appliesTo }]) => appliesTo(kind))
  return {
    ...Object.fromEntries(
      rows.map(([name, { attribute }]) => [
        name,
        typeof attribute === 'function' ? attribute(kind) : attribute,
      ]),
    ),
    ...parentExtra(kind),
  }
}

function parentExtra(kind: DeclarableKind): TerraformAttributes {
  const [name, parent] = [parentAttribute(kind), kind.lifecycle.parent]
  if (!name || !parent) return {}
  const { title } = declarableKind(parent.kind)
  const description = `The id of the ${title}: \`${typeName(parent.kind)}.NAME.id\`.`
  return { [name]: { type: 'string', required: true, description } }
}

/** The attributes of a kind's resource whose change creates another object. */
export const replacingAttributes = oncePer((kind: Kind): readonly string[] => {
  if (!isDeclarable(kind)) return []
  const rows = Object.entries<Extra>(extras)
  const replacing = rows.filter(([, extra]) => extra.replaces && extra.appliesTo(kind)).map(([name]) => name)
  const parent = parentAttribute(kind)
  return [...replacing, ...(parent ? [parent] : []), ...replacingIdentity(kind)]
})

/**
 * Another role is another grant, and another name another event. A flag and a plugin are renamed in place:
 * the service keeps their id and with it grants, experiments and history. A replacement would lose them.
 */
function replacingIdentity({ identity, lifecycle }: DeclarableKind): string[] {
  if (identity.by === 'parent') return [identity.sentAs]
  return lifecycle.create === undefined ? [identity.field] : []
}

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
