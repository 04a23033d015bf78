import { cwd } from 'node:process'
import { type Client, createClient } from '../api/index.ts'
import { apply } from '../core/apply/apply.ts'
import type { ApplyEvent } from '../core/apply/apply-event.ts'
import type { Blocked, Change, Drift, Plan } from '../core/change.ts'
import { problemsBeside } from '../core/plan/guards/live-only.ts'
import { plan } from '../core/plan/plan.ts'
import { defaultPolicy } from '../core/policy.ts'
import { takeSnapshot } from '../core/read/snapshot.ts'
import { realRuntime } from '../core/real-runtime.ts'
import { profileNamed, servicesOf } from '../model/connection/profile.ts'
import type { Problem } from '../model/problem.ts'
import { dayOf } from '../model/tag-member.ts'
import { planText } from '../report/text/plan-text.ts'
import { createStyle, problemLine } from '../report/text/problem-text.ts'
import { type Answers, completeStack, type LoadedStack, loadStack } from '../stack/index.ts'
import { requireKnown } from './require-known.ts'
import type { Subject } from './subject.ts'
import { chooseStacks, type SynthesizedStack, synthesize } from './synthesize.ts'
import type { TestService } from './test-service.ts'

export interface SubjectOptions {
  /** Which stack of an app, by its name, where it has several. */
  readonly stack?: string
  /** What the variables of the stack are given. The environment of the test gives them nothing. */
  readonly variables?: Readonly<Record<string, string>>
  /** Only what this provider configuration is for, by its alias. */
  readonly provider?: string
}

/** What an apply would do, with the text in which people are shown it. */
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
    if (failures.length > 0) throw new Error(['the stack was not applied whole', ...failures].join('\n  '))
    return made
  })
}

/**
 * The stack of a subject, or why it cannot be read. It is checked for the service that it names, else for the one that it
 * is tried on, which is asked for what the stack looks up.
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
      // As everything else that a runner of tests tells.
      notedIn: { output: appOutput, directory: cwd() },
      variables: new Map(Object.entries(variables)),
      env: {},
      // Of the app alone: a test reads no settings.
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
    `the stack is for a service of profile "${named}", and the sandbox is one of "${profile}": startSandbox({ profile: '${named}' })`,
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
    const made = plan({ declarations, snapshot, policy: defaultPolicy })
    return await use(withText(made, { ...place, projectId }), client)
  } finally {
    await client.close()
  }
}

function clientFor(place: TestService, connection: LoadedStack['connection']): Client {
  return createClient({ ...place, projectId: projectFor(place, connection) })
}

/** A stack of production that is tried on a sandbox means the place that is there for it. */
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
  throw new Error(`the app has several stacks; choose one with { stack }: ${names}`)
}

function failureIn(event: ApplyEvent): readonly string[] {
  switch (event.type) {
    case 'change_failed':
      return [`${event.address}: ${event.error instanceof Error ? event.error.message : String(event.error)}`]
    case 'change_pending':
      return [`${event.address}: change request ${event.changeRequest}: ${event.reason}`]
    case 'change_stale':
    case 'change_skipped':
      return [`${event.address}: ${event.reason}`]
    default:
      return []
  }
}
