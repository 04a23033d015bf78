import { declarableKinds } from '../../kinds/index.ts'
import { parallelismRange, profileSettings } from '../../model/connection.ts'
import { guards, objectGuards } from '../../model/guard-rules.ts'
import type { JsonObject } from '../../model/json/json.ts'
import {
  type DeclarableKind,
  isTargeting,
  managedFields,
  pluralTitle,
  shownFields,
} from '../../model/kind.ts'
import { oncePer } from '../../model/runtime.ts'
import { baseUrlDescription } from '../input/settings-schema.ts'
import {
  blockJson,
  computed,
  managedAttribute,
  optional,
  orVariables,
  shownAttribute,
  type TerraformAttribute,
  type TerraformAttributes,
  type TerraformBlock,
} from './terraform-attribute.ts'
import { dataSourceBlock, dataSources } from './terraform-data-sources.ts'
import { extrasOf, targetingText } from './terraform-extras.ts'
import { type FunctionParameter, type FunctionSignature, functionSignatures } from './terraform-functions.ts'
import { identityJson } from './terraform-identity.ts'
import { providerSource, typeName } from './terraform-names.ts'

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
