import {
  event,
  eventDefinition,
  featureFlag,
  kinds,
  pluginKind,
  roleAccess,
  roleKind,
} from '../kinds/index.ts'
import { sortedUnique } from '../model/canonical.ts'
import type { Field } from '../model/field.ts'
import { type DeclarableKind, isDeclarable, type Kind } from '../model/kind.ts'
import type { Runtime } from '../model/runtime.ts'
import { isJsonArray, type Json, type JsonObject } from '../model/text/json.ts'
import {
  type WorldCohort,
  type WorldFile,
  type WorldOrganization,
  type WorldProject,
  worldKinds,
} from '../schema/world-schema.ts'
import { jsonAnswer, notFound, serverError } from './http/messages.ts'
import { eventHandlers } from './resource/event-handlers.ts'
import { definitionResource, seedEvents } from './resource/events.ts'
import { accessControls, flagResource, grantResource, roleRecord } from './resource/flag-resource.ts'
import { flagRoutes } from './resource/flag-routes.ts'
import { pluginActions, pluginResource } from './resource/plugin-resource.ts'
import type { Handlers, ObjectSeeding, Resource, Seeding } from './resource/resource.ts'
import { pageAnswer, serveKind, windowOf } from './resource/serve-kind.ts'
import { blankRow, noteActivity } from './resource/write-row.ts'
import {
  isoTime,
  normalTime,
  type OrganizationRow,
  type ProjectRow,
  type ResourceRow,
  type RowId,
  uuidFrom,
} from './rows.ts'
import { groupTypesOf, inContainer, isDeleted, projectToken, type Store } from './store.ts'

/** Fills an empty store from a world file, and generates what the file omits. */
export function seedStore(store: Store, file: WorldFile, runtime: Runtime): void {
  const seeding: Seeding = { store, now: runtime.now(), random: () => runtime.random() }
  reserveIds(seeding, file)
  const organizations = file.organizations.map((organization, position) => ({
    organization,
    row: seedOrganization(seeding, organization, position),
  }))
  seedUsers(seeding, file)
  for (const { organization, row } of organizations) {
    for (const project of organization.projects ?? []) seedProject(seeding, project, row)
    seedObjects({ ...seeding, organization: row }, organization)
  }
}

/** Ids in the file must not be given to earlier objects without ids. */
function reserveIds(seeding: Seeding, file: WorldFile): void {
  const { users = [], organizations } = file
  const { store } = seeding
  const projects = organizations.flatMap(({ projects: own = [] }) => own)
  const reserve = (rows: { readonly name: string }, objects: readonly { readonly id?: Json }[]) => {
    for (const { id } of objects) if (typeof id === 'number') store.reserveId(rows, id)
  }
  reserve(store.users, users)
  reserve(store.projects, projects)
  reserve(
    store.cohorts,
    projects.flatMap(({ cohorts = [] }) => cohorts),
  )
  for (const [scope, parts] of [
    ['organization', organizations],
    ['project', projects],
  ] as const)
    for (const kind of worldKinds(scope))
      reserve(
        store.tableOf(kind).rows,
        parts.flatMap(part => objectsIn(part, kind)),
      )
}

function seedOrganization(
  { store, random, now }: Seeding,
  file: WorldOrganization,
  position: number,
): OrganizationRow {
  const id = (file.id ?? uuidFrom(random)).toLowerCase()
  const organization = store.organizations.put({ id, name: file.name, position })
  for (const role of file.roles ?? [])
    store.roles.put({
      id: (role.id ?? uuidFrom(random)).toLowerCase(),
      name: role.name,
      organization_id: organization.id,
      feature_flags_access_level: role.feature_flags_access_level ?? 37,
      created_at: isoTime(now),
      created_by: null,
    })
  return organization
}

function seedUsers({ store, random }: Seeding, file: WorldFile): void {
  const users = file.users?.length ? file.users : [{ email: 'sandbox@example.com', first_name: 'Sandbox' }]
  const roles = [...store.roles.all()]
  for (const [position, user] of users.entries()) {
    const id = user.id ?? store.nextId(store.users)
    store.users.put({
      id,
      uuid: user.uuid ?? uuidFrom(random),
      distinct_id: user.distinct_id ?? `user-${id}`,
      first_name: user.first_name ?? '',
      email: user.email,
      is_email_verified: true,
      position,
      roles: roles.filter(role => user.roles?.includes(role.name)).map(role => role.id),
    })
  }
}

function seedProject(seeding: Seeding, file: WorldProject, organization: OrganizationRow): void {
  const { store } = seeding
  const id = file.id ?? store.nextId(store.projects)
  const project = store.projects.put({
    id,
    name: file.name,
    organization_id: organization.id,
    api_token: file.api_token ?? projectToken(id),
    ...(file.group_types ? { group_types: file.group_types } : {}),
  })
  seedContent({ ...seeding, organization, project }, file)
  seedEvents(seeding, file.events ?? [], project)
}

/** Replaces everything of the first project but its events and its activity. */
export function replaceContent(store: Store, file: WorldProject, runtime: Runtime): void {
  const [organization, before] = [store.firstOrganization, store.firstProject]
  if (!organization || !before) throw new RangeError('there is no project')
  for (const rows of [store.flags, store.grants, store.persons, store.groups, store.cohorts])
    for (const { id } of [...rows.all()]) rows.remove(id)
  const project = store.projects.put({
    ...before,
    ...(file.group_types ? { group_types: file.group_types } : {}),
  })
  seedContent({ store, now: runtime.now(), random: () => runtime.random(), organization, project }, file)
}

function seedContent(seeding: Required<ObjectSeeding>, file: WorldProject): void {
  const { store, random, now, project } = seeding
  const { id } = project
  for (const { type, key, properties = {} } of file.groups ?? [])
    store.groups.put({
      id: store.nextId(store.groups),
      project_id: id,
      type: groupTypesOf(project).indexOf(type),
      key,
      properties,
    })
  for (const person of file.persons ?? [])
    store.persons.put({
      id: store.nextId(store.persons),
      uuid: uuidFrom(random),
      project_id: project.id,
      distinct_ids: person.distinct_ids,
      properties: person.properties ?? {},
      created_at: normalTime(person.created_at ?? '') ?? isoTime(now),
    })
  for (const cohort of file.cohorts ?? []) seedCohort(seeding, cohort, project)
  seedObjects(seeding, file)
}

function seedCohort({ store, now }: Seeding, file: WorldCohort, project: ProjectRow): void {
  const members = (file.persons ?? []).flatMap(
    distinctId => store.personByDistinctId.get(inContainer(project.id, distinctId))?.id ?? [],
  )
  store.cohorts.put({
    id: file.id ?? store.nextId(store.cohorts),
    project_id: project.id,
    name: file.name,
    created_at: isoTime(now),
    created_by: store.owner?.id ?? null,
    persons: [...new Set(members)],
    ...(file.properties ? { properties: file.properties } : {}),
  })
}

/** The objects of a kind in a part of a world. */
function objectsIn(
  part: WorldOrganization | WorldProject,
  { section }: DeclarableKind,
): readonly JsonObject[] {
  // The types of the parts name today's sections; the schema has one for each kind.
  return (part as unknown as Readonly<Record<string, readonly JsonObject[] | undefined>>)[section] ?? []
}

/** Creates the objects of a project or, without one, of an organization. */
function seedObjects(seeding: ObjectSeeding, part: WorldOrganization | WorldProject): void {
  const authors = new Map<Json | undefined, number>(
    [...seeding.store.users.all()].map(user => [user.email, user.id]),
  )
  const owner = seeding.store.owner?.id ?? null
  for (const kind of worldKinds(seeding.project ? 'project' : 'organization')) {
    const resource = resourceOf(kind)
    // Worlds can be large, and most of their objects have one author.
    const blanks = new Map<number | null, ResourceRow>()
    for (const object of objectsIn(part, kind)) {
      const author = authors.get(object.created_by) ?? owner
      const container = (seeding.project ?? seeding.organization).id
      const creation = { now: isoTime(seeding.now), author }
      const blank = blanks.get(author) ?? blankRow<ResourceRow>(resource, seeding.store, container, creation)
      blanks.set(author, blank)
      seedObject(seeding, resource, object, blank)
    }
  }
}

function seedObject(
  seeding: ObjectSeeding,
  resource: Resource,
  object: JsonObject,
  blank: ResourceRow,
): void {
  const { store, now } = seeding
  const { kind } = resource
  const { rows } = store.tableOf(kind)
  const { id: given } = object
  const id =
    given === undefined
      ? newId(seeding, kind)
      : typeof given === 'number'
        ? given
        : String(given).toLowerCase()
  const row = { ...blank, ...givenColumns(kind, object, blank), id }
  const made = rows.put(resource.seeded?.(seeding, row, object) ?? row)
  const { owner: caller } = store
  // Soft-deleted objects are in no list; their deletion is in the log, like any other.
  if (caller && isDeleted(kind, made)) noteActivity({ store, now, caller }, kind, made, 'deleted')
}

function newId({ store, random }: Seeding, kind: DeclarableKind): RowId {
  return kind.parameters?.id === 'integer' ? store.nextId(store.tableOf(kind).rows) : uuidFrom(random)
}

/** The columns from a world: null only if the service stores it. The creator is set separately. */
function givenColumns(kind: DeclarableKind, object: JsonObject, blank: ResourceRow): JsonObject {
  const columns = Object.entries(object).flatMap(([name, value]) => {
    const field = kind.fields[name]
    if (!field && !(name in blank)) return []
    if (field?.stamp === 'author' || (value === null && !field?.nullable)) return []
    const held = field ? heldForm(field, value) : value
    return held === undefined ? [] : [[name, held] as const]
  })
  return Object.fromEntries(columns)
}

/** Times and sets are stored in one form, for every spelling; undefined for an invalid time. */
function heldForm(field: Field, value: Json): Json | undefined {
  if (field.type === 'set' && isJsonArray(value)) return (field.canonical ?? sortedUnique)(value.map(String))
  const isTime = field.type === 'string' && field.format === 'date-time'
  return isTime && typeof value === 'string' ? normalTime(value) : value
}

/** The roles of an organization, which the public service returns and the document omits. */
const roleRoutes: Handlers = {
  [roleKind.lifecycle.list]: call => {
    const { store, quirks, organization, url } = call
    // Before roles were listed like everything else, the service refused any query.
    if (url.search !== '' && quirks.grants_route === 'role_access') throw serverError()
    const window = windowOf(call)
    const roles = store.rolesOfOrganization.all(organization.id)
    const shown = roles.slice(window.offset, window.offset + window.limit).map(role => roleRecord(call, role))
    return pageAnswer(call, window, roles.length, shown)
  },
  [roleKind.lifecycle.read]: call => {
    const row = call.store.roles.get((call.params.id ?? '').toLowerCase())
    if (row?.organization_id !== call.organization.id) throw notFound()
    return jsonAnswer(roleRecord(call, row))
  },
}

/** The special rules of kinds. Any other kind is served from its literal alone. */
const resources: Readonly<Record<string, Resource>> = {
  [featureFlag.name]: flagResource,
  [roleAccess.name]: grantResource,
  [pluginKind.name]: pluginResource,
  [eventDefinition.name]: definitionResource,
}

/** The operations for objects of a kind beside its lifecycle. */
const actions: Readonly<Record<string, Handlers>> = {
  [featureFlag.name]: flagRoutes,
  [roleAccess.name]: accessControls,
  [pluginKind.name]: pluginActions,
  [event.name]: eventHandlers,
  [roleKind.name]: roleRoutes,
}

function resourceOf(kind: DeclarableKind): Resource {
  return resources[kind.name] ?? { kind }
}

/** The handler of every endpoint of the interface: by kind, and by the name of the endpoint. */
export const handlers: Readonly<Record<string, Handlers>> = Object.fromEntries(
  Object.values<Kind>(kinds).map(kind => [
    kind.name,
    { ...(isDeclarable(kind) ? serveKind(resourceOf(kind)) : {}), ...actions[kind.name] },
  ]),
)
