import { resolve } from 'node:path'
import { fromEnvironment } from '../../api/index.ts'
import { servicesOf } from '../../model/connection/profile.ts'
import { definedMembers } from '../../model/json/defined-members.ts'
import type { Problem } from '../../model/problem.ts'
import { dayOf } from '../../model/tag-member.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import { placeOf } from '../../report/object-names.ts'
import {
  type Answers,
  completeStack,
  conditionCode,
  type LoadedStack,
  loadStacks,
  loadTerraformPlan,
  type StackConnection,
} from '../../stack/index.ts'
import {
  leftOut,
  type Repository,
  type RepositoryFlags,
  type RepositorySettings,
} from '../connection/repository-settings.ts'
import { type ConnectionSettings, settledPlace } from '../connection/resolve-connection.ts'
import { isSameSetting, members } from '../connection/resolve-setting.ts'
import { openSession, type Session, type SessionFlags } from '../connection/session.ts'
import { CommandError, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { sourceFields } from '../host/output/log.ts'
import { findStacks } from './find-stacks.ts'
import { refuseProblems, refusing } from './refuse-problems.ts'
import { toldProblems } from './told-problems.ts'

/** Reads the synthesized stack that the flags name, in place of the YAML files of a repository. */
export async function withStack(
  host: Host,
  flags: RepositoryFlags & SessionFlags,
  settings: RepositorySettings,
  /** Whether the service may be asked for what the stack looks up; without that, nothing is declared. */
  isForPlan: boolean,
): Promise<Repository> {
  const { directory, roles } = settings
  const read = await stackReader(host, flags, settings)
  const asked: Session[] = []
  const stack = isForPlan ? await completed() : await read(new Map())
  const files = { directory, texts: stack.texts }
  if (flags.app !== undefined) noteAnnotations(host, stack)
  refuseProblems(host, stack.problems, files)
  const isCheck = ({ code }: Problem) => code === conditionCode
  if (isForPlan) noteChecks(host, stack.problems.filter(isCheck))
  const said = definedMembers(stack.connection)
  if (flags.env !== undefined) requireAgreement(flags.env, settings.connection, said)
  return {
    ...settings,
    ...placeFor(settings, stack),
    declarations: isForPlan ? stack.declarations : { desired: [], ownedGrants: [] },
    stack: stack.file,
    warnings: stack.problems.filter(problem => !isCheck(problem)),
    told: problems => toldProblems(host, problems, files),
    refuse: refusing(host, files),
    requests: asked.reduce((sum, { client }) => sum + client.requestCount, 0),
  }

  function completed(): Promise<LoadedStack> {
    return completeStack(read, {
      roles,
      async open(first) {
        const place = { ...settings, ...placeFor(settings, first) }
        const session = await openSession(host, flags, place, { readOnly: true, isQuiet: true })
        asked.push(session)
        return { client: session.client, signal: host.stop }
      },
    }).finally(() => Promise.all(asked.map(session => session.close())))
  }
}

/** The settings with what a stack says of its place. */
function placeFor(
  settings: RepositorySettings,
  stack: LoadedStack,
): Pick<RepositorySettings, 'connection' | 'environments'> {
  const said = definedMembers(stack.connection)
  const { project, organization } = { ...settings.connection, ...said }
  return {
    connection: { ...without(settings.connection, Object.keys(said)), stated: said },
    environments: [
      ...settings.environments,
      {
        connection: {
          ...(project === undefined ? {} : { project }),
          ...(organization === undefined ? {} : { organization }),
        },
        roles: settings.roles,
        cohorts: settings.cohorts,
        groupTypes: settings.groupTypes,
      },
    ],
  }
}

/** Says what the app says of its constructs; its errors are told with all others. */
function noteAnnotations(host: Host, { annotations }: LoadedStack): void {
  for (const { level, message, constructPath, source } of annotations) {
    const text = `[${escapeText(constructPath)}] ${escapeText(message)}`
    note(host, level, { from: 'app', text, source })
  }
}

/** Says which checks of a stack do not hold: they are asked at each plan and stop nothing, as with Terraform. */
function noteChecks(host: Host, checks: readonly Problem[]): void {
  for (const { severity, message, source } of checks)
    note(host, severity, { from: 'stack', text: escapeText(message), source })
}

interface Note {
  readonly from: 'app' | 'stack'
  readonly text: string
  readonly source: Problem['source']
}

function note({ log }: Host, level: 'error' | 'warning' | 'info', { from, text, source }: Note): void {
  const place = placeOf(source)
  const where = place === '' ? '' : `${place} `
  log[level === 'warning' ? 'warn' : 'info'](`${level}: ${where}${text}`, { from, ...sourceFields(source) })
}

/** Reads stacks and finds their problems, for those who want nothing else of it; asks no service. */
export async function readStack(
  host: Host,
  flags: RepositoryFlags,
  settings: ReaderSettings,
): Promise<LoadedStack> {
  const read = await stackReader(host, flags, settings, { mayBeApart: true })
  return read(new Map())
}

/** What a stack is read with; all but the folder may be left out. */
export type ReaderSettings = Pick<RepositorySettings, 'directory'> &
  Partial<Pick<RepositorySettings, 'roles' | 'policies' | 'policy' | 'environment' | 'connection'>>

/** Which service a stack is for, as a connection is settled: the command line, the stack itself, the environment, the settings. */
export function profileOf(
  host: Host,
  flags: RepositoryFlags,
  { connection }: ReaderSettings,
  stated: string | undefined,
): string | undefined {
  return flags.profile ?? stated ?? fromEnvironment(host.env, 'profile') ?? connection?.profile
}

/** How stacks are read, with what the service has answered of what they look up. They are found, or synthesized, once. */
async function stackReader(
  host: Host,
  flags: RepositoryFlags,
  settings: ReaderSettings,
  { mayBeApart = false } = {},
): Promise<(answers: Answers) => Promise<LoadedStack>> {
  const { directory, roles = {}, policies = [], environment } = settings
  const common = {
    directory,
    roles,
    servicesFor: (stated: string | undefined) =>
      servicesOf([profileOf(host, flags, settings, stated)], settings.policy?.sdks),
    ...(flags.provider === undefined ? {} : { provider: flags.provider }),
    policies: { environment, policies, today: dayOf(host.runtime.now()) },
  }
  const { planJson } = flags
  const read = planJson === undefined ? await readingStacks() : readingPlan(resolve(host.directory, planJson))
  return async answers => {
    const loaded = await read(answers)
    host.secrets.add(loaded.connection.apiKey)
    return loaded
  }

  async function readingStacks() {
    const options = {
      ...common,
      folders: await findStacks(host, flags, directory),
      variables: givenVariables(flags.var ?? []),
      env: host.env,
      mayBeApart,
      placeOf: (stated: StackConnection) =>
        settledPlace(flags, host.env, { ...settings.connection, stated: definedMembers(stated) }),
      ...(flags.engine && {
        engine: flags.engine === 'tofu' ? ('OpenTofu' as const) : ('Terraform' as const),
      }),
    }
    return (answers: Answers) => loadStacks({ ...options, answers })
  }

  function readingPlan(path: string) {
    return () => loadTerraformPlan({ ...common, path })
  }
}

function givenVariables(given: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    given.map(assignment => {
      const at = assignment.indexOf('=')
      // What comes after the sign may be a secret.
      if (at < 1) throw new CommandError('--var takes NAME=VALUE', exitCode.usage)
      const [name, value] = [assignment.slice(0, at), assignment.slice(at + 1)]
      // A command that was proposed, as it is, must not apply the dots.
      if (value === leftOut)
        throw new CommandError(
          `--var ${escapeText(name)}=${leftOut} has no value yet; write it in place of the dots`,
          exitCode.usage,
        )
      return [name, value]
    }),
  )
}

/** An environment that was asked for and a provider block that says another place cannot both be meant. */
function requireAgreement(environment: string, settings: ConnectionSettings, said: StackConnection): void {
  for (const name of ['baseUrl', 'project', 'organization', 'profile'] as const) {
    const [theirs, ours] = [said[name], settings[name]]
    if (theirs === undefined || ours === undefined || isSameSetting(name, theirs, ours)) continue
    throw new CommandError(
      `the stack says ${members[name]} "${theirs}" and the environment "${environment}" says "${ours}"; leave one of them out`,
    )
  }
}

/** What the stack says itself, the settings say nothing of: no variable can win over them there. */
function without(settings: ConnectionSettings, names: readonly string[]): ConnectionSettings {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !names.includes(name)))
}
