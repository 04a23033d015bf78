import { declarableKinds, kindBelow } from '../kinds/index.ts'
import { sourceField, tagMembers } from '../model/field.ts'
import { guardRules } from '../model/guard-rules.ts'
import {
  type DeclarableKind,
  hidesOf,
  identityField,
  isTargeting,
  managedFields,
  targetingField,
} from '../model/kind.ts'
import { defaultMember, existsField, liveEditFields, liveEditWays } from '../model/live-edit-policy.ts'
import { isJsonObject, type Json, type JsonObject, pickMembers } from '../model/text/json.ts'
import type { PolicyOption, SettingRow } from '../policies/policy.ts'
import { levels, settingNames, settingRow } from '../policies/written-policies.ts'
import { isNamingMember } from '../targeting/short/short-form.ts'
import {
  audienceFieldSchemas,
  filterDefinitions,
  partReference,
  shortDefinitions,
  shortFieldSchemas,
  shortReference,
} from './filter-schema.ts'
import {
  bodySchema,
  closed,
  described,
  dialect,
  fieldSchema,
  list,
  mapOf,
  name,
  nullable,
  oneOf,
  orNull,
  schemaBase,
  text,
  truth,
  word,
} from './json-schema.ts'
import { testSections, testsSchema } from './test-schema.ts'

/** The address of the schema of declaration files, for editors. */
const declarationSchemaId = `${schemaBase}/declarations.schema.json`

/**
 * The schema of a YAML file of declarations: one section per kind. A kind with an identity field is a map
 * from identity to declaration. A kind with a parent is a list, and is also nested under its parent.
 */
export function declarationSchema(): JsonObject {
  return schemaWith(schema => schema)
}

/** The same with the inside of filters, for completion and explanations in editors. */
export function editorSchema(): JsonObject {
  const inside: ValueSchema = (schema, name, kind) => {
    if (!kind) return { ...schema, ...shortReference(name) }
    if (isTargeting(kind, name)) return { ...schema, ...partReference('filters') }
    return name in shortFieldSchemas(kind) ? { ...schema, ...shortReference(name) } : schema
  }
  return { ...schemaWith(inside), $defs: { ...filterDefinitions(), ...shortDefinitions() } }
}

/**
 * The same without the values of fields, for checking files: the rules of a declared object check more of them
 * than a schema can, and apply to every front end. Names that the repository defines are no values of fields.
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
      include: list(name, 'Other files to read, as paths or globs relative to this file.'),
      audiences: audiencesSchema(valueSchema),
      ...testSections,
      ...Object.fromEntries(declarableKinds.map(kind => [kind.section, sectionSchema(kind, valueSchema)])),
    },
  }
}

/** Audiences belong to no kind: their members apply to conditions of flags. */
function audiencesSchema(valueSchema: ValueSchema): JsonObject {
  const members = valuesBy(valueSchema, audienceFieldSchemas())
  return nullable(
    mapOf(
      nullable(
        closed({
          ...members,
          environments: mapOf(
            nullable(closed(members)),
            'What is different in an environment, by its name; merged as in the short form.',
          ),
        }),
      ),
      'Parts of conditions that flags of all files name with `audience`, by their names. Not stored in the service: flags have their properties.',
    ),
  )
}

/** The description of a field's value, from its own schema and its name in a kind or in an audience. */
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
  return nullable(
    mapOf(
      objectSchema(kind, valueSchema),
      `${kind.doc} From its ${kind.identity.by === 'field' ? kind.identity.field : 'id'} to its declaration.`,
    ),
  )
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
  return nullable(
    closed({
      ...everywhere,
      ...(targetingField(kind) === undefined ? {} : { tests: testsSchema }),
      only: onlySchema,
      environments: mapOf(
        nullable(
          closed({
            ...everywhere,
            skip: described(truth, 'Leaves the object alone in this environment.'),
          }),
        ),
        'What is different in an environment, by its name. A value given here replaces the whole field; the short form is merged.',
      ),
    }),
  )
}

function grantSchema(kind: DeclarableKind): JsonObject {
  return closed(
    {
      flag: described(name, 'The key of the flag.'),
      role: described(name, 'The name of a role of the settings file, or its UUID.'),
      ...declaredFieldSchemas(kind),
      ensure: ensureSchema,
      only: onlySchema,
    },
    {},
    ['flag', 'role'],
  )
}

/** The defaults in the settings for declarations. A kind without a member does not get its default. */
export function defaultMembers(): JsonObject {
  const [kind] = declarableKinds.filter(({ lifecycle }) => lifecycle.ownedBy !== undefined)
  // Their values have rules of their own, as in declarations.
  const members = Object.entries(kind ? tagMemberSchemas(kind) : {}).map(([name, schema]) => [
    name,
    { ...pickMembers(isJsonObject(schema) ? schema : {}, (_, key) => key === 'description'), type: 'string' },
  ])
  return {
    ...Object.fromEntries(members),
    tags: list(
      name,
      'Tags beside those that are declared or, where none are, beside those that the object has.',
    ),
    only: onlySchema,
    ...pickMembers(planningMembers, (_, name) => name === 'protect' || name === 'allow'),
    permanent: permanentSchema,
    live_edits: declaredLiveEdits(),
  }
}

/** The members that are stored as tags, for kinds that have tags; none for others. */
function tagMemberSchemas(kind: DeclarableKind): JsonObject {
  if (kind.lifecycle.ownedBy === undefined) return {}
  const schemas = Object.entries(tagMembers).map(([name, { type, doc: description }]) => [
    name,
    { type: ['string', 'null'], ...(type === 'day' ? { format: 'date' } : { minLength: 1 }), description },
  ])
  return Object.fromEntries(schemas)
}

/** The members of a kind that are not fields. */
function extraMembers(kind: DeclarableKind): JsonObject {
  return {
    ...roleAccess(kindBelow(kind.name)),
    ...(kind.lifecycle.files ? { source: filesSchema } : {}),
    ...(targetingField(kind) === undefined
      ? {}
      : { payload_schema: payloadSchema, permanent: permanentSchema }),
    ...sensitiveMember(kind),
  }
}

/** For kinds with values that may be hidden. */
function sensitiveMember(kind: DeclarableKind): JsonObject {
  const hides = hidesOf(kind)
  if (hides === 'payloads') {
    const description =
      'Keeps values out of all that is shown and recorded: `true` all payloads and what conditions compare with, a list the payloads of these variants (`"true"` in a flag without variants). Not stored in the service.'
    return { sensitive: { type: ['boolean', 'array'], items: name, description } }
  }
  const description =
    'Keeps its settings and source files out of all that is shown and recorded. Not stored in the service.'
  return hides === 'values' ? { sensitive: described(truth, description) } : {}
}

/** The roles of an object, by the kind of their grants. */
function roleAccess(below: DeclarableKind | undefined): JsonObject {
  if (!below) return {}
  const level = levelSchema(below)
  const description =
    'The roles that may edit the flag, by name or UUID: all of them. Others lose their grant.'
  if (!level) return { role_access: described(roleList, description) }
  const levels = `A map gives each role a level, on services that have levels. ${level.description}`
  return {
    role_access: {
      ...roleList,
      type: ['array', 'object'],
      additionalProperties: orNull(level),
      description: `${description} ${levels}`,
    },
  }
}

const roleList: JsonObject = list(name)

function levelSchema({ fields, lifecycle }: DeclarableKind): JsonObject | undefined {
  const field = fields[lifecycle.levels?.field ?? '']
  return field && fieldSchema(field)
}

/** Whether an object should exist. */
const ensureSchema: JsonObject = word(
  ['present', 'absent'],
  'Whether the object should exist. `absent` deletes it.',
)

/** The environment of an object. */
const onlySchema: JsonObject = {
  type: 'array',
  items: name,
  minItems: 1,
  description: 'The only environments that the object belongs to.',
}

/** The members that control how a declaration is reconciled, rather than the object. */
const planningMembers: JsonObject = {
  ensure: ensureSchema,
  id: {
    type: ['string', 'integer'],
    description: 'The id of the object in the service, where its name is not enough to find it.',
  },
  protect: described(truth, 'Refuses every plan that would delete the object or turn it off.'),
  ignore: list(
    name,
    'Places that are left to the service: `filters.groups.0.rollout_percentage` or `/filters/groups/0/rollout_percentage`.',
  ),
  allow: list(word(guardRules), 'Rules that do not block this object; the reference describes each of them.'),
}

const payloadSchema: JsonObject = {
  type: ['object', 'null'],
  description:
    'A JSON Schema (draft 2020-12) that every payload has to fit: `validate` and plans check that, and `vexil keys` makes types of it. Not stored in the service.',
}

const permanentSchema: JsonObject = described(
  truth,
  'It is here to stay, as a kill switch is: `vexil retire` does not list it. Not stored in the service.',
)

const filesSchema: JsonObject = mapOf(
  {
    type: ['string', 'object', 'null'],
    additionalProperties: false,
    required: ['file'],
    properties: { file: described(name, 'A path relative to this file.') },
  },
  'Source files by name: a text, `{ file: path }` for a file beside this one, or null to remove it.',
)

/**
 * The schema of the fields that a declaration of a kind may set: the managed ones in the form of a request,
 * without the identity, which is the declaration's name.
 */
export function declaredFieldSchemas(kind: DeclarableKind): JsonObject {
  const endpoint = kind.endpoints[kind.lifecycle.create ?? kind.lifecycle.update ?? '']
  const body = endpoint && bodySchema(kind, endpoint)?.properties
  const identity = identityField(kind)
  const managed = new Set(managedFields(kind).filter(name => name !== identity))
  // Fields that the interface document lacks are in no body; newer services accept them in other requests.
  const newer = Object.entries(kind.fields).flatMap(([name, field]) =>
    field.newer ? [[name, fieldSchema(field)] as const] : [],
  )
  const documented = isJsonObject(body) ? body : {}
  const fields = pickMembers({ ...documented, ...Object.fromEntries(newer) }, (_, name) => managed.has(name))
  return Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [
      name,
      kind.fields[name]?.type === 'set' ? setSchema(schema) : schema,
    ]),
  )
}

/** A set is compared as text: its elements are text unless the kind has another type. It is owned whole. */
function setSchema(schema: Json): Json {
  if (!isJsonObject(schema)) return schema
  const description = `${schema.description} All of them: those that are not in the list are taken off.`
  return { items: name, ...schema, description }
}

/** The schema of `policies` in the settings: each policy by name, as a level, an option alone, or a map. */
export function policySettings(): JsonObject {
  const properties = Object.fromEntries(settingNames.map(name => [name, policySchema(settingRow(name))]))
  return closed(
    properties,
    'What has to hold of all that is declared, and of plans: each policy by its name, with a level, with its options, or both. An environment lays its own over these.',
  )
}

/** The options of every policy besides its own. */
export const policyMembers = {
  level: word(
    levels,
    'What becomes of an object that is against it: `error`, the default, `warning` (or `warn`), or `off`.',
  ),
  except: list(
    name,
    'Keys of flags, with their grants, and names of events and plugins, that it leaves alone; globs too.',
  ),
} as const

function policySchema({ doc, options, alone }: SettingRow): JsonObject {
  const option = alone === undefined ? undefined : options[alone]
  return {
    ...valueSchema(option),
    description: doc,
    additionalProperties: false,
    properties: {
      ...policyMembers,
      ...Object.fromEntries(Object.entries(options).map(([name, { schema }]) => [name, schema])),
    },
  }
}

/** A level, a map, or a value of the main option. Each rule ignores the other two forms. */
function valueSchema(option: PolicyOption | undefined): JsonObject {
  const { type, description: _, ...asks } = option?.schema ?? {}
  if (type === 'string') {
    // A level is a text as well.
    const { pattern, ...others } = asks
    const texts =
      pattern === undefined ? others : { ...others, pattern: `^(${levels.join('|')})$|${pattern}` }
    return { type: ['string', 'object'], ...texts }
  }
  return {
    type: ['string', 'object', ...(typeof type === 'string' ? [type] : [])],
    if: text,
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: oneOf(levels),
    ...asks,
  }
}

const way: JsonObject = word(liveEditWays)

/**
 * The schema of `live_edits` in a declaration of a kind or, without one, in defaults for declarations of any:
 * one mode for all fields, or modes by their names.
 */
function declaredLiveEdits(kind?: DeclarableKind): JsonObject {
  return described(
    oneOrByField(kind ? [kind] : declarableKinds),
    'What becomes of fields that were changed in the product: `hold` leaves them as they are there, `revert` sets them to what is declared. For all fields, or a map of fields.',
  )
}

/** The same in the settings, with the users whose changes do not count. */
export function liveEditSettings(): JsonObject {
  const automation: JsonObject = list(
    { type: 'string', format: 'email' },
    'E-mail addresses of users that no person is behind, such as that of the key of a pipeline. Their changes are no live edits if only the activity trail has them.',
  )
  return described(
    oneOrByField(declarableKinds, { automation }),
    'What becomes of fields that were changed in the product, where declarations say nothing of it: `hold` leaves them as they are there, `revert` sets them to what is declared. For all fields, or a map of fields.',
  )
}

function oneOrByField(kinds: readonly DeclarableKind[], more: JsonObject = {}): JsonObject {
  const names = new Set(kinds.flatMap(liveEditFields))
  const about = (name: string) =>
    name === sourceField ? 'Source files, each by itself.' : `The field \`${name}\`.`
  const fields = [...names].map(name => [name, described(way, about(name))] as const)
  return {
    type: ['string', 'object'],
    // The members of the other form are beside it; a text has none.
    if: text,
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: oneOf(liveEditWays),
    additionalProperties: false,
    properties: {
      [defaultMember]: described(way, 'Fields that are named neither here nor in the settings.'),
      [existsField]: described(
        way,
        'Whether the object is there: one that was deleted in the product is restored or not, and one that was restored there is deleted or not.',
      ),
      ...Object.fromEntries(fields),
      ...more,
    },
  }
}
