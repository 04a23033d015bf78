import type { Declarations } from '../../core/desired.ts'
import type { Policy } from '../../core/policy.ts'
import type { Problem } from '../../model/problem.ts'
import type { LocatedProblem } from '../../report/document.ts'
import type { Environment, SharedRuns } from '../../yaml/index.ts'
import type { PastDeclarations } from '../past/past-declarations.ts'
import type { ConnectionSettings } from './connection.ts'

/** What the command line says of where declarations are, and for which environment. */
export interface RepositoryFlags {
  readonly chdir?: string
  readonly env?: string
  /** Synthesized stacks that are read in place of YAML files: their folders, their names, or patterns of names. */
  readonly stack?: readonly string[]
  /** The command that synthesizes it first. */
  readonly app?: string
  readonly var?: readonly string[]
  readonly provider?: string
  /** What runs the stacks otherwise. */
  readonly engine?: 'terraform' | 'tofu'
  /** A file with a plan of Terraform, as `terraform show -json` writes it, that is read in place of YAML files. */
  readonly planJson?: string
  /** The service that declarations are checked for; not all commands have it. */
  readonly profile?: string
}

/** What the settings of a repository say for one environment. */
export interface RepositorySettings {
  readonly directory: string
  /** Undefined where there is no settings file; then flags and environment variables say everything. */
  readonly settingsFile?: string
  readonly environment?: string
  /** Where records of runs are shared. */
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
  /** All that the settings name; one without a name where they name none. */
  readonly environments: readonly Pick<
    Environment,
    'name' | 'connection' | 'roles' | 'cohorts' | 'groupTypes'
  >[]
}

/** A repository as a plan is made of it: read for one environment, without errors. */
export interface Repository extends RepositorySettings {
  readonly declarations: Declarations
  /** The file of the stack that they come from, where they come from one. */
  readonly stack?: string
  /** What is allowed and may be meant otherwise. */
  readonly warnings: readonly Problem[]
  /** How many requests it took to look up what a stack refers to. */
  readonly requests?: number
  /** What is declared at other commits; a stack has none, since only its app knows what it declares. */
  readonly past?: PastDeclarations
  /** Adds to problems of the declarations what it takes to show them, without what is hidden. */
  locate(problems: readonly Problem[]): readonly LocatedProblem[]
  /** Shows problems at their places, and ends the command. */
  refuse(problems: readonly Problem[]): never
}

/** What stands for the value of a variable in a command that somebody is to complete. */
export const leftOut = '...'

/** The stack of a command, as it has to be named again. What its variables are given is not said: it may be secret. */
export function stackText({
  stack = [],
  app,
  var: given = [],
  provider,
  engine,
  planJson,
}: RepositoryFlags): string[] {
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
