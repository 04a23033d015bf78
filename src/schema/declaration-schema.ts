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

/** The `$id` of the schema of declaration files. Editors use it. */
const declarationSchemaId = `${schemaBase}/declarations.schema.json`

/**
 * The schema of a YAML file of declarations, with one section per kind. A kind with an identity field is a
 * map from identity to declaration. A kind with a parent is a list, and can also be nested under its parent.
 */
export function declarationSchema(): JsonObject {
  return schemaWith(schema => schema)
}

/** The schema for editors. It also describes the inside of filters, for completion and explanations. */
export function editorSchema(): JsonObject {
  const inside: ValueSchema = (schema, name, kind) => {
    if (!kind) return { ...schema, ...shortReference(name) }
    if (isTargeting(kind, name)) return { ...schema, ...partReference('filters') }
    return name in shortFieldSchemas(kind) ? { ...schema, ...shortReference(name) } : schema
  }
  return { ...schemaWith(inside), $defs: { ...filterDefinitions(), ...shortDefinitions() } }
}

/**
 * The schema that checks files. It does not check the values of fields, because the rules of declared objects
 * check them more thoroughly for every front end. Names that the repository defines are checked here.
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
    // Anchors that several declarations share are defined under such a name.
    patternProperties: { '^x-': { description: 'Any content. Vexil reads only its anchors.' } },
    properties: {
      include: list(name, 'Other files to read, as paths or globs relative to this file.'),
      audiences: audiencesSchema(valueSchema),
      ...testSections,
      ...Object.fromEntries(declarableKinds.map(kind => [kind.section, sectionSchema(kind, valueSchema)])),
    },
  }
}

/** Audiences belong to no kind. Their members apply to conditions of flags. */
function audiencesSchema(valueSchema: ValueSchema): JsonObject {
  const members = valuesBy(valueSchema, audienceFieldSchemas())
  return nullable(
    mapOf(
      nullable(
        closed({
          ...members,
          environments: mapOf(
            nullable(closed(members)),
            'Overrides by environment name. They are merged as in the short form.',
          ),
        }),
      ),
      'Reusable parts of conditions, by name. Flags in all files refer to them with `audience`. The service does not store audiences: each flag gets their properties.',
    ),
  )
}

/** The schema to use for a field, from its own schema and name. `kind` is undefined for an audience. */
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
      `${kind.doc} A map from ${kind.identity.by === 'field' ? kind.identity.field : 'id'} to declaration.`,
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
            skip: described(truth, 'Skips the object in this environment.'),
          }),
        ),
        'Overrides by environment name. A value here replaces the whole field; the short form is merged.',
      ),
    }),
  )
}

function grantSchema(kind: DeclarableKind): JsonObject {
  return closed(
    {
      flag: described(name, 'The key of the flag.'),
      role: described(name, 'The name of a role in the settings file, or its UUID.'),
      ...declaredFieldSchemas(kind),
      ensure: ensureSchema,
      only: onlySchema,
    },
    {},
    ['flag', 'role'],
  )
}

/** The members of `defaults` in the settings. A kind without such a member ignores the default. */
export function defaultMembers(): JsonObject {
  const [kind] = declarableKinds.filter(({ lifecycle }) => lifecycle.ownedBy !== undefined)
  // Declarations check the values by rules of their own.
  const members = Object.entries(kind ? tagMemberSchemas(kind) : {}).map(([name, schema]) => [
    name,
    { ...pickMembers(isJsonObject(schema) ? schema : {}, (_, key) => key === 'description'), type: 'string' },
  ])
  return {
    ...Object.fromEntries(members),
    tags: list(name, 'Tags that are added to the declared tags, or to the live tags if none are declared.'),
    only: onlySchema,
    ...pickMembers(planningMembers, (_, name) => name === 'protect' || name === 'allow'),
    permanent: permanentSchema,
    live_edits: declaredLiveEdits(),
  }
}

/** The members that are stored as tags; empty for kinds without tags. */
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

function sensitiveMember(kind: DeclarableKind): JsonObject {
  const hides = hidesOf(kind)
  if (hides === 'payloads') {
    const description =
      'Hides values in all output and records. `true`: all payloads and all values in conditions. A list: the payloads of these variants (`"true"` for a flag without variants). Not stored in the service.'
    return { sensitive: { type: ['boolean', 'array'], items: name, description } }
  }
  const description =
    'Hides the settings and source files in all output and records. Not stored in the service.'
  return hides === 'values' ? { sensitive: described(truth, description) } : {}
}

/** The member `role_access`, for a kind that has grants. */
function roleAccess(below: DeclarableKind | undefined): JsonObject {
  if (!below) return {}
  const level = levelSchema(below)
  const description = 'All roles that may edit the flag, by name or UUID. Other roles lose their grant.'
  if (!level) return { role_access: described(roleList, description) }
  const levels = `On services with levels, a map gives each role a level. ${level.description}`
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

const ensureSchema: JsonObject = word(
  ['present', 'absent'],
  'Whether the object should exist. `absent` deletes it.',
)

/** The environments of an object. */
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
    description: 'The id of the object in the service, if its name is not unique.',
  },
  protect: described(truth, 'Blocks every plan that would delete the object or turn it off.'),
  ignore: list(
    name,
    'Paths that Vexil neither compares nor changes: `filters.groups.0.rollout_percentage` or `/filters/groups/0/rollout_percentage`.',
  ),
  allow: list(word(guardRules), 'Rules that may not block this object. The reference describes each rule.'),
}

const payloadSchema: JsonObject = {
  type: ['object', 'null'],
  description:
    'A JSON Schema (draft 2020-12) for every payload. `validate` and plans check payloads against it, and `vexil keys` generates types from it. Not stored in the service.',
}

const permanentSchema: JsonObject = described(
  truth,
  'Marks a permanent flag, such as a kill switch. `vexil retire` does not list it. Not stored in the service.',
)

const filesSchema: JsonObject = mapOf(
  {
    type: ['string', 'object', 'null'],
    additionalProperties: false,
    required: ['file'],
    properties: { file: described(name, 'A path relative to this file.') },
  },
  'Source files by name: the text, `{ file: path }` for a file next to this one, or null to remove the file.',
)

/**
 * The schemas of the fields that a declaration of a kind may set: its managed fields, in the form of a
 * request. The identity is missing, because it is the declaration's name.
 */
export function declaredFieldSchemas(kind: DeclarableKind): JsonObject {
  const endpoint = kind.endpoints[kind.lifecycle.create ?? kind.lifecycle.update ?? '']
  const body = endpoint && bodySchema(kind, endpoint)?.properties
  const identity = identityField(kind)
  const managed = new Set(managedFields(kind).filter(name => name !== identity))
  // No documented body has these fields. Newer services accept them in other requests.
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

/** Elements are text unless the kind has another type. A declared set replaces the whole live set. */
function setSchema(schema: Json): Json {
  if (!isJsonObject(schema)) return schema
  const description = `${schema.description} This is the full list: all other elements are removed.`
  return { items: name, ...schema, description }
}

/** The schema of `policies` in the settings. Each policy has a level, its main option, or a map. */
export function policySettings(): JsonObject {
  const properties = Object.fromEntries(settingNames.map(name => [name, policySchema(settingRow(name))]))
  return closed(
    properties,
    'Requirements for all declarations and plans. Each policy has a level, its options, or both. Policies of an environment override these.',
  )
}

export const policyMembers = {
  level: word(
    levels,
    'The result for an object that breaks the policy: `error` (default), `warning` (or `warn`), or `off`.',
  ),
  except: list(
    name,
    'Objects that the policy ignores: keys of flags (including their grants) and names of events and plugins. Globs work too.',
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

/** Accepts a level, a map, or a value of the main option. The rules for one form ignore the other two. */
function valueSchema(option: PolicyOption | undefined): JsonObject {
  const { type, description: _, ...asks } = option?.schema ?? {}
  if (type === 'string') {
    // A level is a string too.
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
 * The schema of `live_edits` in a declaration of a kind. Without a kind: in defaults for declarations of any
 * kind. Either one mode for all fields, or a mode for each field.
 */
function declaredLiveEdits(kind?: DeclarableKind): JsonObject {
  return described(
    oneOrByField(kind ? [kind] : declarableKinds),
    'What happens to fields that were changed in the product. `hold` keeps the live value, `revert` writes the declared value. Give one mode for all fields, or a map by field.',
  )
}

/** The schema of `live_edits` in the settings. It adds the users whose changes do not count. */
export function liveEditSettings(): JsonObject {
  const automation: JsonObject = list(
    { type: 'string', format: 'email' },
    "E-mail addresses of automation users, such as the user of a pipeline's key. A change by them that only the activity trail shows is not a live edit.",
  )
  return described(
    oneOrByField(declarableKinds, { automation }),
    'What happens to fields that were changed in the product, unless a declaration sets its own mode. `hold` keeps the live value, `revert` writes the declared value. Give one mode for all fields, or a map by field.',
  )
}

function oneOrByField(kinds: readonly DeclarableKind[], more: JsonObject = {}): JsonObject {
  const names = new Set(kinds.flatMap(liveEditFields))
  const about = (name: string) =>
    name === sourceField ? 'Source files; each file counts separately.' : `The field \`${name}\`.`
  const fields = [...names].map(name => [name, described(way, about(name))] as const)
  return {
    type: ['string', 'object'],
    // The keywords below apply to the other form; strings ignore them.
    if: text,
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: oneOf(liveEditWays),
    additionalProperties: false,
    properties: {
      [defaultMember]: described(way, 'All fields that have no mode here or in the settings.'),
      [existsField]: described(
        way,
        'The existence of the object. `revert` restores an object that was deleted in the product, and deletes one that was restored there.',
      ),
      ...Object.fromEntries(fields),
      ...more,
    },
  }
}
