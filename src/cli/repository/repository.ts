import { resolve } from 'node:path'
import type { Declarations } from '../../core/desired.ts'
import { isPlanText } from '../../core/record/plan-file.ts'
import type { DeclaredProtection } from '../../core/record/undo.ts'
import { type Revision, readRevision } from '../../git/commits.ts'
import { dayOf } from '../../model/field.ts'
import { readRegularFile } from '../../model/files.ts'
import { largestSaved } from '../../model/limits.ts'
import { hasErrors, type Problem } from '../../model/problem.ts'
import { within } from '../../model/runtime.ts'
import { escapeText, shellWord } from '../../model/text/printable.ts'
import { policyBehind } from '../../policies/written-policies.ts'
import { counted } from '../../report/line-text.ts'
import {
  type DeclaredNames,
  type DeclaredRepository,
  type LoadedSettings,
  loadRepository,
  loadSettings,
  type ParsedYaml,
  type ParseYaml,
  parseYaml,
  Readings,
  type RepositoryOptions,
  readDeclared,
  wouldRead,
} from '../../yaml/index.ts'
import type { Flags } from '../command-options.ts'
import { CommandError, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { learnKeys } from '../host/processes.ts'
import { pastDeclarations } from '../past/past-declarations.ts'
import { requireProfile } from './connection.ts'
import { locateProblems, refuseProblems, refusing } from './problems.ts'
import { placeWords, type Repository, type RepositorySettings, stackText } from './repository-settings.ts'

/** A repository as written, which may have errors. */
export interface WrittenRepository extends RepositorySettings {
  readonly protection: DeclaredProtection
  /** The declared names of all environments; incomplete if the files have errors. */
  readonly names: DeclaredNames
  readonly hasErrors: boolean
  /** Empty if there are errors. */
  readonly declarations: Declarations
  /** Whether the repository would read a file with this path. */
  reads(file: string): Promise<boolean>
}

/** Reads the repository for a plan. Shows errors, and throws if there are any. */
export function openRepository(host: Host, flags: Flags, reading: PlanReading = {}): Promise<Repository> {
  return within(host.runtime, 'read declarations', {}, () => readRepository(host, flags, reading))
}

/** How declarations are read for a plan. Errors of policies are warnings unless `policiesWarn` is false. */
export interface PlanReading extends Pick<RepositoryOptions, 'policiesWarn' | 'parse'> {
  /** Reads the files once for several environments. */
  readonly readings?: Readings | undefined
}

async function readRepository(
  host: Host,
  flags: Flags,
  { readings = sharedReadings(host), ...reading }: PlanReading,
): Promise<Repository> {
  if (readsStack(flags)) return openStack(host, flags, true, undefined, reading)
  const parse = host.several?.once('parse', rememberingParse) ?? rememberingParse()
  const options = { ...optionsFor(host, flags), parse, ...reading }
  const loaded = await loadRepository(options, readings)
  await learnSecrets(host, loaded)
  const { problems, declarations, texts } = loaded
  const files = { directory: options.directory, texts }
  refuseProblems(host, problems, files)
  return {
    ...settingsOf(options.directory, loaded),
    declarations,
    // A separate message reports missing declarations.
    warnings: problems.filter(({ code }) => code !== 'no-declarations'),
    locate: about => locateProblems(host, about, files),
    refuse: refusing(host, files),
    past: pastDeclarations(host.runtime, options, [...loaded.files, ...loaded.sources.files]),
  }
}

/** What reads the files once for several environments. */
export function sharedReadings({ several }: Host): Readings | undefined {
  return several?.once('readings', () => new Readings())
}

/**
 * Reads only the settings, and the connection of a stack, without checking declarations. `fallback`: the
 * environment if there are several and the command line selects none.
 */
export async function openSettings(host: Host, flags: Flags, fallback?: string): Promise<RepositorySettings> {
  if (readsStack(flags)) return openStack(host, flags, false, fallback)
  const options = placeOf(host, flags, fallback)
  const loaded = await loadSettings(options)
  await learnSecrets(host, loaded)
  const { directory } = options
  refuseProblems(host, loaded.settingsProblems, { directory, texts: loaded.texts })
  return settingsOf(directory, loaded)
}

/** Reads everything, and accepts errors in declarations. Throws only for errors in the settings. */
export async function openWritten(
  host: Host,
  flags: Flags,
  fallback?: string,
  readings?: Readings,
): Promise<WrittenRepository> {
  const options = optionsFor(host, flags, fallback)
  const loaded = await loadRepository(options, readings)
  await learnSecrets(host, loaded)
  const { directory } = options
  refuseProblems(host, loaded.settingsProblems, { directory, texts: loaded.texts })
  const { protection, names, hasErrors, declarations } = loaded
  return {
    ...settingsOf(directory, loaded),
    protection,
    names,
    hasErrors,
    declarations,
    reads: file => wouldRead(directory, loaded.settings, file),
  }
}

/** Reads a repository as written, to edit its files. Shows errors, and throws if there are any. */
export async function openDeclared(
  host: Host,
  flags: Flags,
): Promise<DeclaredRepository & { readonly options: RepositoryOptions }> {
  const options = optionsFor(host, flags)
  const declared = await readDeclared(options)
  await learnSecrets(host, declared)
  refuseProblems(host, declared.problems, { directory: options.directory, texts: declared.texts })
  notePolicies(host, declared.problems, flags)
  return { ...declared, options }
}

/** Whether declarations come from a synthesized stack and not from YAML files. */
export function readsStack({ stack, app, planJson, var: variables = [], provider, engine }: Flags): boolean {
  if (stack !== undefined || app !== undefined || planJson !== undefined) return true
  const [flag] = [
    ...(provider === undefined ? [] : ['--provider']),
    ...(engine === undefined ? [] : ['--engine']),
    ...(variables.length === 0 ? [] : ['--var']),
  ]
  if (flag === undefined) return false
  throw new CommandError(`${flag} is for a stack; name it with --stack or --app`, exitCode.usage)
}

/** Notes the number of warnings about the files, which a plan does not show. */
export function noteDeclarations(host: Host, repository: Repository, flags: Flags): void {
  const warnings = repository.warnings.length
  if (warnings > 0 && !flags.onlyNews) {
    const shows = `${validateCommand(host, flags)} shows ${warnings === 1 ? 'it' : 'them'}`
    host.log.warn(`${counted(warnings, 'warning')}: ${shows}`)
  }
  noteNothingDeclared(host, repository)
}

/** Warns of violated policies in one line, for a command that they do not stop. */
export function notePolicies(host: Host, problems: readonly Problem[], flags: Flags): void {
  const count = problems.filter(({ code }) => policyBehind(code) !== undefined).length
  if (count > 0) host.log.warn(`${counted(count, 'policy problem')}: see ${validateCommand(host, flags)}`)
}

/** Explains an empty plan if nothing is declared. */
export function noteNothingDeclared(
  host: Host,
  { declarations, stack }: Pick<Repository, 'declarations' | 'stack'>,
): void {
  if (declarations.desired.length + declarations.ownedGrants.length > 0) return
  if (stack !== undefined) {
    host.log.warn(`"${escapeText(stack)}" declares nothing for this place`)
    return
  }
  host.log.warn(
    'no declarations found: write a file such as flags/checkout.yaml (`vexil init` makes an example), or export the live objects with `vexil export -d flags`',
  )
}

function validateCommand({ several }: Host, flags: Flags): string {
  const { chdir } = flags
  // The same message for several environments, so that it is written once.
  const env = several ? undefined : flags.env
  return ['vexil', 'validate', ...placeWords({ chdir, env }), ...stackText(flags)].map(shellWord).join(' ')
}

/** The folder of the repository, and the chosen environment. */
function placeOf({ directory, env, runtime }: Host, flags: Flags, fallback?: string): RepositoryOptions {
  const folder = resolve(directory, flags.chdir ?? '.')
  const today = dayOf(runtime.now())
  return { directory: folder, environment: flags.env, fallback, today, env, policiesWarn: true }
}

function optionsFor(host: Host, flags: Flags, fallback?: string): RepositoryOptions {
  const place = placeOf(host, flags, fallback)
  return flags.profile === undefined ? place : { ...place, profile: requireProfile(flags.profile) }
}

/**
 * Learns the keys of all environments, since one may contain the key of another, the address of the webhook
 * and the hidden values.
 */
export async function learnSecrets(
  host: Host,
  { settings, environment }: Pick<LoadedSettings, 'settings'> & Partial<Pick<LoadedSettings, 'environment'>>,
): Promise<void> {
  const meant = environment ? [environment] : [settings.shared, ...settings.environments]
  for (const { redact = [] } of meant) host.redaction.add(redact)
  if (settings.notify) host.secrets.add(host.env[settings.notify.urlEnv])
  const named = settings.environments.flatMap(({ connection: { apiKeyEnv } }) => apiKeyEnv ?? [])
  await learnKeys(
    host,
    named.flatMap(name => [name, `${name}_FILE`]),
  )
}

async function openStack(
  host: Host,
  flags: Flags,
  isForPlan: boolean,
  fallback?: string,
  { policiesWarn = true }: PlanReading = {},
): Promise<Repository> {
  const { settings, problems, texts } = await readStackSettings(host, flags, fallback)
  refuseProblems(host, problems, { directory: settings.directory, texts })
  const { withStack } = await import('./stack-source.ts')
  return withStack(host, flags, policiesWarn ? withWarnings(settings) : settings, isForPlan)
}

/** The settings, with policies that only warn. */
export function withWarnings(settings: RepositorySettings): RepositorySettings {
  const policies = settings.policies.map(each => ({
    ...each,
    policy: { ...each.policy, level: 'warning' as const },
  }))
  return { ...settings, policies }
}

/** The settings in the folder of a stack, as far as they can be read. */
export interface StackSettings {
  readonly settings: RepositorySettings
  readonly problems: readonly Problem[]
  readonly texts: LoadedSettings['texts']
}

export async function readStackSettings(host: Host, flags: Flags, fallback?: string): Promise<StackSettings> {
  const options = optionsFor(host, flags, fallback)
  const loaded = await loadSettings(options)
  await learnSecrets(host, loaded)
  // A stack may declare its own place.
  const problems = withoutChoice(loaded.settingsProblems)
  return { settings: settingsOf(options.directory, loaded), problems, texts: loaded.texts }
}

/** The problems of settings, without the one that no environment is selected. */
function withoutChoice(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter(({ code }) => code !== 'no-environment')
}

/** The settings of a folder, without selecting an environment; undefined if they have errors. */
export async function settingsAt(
  { env }: Host,
  directory: string,
): Promise<LoadedSettings['settings'] | undefined> {
  const { settings, settingsProblems } = await loadSettings({ directory, env })
  return hasErrors(withoutChoice(settingsProblems)) ? undefined : settings
}

/**
 * The same, but shows errors and throws if there are any. Hides what the given environment hides, or any of
 * them.
 */
export async function openSettingsAt(
  host: Host,
  directory: string,
  environment?: string,
): Promise<LoadedSettings['settings']> {
  const { settings, settingsProblems, texts } = await loadSettings({ directory, env: host.env })
  const meant = settings.environments.find(({ name }) => name === environment)
  await learnSecrets(host, { settings, environment: meant })
  refuseProblems(host, withoutChoice(settingsProblems), { directory, texts })
  return settings
}

function settingsOf(
  directory: string,
  { settings, settingsFile, environment = settings.shared }: LoadedSettings,
): RepositorySettings {
  const { name, ...own } = environment
  return {
    directory,
    settingsFile,
    environment: name,
    runs: settings.runs,
    store: settings.store,
    notify: settings.notify,
    ...own,
    environments: settings.environments.length > 0 ? settings.environments : [settings.shared],
  }
}

/** The commit of a folder, from git. A saved plan does not count as a local change. */
export function revisionOf(host: Host, directory: string): Promise<Omit<Revision, 'note'>> {
  const read = () => revisionNow(host, directory)
  return host.several?.once('revision', read) ?? read()
}

async function revisionNow(host: Host, directory: string): Promise<Omit<Revision, 'note'>> {
  const { note, ...revision } = await readRevision({ directory, env: host.env }, isSavedPlan)
  if (note !== undefined) host.log.warn(escapeText(note))
  return revision
}

async function isSavedPlan(path: string): Promise<boolean> {
  // A plan is never saved as YAML.
  if (/\.ya?ml$/i.test(path)) return false
  const bytes = await readRegularFile(path, largestSaved).catch(() => undefined)
  return bytes !== undefined && isPlanText(bytes.toString('utf8'))
}

/** Parses a file only if its text is not the last one: for a command that reads again and again. */
export function parseChanged(): ParseYaml {
  const last = new Map<string, ParsedYaml>()
  return (text, file) => {
    const before = last.get(file)
    const parsed = before?.text === text ? before : parseYaml(text, file)
    last.set(file, parsed)
    return parsed
  }
}

/** Parses each text of a file only once for all commits. */
export function rememberingParse(): ParseYaml {
  const known = new Map<string, ParsedYaml[]>()
  return (text, file) => {
    const before = known.get(file) ?? []
    const same = before.find(parsed => parsed.text === text)
    if (same) return same
    const parsed = parseYaml(text, file)
    known.set(file, [...before, parsed])
    return parsed
  }
}
