import { realRuntime } from '../core/real-runtime.ts'
import type { Runtime } from '../model/runtime/runtime.ts'
import {
  createSandbox,
  emptyWorld,
  type Profile,
  parseFault,
  parseQuirk,
  parseWorld,
  type Sandbox,
  serveSandbox,
  type WorldFile,
} from '../sandbox/index.ts'
import { requireKnown } from './require-known.ts'

export interface TestSandboxOptions {
  /** What is there at the start, as in a world file, or the text of one. Otherwise an organization with project 1. */
  readonly world?: WorldFile | string
  /** Roles that the organization has beside those of the world; a `Role` of a stack can be given as it is. */
  readonly roles?: readonly TestRole[]
  /** Whose behaviour; `documented` unless told otherwise. */
  readonly profile?: Profile
  /** Single behaviours, as `vexil sandbox --quirk` takes them: `page_size_cap=10`. */
  readonly quirks?: readonly string[]
  /** Faults, as `vexil sandbox --fault` takes them: `PATCH /feature_flags/* nth=2 reset_after`. */
  readonly faults?: readonly string[]
}

export interface TestRole {
  readonly id: string
  readonly name?: string | undefined
}

/** The service that a stack is planned against, and what a client has to know of it. */
export interface TestService {
  readonly baseUrl: string
  readonly apiKey: string
  readonly organizationId: string
  /** Its own project, for stacks that name none that it has. */
  readonly project: string
  readonly projects: readonly string[]
  readonly profile: Profile
  /** The ids of its roles, by name: not every service lists them. */
  readonly roles: Readonly<Record<string, string>>
  readonly runtime: Runtime
}

/** Makes a sandbox and lets it listen on a free port of loopback. */
export async function openTestService(
  options: TestSandboxOptions,
): Promise<{ readonly sandbox: Sandbox; readonly place: TestService; close(): Promise<void> }> {
  requireKnown(options, 'options')
  const { profile = 'documented', quirks = [], faults = [], roles = [] } = options
  const sandbox = await createSandbox({
    runtime: realRuntime,
    seed: withRoles(worldOf(options), roles),
    profile,
    quirks: Object.assign({}, ...quirks.map(parseQuirk)),
    faults: faults.map(parseFault),
  })
  // A test that fails before it closes its sandbox must not keep jest from ending.
  const served = await serveSandbox(sandbox, { mayEnd: true })
  const { api_key: apiKey, organization, project, projects, roles: known } = sandbox.summary
  return {
    sandbox,
    place: {
      baseUrl: served.url,
      apiKey,
      organizationId: organization,
      project: String(project),
      projects: projects.map(String),
      profile,
      roles: Object.fromEntries(known.map(({ id, name }) => [name, id])),
      runtime: realRuntime,
    },
    async close() {
      await served.close()
      await sandbox.close()
    },
  }
}

function worldOf({ world = emptyWorld }: TestSandboxOptions): WorldFile {
  return typeof world === 'string' ? parseWorld(world) : parseWorld(JSON.stringify(world))
}

function withRoles(world: WorldFile, roles: readonly TestRole[]): WorldFile {
  const [home, ...others] = world.organizations
  if (!home) return world
  const there = home.roles ?? []
  const added = roles
    .filter(({ id }) => !there.some(role => role.id === id))
    .map(({ id, name }) => ({ id, name: name ?? `role ${id}` }))
  return { ...world, organizations: [{ ...home, roles: [...there, ...added] }, ...others] }
}
