import { dirname, join, relative } from 'node:path'
import { type Engine, isExactObject, type Typed, withoutMarks } from '../../hcl/index.ts'
import type { Problem } from '../../model/problem.ts'
import { type EvaluatedStack, evaluateStack } from '../evaluate/evaluate-stack.ts'
import { type Answers, LookUps } from '../evaluate/look-ups.ts'
import { StackProblems } from '../evaluate/stack-problems.ts'
import type { GivenVariables } from '../evaluate/variables.ts'
import { ModuleFolders } from './configuration-file.ts'
import type { Manifest } from './manifest.ts'
import { modulesIn, readModules, type StackModule } from './module-tree.ts'
import { constructSources, type NotedIn, notedPlaces } from './places.ts'
import { readStackFolder, type StackFolder } from './read-folder.ts'
import { type Block, once, type StackFile } from './stack-file.ts'
import { StackFiles } from './stack-files.ts'

export interface AppStacksOptions {
  /** The base of the paths in problems. */
  readonly directory: string
  /** The place of an app's lines if it was synthesized into a folder that is not its own. */
  readonly notedIn?: NotedIn
  /** The variables of the command line. */
  readonly variables: ReadonlyMap<string, string>
  /** The environment, for `TF_VAR_name`. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The engine that runs them; if left out, the one that wrote each lock file. */
  readonly engine?: Engine
  /** The service's answers to the look-ups of data sources. */
  readonly answers?: Answers
}

/** A stack in its folder, parsed. */
export interface ReadStack {
  readonly folder: string
  /** The stack with its modules. */
  readonly module: StackModule
  /** The texts of its modules' files, by the name that people see. */
  readonly moduleTexts: ReadonlyMap<string, string>
  readonly found: StackFolder
  readonly problems: StackProblems
  /** The file that was read, relative to the directory. */
  readonly shown: string
}

export interface WorkedOutStack extends ReadStack {
  /** Undefined if the folder holds no stack. */
  readonly stack: EvaluatedStack | undefined
  /** The stacks whose outputs were used in its evaluation. */
  readonly uses: readonly WorkedOutStack[]
}

/** The stacks of one app, each read and evaluated once, however often it is used. */
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

  /** `under`: the stacks that wait for this one, so that none waits for itself. */
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

/** The problems of a stack and of those that it uses, those first, each once. */
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

/** Values lose their marks in another stack's state. */
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
