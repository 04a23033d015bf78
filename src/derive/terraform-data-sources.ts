import { declarableKind, type KindName, kinds, paging } from '../kinds/index.ts'
import { pathParameters } from '../model/endpoint.ts'
import {
  type DeclarableKind,
  identityField,
  type Kind,
  managedFields,
  shownFields,
  switchField,
} from '../model/kind.ts'
import {
  shownAttribute,
  type TerraformAttribute,
  type TerraformAttributes,
  type TerraformBlock,
} from './terraform-attribute.ts'

/**
 * What a data source reads.
 * - `one`: an object of a kind, by its identity or its id.
 * - `many`: the living objects of a kind that the filters accept.
 * - `answer`: what one operation of the interface answers, as text, and as rows where it is a list of the kind.
 */
export type DataSource =
  | { readonly is: 'one'; readonly kind: KindName; readonly doc: string }
  | { readonly is: 'many'; readonly kind: KindName; readonly doc: string }
  | {
      readonly is: 'answer'
      readonly kind: KindName
      readonly endpoint: string
      /** The operation that is meant when the id is left out. */
      readonly withoutId?: string
      /** Attributes by which path parameters are given, under better names. */
      readonly names?: Readonly<Record<string, string>>
      readonly rows?: true
      readonly doc: string
    }

// biome-ignore format: a table
export const dataSources = {
  feature_flag:              { is: 'one', kind: 'feature_flag', doc: 'A flag by its key or its id.' },
  feature_flags:             { is: 'many', kind: 'feature_flag', doc: 'The flags of a project.' },
  feature_flag_role_access:  { is: 'many', kind: 'feature_flag_role_access', doc: 'The roles that may edit a flag.' },
  feature_flag_activity:     { is: 'answer', kind: 'feature_flag', endpoint: 'activity', withoutId: 'allActivity', names: { id: 'feature_flag_id' }, doc: 'What happened to a flag, or to all flags.' },
  local_evaluation:          { is: 'answer', kind: 'feature_flag', endpoint: 'localEvaluation', doc: 'The active flags, for evaluation outside the service.' },
  evaluation_reasons:        { is: 'answer', kind: 'feature_flag', endpoint: 'evaluationReasons', doc: 'Why the caller gets each value.' },
  my_flags:                  { is: 'answer', kind: 'feature_flag', endpoint: 'myFlags', doc: 'The values that the caller gets.' },
  organization_feature_flag: { is: 'answer', kind: 'feature_flag', endpoint: 'readByKey', names: { feature_flag_key: 'key' }, doc: 'The flags of one key over all projects of an organization.' },
  plugin:                    { is: 'one', kind: 'plugin', doc: 'A plugin by its name or its id.' },
  plugins:                   { is: 'many', kind: 'plugin', doc: 'The plugins of an organization.' },
  plugin_source:             { is: 'answer', kind: 'plugin', endpoint: 'source', names: { id: 'plugin_id' }, doc: 'The source files of a plugin.' },
  plugin_activity:           { is: 'answer', kind: 'plugin', endpoint: 'activity', doc: 'What happened to plugins.' },
  plugin_repository:         { is: 'answer', kind: 'plugin', endpoint: 'repository', doc: 'Plugins that can be installed.' },
  unused_plugins:            { is: 'answer', kind: 'plugin', endpoint: 'unused', doc: 'Plugins that nothing is configured to use.' },
  event_definition:          { is: 'one', kind: 'event_definition', doc: 'An event definition by its name or its id.' },
  event_definitions:         { is: 'many', kind: 'event_definition', doc: 'The event definitions of a project.' },
  events:                    { is: 'answer', kind: 'event', endpoint: 'list', rows: true, doc: 'Recorded events, newest first.' },
  event:                     { is: 'answer', kind: 'event', endpoint: 'read', names: { id: 'event_id' }, doc: 'A recorded event by its id.' },
  event_values:              { is: 'answer', kind: 'event', endpoint: 'values', doc: 'The values that a property was seen with.' },
} as const satisfies Readonly<Record<string, DataSource>>

/** Reads the whole row out of the table, whose members differ. */
export function dataSource(name: string): DataSource {
  const row = Object.entries<DataSource>(dataSources).find(([known]) => known === name)?.[1]
  if (!row) throw new RangeError(`"${name}" is not a data source`)
  return row
}

export function dataSourceBlock(source: DataSource): TerraformBlock {
  return { version: 0, description: source.doc, attributes: attributesOf(source) }
}

/** The fields of a kind that a data source shows: all of them, since reading costs nothing more. */
export function shownRow(kind: Kind): TerraformAttributes {
  return Object.fromEntries(
    Object.entries(kind.fields).map(([name, field]) => {
      const shown = shownAttribute(field)
      return [name, name === 'id' ? { ...shown, type: 'string' as const } : shown]
    }),
  )
}

/** What a parent's row is called in the attributes of those that hang from it. */
export function parentAttribute(kind: DeclarableKind): string | undefined {
  return kind.lifecycle.parent && `${kind.lifecycle.parent.kind}_id`
}

/** The attribute that a path parameter is given by; the owner of everything has the same name everywhere. */
export function parameterAttribute(
  parameter: string,
  { names = {} }: { readonly names?: Readonly<Record<string, string>> },
): string {
  return parameter === 'parent_lookup_organization_id' ? 'organization_id' : (names[parameter] ?? parameter)
}

function attributesOf(source: DataSource): TerraformAttributes {
  const kind: Kind = kinds[source.kind]
  switch (source.is) {
    case 'one':
      return { ...shownRow(kind), ...ownerAttribute(kind), ...lookupAttributes(declarableKind(kind.name)) }
    case 'many':
      return {
        ...ownerAttribute(kind),
        ...filterAttributes(declarableKind(kind.name)),
        [resultsAttribute(kind)]: { list: rowOf(kind), computed: true, description: `The ${kind.title}s.` },
      }
    case 'answer':
      return {
        ...parameterAttributes(source, kind),
        ...queryAttributes(source, kind),
        query: {
          type: ['map', 'string'],
          optional: true,
          description: 'Query parameters that the service knows beside those of the document.',
        },
        ...answerAttributes(source, kind),
      }
  }
}

/** Under which name the rows of several objects are found. */
export function resultsAttribute(kind: Kind): string {
  return kind.section
}

/** Of a grant, the flag is known and the role is two plain texts; other kinds show everything. */
function rowOf(kind: Kind): TerraformAttributes {
  if (kind.identity?.by !== 'parent') return shownRow(kind)
  const names = ['id', ...managedFields(kind), ...shownFields(kind)]
  const all = shownRow(kind)
  const picked = Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))
  return {
    ...picked,
    [`${kind.identity.structure}_name`]: {
      type: 'string',
      computed: true,
      description: 'The name of the role.',
    },
  }
}

function ownerAttribute(kind: Kind): TerraformAttributes {
  const name = kind.scope === 'project' ? 'project_id' : 'organization_id'
  const description = `The ${kind.scope} to look in; that of the provider when left out.`
  // Some records say whose they are, too.
  const isShown = name in kind.fields
  return { [name]: { type: 'string', optional: true, ...(isShown ? { computed: true } : {}), description } }
}

function lookupAttributes(kind: DeclarableKind): TerraformAttributes {
  const identity = identityField(kind)
  const lookup = (description: string): TerraformAttribute => ({
    type: 'string',
    optional: true,
    computed: true,
    description,
  })
  return {
    id: lookup(`The id of the ${kind.title}; or give \`${identity}\`.`),
    [identity]: lookup(`${kind.fields[identity]?.doc ?? ''} Or give \`id\`.`),
  }
}

function filterAttributes(kind: DeclarableKind): TerraformAttributes {
  const parent = parentAttribute(kind)
  if (parent !== undefined)
    return {
      [parent]: { type: 'string', optional: true, description: 'The id of the flag; or give `flag_key`.' },
      flag_key: { type: 'string', optional: true, description: 'The key of the flag; or give its id.' },
    }
  const { ownedBy } = kind.lifecycle
  const turned = switchField(kind)
  return {
    search: { type: 'string', optional: true, description: 'Only those whose name contains this text.' },
    ...(ownedBy
      ? {
          [ownedBy]: {
            type: ['set', 'string'],
            optional: true,
            description: 'Only those with all of these labels.',
          },
        }
      : {}),
    ...(turned === undefined
      ? {}
      : { [turned]: { type: 'bool', optional: true, description: 'Only those that are on, or off.' } }),
  }
}

function parameterAttributes(source: Extract<DataSource, { is: 'answer' }>, kind: Kind): TerraformAttributes {
  const path = kind.endpoints[source.endpoint]?.path ?? ''
  const parameters = pathParameters(path).map(parameter => {
    const name = parameterAttribute(parameter, source)
    if (name === 'project_id' || name === 'organization_id')
      return [
        name,
        { type: 'string', optional: true, description: `${ownerWords(name)} of the provider when left out.` },
      ]
    const description = source.withoutId ? 'Which one; all of them when it is left out.' : 'Which one.'
    return [
      name,
      { type: 'string', ...(source.withoutId ? { optional: true } : { required: true }), description },
    ]
  })
  return Object.fromEntries(parameters)
}

function ownerWords(name: string): string {
  return name === 'project_id' ? 'The project; that' : 'The organization; that'
}

function queryAttributes(source: Extract<DataSource, { is: 'answer' }>, kind: Kind): TerraformAttributes {
  const query = Object.entries(kind.endpoints[source.endpoint]?.query ?? {})
  return Object.fromEntries(
    query.map(([name, { doc, type, oneOf }]) => [
      name,
      {
        // The document calls ids numbers, which services do not keep to; a number is taken as text as well.
        type: name in paging ? ('number' as const) : ('string' as const),
        optional: true as const,
        description: `${doc}${type === 'array' ? ' JSON text.' : ''}${oneOf ? ` One of ${oneOf.map(one => `"${one}"`).join(', ')}.` : ''}`,
      },
    ]),
  )
}

function answerAttributes(source: Extract<DataSource, { is: 'answer' }>, kind: Kind): TerraformAttributes {
  const body: TerraformAttribute = {
    type: 'string',
    computed: true,
    description: 'The answer as it came: JSON text, for `jsondecode`, unless another format was asked for.',
  }
  if (!source.rows) return { body }
  return {
    body,
    [resultsAttribute(kind)]: {
      list: shownRow(kind),
      computed: true,
      description: 'The rows of the answer.',
    },
  }
}
