import type { Declarations } from '../../core/desired.ts'
import type { Policy } from '../../core/policy.ts'
import type { Problem } from '../../model/problem.ts'
import { shellWord } from '../../model/text/shell-word.ts'
import type { LocatedProblem } from '../../report/document.ts'
import type { Environment, SharedRuns } from '../../yaml/index.ts'
import type { Flags } from '../host/flags.ts'
import type { PastDeclarations } from '../past/past-declarations.ts'
import type { ConnectionSettings } from './connection.ts'

/** The settings of a repository for one environment. */
export interface RepositorySettings {
  readonly directory: string
  /** Undefined without a settings file; then everything is from flags and environment variables. */
  readonly settingsFile?: string
  readonly environment?: string
  /** The place where records of runs are shared. */
  readonly runs?: SharedRuns
  readonly policy: Policy
  /** What has to hold of what is declared. */
  readonly policies: Environment['policies']
  readonly connection: ConnectionSettings
  /** The UUIDs of roles, by name. */
  readonly roles: Readonly<Record<string, string>>
  /** Whether `owner` and its like are tags in the service too. */
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

/** A repository as a plan is made of it: read for one environment, without errors. */
export interface Repository extends RepositorySettings {
  readonly declarations: Declarations
  /** The file of the stack of these settings, if they are from one. */
  readonly stack?: string
  /** Problems that are allowed but may be mistakes. */
  readonly warnings: readonly Problem[]
  /** How many requests it took to look up what a stack refers to. */
  readonly requests?: number
  /** What is declared at other commits; a stack has none, since only its app knows what it declares. */
  readonly past?: PastDeclarations
  /** Adds paths and lines to problems of the declarations, without hidden values. */
  locate(problems: readonly Problem[]): readonly LocatedProblem[]
  /** Shows problems at their places, and ends the command. */
  refuse(problems: readonly Problem[]): never
}

/** The placeholder for a value in a command that a person has to complete. */
export const leftOut = '...'

/** The options that name a stack again. Values of its variables are omitted: they may be secret. */
export function stackText({ stack = [], app, var: given = [], provider, engine, planJson }: Flags): string[] {
  const variables = given.map(assignment => assignment.slice(0, assignment.indexOf('=') + 1))
  return [
    ...(app === undefined ? [] : ['--app', app]),
    ...stack.flatMap(each => ['--stack', each]),
    ...(planJson === undefined ? [] : ['--plan-json', planJson]),
    ...(provider === undefined ? [] : ['--provider', provider]),
    ...(engine === undefined ? [] : ['--engine', engine]),
    ...variables.flatMap(variable => ['--var', variable + leftOut]),
  ]
}

/** The options by which another command reaches the same place: `--env production`. */
export function placeOptions(flags: Flags): string {
  return placeWords(flags).map(shellWord).join(' ')
}

/** The plan of an environment, for people to run next. */
export function nextPlan({ chdir, env }: Pick<Flags, 'chdir' | 'env'>): string {
  return ['vexil', 'plan', ...placeWords({ chdir, env })].map(shellWord).join(' ')
}

/** The same, word by word. */
export function placeWords(flags: Flags): string[] {
  return [
    ...valueWords('-C', flags.chdir === '.' ? undefined : flags.chdir),
    ...valueWords('--env', flags.env),
    ...valueWords('--base-url', flags.baseUrl),
    ...valueWords('--project', flags.project),
    ...valueWords('--organization', flags.organization),
    ...valueWords('--profile', flags.profile),
    ...(flags.sandbox ? ['--sandbox'] : []),
  ]
}

function valueWords(flag: string, given: string | undefined): string[] {
  return given === undefined ? [] : [flag, given]
}

/** The apply that does what a plan has shown: the same place, the same choice, or the saved plan. */
export function nextApply(flags: Flags): string {
  const { out } = flags
  const each = (flag: string, given: readonly string[] = []) => given.flatMap(one => [flag, one])
  const words = [
    'vexil',
    'apply',
    ...(out === undefined ? [] : [out]),
    ...placeWords(flags),
    ...stackText(flags),
    // A saved plan has these in it already.
    ...(out === undefined
      ? [
          ...each('--target', flags.target),
          ...each('--owner', flags.owner),
          ...each('--allow', flags.allow),
          ...valueWords('--base', flags.base),
          ...valueWords('--prune', flags.prune),
        ]
      : []),
  ]
  return words.map(shellWord).join(' ')
}
