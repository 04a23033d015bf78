import { basename, dirname, join, relative, resolve } from 'node:path'
import {
  type Engine,
  type ExactJson,
  isExactObject,
  parseExactJson,
  Refusal,
  type Typed,
  withoutMarks,
} from '../hcl/index.ts'
import { FileError, listFolder, readTextFile } from '../model/files.ts'
import { largestFile, largestSaved } from '../model/limits.ts'
import type { Problem } from '../model/problem.ts'
import { isJsonArray, isJsonObject, type Json } from '../model/text/json.ts'
import { list, map, maybe, members, nounOf, text } from '../model/text/json-shape.ts'
import { readJsonIfAny } from '../model/text/json-text.ts'
import { configurationNames, engineOfLocks, ModuleFolders, parseConfiguration } from './configuration-file.ts'
import { type EvaluatedStack, evaluateStack } from './evaluate/evaluate-stack.ts'
import { type Answers, LookUps } from './evaluate/providers.ts'
import type { GivenVariables } from './evaluate/stack-scope.ts'
import { modulesIn, readModules, type StackModule } from './module-tree.ts'
import { constructSources, type NotedIn, notedPlaces } from './places.ts'
import { type Block, once, type StackFile, StackFiles } from './stack-file.ts'
import { StackProblems } from './stack-problems.ts'

export interface AppStacksOptions {
  /** The base of the paths in problems. */
  readonly directory: string
  /** The place of an app's lines if it was synthesized into a foreign folder. */
  readonly notedIn?: NotedIn
  /** The variables of the command line. */
  readonly variables: ReadonlyMap<string, string>
  /** The environment, for `TF_VAR_name`. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The engine that runs the stacks; if absent, the engine that wrote each lock file. */
  readonly engine?: Engine
  readonly answers?: Answers
}

export interface ReadStack {
  readonly folder: string
  readonly module: StackModule
  /** The texts of its modules' files, by their displayed names. */
  readonly moduleTexts: ReadonlyMap<string, string>
  readonly found: StackFolder
  readonly problems: StackProblems
  /** The file that was read, relative to the directory. */
  readonly shown: string
}

export interface WorkedOutStack extends ReadStack {
  /** Undefined if the folder does not contain a stack. */
  readonly stack: EvaluatedStack | undefined
  /** The stacks whose outputs were used in its evaluation. */
  readonly uses: readonly WorkedOutStack[]
}

/** The stacks of one app, each read and evaluated only once. */
export class AppStacks {
  readonly lookUps: LookUps
  readonly #options: AppStacksOptions
  readonly #manifest: Manifest | undefined
  readonly #read = new Map<string, Promise<ReadStack>>()
  readonly #workedOut = new Map<string, Promise<WorkedOutStack>>()

  constructor(manifest: Manifest | undefined, options: AppStacksOptions) {
    this.#manifest = manifest
    this.#options = options
    this.lookUps = new LookUps(options.answers)
  }

  /** `under`: the stacks that wait for this stack, so that a stack never waits for itself. */
  workOut(folder: string, under: ReadonlySet<string> = new Set()): Promise<WorkedOutStack> {
    return once(this.#workedOut, folder, () => this.#evaluate(folder, new Set([...under, folder])))
  }

  async #evaluate(folder: string, under: ReadonlySet<string>): Promise<WorkedOutStack> {
    const read = await this.#readOnce(folder)
    const { module, found, problems } = read
    const { file } = module
    if (found.json === undefined) return { ...read, stack: undefined, uses: [] }
    const remoteStates = new Map<string, ReadonlyMap<string, Typed>>()
    const uses: WorkedOutStack[] = []
    for (const [statePath, other] of await this.#statesFor(module, under)) {
      const used = await this.workOut(other, under)
      uses.push(used)
      if (used.stack) remoteStates.set(statePath, outputsOf(used.stack))
    }
    const variables = givenVariables(file, this.#options, found.variables)
    const input = {
      variables,
      remoteStates,
      files: new StackFiles(folder),
      lookUps: this.lookUps,
      engine: found.engine,
    }
    return { ...read, stack: evaluateStack(module, input, problems), uses }
  }

  /** The app's stacks whose state a stack reads: each folder, and the path by which the state is read. */
  async #statesFor(module: StackModule, under: ReadonlySet<string>): Promise<[string, string][]> {
    const wanted = new Set(modulesIn(module).flatMap(({ file }) => file.blocks.flatMap(statePathsIn)))
    if (wanted.size === 0) return []
    const folders = (this.#manifest?.stacks ?? []).map(({ folder }) => folder)
    const others = await Promise.all(
      folders.filter(folder => !under.has(folder)).map(folder => this.#readOnce(folder)),
    )
    return others.flatMap(
      ({
        folder,
        module: {
          file: { statePath },
        },
      }): [string, string][] =>
        statePath !== undefined && wanted.has(statePath) ? [[statePath, folder]] : [],
    )
  }

  #readOnce(folder: string): Promise<ReadStack> {
    return once(this.#read, folder, async () => {
      const { directory, notedIn = { output: dirname(dirname(folder)), directory }, engine } = this.#options
      const shownFolder = relative(directory, folder)
      const found = await readStackFolder(folder, shownFolder, engine)
      const shown = join(shownFolder, found.file)
      const problems = new StackProblems(
        constructSources(shown, found.text, await notedPlaces(found.json, notedIn)),
        { file: shown, line: 1, column: 1 },
      )
      const folders = new ModuleFolders(new StackFiles(folder), shownFolder, problems, found.engine)
      const { json = {}, others } = found
      const files = [{ json, isOverride: false }, ...(folders.files('.', others) ?? [])]
      const module = readModules(files, folders, problems)
      return { folder, module, moduleTexts: folders.texts, found, problems, shown }
    })
  }
}

/** The problems of a stack, after those of the stacks that it uses, each once. */
export function problemsOf(stack: WorkedOutStack, seen = new Set<WorkedOutStack>()): readonly Problem[] {
  if (seen.has(stack)) return []
  seen.add(stack)
  const { found, uses, problems } = stack
  return [...found.problems, ...uses.flatMap(used => problemsOf(used, seen)), ...problems.all]
}

function statePathsIn({ is, type, body }: Block): string[] {
  if (is !== 'data' || type !== 'terraform_remote_state' || !isExactObject(body.config)) return []
  return typeof body.config.path === 'string' ? [body.config.path] : []
}

/** In another stack's state, values have no marks. */
function outputsOf({ outputs }: EvaluatedStack): ReadonlyMap<string, Typed> {
  return new Map([...outputs].map(([name, value]) => [name, withoutMarks(value)]))
}

/** The command line wins over files beside the stack, and those over the environment, as in Terraform. */
function givenVariables(
  { blocks }: StackFile,
  { variables, env }: AppStacksOptions,
  json: GivenVariables['json'],
): GivenVariables {
  const texts = new Map<string, { text: string; from: string }>()
  for (const { is, name } of blocks) {
    if (is !== 'variable') continue
    const fromEnvironment = json.has(name) ? undefined : env[`TF_VAR_${name}`]
    const text = variables.get(name) ?? fromEnvironment
    const from = variables.has(name) ? `--var ${name}` : `TF_VAR_${name}`
    if (text !== undefined) texts.set(name, { text, from })
  }
  return { texts, json }
}

export interface ManifestStack {
  readonly name: string
  readonly folder: string
  readonly annotations: readonly Annotation[]
  /** The names of the stacks that it depends on. */
  readonly dependencies: readonly string[]
}

export interface Annotation {
  readonly level: 'error' | 'warning' | 'info'
  readonly message: string
  readonly constructPath: string
}

export interface Manifest {
  readonly stacks: readonly ManifestStack[]
}

export const manifestName = 'manifest.json'

/** Thrown if an existing manifest is unreadable: the app must not look as if it had no stacks. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError'
}

/** The manifest in an output folder; undefined if there is none of an app. Throws a `ManifestError`. */
export async function readManifest(output: string): Promise<Manifest | undefined> {
  const path = join(output, manifestName)
  const written = await readTextFile(path, largestFile).catch(error => {
    if (!(error instanceof FileError)) throw error
    if (missingCodes.has(error.code)) return undefined
    throw new ManifestError(`"${path}" ${error.message}`)
  })
  if (written === undefined) return undefined
  const json = readJsonIfAny(written)
  if (json === undefined) throw new ManifestError(`"${path}" is not JSON; ${again}`)
  // Browser extensions and installable web pages use this file name too.
  if (isJsonObject(json) && json.stacks === undefined) return undefined
  return manifestFrom(json, output)
}

/** Parses the manifest of an output folder. Throws a `ManifestError`. */
export function manifestFrom(json: Json, output: string): Manifest {
  const wrong = manifestShape(json, '')
  if (wrong !== undefined)
    throw new ManifestError(`"${join(output, manifestName)}" is not a manifest of an app: ${wrong}; ${again}`)
  const stacks = isJsonObject(json) ? (json.stacks ?? null) : null
  return { stacks: isJsonObject(stacks) ? Object.values(stacks).flatMap(each => stackIn(each, output)) : [] }
}

/**
 * The manifest of the app that a stack's folder belongs to. A file of this name above another folder belongs
 * to another program, and may have any content.
 */
export async function findManifest(folder: string): Promise<Manifest | undefined> {
  if (basename(dirname(folder)) !== 'stacks') return undefined
  const manifest = await readManifest(dirname(dirname(folder)))
  return manifest?.stacks.some(stack => stack.folder === resolve(folder)) ? manifest : undefined
}

const missingCodes: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR'])
const again = 'synthesize the app again'

/** The parts of a manifest that are read. Other shapes are refused: skipping them would reorder stacks. */
const manifestShape = members({
  stacks: map(
    members({
      name: text,
      workingDirectory: text,
      annotations: maybe(list(members({ level: text, message: text, constructPath: text }))),
      dependencies: maybe(list(text)),
    }),
  ),
})

function stackIn(json: Json, output: string): ManifestStack[] {
  if (!isJsonObject(json)) return []
  const { name, workingDirectory, annotations, dependencies: needed } = json
  if (typeof name !== 'string' || typeof workingDirectory !== 'string') return []
  const all = annotations !== undefined && isJsonArray(annotations) ? annotations.flatMap(annotationIn) : []
  const dependencies =
    needed !== undefined && isJsonArray(needed) ? needed.filter(each => typeof each === 'string') : []
  return [{ name, folder: resolve(output, workingDirectory), annotations: all, dependencies }]
}

function annotationIn(json: Json): Annotation[] {
  if (!isJsonObject(json) || typeof json.message !== 'string') return []
  const { level, message, constructPath } = json
  const known = typeof level === 'string' ? levels.get(level) : undefined
  return known === undefined ? [] : [{ level: known, message, constructPath: String(constructPath) }]
}

const levels: ReadonlyMap<string, Annotation['level']> = new Map([
  ['@cdktf/error', 'error'],
  ['@cdktf/warn', 'warning'],
  ['@cdktf/info', 'info'],
])

interface StackFolder {
  readonly file: string
  /** The synthesized stack; undefined if it is unreadable. */
  readonly json: ExactJson | undefined
  readonly text: string
  /** The variables in its files; later files win. */
  readonly variables: ReadonlyMap<string, { readonly json: ExactJson; readonly from: string }>
  readonly problems: readonly Problem[]
  readonly engine: Engine | undefined
  readonly others: readonly string[]
}

export const stackFileName = 'cdk.tf.json'

/** Reads the folder of a stack. Every file that the engine would read there is read or refused. */
async function readStackFolder(
  folder: string,
  shownAs: string,
  chosenEngine: Engine | undefined,
): Promise<StackFolder> {
  const listed = await listFolder(folder).catch(unread)
  const names = listed === undefined || listed instanceof FileError ? [] : listed
  const refuse = (name: string, message: string, hint: string): Problem => ({
    code: 'stack-folder',
    severity: 'error',
    message,
    hint,
    source: { file: join(shownAs, name), line: 1, column: 1 },
  })
  const locks = await readTextFile(join(folder, '.terraform.lock.hcl'), largestSaved).catch(unread)
  const engine = chosenEngine ?? (typeof locks === 'string' ? engineOfLocks(locks) : undefined)
  const configuration = configurationNames(names, engine)
  const problems = names
    .filter(name => name === 'terraform.tfvars' || name.endsWith('.auto.tfvars'))
    .map(name =>
      refuse(name, 'Vexil reads variables only from JSON files', `convert it to ${name}.json, or use --var`),
    )
  const variables = new Map<string, { json: ExactJson; from: string }>()
  if (listed instanceof FileError)
    problems.push(
      refuse(
        '.',
        `this folder ${listed.message}`,
        'make the folder readable, so that Vexil finds the files with variables',
      ),
    )
  for (const name of variableFiles(names)) {
    const read = await readTextFile(join(folder, name), largestSaved).catch(unread)
    const json = typeof read === 'string' ? readJson(read) : undefined
    if (read instanceof FileError)
      problems.push(refuse(name, `this file ${read.message}`, 'write a JSON object such as {"name": value}'))
    else if (json instanceof Refusal || !isExactObject(json))
      problems.push(
        refuse(name, 'this file is not a JSON object', 'write a JSON object such as {"name": value}'),
      )
    else
      for (const [variable, value] of Object.entries(json))
        variables.set(variable, { json: value, from: name })
  }
  // OpenTofu ignores the synthesized stack if one of its own files has the same base name.
  const isHidden = names.includes(stackFileName) && !configuration.includes(stackFileName)
  const file = isHidden ? 'cdk.tofu.json' : stackFileName
  const read = await readTextFile(join(folder, file), largestSaved).catch(unread)
  const text = typeof read === 'string' ? read : undefined
  const json = text === undefined ? undefined : readJson(text, parseConfiguration)
  if (read instanceof FileError)
    problems.push(refuse(file, `this file ${read.message}`, synthesizeStackAgain))
  else if (json instanceof Refusal)
    problems.push(refuse(file, json.message, json.remedy ?? synthesizeStackAgain))
  else if (json === undefined) problems.push(refuse(file, ...missing(text, names, shownAs)))
  else if (!isExactObject(json))
    problems.push(
      refuse(file, `this is ${nounOf(json)} of JSON, not a synthesized stack`, synthesizeStackAgain),
    )
  return {
    file,
    json: json instanceof Refusal ? undefined : json,
    text: text ?? '',
    variables,
    problems,
    engine,
    others: configuration.filter(name => json !== undefined && name !== file),
  }
}

const synthesizeStackAgain = 'synthesize the stack again'

/** The reason why a file cannot be read; undefined if it does not exist. */
function unread(error: unknown): FileError | undefined {
  if (!(error instanceof FileError)) throw error
  return error.code === 'ENOENT' ? undefined : error
}

/** Files with variables, in the order in which Terraform reads them. */
function variableFiles(names: readonly string[]): readonly string[] {
  const automatic = names.filter(name => name.endsWith('.auto.tfvars.json')).sort()
  return [...names.filter(name => name === 'terraform.tfvars.json'), ...automatic]
}

function readJson(text: string, parse = parseExactJson): ExactJson | Refusal | undefined {
  try {
    return parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    if (error instanceof Refusal) return error
    throw error
  }
}

function missing(text: string | undefined, names: readonly string[], shownAs: string): [string, string] {
  if (text !== undefined) return ['this file is not JSON', synthesizeStackAgain]
  if (names.includes('cdk.tf'))
    return ['the stack was synthesized as HCL', 'synthesize the stack as JSON: remove --hcl and hclOutput']
  return [
    `there is no synthesized stack in "${basename(shownAs)}"`,
    'run the app first, or use --app to run it',
  ]
}
