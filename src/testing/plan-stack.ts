import { cwd } from 'node:process'
import { type Client, createClient } from '../api/index.ts'
import { apply } from '../core/apply/apply.ts'
import type { ApplyEvent } from '../core/apply/apply-event.ts'
import type { Blocked, Change, Drift, Plan } from '../core/change.ts'
import { problemsBeside, withRemarks } from '../core/describe/hints.ts'
import { plan } from '../core/plan/plan.ts'
import { defaultPolicy } from '../core/policy.ts'
import { takeSnapshot } from '../core/read/snapshot.ts'
import { realRuntime } from '../core/real-runtime.ts'
import { profileNamed, servicesOf } from '../model/connection.ts'
import { dayOf } from '../model/field.ts'
import type { Problem } from '../model/problem.ts'
import type { Runtime } from '../model/runtime.ts'
import { messageOf } from '../model/text/message-of.ts'
import { createStyle, problemLine } from '../report/line-text.ts'
import { planText } from '../report/text.ts'
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
import { type Answers, completeStack, type LoadedStack, loadStack } from '../stack/index.ts'
import { requireKnown, type Verdict } from './block-expectation.ts'
import { type Equals, InAnyOrder } from './expected.ts'
import { chooseStacks, type Subject, type SynthesizedStack, synthesize } from './synthesize.ts'

export interface SubjectOptions {
  /** The name of a stack of an app, if the app has several. */
  readonly stack?: string
  /** The values of the stack's variables. The environment of the test sets none of them. */
  readonly variables?: Readonly<Record<string, string>>
  /** Only what this provider configuration is for, by its alias. */
  readonly provider?: string
}

/** What an apply would do, with the text for people. */
export interface StackPlan {
  readonly changes: readonly Change[]
  readonly blocked: readonly Blocked[]
  readonly drift: readonly Drift[]
  /** The addresses that are as declared. */
  readonly unchanged: readonly string[]
  readonly text: string
}

/** Reads a subject and plans it; nothing is written. */
export async function planSubject(
  place: TestService,
  subject: Subject,
  options?: SubjectOptions,
): Promise<StackPlan> {
  return planStack(place, await readSubject(subject, options, place))
}

export async function planStack(place: TestService, stack: LoadedStack): Promise<StackPlan> {
  return withPlan(place, stack, async made => made)
}

/** Rejects when a change fails, is skipped, or finds its object changed; the others are done all the same. */
export async function applySubject(
  place: TestService,
  subject: Subject,
  options?: SubjectOptions,
): Promise<StackPlan> {
  return withPlan(place, await readSubject(subject, options, place), async (made, client) => {
    const { changes } = made
    const failures: string[] = []
    const record = async () => {}
    for await (const event of apply({ changes, client, runtime: place.runtime, parallelism, record })) {
      failures.push(...failureIn(event))
    }
    if (failures.length > 0)
      throw new Error(['the stack was not completely applied', ...failures].join('\n  '))
    return made
  })
}

/**
 * The stack of a subject, or why it cannot be read. It is checked for the service that it names, else for the
 * test service, which is asked for the lookups of the stack.
 */
export async function readSubject(
  subject: Subject,
  options: SubjectOptions = {},
  place?: TestService,
): Promise<LoadedStack> {
  requireKnown(options, 'options')
  const { stacks, remove } = synthesize(subject)
  try {
    const { folder, appOutput } = chooseStack(stacks, options.stack)
    const { variables = {}, provider } = options
    const given = {
      folder,
      directory: folder,
      // Like all other output of a test runner.
      notedIn: { output: appOutput, directory: cwd() },
      variables: new Map(Object.entries(variables)),
      env: {},
      // Only those of the app: a test reads no settings.
      policies: { policies: [], today: dayOf((place?.runtime ?? realRuntime).now()) },
      ...(provider === undefined ? {} : { provider }),
      ...(place && {
        servicesFor: (named: string | undefined) => servicesOf([profileNamed(named) ?? place.profile]),
      }),
    }
    const load = (answers?: Answers) => loadStack({ ...given, ...(answers && { answers }) })
    const loaded = place ? await completeOn(place, load) : await load()
    if (place) refuseOtherService(loaded.connection.profile, place)
    refuseProblems(loaded.problems.filter(({ severity }) => severity === 'error'))
    return loaded
  } finally {
    remove()
  }
}

async function completeOn(
  place: TestService,
  load: (answers: Answers) => Promise<LoadedStack>,
): Promise<LoadedStack> {
  const clients: Client[] = []
  try {
    return await completeStack(load, {
      roles: place.roles,
      async open({ connection }) {
        const client = clientFor(place, connection)
        clients.push(client)
        return { client }
      },
    })
  } finally {
    await Promise.all(clients.map(client => client.close()))
  }
}

/** Another service has other fields and rules, so that what a test shows would not hold there. */
function refuseOtherService(named: string | undefined, { profile }: Pick<TestService, 'profile'>): void {
  if ((profileNamed(named) ?? profile) === profile) return
  throw new Error(
    `the stack is for a service with profile "${named}", but the sandbox has profile "${profile}": startSandbox({ profile: '${named}' })`,
  )
}

function refuseProblems(errors: readonly Problem[]): void {
  if (errors.length > 0)
    throw new Error(['the stack cannot be planned', ...errors.map(problemLine)].join('\n  '))
}

const parallelism = 8

async function withPlan<T>(
  place: TestService,
  { declarations, connection }: LoadedStack,
  use: (made: StackPlan, client: Client) => Promise<T>,
): Promise<T> {
  const projectId = projectFor(place, connection)
  const client = clientFor(place, connection)
  try {
    const snapshot = await takeSnapshot({ client, declarations, policy: defaultPolicy, parallelism })
    refuseProblems(problemsBeside(declarations, snapshot).filter(({ severity }) => severity === 'error'))
    const asked = { declared: declarations, live: snapshot, policy: defaultPolicy }
    const made = withRemarks(plan(asked), asked)
    return await use(withText(made, { ...place, projectId }), client)
  } finally {
    await client.close()
  }
}

function clientFor(place: TestService, connection: LoadedStack['connection']): Client {
  return createClient({ ...place, projectId: projectFor(place, connection) })
}

/** A production stack that is tried on a sandbox gets the project of the sandbox. */
function projectFor(place: TestService, { project }: LoadedStack['connection']): string {
  return project !== undefined && place.projects.includes(project) ? project : place.project
}

function withText(
  made: Plan,
  { baseUrl, organizationId, profile, projectId }: TestService & { projectId: string },
): StackPlan {
  const target = { baseUrl, projectId, organizationId, profile }
  const { changes, blocked, drift, unchanged } = made
  return {
    changes,
    blocked,
    drift,
    unchanged,
    text: planText(made, { meta: { target }, style: createStyle(false), isVerbose: true }),
  }
}

function chooseStack(stacks: readonly SynthesizedStack[], wanted: string | undefined): SynthesizedStack {
  const [only, ...others] = chooseStacks(stacks, wanted)
  if (only === undefined) throw new Error('the app has no stacks')
  if (others.length === 0) return only
  const names = stacks.map(({ name }) => name).join(', ')
  throw new Error(`the app has several stacks; select one with { stack }: ${names}`)
}

function failureIn(event: ApplyEvent): readonly string[] {
  switch (event.type) {
    case 'change_failed':
      return [`${event.address}: ${messageOf(event.error)}`]
    case 'change_pending':
      return [`${event.address}: change request ${event.changeRequest}: ${event.reason}`]
    case 'change_stale':
    case 'change_skipped':
      return [`${event.address}: ${event.reason}`]
    default:
      return []
  }
}

export interface TestSandboxOptions {
  /** What is there at the start, as in a world file, or the text of one. Otherwise an organization with project 1. */
  readonly world?: WorldFile | string
  /** Roles of the organization in addition to those of the world; a `Role` of a stack is valid too. */
  readonly roles?: readonly TestRole[]
  /** The service whose behaviour it has; `documented` by default. */
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

/** Addresses in any order, how many there are, or a matcher such as `expect.arrayContaining([...])`. */
export type Expected = readonly unknown[] | number | { asymmetricMatch(other: unknown): boolean }

/** The expected content of a plan. What is not named must be empty, so that no change is missed. */
export interface ExpectedPlan {
  readonly create?: Expected
  readonly update?: Expected
  readonly claim?: Expected
  readonly restore?: Expected
  readonly delete?: Expected
  readonly blocked?: Expected
}

/** Whether a plan is as expected; the message of a failure ends with the plan for people. */
export function matchPlan(made: StackPlan, expected: ExpectedPlan, equals: Equals): Verdict {
  const unknown = Object.keys(expected).filter(name => !(parts as readonly string[]).includes(name))
  if (unknown.length > 0) throw new Error(`a plan has no "${unknown[0]}"; it has ${parts.join(', ')}`)
  const wrong = parts.flatMap(part => mismatch(part, addressesOf(made, part), expected[part] ?? [], equals))
  return {
    pass: wrong.length === 0,
    message: () =>
      [...(wrong.length === 0 ? ['the plan is not as expected'] : wrong), '', made.text].join('\n'),
  }
}

const parts = ['create', 'update', 'claim', 'restore', 'delete', 'blocked'] as const
type Part = (typeof parts)[number]

function addressesOf({ changes, blocked }: StackPlan, part: Part): readonly string[] {
  const of = part === 'blocked' ? blocked : changes.filter(({ action }) => action === part)
  return of.map(({ address }) => address).sort()
}

function mismatch(
  part: Part,
  actual: readonly string[],
  expected: Expected,
  equals: Equals,
): readonly string[] {
  const line = (wanted: string) => [`expected ${part}: ${wanted}, got ${listed(actual)}`]
  if (typeof expected === 'number') return actual.length === expected ? [] : line(String(expected))
  if (!Array.isArray(expected)) return equals(actual, expected) ? [] : line(String(expected))
  // Each expected one matches an address of its own.
  return new InAnyOrder(expected, 'set').isMetBy(actual, equals) ? [] : line(listed(expected))
}

function listed(addresses: readonly unknown[]): string {
  return addresses.length === 0 ? 'nothing' : addresses.map(String).join(', ')
}
