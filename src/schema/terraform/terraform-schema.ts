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

/** The schema of the whole provider, computed from kinds and from the tables of additions. */
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

/** The attributes of a kind's resource: managed fields, Terraform's additions and a few read-only fields. */
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

const resourceVersion = 0

export const providerBlock: TerraformBlock = {
  version: 0,
  description: 'Feature flags, role access, plugins and event definitions of a product-analytics service.',
  attributes: {
    base_url: optional('string', `${baseUrlDescription} ${orVariables('base_url')}`),
    api_key: {
      type: 'string',
      optional: true,
      sensitive: true,
      description: `The personal API key. Better set it with an environment variable. ${orVariables('api_key')} A variable that ends in _FILE contains the path of a file with the key.`,
    },
    project_id: optional(
      'string',
      `The project of all objects that do not set their own. ${orVariables('project_id')}`,
    ),
    organization_id: optional(
      'string',
      `The organization of all objects that do not set their own. ${orVariables('organization_id')}`,
    ),
    profile: optional(
      'string',
      `The API profile of the service. "auto" (default): the first answers decide. "documented": as documented. "posthog": the public service of early 2024. "posthog-2026": the public service of autumn 2026. ${orVariables('profile')}`,
      profileSettings,
    ),
    parallelism: optional(
      'number',
      `How many requests may run at the same time, from ${parallelismRange.from} to ${parallelismRange.to}. Default: 8. ${orVariables('parallelism')}`,
    ),
    retry_attempts: optional('number', 'The largest number of attempts for one request. Default: 5.'),
    retry_budget: optional('number', 'The largest number of retries for all requests together. Default: 50.'),
    default_tags: optional(
      ['set', 'string'],
      'Tags for every flag and event definition, in addition to its own `tags`.',
    ),
    allow: optional(
      ['set', 'string'],
      `Rules that never block, like \`allow\` of a resource: ${objectGuards()
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

function parameterJson({ name, type, description }: FunctionParameter): JsonObject {
  return { name, type, description }
}

function mapValues<V>(record: Readonly<Record<string, V>>, form: (value: V) => JsonObject): JsonObject {
  const names = Object.keys(record).sort()
  // The names are the record's own.
  return Object.fromEntries(names.map(name => [name, form(record[name] as V)]))
}

/** The kinds that `terraform query` can list: those with a listing data source. */
export const listedKinds: readonly DeclarableKind[] = declarableKinds.filter(
  kind => listSource(kind) !== undefined,
)

/** The arguments for listing a kind's resources: the same as of its listing data source. */
export function listResourceBlock(kind: DeclarableKind): TerraformBlock {
  const source = listSource(kind)
  if (!source) throw new RangeError(`nothing lists ${kind.title}s`)
  const given = Object.entries(dataSourceBlock(source).attributes).flatMap(([name, attribute]) => {
    const { computed: _filledIn, ...asked } = attribute
    return attribute.optional || attribute.required ? [[name, asked] as const] : []
  })
  // The result is valid without the removed members.
  const attributes: TerraformAttributes = Object.fromEntries(given)
  return { version: 0, description: `All live ${pluralTitle(kind)}, managed or not.`, attributes }
}

function listSource(kind: DeclarableKind) {
  return Object.values(dataSources).find(source => source.is === 'many' && source.kind.name === kind.name)
}

/** An attribute that the interface lacks, and its kinds. `computed`: the provider calculates its default. */
interface Extra {
  readonly appliesTo: (kind: DeclarableKind) => boolean
  readonly attribute: TerraformAttribute | ((kind: DeclarableKind) => TerraformAttribute)
  /** A change of the value replaces the object. */
  readonly replaces?: true
}

const isScoped = (scope: Kind['scope']) => (kind: Kind) => kind.scope === scope

/** Additional advice for Terraform's users about the field that defines who gets a flag. */
const targetingText =
  'If you use `release`, `variants` or `payload`, this is null. It then contains only edits from the product that those attributes cannot express; to keep such edits, ignore changes of those attributes. `provider::vexil::filters(vexil_feature_flag.NAME)` returns the filters in both cases.'

const extras = {
  adopt: {
    appliesTo: kind => kind.lifecycle.create !== undefined,
    attribute: optional(
      'bool',
      'Whether to adopt an existing live object that equals the configuration, instead of failing.',
    ),
  },
  project_id: {
    appliesTo: isScoped('project'),
    replaces: true,
    attribute: settable('string', "The project of the object. Default: the provider's project."),
  },
  organization_id: {
    appliesTo: isScoped('organization'),
    replaces: true,
    attribute: settable('string', "The organization of the object. Default: the provider's organization."),
  },
  source: {
    appliesTo: kind => kind.lifecycle.files !== undefined,
    attribute: settable(
      ['map', 'string'],
      'Source files, from name to text. A file that you remove here is deleted. Other files stay unchanged.',
    ),
  },
  on_destroy: {
    appliesTo: kind => kind.lifecycle.cannotCreate !== undefined,
    attribute: optional(
      'string',
      'What `destroy` does. "forget" (default): keeps the object unchanged. "restore": puts the earlier values back. "delete": deletes the definition until the service sees such an event again.',
      destroyWays,
    ),
  },
  ...typedExtras(),
  allow: {
    appliesTo: kind => guardsOfKind(kind).length > 0,
    attribute: kind =>
      optional(
        ['set', 'string'],
        `Rules that may not block this object: ${guardsOfKind(kind)
          .map(rule => `"${rule}" (${guards[rule].doc})`)
          .join(', ')}.`,
        guardsOfKind(kind),
      ),
  },
  deleted: {
    appliesTo: kind => kind.lifecycle.softDelete !== undefined,
    attribute: computed(
      'bool',
      'Whether it was soft-deleted in the service. If so, the plan restores it as configured, with its id and its grants. To keep it deleted, remove the resource with a `removed` block or `terraform state rm`.',
    ),
  },
  tags_all: {
    appliesTo: kind => kind.lifecycle.ownedBy !== undefined,
    attribute: computed(
      ['set', 'string'],
      "The live tags: `tags` and the provider's `default_tags`. To let people change tags in the product, set `ignore_changes = [tags]`; missing default tags are still added again.",
    ),
  },
} satisfies Readonly<Record<string, Extra>>

/** The typed attributes: the content of `filters` in parts. */
function typedExtras(): Readonly<Record<string, Extra>> {
  return Object.fromEntries(
    Object.entries(typedTerraformAttributes('filters')).map(([name, attribute]) => [
      name,
      { appliesTo: hasTargeting, attribute },
    ]),
  )
}

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

/** The attributes of a kind's resource whose change creates a new object. */
export const replacingAttributes = oncePer((kind: Kind): readonly string[] => {
  if (!isDeclarable(kind)) return []
  const rows = Object.entries<Extra>(extras)
  const replacing = rows.filter(([, extra]) => extra.replaces && extra.appliesTo(kind)).map(([name]) => name)
  const parent = parentAttribute(kind)
  return [...replacing, ...(parent ? [parent] : []), ...replacingIdentity(kind)]
})

/**
 * A grant for another role is another grant, and an event with another name is another event. A flag or
 * plugin is renamed in place: it keeps its id and with it grants, experiments and history, which a
 * replacement would lose.
 */
function replacingIdentity({ identity, lifecycle }: DeclarableKind): string[] {
  if (identity.by === 'parent') return [identity.sentAs]
  return lifecycle.create === undefined ? [identity.field] : []
}

export interface FunctionSignature {
  readonly summary: string
  readonly description: string
  readonly parameters: readonly FunctionParameter[]
  /** The variadic parameter: Terraform has no other kind of optional argument. */
  readonly variadic?: FunctionParameter
  readonly returns: Type
}

export interface FunctionParameter {
  readonly name: string
  readonly type: Type
  readonly description: string
  /** Without this, Terraform treats the result as unknown if any part of the argument is unknown. */
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
      'Who gets a flag, as JSON text: the `filters` of a resource, or the filters that its typed attributes express. Pass the result to the other functions. The result is sensitive if any part of the flag is. Sends no request.',
    parameters: [
      {
        name: 'flag',
        type: 'dynamic',
        description: 'The resource `vexil_feature_flag.NAME`, or an object with some of its attributes.',
        allowUnknown: true,
      },
    ],
    returns: 'string',
  },
  rollout: {
    summary: 'The reach of filters',
    description: 'Which people each condition reaches, and what percentage of them. Sends no request.',
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
    summary: 'The variants in filters',
    description: 'A map from variant to its percentage; empty for a flag without variants.',
    parameters: [filters],
    returns: ['map', 'number'],
  },
  evaluate: {
    summary: 'The value for a person',
    description:
      'Evaluates a flag for one person as the service does, with only the given properties. If they are not enough, `undecided` is true and `undecided_reason` has the reason: a missing property, a cohort, a group, a holdout, or an unsupported pattern. `undecided` is also true if evaluators disagree: services with different profiles (if you name none), or the service and SDKs that evaluate locally.',
    parameters: [
      {
        name: 'key',
        type: 'string',
        description: "The key of the flag. It decides the person's share of a rollout.",
      },
      filters,
      { name: 'distinct_id', type: 'string', description: 'The distinct id of the person.' },
      {
        name: 'properties',
        type: 'string',
        description:
          'The person\'s properties, as JSON text: `jsonencode({ country = "DE" })`; `"{}"` if there are none.',
      },
    ],
    variadic: {
      name: 'profile',
      type: 'string',
      description: `The profile of the service that evaluates: ${profiles.map(profile => `"${profile}"`).join(', ')}. Default, and with \`"auto"\`: all of them, because a function does not know the provider's setting.`,
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
