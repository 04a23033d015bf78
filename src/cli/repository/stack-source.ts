import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fromEnvironment } from '../../api/index.ts'
import { servicesOf } from '../../model/connection.ts'
import { dayOf } from '../../model/field.ts'
import { FileError, listFolder, makeFolder, readTextFile } from '../../model/files.ts'
import { largestFile } from '../../model/limits.ts'
import type { Problem } from '../../model/problem.ts'
import { definedMembers } from '../../model/text/defined-members.ts'
import { isJsonObject, type JsonObject } from '../../model/text/json.ts'
import { anything, map, maybe, members, text } from '../../model/text/json-shape.ts'
import { readJsonIfAny, writeJson } from '../../model/text/json-text.ts'
import { meantHint } from '../../model/text/names.ts'
import { escapeText } from '../../model/text/printable.ts'
import { placeOf } from '../../report/line-text.ts'
import {
  type Answers,
  completeStack,
  conditionCode,
  type LoadedStack,
  loadStacks,
  loadTerraformPlan,
  type Manifest,
  type ManifestStack,
  manifestName,
  readManifest,
  type StackConnection,
  stackFileName,
} from '../../stack/index.ts'
import type { Flags } from '../command-options.ts'
import { CommandError, exitCode } from '../host/exit-code.ts'
import { type Host, isThere } from '../host/host.ts'
import { sourceFields } from '../host/log.ts'
import { type ConnectionSettings, isSameSetting, settingMembers, settledPlace } from './connection.ts'
import { locateProblems, refuseProblems, refusing } from './problems.ts'
import { leftOut, type Repository, type RepositorySettings } from './repository-settings.ts'
import { openSession, type Session } from './session.ts'

/** Reads the synthesized stack that the flags name, instead of YAML files. */
export async function withStack(
  host: Host,
  flags: Flags,
  settings: RepositorySettings,
  /** Whether the service may be asked for the lookups of the stack. If not, nothing is declared. */
  isForPlan: boolean,
): Promise<Repository> {
  const { directory, roles } = settings
  const read = await stackReader(host, flags, settings)
  const asked: Session[] = []
  const stack = isForPlan ? await completed() : await read(new Map())
  const files = { directory, texts: stack.texts }
  for (const { level, message, constructPath, source } of flags.app === undefined ? [] : stack.annotations)
    note(host, {
      ...{ level, from: 'app', source },
      text: `[${escapeText(constructPath)}] ${escapeText(message)}`,
    })
  refuseProblems(host, stack.problems, files)
  const isCheck = ({ code }: Problem) => code === conditionCode
  for (const { severity: level, message, source } of isForPlan ? stack.problems.filter(isCheck) : [])
    note(host, { level, from: 'stack', text: escapeText(message), source })
  const stated = definedMembers(stack.connection)
  if (flags.env !== undefined) requireAgreement(flags.env, settings.connection, stated)
  return {
    ...settings,
    ...placeFor(settings, stack),
    declarations: isForPlan ? stack.declarations : { desired: [], ownedGrants: [] },
    stack: stack.file,
    warnings: stack.problems.filter(problem => !isCheck(problem)),
    locate: problems => locateProblems(host, problems, files),
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

/** The settings, with the place that a stack declares. */
function placeFor(
  settings: RepositorySettings,
  stack: LoadedStack,
): Pick<RepositorySettings, 'connection' | 'environments'> {
  const stated = definedMembers(stack.connection)
  const { project, organization } = { ...settings.connection, ...stated }
  return {
    connection: { ...without(settings.connection, Object.keys(stated)), stated },
    environments: [
      ...settings.environments,
      {
        connection: definedMembers({ project, organization }),
        roles: settings.roles,
        cohorts: settings.cohorts,
        groupTypes: settings.groupTypes,
      },
    ],
  }
}

interface Note {
  readonly level: 'error' | 'warning' | 'info'
  readonly from: 'app' | 'stack'
  readonly text: string
  readonly source: Problem['source']
}

/** Logs an annotation of the app, or a failed check of the stack, which as in Terraform is no error. */
function note({ log }: Host, { level, from, text, source }: Note): void {
  const place = placeOf(source)
  const where = place === '' ? '' : `${place} `
  log[level === 'warning' ? 'warn' : 'info'](`${level}: ${where}${text}`, { from, ...sourceFields(source) })
}

/** Reads stacks and finds their problems, without the service. */
export async function readStack(host: Host, flags: Flags, settings: ReaderSettings): Promise<LoadedStack> {
  const read = await stackReader(host, flags, settings, { mayBeApart: true })
  return read(new Map())
}

/** The settings for reading a stack. Only the folder is required. */
export type ReaderSettings = Pick<RepositorySettings, 'directory'> &
  Partial<Pick<RepositorySettings, 'roles' | 'policies' | 'policy' | 'environment' | 'connection'>>

/** The profile of a stack. Order: command line, the stack itself, environment variable, settings. */
export function profileOf(
  host: Host,
  flags: Flags,
  { connection }: ReaderSettings,
  stated: string | undefined,
): string | undefined {
  return flags.profile ?? stated ?? fromEnvironment(host.env, 'profile') ?? connection?.profile
}

/** Finds or synthesizes the stacks once; the result reads them with the answers of their lookups. */
async function stackReader(
  host: Host,
  flags: Flags,
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
      // The text after the sign may be a secret.
      if (at < 1) throw new CommandError('--var takes NAME=VALUE', exitCode.usage)
      const [name, value] = [assignment.slice(0, at), assignment.slice(at + 1)]
      // A proposed command has dots in place of values.
      if (value === leftOut)
        throw new CommandError(
          `--var ${escapeText(name)}=${leftOut} has no value yet; write it in place of the dots`,
          exitCode.usage,
        )
      return [name, value]
    }),
  )
}

/** Throws if the environment and the provider block name different places. */
function requireAgreement(environment: string, settings: ConnectionSettings, stated: StackConnection): void {
  for (const name of ['baseUrl', 'project', 'organization', 'profile'] as const) {
    const [theirs, ours] = [stated[name], settings[name]]
    if (theirs === undefined || ours === undefined || isSameSetting(name, theirs, ours)) continue
    throw new CommandError(
      `the stack has ${settingMembers[name]} "${theirs}", but the environment "${environment}" has "${ours}"; remove one of them`,
    )
  }
}

/** Removes the settings that the stack declares, so that variables do not override the stack. */
function without(settings: ConnectionSettings, names: readonly string[]): ConnectionSettings {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !names.includes(name)))
}

/** The folders of the stacks that the flags name, after synthesizing the app, if there is one. */
export async function findStacks(
  host: Host,
  { stack: wanted = [], app }: Flags,
  directory: string,
): Promise<readonly string[]> {
  if (app !== undefined) {
    const { stacks } = await synthesizeApp(host, app, directory)
    return chooseStacks(stacks, wanted, `"${app}" has`)
  }
  const found = await Promise.all(wanted.map(each => findStack(host, each, directory)))
  return found.flat()
}

async function findStack(host: Host, stack: string, directory: string): Promise<readonly string[]> {
  const path = resolve(host.directory, stack)
  if (basename(path) === stackFileName && (await isThere(path))) return [dirname(path)]
  if (await isStack(path)) return [path]
  const fitting = stack.includes('/') ? await foldersThatFit(path) : []
  if (fitting.length > 0) return fitting
  const inPath = await readManifest(path)
  if (inPath) return chooseStacks(inPath.stacks, [], `"${stack}" has`)
  const output = await outputFolder(host, directory)
  const manifest = await readManifest(output)
  const shown = relative(host.directory, output) || '.'
  if (manifest) return chooseStacks(manifest.stacks, [stack], `"${shown}" has`)
  throw new CommandError(
    `there is no synthesized stack "${stack}"; name its folder, such as cdktf.out/stacks/NAME, or let --app "node main.js" synthesize it`,
  )
}

async function isStack(folder: string): Promise<boolean> {
  return (await isThere(join(folder, stackFileName))) || isThere(join(folder, 'cdk.tf'))
}

/** The stacks of a folder that match the last part of a pattern, as `cdktf.out/stacks/*`. */
async function foldersThatFit(pattern: string): Promise<readonly string[]> {
  const above = dirname(pattern)
  const names = (await listFolder(above).catch(() => [])).filter(name => fits(basename(pattern), name)).sort()
  const folders = names.map(name => join(above, name))
  const stacks = await Promise.all(folders.map(isStack))
  return folders.filter((_, index) => stacks[index])
}

function chooseStacks(
  stacks: readonly ManifestStack[],
  wanted: readonly string[],
  who: string,
): readonly string[] {
  const names = stacks.map(({ name }) => name)
  const [only] = stacks
  if (wanted.length === 0 && only && stacks.length === 1) return [only.folder]
  if (names.length === 0) throw new CommandError(`${who} no stacks`)
  if (wanted.length === 0) {
    throw new CommandError(
      `${who} ${names.length} stacks; choose one with --stack: ${names.join(', ')}; or all with --stack "*"`,
      exitCode.usage,
    )
  }
  return wanted.flatMap(pattern => {
    const found = stacks.filter(({ name }) => fits(pattern, name))
    if (found.length > 0) return found.map(({ folder }) => folder)
    const hint = meantHint(pattern, names, `there are ${names.join(', ')}`)
    throw new CommandError(`${who} no stack "${pattern}"; ${hint}`, exitCode.usage)
  })
}

/** In a pattern, `*` means any letters and `?` means one. */
function fits(pattern: string, name: string): boolean {
  const parts = pattern.split(/([*?])/).map(part => {
    if (part === '*') return '.*'
    return part === '?' ? '.' : part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  })
  return new RegExp(`^${parts.join('')}$`, 'su').test(name)
}

/**
 * Runs an app like the CLI of its engine: environment variables contain the output folder and the context of
 * `cdktf.json`. Its output goes to standard error.
 */
export async function synthesizeApp(
  host: Host,
  app: string,
  directory: string,
): Promise<Manifest & { readonly output: string }> {
  const settings = await readAppSettings(directory)
  const output = outputOf(host, settings, directory)
  // The engine creates only the last folder of a path.
  await makeFolder(output)
  // Removes the manifest of an earlier run.
  await rm(join(output, manifestName), { force: true })
  await runApp(host, app, directory, {
    CDKTF_OUTDIR: output,
    // Without it, the engine stops at the first error of a construct, and writes no annotations.
    CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS: 'true',
    ...(settings.context && host.env.CDKTF_CONTEXT_JSON === undefined
      ? { CDKTF_CONTEXT_JSON: writeJson(settings.context) }
      : {}),
  })
  const manifest = await readManifest(output)
  if (manifest) return { ...manifest, output }
  throw new CommandError(
    `"${app}" ended without an error but synthesized nothing into "${output}"; call app.synth(), and remove \`outdir\` from new App()`,
  )
}

/** The output folder of an app: from the environment or `cdktf.json`, else `cdktf.out`. */
export async function outputFolder(host: Host, directory: string): Promise<string> {
  return outputOf(host, await readAppSettings(directory), directory)
}

function outputOf({ env }: Host, { output }: AppSettings, directory: string): string {
  return resolve(directory, env.CDKTF_OUTDIR ?? output ?? 'cdktf.out')
}

interface AppSettings {
  readonly output?: string
  readonly context?: JsonObject
}

/** Reads `cdktf.json`. Throws if it is not valid, like the engine. */
async function readAppSettings(directory: string): Promise<AppSettings> {
  const path = join(directory, 'cdktf.json')
  const refused = (why: string) => new CommandError(`"${path}" ${why}`)
  const written = await readTextFile(path, largestFile).catch(error => {
    if (!(error instanceof FileError)) throw error
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw refused(error.message)
  })
  if (written === undefined) return {}
  const json = readJsonIfAny(written)
  if (!isJsonObject(json)) throw refused('is not a JSON object')
  const wrong = settingsShape(json, '')
  if (wrong !== undefined) throw refused(`cannot be read: ${wrong}`)
  const { output = null, context = null } = json
  return {
    ...(typeof output === 'string' ? { output } : {}),
    ...(isJsonObject(context) ? { context } : {}),
  }
}

const settingsShape = members({ output: maybe(text), context: maybe(map(anything)) })

async function runApp(
  host: Host,
  app: string,
  directory: string,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const child = spawn(app, {
    shell: true,
    detached: host.signalGroup !== undefined,
    cwd: directory,
    env: { ...host.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr]) {
    // Whole lines, so that hidden values are found.
    createInterface({ input: stream }).on('line', line => host.log.info(line, { from: 'app' }))
  }
  let received: 'SIGINT' | 'SIGTERM' | undefined
  const stopListening = host.onInterrupt(signal => {
    // A second signal kills the app.
    end(host, child, received === undefined ? signal : 'SIGKILL')
    received ??= signal
  })
  try {
    const [code, signal] = await once(child, 'close')
    if (received !== undefined) throw new CommandError('interrupted; nothing was read', codes[received])
    if (code === 0) return
    const ending = code === null ? `was ended by ${signal}` : `ended in ${code}`
    throw new CommandError(`"${app}" ${ending}; nothing was read`)
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(`"${app}" cannot be run in "${directory}"`)
  } finally {
    stopListening()
  }
}

const codes = { SIGINT: exitCode.interrupted, SIGTERM: exitCode.terminated } as const

/** Ends the app. It runs below a shell, so its whole process group gets the signal. */
function end({ signalGroup }: Host, child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid !== undefined && signalGroup) signalGroup(child.pid, signal)
  else child.kill(signal)
}
