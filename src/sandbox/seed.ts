import { kinds } from '../kinds/index.ts'
import type { Fields } from '../model/field.ts'
import type { World } from '../model/world.ts'
import { createUsageDashboard } from './flag-actions.ts'
import { seedEvents } from './ingest.ts'
import { groupTypesOf, projectToken } from './project.ts'
import { flagResource } from './routes/flag-resource.ts'
import { pluginResource } from './routes/plugin-resource.ts'
import type { OrganizationRow, ProjectRow, RoleRow } from './rows.ts'
import { blankRow } from './server/blank-row.ts'
import { databaseOrder } from './shown-filters.ts'
import { inProject, type Store } from './store.ts'
import { isoTime, normalTime } from './time.ts'
import { uuidFrom } from './uuid.ts'
import type {
  WorldCohort,
  WorldDefinition,
  WorldFile,
  WorldFlag,
  WorldOrganization,
  WorldPlugin,
  WorldProject,
} from './world-file.ts'

/** Fills an empty store with what a world file says, and makes up what it leaves out. */
export function seedStore(store: Store, file: WorldFile, world: World): void {
  const seeding: Seeding = { store, now: isoTime(world.now()), uuid: () => uuidFrom(() => world.random()) }
  reserveIds(seeding, file)
  const organizations = file.organizations.map((organization, position) =>
    seedOrganization(seeding, organization, position),
  )
  seedUsers(seeding, file)
  for (const [index, organization] of file.organizations.entries()) {
    const row = organizations[index]
    if (!row) continue
    for (const project of organization.projects ?? []) seedProject(seeding, project, row)
    for (const plugin of organization.plugins ?? []) seedPlugin(seeding, plugin, row)
  }
}

interface Seeding {
  readonly store: Store
  readonly now: string
  readonly uuid: () => string
}

/** Ids that the file chooses must not be handed out to what stands before them. */
function reserveIds({ store }: Seeding, file: WorldFile): void {
  for (const { id } of file.users ?? []) if (id !== undefined) store.reserveId(store.users, id)
  for (const { projects = [], plugins = [] } of file.organizations) {
    for (const { id } of plugins) if (id !== undefined) store.reserveId(store.plugins, id)
    for (const { id, feature_flags = [], cohorts = [] } of projects) {
      if (id !== undefined) store.reserveId(store.projects, id)
      for (const cohort of cohorts) if (cohort.id !== undefined) store.reserveId(store.cohorts, cohort.id)
      for (const flag of feature_flags) if (flag.id !== undefined) store.reserveId(store.flags, flag.id)
    }
  }
}

function seedOrganization(
  { store, uuid, now }: Seeding,
  file: WorldOrganization,
  position: number,
): OrganizationRow {
  const id = (file.id ?? uuid()).toLowerCase()
  const organization = store.organizations.put({ id, name: file.name, position })
  for (const role of file.roles ?? [])
    store.roles.put({
      id: (role.id ?? uuid()).toLowerCase(),
      name: role.name,
      organization_id: organization.id,
      feature_flags_access_level: role.feature_flags_access_level ?? 37,
      created_at: now,
      created_by: null,
    })
  return organization
}

function seedUsers({ store, uuid }: Seeding, file: WorldFile): void {
  const users = file.users?.length ? file.users : [{ email: 'sandbox@example.com', first_name: 'Sandbox' }]
  const roles = [...store.roles.all()]
  for (const [position, user] of users.entries()) {
    const id = user.id ?? store.nextId(store.users)
    store.users.put({
      id,
      uuid: user.uuid ?? uuid(),
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
  const { store, uuid, now } = seeding
  const id = file.id ?? store.nextId(store.projects)
  const project = store.projects.put({
    id,
    name: file.name,
    organization_id: organization.id,
    api_token: file.api_token ?? projectToken(id),
    ...(file.group_types ? { group_types: file.group_types } : {}),
  })
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
      uuid: uuid(),
      project_id: project.id,
      distinct_ids: person.distinct_ids,
      properties: person.properties ?? {},
      created_at: normalTime(person.created_at ?? now) ?? now,
    })
  for (const cohort of file.cohorts ?? []) seedCohort(seeding, cohort, project)
  for (const definition of file.event_definitions ?? []) seedDefinition(seeding, definition, project)
  seedEvents(seeding, file.events ?? [], project)
  const authors = new Map([...store.users.all()].map(user => [user.email, user.id]))
  const owner = store.owner?.id ?? null
  const roles = new Map(store.rolesOfOrganization.all(organization.id).map(role => [role.name, role]))
  for (const flag of file.feature_flags ?? [])
    seedFlag(seeding, flag, project, authors.get(flag.created_by ?? '') ?? owner, roles)
}

function seedCohort({ store, now }: Seeding, file: WorldCohort, project: ProjectRow): void {
  const members = (file.persons ?? []).flatMap(
    distinctId => store.personByDistinctId.get(inProject(project.id, distinctId))?.id ?? [],
  )
  store.cohorts.put({
    id: file.id ?? store.nextId(store.cohorts),
    project_id: project.id,
    name: file.name,
    created_at: now,
    created_by: store.owner?.id ?? null,
    persons: [...new Set(members)],
    ...(file.properties ? { properties: file.properties } : {}),
  })
}

function seedDefinition({ store, uuid, now }: Seeding, file: WorldDefinition, project: ProjectRow): void {
  store.definitions.put({
    id: (file.id ?? uuid()).toLowerCase(),
    project_id: project.id,
    name: file.name,
    tags: labels(file.tags),
    created_at: normalTime(file.created_at ?? now) ?? now,
    last_seen_at: file.last_seen_at ? (normalTime(file.last_seen_at) ?? null) : null,
    last_updated_at: null,
    post_to_chat: file.post_to_chat ?? false,
  })
}

function seedFlag(
  { store, now }: Seeding,
  file: WorldFlag,
  project: ProjectRow,
  author: number | null,
  roles: ReadonlyMap<string, RoleRow>,
): void {
  const { role_access, can_edit, created_by: _author, filters, tags, id: chosen, ...fields } = file
  const id = chosen ?? store.nextId(store.flags)
  const given = heldMembers(fields, kinds.feature_flag.fields)
  store.flags.put({
    ...blankRow(flagResource, store, project.id, { now, author }),
    ...given,
    created_at: normalTime(file.created_at ?? now) ?? now,
    filters: isFilters(filters) ? databaseOrder(filters) : {},
    tags: labels(tags),
    editable: can_edit ?? true,
    usage_dashboard: createUsageDashboard({ store, project }, { id, key: file.key }).id,
    id,
  })
  for (const name of role_access ?? []) {
    const role = roles.get(name)
    if (role)
      store.grants.put({
        id: store.nextId(store.grants),
        flag_id: id,
        role_id: role.id,
        added_at: now,
        updated_at: now,
      })
  }
  // A tombstone is in no list; its deletion is in the log, as that of any other.
  if (file.deleted) {
    store.activity.put({
      id: store.nextId(store.activity),
      scope: 'FeatureFlag',
      owner: project.id,
      item_id: id,
      activity: 'deleted',
      name: file.key,
      user_id: store.owner?.id ?? 0,
      changes: null,
      created_at: now,
    })
  }
}

function seedPlugin({ store, now }: Seeding, file: WorldPlugin, organization: OrganizationRow): void {
  const given = heldMembers(file, kinds.plugin.fields)
  const blank = blankRow(pluginResource, store, organization.id, { now, author: null })
  store.plugins.put({ ...blank, ...given, id: file.id ?? store.nextId(store.plugins) })
}

/** The members that are kept as they are said: null only where the service holds it. */
function heldMembers(members: object, fields: Fields): { [name: string]: unknown } {
  return Object.fromEntries(
    Object.entries(members).filter(([name, value]) => value !== null || fields[name]?.nullable === true),
  )
}

function labels(tags: WorldFlag['tags']): readonly string[] {
  return [...new Set((tags ?? []).map(tag => String(tag).trim().toLowerCase()))].sort()
}

function isFilters(filters: WorldFlag['filters']): filters is Record<string, never> {
  return typeof filters === 'object' && filters !== null && !Array.isArray(filters)
}
