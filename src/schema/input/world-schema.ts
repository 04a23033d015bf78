import { declarableKinds, eventDefinition, featureFlag, pluginKind } from '../../kinds/index.ts'
import type { Field, Fields } from '../../model/field.ts'
import type { JsonObject } from '../../model/json/json.ts'
import { type DeclarableKind, type Scope, writableFields } from '../../model/kind.ts'
import { compareTexts } from '../../model/text/compare-texts.ts'
import { dialect, fieldSchema, orNull, schemaBase } from '../json-schema.ts'
import {
  anyObject,
  closed,
  described,
  list,
  mapOf,
  name,
  oneOf,
  ordinal,
  text,
  time,
  truth,
  uuid,
} from '../shape.ts'

/** The schema of a world file, the first content of a sandbox. Members of records come from the kinds. */
export function worldSchema(): JsonObject {
  return {
    $schema: dialect,
    $id: `${schemaBase}/world.schema.json`,
    title: 'world',
    description: 'What the sandbox holds when it starts.',
    ...closed(
      {
        version: { const: 1, description: 'The version of this format.' },
        users: list(userSchema(), 'People who can log in. The first one owns the API key.'),
        organizations: { ...list(organizationSchema(), 'Owners of projects and plugins.'), minItems: 1 },
      },
      {},
      ['organizations'],
    ),
  }
}

function userSchema(): JsonObject {
  return closed(
    {
      id: described(ordinal, 'The id of the user.'),
      uuid: described(uuid, 'The UUID of the user.'),
      email: described(text, {
        format: 'email',
        description: 'E-mail address; other parts of the file name the user by it.',
      }),
      first_name: described(text, 'First name.'),
      distinct_id: described(text, 'What events of this user are recorded under.'),
      roles: list(described(name, 'The name of a role.'), 'The roles that the user has.'),
    },
    {},
    ['email'],
  )
}

function roleSchema(): JsonObject {
  return closed(
    {
      id: described(uuid, 'The id of the role.'),
      name: described(name, 'The name of the role.'),
      feature_flags_access_level: { enum: [21, 37], description: 'What the role may do: 21 view, 37 edit.' },
    },
    {},
    ['name'],
  )
}

function personSchema(): JsonObject {
  return closed(
    {
      distinct_ids: {
        ...list(described(name, 'A distinct id.'), 'What events of the person are under.'),
        minItems: 1,
      },
      properties: described(anyObject, 'What is known about the person.'),
      created_at: described(time, 'When the person was first seen.'),
    },
    {},
    ['distinct_ids'],
  )
}

function groupSchema(): JsonObject {
  return closed(
    {
      type: described(name, 'The name of its type.'),
      key: described(name, 'What it is known by.'),
      properties: described(anyObject, 'What is known about the group.'),
    },
    {},
    ['type', 'key'],
  )
}

function cohortSchema(): JsonObject {
  return closed(
    {
      id: described(ordinal, 'The id that conditions name.'),
      name: described(name, 'The name of the cohort.'),
      properties: closed(
        {
          type: oneOf(['AND', 'OR'], 'Whether members have all of the values or one of them.'),
          values: list(
            anyObject,
            'Properties as in a condition, each also with `negation`, and groups like this one.',
          ),
        },
        'What the members have in common.',
        ['type', 'values'],
      ),
      persons: list(described(name, 'A distinct id.'), 'The members, in place of what they have in common.'),
    },
    {},
    ['name'],
  )
}

function eventSchema(): JsonObject {
  return closed(
    {
      id: described(uuid, 'The id of the event.'),
      event: described(name, 'The name of the event.'),
      distinct_id: described(name, 'Who it happened to.'),
      timestamp: described(time, 'When it happened.'),
      properties: described(anyObject, 'What is known about it.'),
      elements_chain: described(text, 'The page elements involved, as one text.'),
    },
    {},
    ['event', 'distinct_id'],
  )
}

function organizationSchema(): JsonObject {
  return closed(
    {
      id: described(uuid, 'The id in paths.'),
      name: described(name, 'The name of the organization.'),
      roles: list(roleSchema(), 'Roles that can be granted.'),
      projects: list(projectSchema(), 'Owners of flags, event definitions, persons and events.'),
      ...sections('organization'),
    },
    {},
    ['name'],
  )
}

function projectSchema(): JsonObject {
  return closed(
    {
      id: described(ordinal, 'The id in paths.'),
      name: described(name, 'The name of the project.'),
      api_token: described(name, {
        pattern: '^phc_[A-Za-z0-9_]+$',
        description: 'What code in a product names the project by.',
      }),
      group_types: {
        ...list(
          described(name, 'The name of a type of groups.'),
          'Types of groups, by the order of their indexes.',
        ),
        maxItems: 5,
      },
      groups: list(groupSchema(), 'Groups that were seen.'),
      cohorts: list(cohortSchema(), 'People whom conditions can name together.'),
      persons: list(personSchema(), 'People that were seen.'),
      events: list(eventSchema(), 'What happened. An event without a definition makes one.'),
      ...sections('project'),
    },
    {},
    ['name'],
  )
}

/** The members of objects of a kind in a world, beside those that requests set. */
interface WorldSpecials {
  readonly doc: string
  /** Fields that other parts of the service set. */
  readonly fields?: readonly string[]
  readonly members?: JsonObject
}

const specials: Readonly<Record<string, WorldSpecials>> = {
  [featureFlag.name]: {
    doc: 'Flags, with the grants on them.',
    fields: ['experiment_set', 'surveys', 'features', 'can_edit'],
    members: {
      survey_targeting: described(
        truth,
        'Made by a survey to say who sees it; the public service lists no such flag.',
      ),
      access_level: oneOf(
        ['none', 'viewer', 'editor', 'manager'],
        'What the caller may do with it, on services with access controls; none hides it.',
      ),
      used_in_replay: described(truth, 'Whether session replay goes by it.'),
      experiments_stopped: described(truth, 'Whether its experiments run no more.'),
      role_access: list(described(name, 'The name of a role.'), 'The roles that were granted the flag.'),
    },
  },
  [pluginKind.name]: {
    doc: 'Installed plugins.',
    fields: ['url', 'latest_tag'],
    members: { in_use: described(truth, 'Whether a project has it switched on.') },
  },
  [eventDefinition.name]: { doc: 'Named types of events.' },
}

/** The kinds whose objects are in a section of each project, or of each organization. */
export function worldKinds(scope: Scope): readonly DeclarableKind[] {
  return declarableKinds
    .filter(kind => kind.scope === scope && kind.lifecycle.parent === undefined)
    .sort((left, right) => compareTexts(left.section, right.section))
}

function sections(scope: Scope): JsonObject {
  return Object.fromEntries(
    worldKinds(scope).map(kind => [
      kind.section,
      list(objectSchema(kind), specials[kind.name]?.doc ?? kind.doc),
    ]),
  )
}

function objectSchema(kind: DeclarableKind): JsonObject {
  const { fields, members } = { fields: [], members: {}, ...specials[kind.name] }
  const all = Object.entries(kind.fields)
  const author = all.filter(([, { stamp }]) => stamp === 'author').map(([field]) => field)
  return closed(
    {
      ...pickFields(kind.fields, ['id', ...writableFields(kind), ...fields]),
      ...Object.fromEntries(
        author.map(field => [field, described(text, 'The e-mail address of the user who made it.')]),
      ),
      ...(kind.lifecycle.files ? { source: filesSchema() } : {}),
      ...members,
    },
    {},
    all.filter(([, { required }]) => required).map(([field]) => field),
  )
}

function filesSchema(): JsonObject {
  return mapOf(text, 'The source files, by file name.')
}

function pickFields(fields: Fields, names: readonly string[]): JsonObject {
  const picked = Object.entries(fields).filter(([field]) => names.includes(field))
  return Object.fromEntries(picked.map(([field, described]) => [field, heldSchema(described)]))
}

/** The service stores null in most fields. In the others, null means the same as an absent member. */
function heldSchema(field: Field): JsonObject {
  const isName = field.required === true && field.nullable === undefined
  return isName ? fieldSchema(field) : orNull(fieldSchema(field))
}
