import type { JsonObject } from '../../model/json/json.ts'
import { type DeclarableKind, identityField, type Scope } from '../../model/kind.ts'
import type { Problem, Source } from '../../model/problem.ts'
import { worldKinds } from '../../schema/input/world-schema.ts'
import type { WorldChecks } from '../resource/resource.ts'
import { resourceOf } from '../served-kinds.ts'
import { isUnique } from '../store/collection.ts'
import { objectsIn } from './seed.ts'
import type { WorldFile, WorldOrganization, WorldProject } from './world-file.ts'

/** Problems of a world file that a schema cannot find: unknown names, and duplicates. */
export function worldProblems(world: WorldFile, locate: (pointer: string) => Source): readonly Problem[] {
  const problems: Problem[] = []
  const report: WorldChecks['report'] = (code, message, pointer) => {
    problems.push({ code, severity: 'error', message, source: locate(pointer) })
  }
  const users = new Set(world.users?.map(user => user.email))
  const checks: WorldChecks = { report, once: distinct(report), users, roles: new Set() }
  const organizations = world.organizations
  const roles = new Set(organizations.flatMap(({ roles: all = [] }) => all).map(role => role.name))
  for (const [index, user] of (world.users ?? []).entries()) {
    const pointer = `/users/${index}`
    checks.once('users', 'user', user.email, `${pointer}/email`)
    checks.once('users', 'user id', user.id, `${pointer}/id`)
    for (const [at, role] of (user.roles ?? []).entries())
      if (!roles.has(role)) report('unknown-role', `there is no role "${role}"`, `${pointer}/roles/${at}`)
  }
  for (const [index, organization] of organizations.entries())
    checkOrganization(organization, `/organizations/${index}`, checks)
  return problems
}

function checkOrganization(organization: WorldOrganization, pointer: string, checks: WorldChecks): void {
  const { roles = [], projects = [] } = organization
  checks.once('', 'organization id', organization.id, `${pointer}/id`)
  for (const [index, role] of roles.entries()) {
    checks.once(pointer, 'role', role.name, `${pointer}/roles/${index}/name`)
    checks.once('', 'role id', role.id, `${pointer}/roles/${index}/id`)
  }
  const known = { ...checks, roles: new Set(roles.map(role => role.name)) }
  checkObjects('organization', organization, pointer, known)
  for (const [index, project] of projects.entries())
    checkProject(project, `${pointer}/projects/${index}`, known)
}

function checkProject(project: WorldProject, pointer: string, checks: WorldChecks): void {
  const { persons = [], events = [] } = project
  checks.once('', 'API token', project.api_token, `${pointer}/api_token`)
  checkGroups(project, pointer, checks)
  checkCohorts(project, pointer, checks)
  checks.once('', 'project id', project.id, `${pointer}/id`)
  for (const [index, person] of persons.entries())
    for (const [at, id] of person.distinct_ids.entries())
      checks.once(pointer, 'distinct id', id, `${pointer}/persons/${index}/distinct_ids/${at}`)
  for (const [index, event] of events.entries())
    checks.once('', 'event id', event.id, `${pointer}/events/${index}/id`)
  checkObjects('project', project, pointer, checks)
}

/** Unique identities and ids occur once; the creator of an object is a user of the world. */
function checkObjects(
  scope: Scope,
  part: WorldOrganization | WorldProject,
  pointer: string,
  checks: WorldChecks,
): void {
  for (const kind of worldKinds(scope)) {
    const { title, longTitle = title, section } = kind
    const field = identityField(kind)
    for (const [index, object] of objectsIn(part, kind).entries()) {
      const at = `${pointer}/${section}/${index}`
      if (isUnique(kind)) checks.once(pointer, longTitle, object[field], `${at}/${field}`)
      checks.once('', `${longTitle} id`, object.id, `${at}/id`)
      checkAuthors(kind, object, at, checks)
      resourceOf(kind).worldProblems?.(object, at, checks)
    }
  }
}

function checkAuthors(
  { fields }: DeclarableKind,
  object: JsonObject,
  pointer: string,
  checks: WorldChecks,
): void {
  for (const [name, { stamp }] of Object.entries(fields)) {
    const author = object[name]
    if (stamp === 'author' && author !== undefined && !checks.users.has(author))
      checks.report('unknown-user', `there is no user "${String(author)}"`, `${pointer}/${name}`)
  }
}

function checkGroups(project: WorldProject, pointer: string, checks: WorldChecks): void {
  const types = project.group_types ?? ['organization']
  for (const [index, type] of types.entries())
    checks.once(pointer, 'group type', type, `${pointer}/group_types/${index}`)
  for (const [index, { type, key }] of (project.groups ?? []).entries()) {
    const at = `${pointer}/groups/${index}`
    if (!types.includes(type))
      checks.report('unknown-group-type', `there is no group type "${type}" in the project`, `${at}/type`)
    checks.once(`${pointer}/${type}`, 'group', key, `${at}/key`)
  }
}

function checkCohorts(
  { cohorts = [], persons = [] }: WorldProject,
  pointer: string,
  checks: WorldChecks,
): void {
  const ids = new Set(persons.flatMap(person => person.distinct_ids))
  for (const [index, { id, name, properties, persons: members }] of cohorts.entries()) {
    const at = `${pointer}/cohorts/${index}`
    checks.once('', 'cohort id', id, `${at}/id`)
    checks.once(pointer, 'cohort', name, `${at}/name`)
    if ((properties === undefined) === (members === undefined))
      checks.report('cohort-members', `cohort "${name}" needs either "properties" or "persons"`, at)
    for (const [position, member] of (members ?? []).entries())
      if (!ids.has(member))
        checks.report('unknown-person', `there is no person "${member}"`, `${at}/persons/${position}`)
  }
}

function distinct(report: WorldChecks['report']): WorldChecks['once'] {
  const seen = new Set<string>()
  return (place, what, name, pointer) => {
    if (name === undefined) return
    const key = JSON.stringify([place, what, name])
    if (seen.has(key)) report('duplicate', `${what} "${name}" is there twice`, pointer)
    seen.add(key)
  }
}
