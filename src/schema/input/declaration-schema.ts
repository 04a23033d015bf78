import { declarableKinds } from '../../kinds/index.ts'
import { isJsonObject, type JsonObject } from '../../model/json/json.ts'
import { type DeclarableKind, isTargeting, targetingField } from '../../model/kind.ts'
import { isNamingMember } from '../../targeting/short/short-form.ts'
import { dialect, schemaBase } from '../json-schema.ts'
import {
  ensureSchema,
  extraMembers,
  onlySchema,
  planningMembers,
  tagMemberSchemas,
} from './declaration-members.ts'
import { declaredFieldSchemas } from './declared-fields.ts'
import { filterDefinitions, partReference } from './filter-schema.ts'
import { declaredLiveEdits } from './live-edits-member.ts'
import { audienceFieldSchemas, shortDefinitions, shortFieldSchemas, shortReference } from './short-schema.ts'
import { testSections, testsSchema } from './test-schema.ts'

/** Where editors find the schema of declaration files. */
const declarationSchemaId = `${schemaBase}/declarations.schema.json`

/**
 * The schema of a YAML file of declarations: one section per kind. A kind that is found by a field of its own is a
 * map from identity to declaration; one that hangs from a parent is a list, and is also nested under its parent.
 */
export function declarationSchema(): JsonObject {
  return schemaWith(schema => schema)
}

/** The same with the inside of filters, for editors to complete and explain by. */
export function editorSchema(): JsonObject {
  const inside: ValueSchema = (schema, name, kind) => {
    if (!kind) return { ...schema, ...shortReference(name) }
    if (isTargeting(kind, name)) return { ...schema, ...partReference('filters') }
    return name in shortFieldSchemas(kind) ? { ...schema, ...shortReference(name) } : schema
  }
  return { ...schemaWith(inside), $defs: { ...filterDefinitions(), ...shortDefinitions() } }
}

/**
 * The same without the values of fields, for checking files: the rules of a declared object know more of those than a
 * schema can say, and hold wherever it is declared. Names of what the repository itself knows are no values of fields.
 */
export function frameSchema(): JsonObject {
  return schemaWith((schema, name) => (isNamingMember(name) ? schema : {}))
}

function schemaWith(valueSchema: ValueSchema): JsonObject {
  return {
    $schema: dialect,
    $id: declarationSchemaId,
    title: 'Vexil declarations',
    description: 'Feature flags, grants, plugins and event definitions of one team or area.',
    type: 'object',
    additionalProperties: false,
    // A place for anchors that several declarations share.
    patternProperties: { '^x-': { description: 'Anything; read for its anchors only.' } },
    properties: {
      include: {
        type: 'array',
        items: { type: 'string', minLength: 1 },
        description: 'Other files to read, as paths or globs relative to this file.',
      },
      audiences: audiencesSchema(valueSchema),
      ...testSections,
      ...Object.fromEntries(declarableKinds.map(kind => [kind.section, sectionSchema(kind, valueSchema)])),
    },
  }
}

/** Audiences belong to no kind: what they say is said in conditions of flags. */
function audiencesSchema(valueSchema: ValueSchema): JsonObject {
  const members = valuesBy(valueSchema, audienceFieldSchemas())
  return {
    type: ['object', 'null'],
    description:
      'Parts of conditions that flags of all files name with `audience`, by their names. Not stored in the service: flags have their properties.',
    additionalProperties: {
      type: ['object', 'null'],
      additionalProperties: false,
      properties: {
        ...members,
        environments: {
          type: 'object',
          description: 'What is different in an environment, by its name; merged as in the short form.',
          additionalProperties: {
            type: ['object', 'null'],
            additionalProperties: false,
            properties: members,
          },
        },
      },
    },
  }
}

/** What is said of the value of a field, by its own schema and its name in a kind; without one, in an audience. */
type ValueSchema = (schema: JsonObject, name: string, kind?: DeclarableKind) => JsonObject

function valuesBy(valueSchema: ValueSchema, schemas: JsonObject, kind?: DeclarableKind): JsonObject {
  const entries = Object.entries(schemas).map(([name, schema]) =>
    isJsonObject(schema) ? [name, valueSchema(schema, name, kind)] : [name, schema],
  )
  return Object.fromEntries(entries)
}

function sectionSchema(kind: DeclarableKind, valueSchema: ValueSchema): JsonObject {
  if (kind.lifecycle.parent)
    return { type: ['array', 'null'], items: grantSchema(kind), description: kind.doc }
  return {
    type: ['object', 'null'],
    additionalProperties: objectSchema(kind, valueSchema),
    description: `${kind.doc} From its ${kind.identity.by === 'field' ? kind.identity.field : 'id'} to its declaration.`,
  }
}

function objectSchema(kind: DeclarableKind, valueSchema: ValueSchema): JsonObject {
  const declared = { ...declaredFieldSchemas(kind), ...shortFieldSchemas(kind), ...tagMemberSchemas(kind) }
  const fields = valuesBy(valueSchema, declared, kind)
  const everywhere: JsonObject = {
    ...fields,
    ...extraMembers(kind),
    ...planningMembers,
    live_edits: declaredLiveEdits(kind),
  }
  return {
    type: ['object', 'null'],
    additionalProperties: false,
    properties: {
      ...everywhere,
      ...(targetingField(kind) === undefined ? {} : { tests: testsSchema }),
      only: onlySchema,
      environments: {
        type: 'object',
        description:
          'What is different in an environment, by its name. A value given here replaces the whole field; the short form is merged.',
        additionalProperties: {
          type: ['object', 'null'],
          additionalProperties: false,
          properties: {
            ...everywhere,
            skip: { type: 'boolean', description: 'Leaves the object alone in this environment.' },
          },
        },
      },
    },
  }
}

function grantSchema(kind: DeclarableKind): JsonObject {
  return {
    type: 'object',
    additionalProperties: false,
    required: ['flag', 'role'],
    properties: {
      flag: { type: 'string', minLength: 1, description: 'The key of the flag.' },
      role: {
        type: 'string',
        minLength: 1,
        description: 'The name of a role of the settings file, or its UUID.',
      },
      ...declaredFieldSchemas(kind),
      ensure: ensureSchema,
      only: onlySchema,
    },
  }
}
