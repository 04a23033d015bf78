import { access } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Declarations } from '../core/desired.ts'
import type { Policy } from '../core/policy.ts'
import { codeFrame, loadRepository, problemLine, settingsFiles } from '../declare/index.ts'
import type { Problem } from '../model/problem.ts'
import { counted } from '../report/names.ts'
import type { ConnectionSettings } from './connection.ts'
import { CommandError } from './exit-code.ts'
import type { Host } from './host.ts'

export interface RepositoryFlags {
  readonly chdir?: string
  readonly env?: string
}

/** A repository as a command works on it: read for one environment, without errors. */
export interface Repository {
  readonly directory: string
  /** Undefined where there is no settings file; then flags and environment variables say everything. */
  readonly settingsFile?: string
  readonly environment?: string
  readonly declarations: Declarations
  readonly policy: Omit<Policy, 'allow'>
  readonly connection: ConnectionSettings
  /** The UUIDs of roles, by name. */
  readonly roles: Readonly<Record<string, string>>
}

export interface RepositoryOptions {
  /** False for a command that needs the settings and no declaration: then only mistakes in the settings stop it. */
  readonly needsDeclarations?: boolean
}

/** Reads the repository of a command; shows every mistake and throws when one of them stops the command. */
export async function openRepository(
  host: Host,
  flags: RepositoryFlags,
  { needsDeclarations = true }: RepositoryOptions = {},
): Promise<Repository> {
  const directory = resolve(host.directory, flags.chdir ?? '.')
  const settingsFile = await findSettings(directory)
  const loaded = await loadRepository({ directory, environment: flags.env, env: host.env })
  const problems = needsDeclarations ? loaded.problems : loaded.problems.filter(isAboutSettings)
  // Warnings are for those who write the files; `validate` shows them. Here they would bury the plan.
  const errors = problems.filter(({ severity }) => severity === 'error')
  showProblems(host, errors, loaded.texts)
  if (errors.length > 0) throw new CommandError(mistakes(problems))
  const environment = loaded.environment ?? loaded.settings.shared
  return {
    directory,
    ...(settingsFile === undefined ? {} : { settingsFile }),
    ...(environment.name === undefined ? {} : { environment: environment.name }),
    declarations: loaded.declarations,
    policy: environment.policy,
    connection: environment.connection,
    roles: environment.roles,
  }
}

/** Writes problems to standard error, each with the line it is about; in a pipeline, as annotations too. */
export function showProblems(
  host: Host,
  problems: readonly Problem[],
  texts: ReadonlyMap<string, string>,
): void {
  for (const problem of problems) {
    const text = problem.source && texts.get(problem.source.file)
    host.stderr.write(`${text === undefined ? problemLine(problem) : codeFrame(problem, text)}\n\n`)
    if (host.env.GITHUB_ACTIONS === 'true') host.stderr.write(annotation(problem))
  }
}

/** `2 errors, 1 warning`. */
export function mistakes(problems: readonly Problem[]): string {
  const errors = problems.filter(({ severity }) => severity === 'error').length
  const warnings = problems.length - errors
  const parts = [errors > 0 ? counted(errors, 'error') : '', warnings > 0 ? counted(warnings, 'warning') : '']
  return parts.filter(part => part !== '').join(', ')
}

function annotation({ severity, message, source }: Problem): string {
  const place = source ? `file=${source.file},line=${source.line},col=${source.column}` : ''
  // A line end inside the command would start another one.
  return `::${severity} ${place}::${message.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')}\n`
}

async function findSettings(directory: string): Promise<string | undefined> {
  for (const name of settingsFiles) {
    const isThere = await access(join(directory, name)).then(
      () => true,
      () => false,
    )
    if (isThere) return name
  }
  return undefined
}

function isAboutSettings({ code, source }: Problem): boolean {
  return (
    settingsFiles.some(name => name === source?.file) ||
    code === 'no-environment' ||
    code === 'unknown-environment'
  )
}
