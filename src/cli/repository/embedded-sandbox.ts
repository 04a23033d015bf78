import { join, relative } from 'node:path'
import { stateFolder } from '../../core/record/run-folder.ts'
import { isUuid } from '../../model/text/json-shape.ts'
import { createSandbox, sampleWorld, serveSandbox, type WorldFile } from '../../sandbox/index.ts'
import type { Host } from '../host/host.ts'
import type { Connection } from './connection.ts'
import type { RepositorySettings } from './repository-settings.ts'

type Where = Pick<RepositorySettings, 'directory' | 'environments'>
type Organization = WorldFile['organizations'][number]
type Role = NonNullable<Organization['roles']>[number]

/** The connection to the embedded sandbox, instead of a service. */
export interface EmbeddedSandbox {
  readonly connection: Pick<Connection, 'baseUrl' | 'apiKey' | 'keySource'> &
    Required<Pick<Connection, 'projectId' | 'organizationId'>>
  /** A note about its state and how to reset it; one line. */
  readonly note: string
  close(): Promise<void>
}

/** Opens the sandbox of `--sandbox`. Its state is kept in the repository for the next command. */
export async function openEmbeddedSandbox(
  { runtime, directory: here }: Host,
  { directory, environments }: Where,
  { profile, projectId, organizationId }: Connection,
): Promise<EmbeddedSandbox> {
  const data = join(directory, stateFolder, 'sandbox')
  const seed = worldFor(environments)
  const own = profile === 'auto' ? 'documented' : profile
  const sandbox = await createSandbox({ runtime, data, profile: own, seed })
  const { api_key: apiKey, organization, project } = sandbox.summary
  const served = await serveSandbox(sandbox, { host: '127.0.0.1', port: 0 })
  return {
    note: noteOf(relative(here, data), sandbox.isFresh),
    connection: {
      baseUrl: served.url,
      apiKey,
      keySource: 'the sandbox',
      projectId: projectId ?? String(project),
      organizationId: organizationId ?? organization,
    },
    async close() {
      await served.close()
      await sandbox.close()
    },
  }
}

function noteOf(folder: string, isFresh: boolean): string {
  const state = isFresh
    ? `made in "${folder}" from vexil.yaml and sample data; it is seeded once, delete that folder to start afresh`
    : `"${folder}" keeps the state of earlier commands and ignores changes of vexil.yaml; delete that folder to start afresh`
  return `sandbox: ${state}`
}

/** The sample world, with the organizations, projects and roles of the settings. */
export function worldFor(environments: Where['environments']): WorldFile {
  const [sample, ...rest] = sampleWorld.organizations
  if (!sample) return sampleWorld
  const named = [...new Set(environments.flatMap(organizationOf))]
  const [home = sample.id, ...others] = named
  const inOrganization = (id: string | undefined) =>
    environments.filter(environment => (organizationOf(environment)[0] ?? home) === id)
  const taken = new Set(sample.projects?.flatMap(({ id }) => id ?? []))
  const projectsOf = (id: string | undefined) =>
    inOrganization(id).flatMap(environment => newProject(environment, taken))
  return {
    ...sampleWorld,
    organizations: [
      {
        ...sample,
        id: home,
        roles: rolesOf(inOrganization(home), sample.roles ?? []),
        projects: [...(sample.projects ?? []), ...projectsOf(home)],
      },
      ...rest,
      ...others.map(id => ({
        id,
        name: `Organization ${id}`,
        roles: rolesOf(inOrganization(id), []),
        projects: projectsOf(id),
      })),
    ],
  }
}

function organizationOf({ connection: { organization } }: Where['environments'][number]): string[] {
  return organization !== undefined && isUuid(organization) ? [organization.toLowerCase()] : []
}

function newProject(
  { name, connection }: Where['environments'][number],
  taken: Set<number>,
): { id: number; name: string }[] {
  const id = Number(connection.project)
  if (!Number.isSafeInteger(id) || id < 1 || taken.has(id)) return []
  taken.add(id)
  return [{ id, name: name ?? `Project ${id}` }]
}

/** The roles of the settings, and roles of the sample with other names and ids. */
function rolesOf(environments: Where['environments'], sample: readonly Role[]): Role[] {
  const roles: Role[] = []
  const declared = environments.flatMap(environment => Object.entries(environment.roles))
  for (const [name, id] of declared) {
    if (!roles.some(role => role.name === name || role.id === id)) roles.push({ id, name })
  }
  for (const { id, ...role } of sample) {
    if (roles.some(({ name }) => name === role.name)) continue
    roles.push(roles.some(each => each.id === id) || id === undefined ? role : { id, ...role })
  }
  return roles
}
