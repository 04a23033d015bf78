import type { Runtime } from '../../model/runtime/runtime.ts'
import { uuidFrom } from '../draw-uuid.ts'
import { seedEvents } from '../events/ingest.ts'
import type { OrganizationRow, ProjectRow } from '../store/rows.ts'
import { inProject, type Store } from '../store/store.ts'
import { isoTime, normalTime } from '../time.ts'
import { groupTypesOf, projectToken } from './project.ts'
import { reserveObjectIds, seedObjects } from './seed-objects.ts'
import type { Seeding } from './seeding.ts'
import type { WorldCohort, WorldFile, WorldOrganization, WorldProject } from './world-file.ts'

/** Fills an empty store with what a world file says, and makes up what it leaves out. */
export function seedStore(store: Store, file: WorldFile, runtime: Runtime): void {
  const seeding: Seeding = {
    store,
    now: isoTime(runtime.now()),
    uuid: () => uuidFrom(() => runtime.random()),
  }
  reserveIds(seeding, file)
  const organizations = file.organizations.map((organization, position) =>
    seedOrganization(seeding, organization, position),
  )
  seedUsers(seeding, file)
  for (const [index, organization] of file.organizations.entries()) {
    const row = organizations[index]
    if (!row) continue
    for (const project of organization.projects ?? []) seedProject(seeding, project, row)
    seedObjects({ ...seeding, organization: row }, organization)
  }
}

/** Ids that the file chooses must not be handed out to what stands before them. */
function reserveIds(seeding: Seeding, file: WorldFile): void {
  const { store } = seeding
  for (const { id } of file.users ?? []) if (id !== undefined) store.reserveId(store.users, id)
  for (const organization of file.organizations) {
    reserveObjectIds(seeding, 'organization', organization)
    for (const project of organization.projects ?? []) {
      const { id, cohorts = [] } = project
      if (id !== undefined) store.reserveId(store.projects, id)
      for (const cohort of cohorts) if (cohort.id !== undefined) store.reserveId(store.cohorts, cohort.id)
      reserveObjectIds(seeding, 'project', project)
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
  seedObjects({ ...seeding, organization, project }, file)
  seedEvents(seeding, file.events ?? [], project)
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
