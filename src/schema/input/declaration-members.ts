import { declarableKinds, kindBelow } from '../../kinds/index.ts'
import { isJsonObject, type JsonObject, pickMembers } from '../../model/json/json.ts'
import { type DeclarableKind, hidesOf, targetingField } from '../../model/kind.ts'
import { guardRules } from '../../model/safety/guard-rule.ts'
import { tagMembers } from '../../model/tag-member.ts'
import { fieldSchema, orNull } from '../json-schema.ts'
import { declaredLiveEdits } from './live-edits-member.ts'

/** What the settings may say for declarations that do not say it; a kind that does not have a member does not get it. */
export function defaultMembers(): JsonObject {
  const [kind] = declarableKinds.filter(({ lifecycle }) => lifecycle.ownedBy !== undefined)
  // Their values have rules of their own, as in declarations.
  const members = Object.entries(kind ? tagMemberSchemas(kind) : {}).map(([name, schema]) => [
    name,
    { ...pickMembers(isJsonObject(schema) ? schema : {}, (_, key) => key === 'description'), type: 'string' },
  ])
  return {
    ...Object.fromEntries(members),
    tags: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      description:
        'Tags beside those that are declared or, where none are, beside those that the object has.',
    },
    only: onlySchema,
    ...pickMembers(planningMembers, (_, name) => name === 'protect' || name === 'allow'),
    permanent: permanentSchema,
    live_edits: declaredLiveEdits(),
  }
}

/** The members that live as tags, for kinds that have tags; none for others. */
export function tagMemberSchemas(kind: DeclarableKind): JsonObject {
  if (kind.lifecycle.ownedBy === undefined) return {}
  const schemas = Object.entries(tagMembers).map(([name, { type, doc: description }]) => [
    name,
    { type: ['string', 'null'], ...(type === 'day' ? { format: 'date' } : { minLength: 1 }), description },
  ])
  return Object.fromEntries(schemas)
}

/** The members of a kind that are no fields of its. */
export function extraMembers(kind: DeclarableKind): JsonObject {
  return {
    ...roleAccess(kindBelow(kind.name)),
    ...(kind.lifecycle.files ? { source: filesSchema } : {}),
    ...(targetingField(kind) === undefined
      ? {}
      : { payload_schema: payloadSchema, permanent: permanentSchema }),
    ...sensitiveMember(kind),
  }
}

/** Of kinds that have values which may be hidden. */
function sensitiveMember(kind: DeclarableKind): JsonObject {
  const hides = hidesOf(kind)
  if (hides === 'payloads') {
    const description =
      'Keeps values out of all that is shown and recorded: `true` all payloads and what conditions compare with, a list the payloads of these variants (`"true"` in a flag without variants). Not stored in the service.'
    return { sensitive: { type: ['boolean', 'array'], items: { type: 'string', minLength: 1 }, description } }
  }
  const description =
    'Keeps its settings and source files out of all that is shown and recorded. Not stored in the service.'
  return hides === 'values' ? { sensitive: { type: 'boolean', description } } : {}
}

/** The roles of an object by the kind that says what they may do. */
function roleAccess(below: DeclarableKind | undefined): JsonObject {
  if (!below) return {}
  const level = levelSchema(below)
  const description =
    'The roles that may edit the flag, by name or UUID: all of them. Others lose their grant.'
  if (!level) return { role_access: { ...roleList, description } }
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

const roleList: JsonObject = { type: 'array', items: { type: 'string', minLength: 1 } }

function levelSchema({ fields, lifecycle }: DeclarableKind): JsonObject | undefined {
  const field = fields[lifecycle.levels?.field ?? '']
  return field && fieldSchema(field)
}

/** Whether an object is to be. */
export const ensureSchema: JsonObject = {
  type: 'string',
  enum: ['present', 'absent'],
  description: 'Whether the object should exist. `absent` deletes it.',
}

/** Where an object belongs. */
export const onlySchema: JsonObject = {
  type: 'array',
  items: { type: 'string', minLength: 1 },
  minItems: 1,
  description: 'The only environments that the object belongs to.',
}

/** What a declaration says about how it is reconciled, rather than about the object. */
export const planningMembers: JsonObject = {
  ensure: ensureSchema,
  id: {
    type: ['string', 'integer'],
    description: 'The id of the object in the service, where its name is not enough to find it.',
  },
  protect: {
    type: 'boolean',
    description: 'Refuses every plan that would delete the object or turn it off.',
  },
  ignore: {
    type: 'array',
    items: { type: 'string', minLength: 1 },
    description:
      'Places that are left to the service: `filters.groups.0.rollout_percentage` or `/filters/groups/0/rollout_percentage`.',
  },
  allow: {
    type: 'array',
    items: { type: 'string', enum: guardRules },
    description: 'Rules that do not block this object; the reference says what each blocks.',
  },
}

const payloadSchema: JsonObject = {
  type: ['object', 'null'],
  description:
    'A JSON Schema (draft 2020-12) that every payload has to fit: `validate` and plans check that, and `vexil keys` makes types of it. Not stored in the service.',
}

const permanentSchema: JsonObject = {
  type: 'boolean',
  description:
    'It is here to stay, as a kill switch is: `vexil retire` does not list it. Not stored in the service.',
}

const filesSchema: JsonObject = {
  type: 'object',
  description:
    'Source files by name: a text, `{ file: path }` for a file beside this one, or null to remove it.',
  additionalProperties: {
    type: ['string', 'object', 'null'],
    additionalProperties: false,
    required: ['file'],
    properties: { file: { type: 'string', minLength: 1, description: 'A path relative to this file.' } },
  },
}
