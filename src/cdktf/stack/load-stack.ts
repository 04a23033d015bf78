import { join, relative, resolve } from 'node:path'
import type { Declarations } from '../../core/desired.ts'
import { didYouMean } from '../../model/did-you-mean.ts'
import { hasErrors, type Problem } from '../../model/problem.ts'
import { type EvaluatedStack, evaluateStack } from './evaluate-stack.ts'
import { Findings, type SourceOf } from './findings.ts'
import { isExactObject } from './language/json-value.ts'
import { revealed } from './language/marks.ts'
import type { Value } from './language/value.ts'
import { findManifest } from './manifest.ts'
import { placesIn } from './places.ts'
import { readStackFolder, stackFileName } from './read-folder.ts'
import { type StackFile, takeStackApart } from './stack-file.ts'
import type { StackConnection } from './target.ts'
import { toDeclarations } from './to-declarations.ts'
import type { GivenVariables } from './variables.ts'

export interface StackOptions {
  /** The folder with `cdk.tf.json`, absolute. */
  readonly folder: string
  /** What the places of problems are relative to. */
  readonly directory: string
  /** What the command line gives variables. */
  readonly variables: ReadonlyMap<string, string>
  /** Where `TF_VAR_name` is looked up. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The configuration of the provider that is meant: `eu`, `vexil.eu`, or `vexil` for the one without an alias. */
  readonly provider?: string
  /** The UUIDs of roles, by name. */
  readonly roles?: Readonly<Record<string, string>>
}

/** A synthesized stack as it is applied. */
export interface LoadedStack {
  /** Empty as long as there are errors: half of a stack must never be applied. */
  readonly declarations: Declarations
  /** Where the provider block says that it goes. */
  readonly connection: StackConnection
  readonly problems: readonly Problem[]
  /** The file that was read, relative to the directory. */
  readonly file: string
  readonly texts: ReadonlyMap<string, string>
}

/** Reads a synthesized stack and works out what it declares, without Terraform. */
export async function loadStack(options: StackOptions): Promise<LoadedStack> {
  const { provider, roles = {}, directory } = options
  const read = await workOut(options, new Set())
  const { findings, file: stackFile, stack, shown, sourceOf, problems: before } = read
  const roleNames = new Map(Object.entries(roles).map(([name, id]) => [id.toLowerCase(), name]))
  const made = stack && toDeclarations(stackFile, stack, { provider, roleNames, sourceOf }, findings)
  if (stack) refuseStrangers(options.variables, stackFile, findings)
  const problems = [...before, ...findings.problems, ...(await annotationsOf(options.folder, directory))]
  const isWhole = made !== undefined && !hasErrors(problems)
  if (isWhole) requireWhole(stack)
  return {
    declarations: isWhole ? made.declarations : { desired: [], ownedGrants: [] },
    connection: made?.connection ?? {},
    problems,
    file: shown,
    texts: new Map([[shown, read.text]]),
  }
}

/** Nothing may be missing without a word: a plan of a part would be taken for one of all. */
function requireWhole(stack: EvaluatedStack | undefined): void {
  const lost = [...(stack?.workedOut ?? [])].find(([, value]) => value === undefined)
  if (lost) throw new Error(`${lost[0]} was not worked out, and nothing says why`)
}

interface WorkedOutStack {
  readonly file: StackFile
  /** Undefined where the folder holds no stack. */
  readonly stack: EvaluatedStack | undefined
  readonly findings: Findings
  readonly sourceOf: SourceOf
  readonly shown: string
  readonly text: string
  readonly problems: readonly Problem[]
}

/** `under`: the stacks that wait for this one, so that none is read for itself. */
async function workOut(options: StackOptions, under: ReadonlySet<string>): Promise<WorkedOutStack> {
  const { folder, directory } = options
  const shownFolder = relative(directory, folder)
  const { json, text, variables, problems } = await readStackFolder(folder, shownFolder)
  const shown = join(shownFolder, stackFileName)
  const sourceOf = placesIn(shown, text)
  const findings = new Findings(sourceOf)
  const file = takeStackApart(json ?? {}, findings)
  const common = { file, findings, sourceOf, shown, text }
  if (json === undefined) return { ...common, stack: undefined, problems }
  const remote = await remoteStates(file, options, new Set([...under, folder]))
  const given = givenVariables(file, options, variables)
  const stack = evaluateStack(file, { variables: given, remoteStates: remote.outputs }, findings)
  return { ...common, stack, problems: [...problems, ...remote.problems] }
}

/** The command line over the files beside the stack, and those over the environment, as Terraform has it. */
function givenVariables(
  { blocks }: StackFile,
  { variables, env }: StackOptions,
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

function refuseStrangers(
  given: ReadonlyMap<string, string>,
  { blocks }: StackFile,
  findings: Findings,
): void {
  const known = blocks.flatMap(({ is, name }) => (is === 'variable' ? [name] : []))
  for (const name of given.keys()) {
    if (known.includes(name)) continue
    const near = didYouMean(name, known)
    const listed = known.length === 0 ? 'it has none' : `there are ${known.join(', ')}`
    findings.add(
      { address: `var.${name}` },
      {
        code: 'unknown-variable',
        message: `the stack has no variable "${name}"`,
        hint: near === undefined ? listed : `did you mean "${near}"?`,
      },
    )
  }
}

/** The outputs of the stacks of the same app whose state this one reads. */
async function remoteStates(
  file: StackFile,
  options: StackOptions,
  under: ReadonlySet<string>,
): Promise<{
  readonly outputs: ReadonlyMap<string, ReadonlyMap<string, Value>>
  readonly problems: readonly Problem[]
}> {
  const wanted = new Set(file.blocks.flatMap(statePathsIn))
  const outputs = new Map<string, ReadonlyMap<string, Value>>()
  const problems: Problem[] = []
  if (wanted.size === 0) return { outputs, problems }
  const manifest = await findManifest(options.folder)
  for (const { folder } of manifest?.stacks ?? []) {
    if (under.has(folder)) continue
    const { json } = await readStackFolder(folder, folder)
    const { statePath } = takeStackApart(json ?? {}, new Findings(() => undefined))
    if (statePath === undefined || !wanted.has(statePath)) continue
    const other = await workOut({ ...options, folder }, under)
    problems.push(...other.problems, ...other.findings.problems)
    // What comes from another stack's state has lost its marks there.
    if (other.stack) outputs.set(statePath, mapValues(other.stack.outputs, revealed))
  }
  return { outputs, problems }
}

function mapValues(
  outputs: ReadonlyMap<string, Value>,
  form: (value: Value) => Value,
): ReadonlyMap<string, Value> {
  return new Map([...outputs].map(([name, value]) => [name, form(value)]))
}

function statePathsIn({ is, type, body }: StackFile['blocks'][number]): string[] {
  if (is !== 'data' || type !== 'terraform_remote_state' || !isExactObject(body.config)) return []
  return typeof body.config.path === 'string' ? [body.config.path] : []
}

/** What the app itself said of its constructs. */
async function annotationsOf(folder: string, directory: string): Promise<Problem[]> {
  const manifest = await findManifest(folder)
  const own = manifest?.stacks.find(stack => stack.folder === resolve(folder))
  return (own?.annotations ?? []).map(({ level, message, constructPath }) => ({
    code: 'annotation',
    severity: level,
    message: `[${constructPath}] ${message}`,
    source: { file: join(relative(directory, folder), stackFileName), line: 1, column: 1 },
  }))
}
