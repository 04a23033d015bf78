import type { Declarations } from '../../core/desired.ts'
import type { Policy } from '../../core/policy.ts'
import type { Problem } from '../../model/problem.ts'
import { shellWord } from '../../model/text/printable.ts'
import type { LocatedProblem } from '../../report/document.ts'
import type { Environment, Settings, SharedRuns } from '../../yaml/index.ts'
import type { Flags } from '../command-options.ts'
import type { PastDeclarations } from '../past/past-declarations.ts'
import type { ConnectionSettings } from './connection.ts'

/** The settings of a repository for one environment. */
export interface RepositorySettings {
  readonly directory: string
  /** Undefined if there is no settings file. */
  readonly settingsFile?: string
  readonly environment?: string
  /** The ref on which records of runs are shared. */
  readonly runs?: SharedRuns
  /** The address in the settings file. `storeAddress` gives the address to use. */
  readonly store?: Settings['store']
  readonly notify?: Settings['notify']
  /** The branch, tag or commit that is reconciled. */
  readonly revision?: Environment['revision']
  readonly pace?: Environment['pace']
  readonly policy: Policy
  readonly policies: Environment['policies']
  readonly connection: ConnectionSettings
  /** The UUIDs of roles, by name. */
  readonly roles: Readonly<Record<string, string>>
  /** Whether `owner` and similar members become tags in the service. */
  readonly liveTags: boolean
  /** The numbers of cohorts and of group types, by name. */
  readonly cohorts: Environment['cohorts']
  readonly groupTypes: Environment['groupTypes']
  /** All environments of the settings; one without a name if they have none. */
  readonly environments: readonly Pick<
    Environment,
    'name' | 'connection' | 'roles' | 'cohorts' | 'groupTypes'
  >[]
}

/** A repository without errors, read for one environment. */
export interface Repository extends RepositorySettings {
  readonly declarations: Declarations
  /** The file of the stack, if it is not a YAML repository. */
  readonly stack?: string
  readonly warnings: readonly Problem[]
  /** The number of requests for the lookups of a stack. */
  readonly requests?: number
  /** The declarations at other commits; undefined for a stack. */
  readonly past?: PastDeclarations
  /** Adds paths and lines to problems, and removes hidden values. */
  locate(problems: readonly Problem[]): readonly LocatedProblem[]
  /** Shows problems at their places, and throws. */
  refuse(problems: readonly Problem[]): never
}

/** The placeholder for a value in a proposed command, which the user has to complete. */
export const leftOut = '...'

/** The words of options; options without a value are omitted. */
function optionWords(options: Readonly<Record<string, string | readonly string[] | undefined>>): string[] {
  return Object.entries(options).flatMap(([option, given = []]) =>
    [given].flat().flatMap(value => [option, value]),
  )
}

/** The options that select a stack, without the values of its variables, which may be secret. */
export function stackText({ stack, app, var: given = [], provider, engine, planJson }: Flags): string[] {
  const variables = given.map(assignment => assignment.slice(0, assignment.indexOf('=') + 1) + leftOut)
  return optionWords({
    ...{ '--app': app, '--stack': stack, '--plan-json': planJson },
    ...{ '--provider': provider, '--engine': engine, '--var': variables },
  })
}

/** The options that another command needs to use the same place: `--env production`. */
export function placeOptions(flags: Flags): string {
  return placeWords(flags).map(shellWord).join(' ')
}

/** The command that plans an environment. */
export function nextPlan({ chdir, env }: Pick<Flags, 'chdir' | 'env'>): string {
  return ['vexil', 'plan', ...placeWords({ chdir, env })].map(shellWord).join(' ')
}

/** The words of these options. */
export function placeWords(flags: Flags): string[] {
  const { chdir, env, baseUrl, project, organization, profile } = flags
  const words = optionWords({
    ...{ '-C': chdir === '.' ? undefined : chdir, '--env': env, '--base-url': baseUrl },
    ...{ '--project': project, '--organization': organization, '--profile': profile },
  })
  return flags.sandbox ? [...words, '--sandbox'] : words
}

/** The command that applies a plan: with the same options, or with the saved file. */
export function nextApply(flags: Flags): string {
  const { out, target, owner, allow, base, prune } = flags
  // A saved plan already contains these options.
  const choice = out === undefined ? { target, owner, allow, base, prune } : {}
  const chosen = Object.fromEntries(Object.entries(choice).map(([name, given]) => [`--${name}`, given]))
  const words = ['vexil', 'apply', ...(out === undefined ? [] : [out])]
  return [...words, ...placeWords(flags), ...stackText(flags), ...optionWords(chosen)]
    .map(shellWord)
    .join(' ')
}
