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
  /** What the places of problems are relative to. */
  readonly directory: string
  /** Where the lines of an app are that has synthesized for somebody else, into a folder that is not its own. */
  readonly notedIn?: NotedIn
  /** What the command line gives variables. */
  readonly variables: ReadonlyMap<string, string>
  /** Where `TF_VAR_name` is looked up. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** What runs them; what the lock file of each was written by, when left out. */
  readonly engine?: Engine
  /** What the service has answered of what data sources look up. */
  readonly answers?: Answers
}

/** A stack as it lies in its folder, taken apart. */
export interface ReadStack {
  readonly folder: string
  /** The stack with its modules. */
  readonly module: StackModule
  /** What was read of its modules, by the name that people see. */
  readonly moduleTexts: ReadonlyMap<string, string>
  readonly found: StackFolder
  readonly problems: StackProblems
  /** The file that was read, relative to the directory. */
  readonly shown: string
}

export interface WorkedOutStack extends ReadStack {
  /** Undefined where the folder holds no stack. */
  readonly stack: EvaluatedStack | undefined
  /** The stacks whose outputs it was worked out with. */
  readonly uses: readonly WorkedOutStack[]
}

/** The stacks of one app, each read once and worked out once, however many ways lead to it. */
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

  /** `under`: the stacks that wait for this one, so that none is read for itself. */
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

  /** The stacks of the app whose state a stack reads: the folder of each, and the path that it is read by. */
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

/** What is wrong with a stack and with those that it uses, those first, and each of them once. */
export function problemsOf(stack: WorkedOutStack, told = new Set<WorkedOutStack>()): readonly Problem[] {
  if (told.has(stack)) return []
  told.add(stack)
  const { found, uses, problems } = stack
  return [...found.problems, ...uses.flatMap(used => problemsOf(used, told)), ...problems.all]
}

function statePathsIn({ is, type, body }: Block): string[] {
  if (is !== 'data' || type !== 'terraform_remote_state' || !isExactObject(body.config)) return []
  return typeof body.config.path === 'string' ? [body.config.path] : []
}

/** What comes from another stack's state has lost its marks there. */
function outputsOf({ outputs }: EvaluatedStack): ReadonlyMap<string, Typed> {
  return new Map([...outputs].map(([name, value]) => [name, withoutMarks(value)]))
}

/** The command line over the files beside the stack, and those over the environment, as Terraform has it. */
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
