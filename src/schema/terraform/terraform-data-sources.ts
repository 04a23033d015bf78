import { declarableKind, kinds, paging } from '../../kinds/index.ts'
import { type Endpoint, type EndpointSource, pathParameters } from '../../model/endpoint.ts'
import {
  type IdentifiedKind,
  identityField,
  isIdentified,
  type Kind,
  managedFields,
  pluralTitle,
  shownFields,
  switchField,
} from '../../model/kind.ts'
import {
  computed,
  optional,
  settable,
  shownAttribute,
  type TerraformAttribute,
  type TerraformAttributes,
  type TerraformBlock,
} from './terraform-attribute.ts'
import { parentAttribute } from './terraform-names.ts'

/**
 * What a data source reads.
 * - `one`: an object of a kind, by its identity or its id.
 * - `many`: the living objects of a kind that match the filters.
 * - `answer`: the answer of one operation, as text, and as rows if it is a list of the kind.
 */
export type DataSource =
  | {
      readonly is: 'one' | 'many'
      readonly kind: IdentifiedKind
      readonly doc: string
      readonly read: ReadEndpoint
    }
  | {
      readonly is: 'answer'
      readonly kind: Kind
      readonly endpoint: string
      /** The operation to use if the id is absent. */
      readonly withoutId?: string
      readonly rows?: true
      readonly doc: string
      readonly read: ReadEndpoint
    }

/**
 * Every data source by its name: the subject of each GET of the interface.
 *
 * | the operation                   | is       | named, unless the kind has another name |
 * |---------------------------------|----------|-----------------------------------------|
 * | reads an object that has a name | `one`    | as the kind                             |
 * | lists those                     | `many`   | as the section of the kind              |
 * | reads or lists anything else    | `answer` | the same                                |
 * | is another one                  | `answer` | as the kind and the operation           |
 *
 * A child object has no name of its own for reading it, and is only listed.
 */
export const dataSources: Readonly<Record<string, DataSource>> = Object.fromEntries(
  Object.values<Kind>(kinds).flatMap(sourcesOf),
)

function sourcesOf(kind: Kind): (readonly [name: string, DataSource])[] {
  const rows = Object.entries(kind.endpoints)
  const included = rows.map(([, { source }]) => (source ? source.withoutId : undefined))
  return rows.flatMap(([endpoint, read]) => {
    const { method, source = {} } = read
    if (method !== 'GET' || source === false || included.includes(endpoint)) return []
    const found = describedSource(kind, endpoint, { ...read, source })
    return found ? [[source.name ?? nameOf(kind, endpoint), found] as const] : []
  })
}

type ReadEndpoint = Endpoint & { readonly source: EndpointSource }

function describedSource(kind: Kind, endpoint: string, read: ReadEndpoint): DataSource | undefined {
  const { source, answer, doc } = read
  const [isList, isRead] = [endpoint === listOf(kind), endpoint === readOf(kind)]
  if (isIdentified(kind) && (isList || isRead)) {
    if (isRead && kind.identity.by === 'parent') return undefined
    const is = isList ? 'many' : 'one'
    return { is, kind, doc: source.doc ?? (isList ? manyText(kind) : oneLine(kind)), read }
  }
  const { withoutId } = source
  return {
    is: 'answer',
    kind,
    endpoint,
    read,
    doc: source.doc ?? (isRead ? `${withArticle(kind.title)} by its id.` : doc),
    ...(withoutId === undefined ? {} : { withoutId }),
    ...(answer === 'page' ? { rows: true } : {}),
  }
}

function nameOf(kind: Kind, endpoint: string): string {
  if (endpoint === listOf(kind)) return kind.section
  if (endpoint === readOf(kind)) return kind.name
  return `${kind.name}_${endpoint.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)}`
}

/** Events have no lifecycle, but can be listed and read. */
function listOf({ lifecycle }: Kind): string {
  return lifecycle?.list ?? 'list'
}

function readOf({ lifecycle }: Kind): string {
  return lifecycle?.read ?? 'read'
}

function oneLine(kind: IdentifiedKind): string {
  const { title, longTitle = title } = kind
  return `${withArticle(longTitle)} by its ${identityField(kind)} or its id.`
}

function manyText(kind: IdentifiedKind): string {
  return `The ${pluralTitle(kind)} of ${withArticle(kind.scope).toLowerCase()}.`
}

function withArticle(words: string): string {
  return `${/^[aeiou]/.test(words) ? 'An' : 'A'} ${words}`
}

export function dataSourceBlock(source: DataSource): TerraformBlock {
  return { version: 0, description: source.doc, attributes: attributesOf(source) }
}

/** The fields that a data source shows: all fields of the kind, since reading more costs nothing. */
export function shownRow(kind: Kind): TerraformAttributes {
  return Object.fromEntries(
    Object.entries(kind.fields).map(([name, field]) => {
      const shown = shownAttribute(field)
      return [name, name === 'id' ? { ...shown, type: 'string' as const } : shown]
    }),
  )
}

/** The attribute with the key of an object's parent: `flag_key`. */
export function parentNameAttribute({ lifecycle }: IdentifiedKind): string | undefined {
  if (!lifecycle.parent) return undefined
  const parent = declarableKind(lifecycle.parent.kind)
  return `${parent.title}_${identityField(parent)}`
}

/**
 * The attribute for a path parameter: an id, prefixed with its subject's name if there is one. Project and
 * organization have the same attribute everywhere.
 */
export function parameterAttribute(parameter: string, kind: Kind): string {
  const { name, fields, lifecycle } = kind
  if (parameter === 'parent_lookup_organization_id') return 'organization_id'
  if (parameter === lifecycle?.parent?.parameter) return parentAttribute(kind) ?? parameter
  if (parameter === 'id') return `${name}_id`
  const field = parameter.startsWith(`${name}_`) ? parameter.slice(name.length + 1) : parameter
  return field in fields ? field : parameter
}

function attributesOf(source: DataSource): TerraformAttributes {
  const { kind } = source
  switch (source.is) {
    case 'one':
      return { ...shownRow(kind), ...ownerAttribute(kind), ...lookupAttributes(source.kind) }
    case 'many':
      return {
        ...ownerAttribute(kind),
        ...filterAttributes(source.kind),
        [resultsAttribute(kind)]: { list: rowOf(kind), computed: true, description: `The ${kind.title}s.` },
      }
    case 'answer':
      return {
        ...parameterAttributes(source, kind),
        ...queryAttributes(source, kind),
        query: optional(
          ['map', 'string'],
          'More query parameters that the service accepts but the document does not list.',
        ),
        ...answerAttributes(source, kind),
      }
  }
}

/** The name of the attribute with the rows. */
export function resultsAttribute(kind: Kind): string {
  return kind.section
}

/** A grant shows the role as two strings, because its flag is known. Other kinds show all fields. */
function rowOf(kind: Kind): TerraformAttributes {
  if (kind.identity?.by !== 'parent') return shownRow(kind)
  const names = ['id', ...managedFields(kind), ...shownFields(kind)]
  const all = shownRow(kind)
  const picked = Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))
  return {
    ...picked,
    [`${kind.identity.structure}_name`]: computed('string', 'The name of the role.'),
  }
}

function ownerAttribute(kind: Kind): TerraformAttributes {
  const name = kind.scope === 'project' ? 'project_id' : 'organization_id'
  const description = `The ${kind.scope} to search. Default: the provider's ${kind.scope}.`
  // Some records also name their owner.
  const isShown = name in kind.fields
  return { [name]: { type: 'string', optional: true, ...(isShown ? { computed: true } : {}), description } }
}

function lookupAttributes(kind: IdentifiedKind): TerraformAttributes {
  const identity = identityField(kind)
  return {
    id: settable('string', `The id of the ${kind.title}. Set either this or \`${identity}\`.`),
    [identity]: settable('string', `${kind.fields[identity]?.doc ?? ''} Set either this or \`id\`.`),
  }
}

function filterAttributes(kind: IdentifiedKind): TerraformAttributes {
  const parent = parentAttribute(kind)
  const named = parentNameAttribute(kind)
  if (parent !== undefined && named !== undefined) {
    const { title, identity } = declarableKind(kind.lifecycle.parent?.kind ?? '')
    const name = identityField({ identity })
    return {
      [parent]: optional('string', `The id of the ${title}. Set either this or \`${named}\`.`),
      [named]: optional('string', `The ${name} of the ${title}. Set either this or its id.`),
    }
  }
  const { ownedBy } = kind.lifecycle
  const turned = switchField(kind)
  return {
    search: optional('string', 'Only objects whose name contains this text.'),
    ...(ownedBy
      ? {
          [ownedBy]: optional(['set', 'string'], 'Only objects with all of these tags.'),
        }
      : {}),
    ...(turned === undefined
      ? {}
      : { [turned]: optional('bool', 'Only objects that are on (true) or off (false).') }),
  }
}

function parameterAttributes(source: Extract<DataSource, { is: 'answer' }>, kind: Kind): TerraformAttributes {
  const path = kind.endpoints[source.endpoint]?.path ?? ''
  const parameters = pathParameters(path).map(parameter => {
    const name = parameterAttribute(parameter, kind)
    if (name === 'project_id' || name === 'organization_id')
      return [name, optional('string', ownerLine(name))]
    const description = source.withoutId
      ? 'The id of the object. Default: all objects.'
      : 'The id of the object.'
    return [
      name,
      { type: 'string', ...(source.withoutId ? { optional: true } : { required: true }), description },
    ]
  })
  return Object.fromEntries(parameters)
}

function ownerLine(name: string): string {
  return name === 'project_id'
    ? "The project. Default: the provider's project."
    : "The organization. Default: the provider's organization."
}

function queryAttributes(source: Extract<DataSource, { is: 'answer' }>, kind: Kind): TerraformAttributes {
  const query = Object.entries(kind.endpoints[source.endpoint]?.query ?? {})
  return Object.fromEntries(
    query.map(([name, { doc, type, oneOf }]) => [
      name,
      {
        // The document declares ids as numbers, but services differ. Terraform converts a number to a string.
        type: name in paging ? ('number' as const) : ('string' as const),
        optional: true as const,
        ...(oneOf ? { choices: oneOf } : {}),
        description: `${doc}${type === 'array' ? ' JSON text.' : ''}${oneOf ? ` One of ${oneOf.map(one => `"${one}"`).join(', ')}.` : ''}`,
      },
    ]),
  )
}

function answerAttributes(source: Extract<DataSource, { is: 'answer' }>, kind: Kind): TerraformAttributes {
  const body: TerraformAttribute = computed(
    'string',
    'The unchanged answer. It is JSON text for `jsondecode`, unless you request another format.',
  )
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
