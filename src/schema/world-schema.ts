import { declarableKinds, eventDefinition, featureFlag, pluginKind } from '../kinds/index.ts'
import type { Field, Fields, ValueOf as FieldValue, WriteOf } from '../model/field.ts'
import { type DeclarableKind, type Scope, writableFields } from '../model/kind.ts'
import type { JsonObject } from '../model/text/json.ts'
import { compareTexts } from '../model/text/names.ts'
import {
  anyObject,
  closed,
  described,
  dialect,
  fieldSchema,
  list,
  type Members,
  mapOf,
  name,
  type ObjectOf,
  object,
  oneOf,
  ordinal,
  orNull,
  type Schema,
  schemaBase,
  text,
  time,
  truth,
  typedAs,
  uuid,
  type ValueOf,
} from './json-schema.ts'

type FlagFields = (typeof featureFlag)['fields']

export type WorldFlag = WriteOf<FlagFields> & {
  readonly key: string
  readonly id?: number
  readonly experiment_set?: FieldValue<FlagFields['experiment_set']>
  readonly surveys?: FieldValue<FlagFields['surveys']>
  readonly features?: FieldValue<FlagFields['features']>
  readonly can_edit?: boolean
  /** A survey created it to select people. The public service does not list such a flag. */
  readonly survey_targeting?: boolean
  readonly archived?: boolean
  /** The caller's permission for the flag, on services with access controls; `none` hides the flag. */
  readonly access_level?: 'none' | 'viewer' | 'editor' | 'manager'
  readonly used_in_replay?: boolean
  readonly experiments_stopped?: boolean
  readonly created_by?: string
  readonly role_access?: readonly string[]
}

type WorldDefinition = WriteOf<(typeof eventDefinition)['fields']> & {
  readonly id?: string
  readonly name: string
}

type WorldPlugin = WriteOf<(typeof pluginKind)['fields']> & {
  readonly id?: number
  /** The service also accepts plugins without a name. */
  readonly name: string | null
  readonly url?: string
  readonly latest_tag?: string
  readonly source?: Readonly<Record<string, string>>
  readonly in_use?: boolean
}

/** Additional members of a kind's objects in a world, which requests cannot set. */
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
        'Whether a survey created the flag to select people. The public service does not list such a flag.',
      ),
      access_level: oneOf(
        ['none', 'viewer', 'editor', 'manager'],
        "The caller's permission for the flag, on services with access controls; none hides the flag.",
      ),
      used_in_replay: described(truth, 'Whether session replay uses the flag.'),
      experiments_stopped: described(truth, 'Whether its experiments have ended.'),
      role_access: list(described(name, 'The name of a role.'), 'The roles with a grant on the flag.'),
    },
  },
  [pluginKind.name]: {
    doc: 'Installed plugins.',
    fields: ['url', 'latest_tag'],
    members: { in_use: described(truth, 'Whether a project has the plugin enabled.') },
  },
  [eventDefinition.name]: { doc: 'Named types of events.' },
}

const user = strict({
  'id?': described(ordinal, 'The id of the user.'),
  'uuid?': described(uuid, 'The UUID of the user.'),
  email: described(text, {
    format: 'email',
    description: 'E-mail address. Other parts of the file refer to the user by it.',
  }),
  'first_name?': described(text, 'First name.'),
  'distinct_id?': described(text, 'The distinct id in events of this user.'),
  'roles?': list(described(name, 'The name of a role.'), 'The roles of the user.'),
})

const role = strict({
  'id?': described(uuid, 'The id of the role.'),
  name: described(name, 'The name of the role.'),
  'feature_flags_access_level?': typedAs<21 | 37>({
    enum: [21, 37],
    description: 'What the role may do: 21 view, 37 edit.',
  }),
})

const person = strict({
  distinct_ids: described(
    list(described(name, 'A distinct id.'), 'The distinct ids in events of the person.'),
    {
      minItems: 1,
    },
  ),
  'properties?': described(anyObject, 'Properties of the person.'),
  'created_at?': described(time, 'When the person was first seen.'),
})

const group = strict({
  type: described(name, 'The name of the group type.'),
  key: described(name, 'The key of the group.'),
  'properties?': described(anyObject, 'Properties of the group.'),
})

/** A cohort has either shared properties or a list of members. */
const cohort = strict({
  'id?': described(ordinal, 'The id that conditions refer to.'),
  name: described(name, 'The name of the cohort.'),
  'properties?': typedAs<JsonObject>(
    strict(
      {
        type: oneOf(['AND', 'OR'], 'Whether members match all values or at least one.'),
        values: list(
          anyObject,
          'Properties as in a condition, each also with `negation`; or nested groups of this form.',
        ),
      },
      'The properties that all members share.',
    ),
  ),
  'persons?': list(described(name, 'A distinct id.'), 'The members, if they do not share properties.'),
})

const event = strict({
  'id?': described(uuid, 'The id of the event.'),
  event: described(name, 'The name of the event.'),
  distinct_id: described(name, 'The distinct id of the person.'),
  'timestamp?': described(time, 'When it happened.'),
  'properties?': described(anyObject, 'Properties of the event.'),
  'elements_chain?': described(text, 'The page elements of the event, as one text.'),
})

const audience = {
  'groups?': list(group, 'Known groups.'),
  'cohorts?': list(cohort, 'Sets of people for conditions.'),
  'persons?': list(person, 'Known people.'),
} as const

const own = strict({
  'set?': mapOf(
    typedAs<string | boolean>({ type: ['string', 'boolean'] }),
    'The value that everybody gets, by flag: true, false or a variant.',
  ),
  ...audience,
})

/** What somebody adds for their own machine: `.vexil/dev.yaml`. */
export type OwnAdditions = ValueOf<typeof own>

export function devSchema(): JsonObject {
  const description = 'Values, people and cohorts of `vexil dev` on one machine.'
  return { $schema: dialect, $id: `${schemaBase}/dev.schema.json`, title: 'dev', description, ...own }
}

const project = strict({
  'id?': described(ordinal, 'The id in paths.'),
  name: described(name, 'The name of the project.'),
  'api_token?': described(name, {
    pattern: '^phc_[A-Za-z0-9_]+$',
    description: 'The token that SDKs send for this project.',
  }),
  'group_types?': described(
    list(described(name, 'The name of a group type.'), 'Group types in the order of their numbers.'),
    { maxItems: 5 },
  ),
  ...audience,
  'events?': list(event, 'Recorded events. A new event name creates a definition.'),
  ...sections<{
    'feature_flags?': Schema<readonly WorldFlag[]>
    'event_definitions?': Schema<readonly WorldDefinition[]>
  }>('project'),
})

const organization = strict({
  'id?': described(uuid, 'The id in paths.'),
  name: described(name, 'The name of the organization.'),
  'roles?': list(role, 'Roles for grants.'),
  'projects?': list(project, 'The projects. They own flags, event definitions, persons and events.'),
  ...sections<{ 'plugins?': Schema<readonly WorldPlugin[]> }>('organization'),
})

const world = strict({
  'version?': typedAs<1>({ const: 1, description: 'The version of this format.' }),
  'users?': list(user, 'People who can log in. The API key belongs to the first one.'),
  organizations: described(list(organization, 'The organizations. They own projects and plugins.'), {
    minItems: 1,
  }),
})

/** The content of a world file. Missing values are generated when the sandbox starts. */
export type WorldFile = ValueOf<typeof world>
export type WorldOrganization = ValueOf<typeof organization>
export type WorldProject = ValueOf<typeof project>
export type WorldPerson = ValueOf<typeof person>
export type WorldCohort = ValueOf<typeof cohort>
export type WorldEvent = ValueOf<typeof event>

/** The schema of a world file: the initial content of a sandbox. Members of records come from the kinds. */
export function worldSchema(): JsonObject {
  return {
    $schema: dialect,
    $id: `${schemaBase}/world.schema.json`,
    title: 'world',
    description: 'The initial content of a sandbox.',
    ...world,
  }
}

/** An object that allows no other members. */
function strict<const M extends Members>(members: M, description?: string): Schema<ObjectOf<M>> {
  return object(members, {
    additionalProperties: false,
    ...(description === undefined ? {} : { description }),
  })
}

/** The kinds with a section in each project, or in each organization. */
export function worldKinds(scope: Scope): readonly DeclarableKind[] {
  return declarableKinds
    .filter(kind => kind.scope === scope && kind.lifecycle.parent === undefined)
    .sort((left, right) => compareTexts(left.section, right.section))
}

/** The sections of the kinds. The types of their objects are written by hand. */
function sections<M extends Members>(scope: Scope): M {
  const schemas = worldKinds(scope).map(kind => [
    `${kind.section}?`,
    list(objectSchema(kind), specials[kind.name]?.doc ?? kind.doc),
  ])
  return Object.fromEntries(schemas)
}

function objectSchema(kind: DeclarableKind): JsonObject {
  const { fields, members } = { fields: [], members: {}, ...specials[kind.name] }
  const all = Object.entries(kind.fields)
  const author = all.filter(([, { stamp }]) => stamp === 'author').map(([field]) => field)
  return closed(
    {
      ...pickFields(kind.fields, ['id', ...writableFields(kind), ...fields]),
      ...Object.fromEntries(
        author.map(field => [field, described(text, 'The e-mail address of the user who created it.')]),
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

/** The service stores null in most fields. In all others, null means the same as an absent member. */
function heldSchema(field: Field): JsonObject {
  const isName = field.required === true && field.nullable === undefined
  return isName ? fieldSchema(field) : orNull(fieldSchema(field))
}
