import type { Declarations } from '../../core/desired.ts'
import type { Policy } from '../../core/policy.ts'
import type { Problem } from '../../model/problem.ts'
import { shellWord } from '../../model/text/printable.ts'
import type { LocatedProblem } from '../../report/document.ts'
import type { Environment, SharedRuns } from '../../yaml/index.ts'
import type { Flags } from '../command-options.ts'
import type { PastDeclarations } from '../past/past-declarations.ts'
import type { ConnectionSettings } from './connection.ts'

/** The settings of a repository for one environment. */
export interface RepositorySettings {
  readonly directory: string
  /** Undefined without a settings file: then all settings are from flags and environment variables. */
  readonly settingsFile?: string
  readonly environment?: string
  /** The place where records of runs are shared. */
  readonly runs?: SharedRuns
  readonly policy: Policy
  /** The rules that declarations must follow. */
  readonly policies: Environment['policies']
  readonly connection: ConnectionSettings
  /** The UUIDs of roles, by name. */
  readonly roles: Readonly<Record<string, string>>
  /** Whether `owner` and similar fields are tags in the service too. */
  readonly liveTags: boolean
  /** The numbers of cohorts and of group types, by name. */
  readonly cohorts: Environment['cohorts']
  readonly groupTypes: Environment['groupTypes']
  /** All environments in the settings; one without a name if they have none. */
  readonly environments: readonly Pick<
    Environment,
    'name' | 'connection' | 'roles' | 'cohorts' | 'groupTypes'
  >[]
}

/** A repository that can be planned: read for one environment, without errors. */
export interface Repository extends RepositorySettings {
  readonly declarations: Declarations
  /** The file of the stack of these settings, if they are from one. */
  readonly stack?: string
  /** Problems that are allowed but may be mistakes. */
  readonly warnings: readonly Problem[]
  /** The number of requests for the lookups of a stack. */
  readonly requests?: number
  /** The declarations at other commits. A stack has none: only its app knows what it declares. */
  readonly past?: PastDeclarations
  /** Adds paths and lines to problems of the declarations, without hidden values. */
  locate(problems: readonly Problem[]): readonly LocatedProblem[]
  /** Shows problems at their places, and ends the command. */
  refuse(problems: readonly Problem[]): never
}

/** The placeholder for a value in a command that a person has to complete. */
export const leftOut = '...'

/** Options with their values, word by word; those without a value are omitted. */
function optionWords(options: Readonly<Record<string, string | readonly string[] | undefined>>): string[] {
  return Object.entries(options).flatMap(([option, given = []]) =>
    [given].flat().flatMap(value => [option, value]),
  )
}

/** The options that name a stack again. Values of its variables are omitted: they may be secret. */
export function stackText({ stack, app, var: given = [], provider, engine, planJson }: Flags): string[] {
  const variables = given.map(assignment => assignment.slice(0, assignment.indexOf('=') + 1) + leftOut)
  return optionWords({
    ...{ '--app': app, '--stack': stack, '--plan-json': planJson },
    ...{ '--provider': provider, '--engine': engine, '--var': variables },
  })
}

/** The options with which another command reaches the same place: `--env production`. */
export function placeOptions(flags: Flags): string {
  return placeWords(flags).map(shellWord).join(' ')
}

/** The plan of an environment, for people to run next. */
export function nextPlan({ chdir, env }: Pick<Flags, 'chdir' | 'env'>): string {
  return ['vexil', 'plan', ...placeWords({ chdir, env })].map(shellWord).join(' ')
}

/** The options for the same place, word by word. */
export function placeWords(flags: Flags): string[] {
  const { chdir, env, baseUrl, project, organization, profile } = flags
  const words = optionWords({
    ...{ '-C': chdir === '.' ? undefined : chdir, '--env': env, '--base-url': baseUrl },
    ...{ '--project': project, '--organization': organization, '--profile': profile },
  })
  return flags.sandbox ? [...words, '--sandbox'] : words
}

/** The apply that makes the changes of a plan: for the same place and objects, or of the saved plan. */
export function nextApply(flags: Flags): string {
  const { out, target, owner, allow, base, prune } = flags
  // A saved plan contains these options.
  const choice = out === undefined ? { target, owner, allow, base, prune } : {}
  const chosen = Object.fromEntries(Object.entries(choice).map(([name, given]) => [`--${name}`, given]))
  const words = ['vexil', 'apply', ...(out === undefined ? [] : [out])]
  return [...words, ...placeWords(flags), ...stackText(flags), ...optionWords(chosen)]
    .map(shellWord)
    .join(' ')
}
