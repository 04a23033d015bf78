import type { WorldFile } from '../../../src/sandbox/index.ts'
import type { Files } from '../scene.ts'

type Organization = WorldFile['organizations'][number]
type Project = NonNullable<Organization['projects']>[number]

export const organization = '01900000-0000-0000-0000-000000000001'
export const support = '01900000-0000-0000-0000-0000000000aa'
export const growth = '01900000-0000-0000-0000-0000000000bb'
/** No repository names this role. */
export const ops = '01900000-0000-0000-0000-0000000000cc'

export const flagsPath = '/api/projects/1/feature_flags'
export const pluginsPath = `/api/organizations/${organization}/plugins`

/** One project, with what is live in it, and the plugins of its organization. */
export function worldWith(project: Partial<Project> = {}, plugins: Organization['plugins'] = []): WorldFile {
  return worldOfProjects([{ id: 1, name: 'Production', ...project }], plugins)
}

export function worldOfProjects(
  projects: readonly Project[],
  plugins: Organization['plugins'] = [],
): WorldFile {
  return {
    users: [
      { id: 1, email: 'ada@example.com', first_name: 'Ada', uuid: '01900000-0000-0000-0000-000000000101' },
    ],
    organizations: [
      {
        id: organization,
        name: 'Example',
        roles: [
          { id: support, name: 'support', feature_flags_access_level: 21 },
          { id: growth, name: 'growth', feature_flags_access_level: 37 },
          { id: ops, name: 'ops', feature_flags_access_level: 21 },
        ],
        projects,
        plugins,
      },
    ],
  }
}

/** A repository: its settings, after the version and the roles, and one file of declarations. */
export function repository(declarations: string, settings = ''): Files {
  return {
    'vexil.yaml': `version: 1\nroles: { support: ${support}, growth: ${growth} }\n${settings}`,
    'flags.yaml': declarations,
  }
}
