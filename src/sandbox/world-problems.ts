import type { Problem, Source } from '../model/problem.ts'
import type { WorldFile, WorldFlag, WorldOrganization, WorldProject } from './world-file.ts'

/** Mistakes of a world file that a schema cannot see: names that mean nothing, and things that are there twice. */
export function worldProblems(world: WorldFile, locate: (pointer: string) => Source): readonly Problem[] {
  const problems: Problem[] = []
  const report: Checks['report'] = (code, message, pointer) => {
    problems.push({ code, severity: 'error', message, source: locate(pointer) })
  }
  const users = new Set(world.users?.map(user => user.email))
  const checks: Checks = { report, once: distinct(report), users }
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

interface Checks {
  readonly report: (code: string, message: string, pointer: string) => void
  /** Reports the second of two things of one name in one place. */
  readonly once: (place: string, what: string, name: string | number | undefined, pointer: string) => void
  readonly users: ReadonlySet<string>
}

function checkOrganization(organization: WorldOrganization, pointer: string, checks: Checks): void {
  const { roles = [], plugins = [], projects = [] } = organization
  checks.once('', 'organization id', organization.id, `${pointer}/id`)
  for (const [index, role] of roles.entries()) {
    checks.once(pointer, 'role', role.name, `${pointer}/roles/${index}/name`)
    checks.once('', 'role id', role.id, `${pointer}/roles/${index}/id`)
  }
  for (const [index, plugin] of plugins.entries()) {
    checks.once('', 'plugin id', plugin.id, `${pointer}/plugins/${index}/id`)
    checks.once('', 'plugin url', plugin.url, `${pointer}/plugins/${index}/url`)
  }
  const known = new Set(roles.map(role => role.name))
  for (const [index, project] of projects.entries())
    checkProject(project, `${pointer}/projects/${index}`, known, checks)
}

function checkProject(
  project: WorldProject,
  pointer: string,
  roles: ReadonlySet<string>,
  checks: Checks,
): void {
  const { persons = [], event_definitions = [], events = [], feature_flags = [] } = project
  checks.once('', 'API token', project.api_token, `${pointer}/api_token`)
  checkGroups(project, pointer, checks)
  checkCohorts(project, pointer, checks)
  checks.once('', 'project id', project.id, `${pointer}/id`)
  for (const [index, person] of persons.entries())
    for (const [at, id] of person.distinct_ids.entries())
      checks.once(pointer, 'distinct id', id, `${pointer}/persons/${index}/distinct_ids/${at}`)
  for (const [index, event] of events.entries())
    checks.once('', 'event id', event.id, `${pointer}/events/${index}/id`)
  for (const [index, definition] of event_definitions.entries()) {
    checks.once(pointer, 'event definition', definition.name, `${pointer}/event_definitions/${index}/name`)
    checks.once('', 'event definition id', definition.id, `${pointer}/event_definitions/${index}/id`)
  }
  for (const [index, flag] of feature_flags.entries()) {
    checks.once(pointer, 'flag', flag.key, `${pointer}/feature_flags/${index}/key`)
    checkFlag(flag, `${pointer}/feature_flags/${index}`, roles, checks)
  }
}

function checkGroups(project: WorldProject, pointer: string, checks: Checks): void {
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

function checkCohorts({ cohorts = [], persons = [] }: WorldProject, pointer: string, checks: Checks): void {
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

function checkFlag(flag: WorldFlag, pointer: string, roles: ReadonlySet<string>, checks: Checks): void {
  checks.once('', 'flag id', flag.id, `${pointer}/id`)
  if (flag.created_by !== undefined && !checks.users.has(flag.created_by))
    checks.report('unknown-user', `there is no user "${flag.created_by}"`, `${pointer}/created_by`)
  for (const [index, role] of (flag.role_access ?? []).entries())
    if (!roles.has(role))
      checks.report(
        'unknown-role',
        `there is no role "${role}" in the organization`,
        `${pointer}/role_access/${index}`,
      )
}

function distinct(report: Checks['report']): Checks['once'] {
  const seen = new Set<string>()
  return (place, what, name, pointer) => {
    if (name === undefined) return
    const key = JSON.stringify([place, what, name])
    if (seen.has(key)) report('duplicate', `${what} "${name}" is there twice`, pointer)
    seen.add(key)
  }
}
