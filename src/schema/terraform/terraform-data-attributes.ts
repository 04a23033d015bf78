import { declarableKind, paging } from '../../kinds/index.ts'
import { pathParameters } from '../../model/endpoint.ts'
import {
  type IdentifiedKind,
  identityField,
  type Kind,
  managedFields,
  shownFields,
  switchField,
} from '../../model/kind.ts'
import {
  shownAttribute,
  type TerraformAttribute,
  type TerraformAttributes,
  type TerraformBlock,
} from './terraform-attribute.ts'
import type { DataSource } from './terraform-data-sources.ts'
import { parentAttribute } from './terraform-names.ts'

/** The schema of a data source, as Terraform asks for it. */
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

/** The attribute that says by its name what an object hangs from: `flag_key`. */
export function parentNameAttribute({ lifecycle }: IdentifiedKind): string | undefined {
  if (!lifecycle.parent) return undefined
  const parent = declarableKind(lifecycle.parent.kind)
  return `${parent.title}_${identityField(parent)}`
}

/**
 * The attribute that a path parameter is given by: an id, and a name, say of what; the owner of everything has the same
 * name everywhere.
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

function lookupAttributes(kind: IdentifiedKind): TerraformAttributes {
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

function filterAttributes(kind: IdentifiedKind): TerraformAttributes {
  const parent = parentAttribute(kind)
  const named = parentNameAttribute(kind)
  if (parent !== undefined && named !== undefined) {
    const { title, identity } = declarableKind(kind.lifecycle.parent?.kind ?? '')
    const name = identityField({ identity })
    return {
      [parent]: {
        type: 'string',
        optional: true,
        description: `The id of the ${title}; or give \`${named}\`.`,
      },
      [named]: {
        type: 'string',
        optional: true,
        description: `The ${name} of the ${title}; or give its id.`,
      },
    }
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
            description: 'Only those with all of these tags.',
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
    const name = parameterAttribute(parameter, kind)
    if (name === 'project_id' || name === 'organization_id')
      return [
        name,
        { type: 'string', optional: true, description: `${ownerLine(name)} of the provider when left out.` },
      ]
    const description = source.withoutId ? 'Which one; all of them when it is left out.' : 'Which one.'
    return [
      name,
      { type: 'string', ...(source.withoutId ? { optional: true } : { required: true }), description },
    ]
  })
  return Object.fromEntries(parameters)
}

function ownerLine(name: string): string {
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
        ...(oneOf ? { choices: oneOf } : {}),
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
