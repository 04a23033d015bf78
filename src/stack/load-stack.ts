import { resolve } from 'node:path'
import type { Declarations } from '../core/desired.ts'
import { type Services, servicesOf } from '../model/connection.ts'
import { hasErrors, type Problem, type Source } from '../model/problem.ts'
import { meantHint } from '../model/text/did-you-mean.ts'
import { decidedByPlan, type WrittenPolicies } from '../policies/written-policies.ts'
import { policiesIn, type SettingsPolicies } from './declare/check-policies.ts'
import type { StackConnection } from './declare/choose-target.ts'
import { toDeclarations } from './declare/to-declarations.ts'
import type { EvaluatedStack } from './evaluate/evaluate-stack.ts'
import type { LookUps } from './evaluate/look-ups.ts'
import type { StackProblems } from './evaluate/stack-problems.ts'
import { AppStacks, type AppStacksOptions, problemsOf, type WorkedOutStack } from './read/app-stacks.ts'
import { type Annotation, findManifest, type Manifest } from './read/manifest.ts'
import type { StackFile } from './read/stack-file.ts'

export interface StackOptions extends AppStacksOptions {
  /** The folder with `cdk.tf.json`, absolute. */
  readonly folder: string
  /** The configuration of the provider that is meant: `eu`, `vexil.eu`, or `vexil` for the one without an alias. */
  readonly provider?: string
  /** The UUIDs of roles, by name. */
  readonly roles?: Readonly<Record<string, string>>
  /** The services that it may be applied to, where its provider block names a profile or none; that one when left out. */
  readonly servicesFor?: (profile: string | undefined) => Services
  /** The policies of the settings; none when left out. */
  readonly policies?: SettingsPolicies
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
  /** What the app says of its constructs, its errors aside. */
  readonly annotations: readonly PlacedAnnotation[]
  /** What its data sources look up, with stand-ins for what has no answer yet: `completeStack` gets the answers. */
  readonly lookUps: readonly LookUps[]
  /** Of several stacks, what goes to each of their places. */
  readonly places?: readonly Pick<LoadedStack, 'declarations' | 'connection' | 'file'>[]
}

/** With the place of the construct that it is about, where the stack tells that. */
export interface PlacedAnnotation extends Annotation {
  readonly source?: Source | undefined
}

/** Reads a synthesized stack and works out what it declares, without Terraform. */
export async function loadStack(options: StackOptions): Promise<LoadedStack> {
  const stack = await loadAmongOthers(options)
  return hasErrors(stack.problems) ? { ...stack, declarations: { desired: [], ownedGrants: [] } } : stack
}

/** What a problem is called that a variable was given which a stack does not have. */
export const unknownVariable = 'unknown-variable'

/**
 * The same of a stack that is read with others. It declares what it declares also where it lacks a variable that was
 * given: one of the others may have it, and whether that is an error is for all of them to say.
 */
export async function loadAmongOthers(options: StackOptions): Promise<LoadedStack> {
  const { provider, roles = {}, folder, servicesFor = profile => servicesOf([profile]) } = options
  const manifest = await findManifest(folder)
  const app = new AppStacks(manifest, options)
  const read = await app.workOut(folder)
  const { problems: collector, module, stack, shown, moduleTexts } = read
  const roleNames = new Map(Object.entries(roles).map(([name, id]) => [id.toLowerCase(), name]))
  const policies = policiesIn(read.found.json, collector)
  const how = { provider, roleNames, servicesFor, policies, ofSettings: options.policies }
  const made = stack && toDeclarations(module, stack, how, collector)
  const said = annotationsIn(folder, manifest, collector).filter(
    annotation => !isDecided(annotation, policies),
  )
  if (stack) refuseStrangers(options.variables, filesOf(read), collector)
  const problems = [...problemsOf(read), ...said.flatMap(each => toldOf(each, shown))]
  const isWhole = made !== undefined && !hasErrors(problems.filter(({ code }) => code !== unknownVariable))
  if (isWhole) requireWhole(stack)
  return {
    declarations: isWhole ? made.declarations : { desired: [], ownedGrants: [] },
    connection: made?.connection ?? {},
    problems,
    file: shown,
    texts: new Map([[shown, read.found.text], ...moduleTexts]),
    annotations: said.filter(({ level }) => level !== 'error'),
    lookUps: [app.lookUps],
  }
}

/** Nothing may be missing without a word: a plan of a part would be taken for one of all. */
function requireWhole(stack: EvaluatedStack | undefined): void {
  const lost = [...(stack?.workedOut ?? [])].find(([, value]) => value === undefined)
  if (lost) throw new Error(`${lost[0]} was not worked out, and nothing says why`)
}

/** Those of a stack and of all whose outputs it takes: they are worked out with the same variables. */
function filesOf(stack: WorkedOutStack, seen = new Set<WorkedOutStack>()): readonly StackFile[] {
  if (seen.has(stack)) return []
  seen.add(stack)
  return [stack.module.file, ...stack.uses.flatMap(used => filesOf(used, seen))]
}

function refuseStrangers(
  given: ReadonlyMap<string, string>,
  files: readonly StackFile[],
  problems: StackProblems,
): void {
  const variables = files.flatMap(({ blocks }) => blocks.filter(({ is }) => is === 'variable'))
  const known = [...new Set(variables.map(({ name }) => name))]
  for (const name of given.keys()) {
    if (known.includes(name)) continue
    const listed = known.length === 0 ? 'it has none' : `there are ${known.join(', ')}`
    problems.add(
      { address: `var.${name}` },
      {
        code: unknownVariable,
        message: `the stack has no variable "${name}"`,
        hint: meantHint(name, known, listed),
      },
    )
  }
}

/** What the app itself said of its constructs. */
function annotationsIn(
  folder: string,
  manifest: Manifest | undefined,
  problems: StackProblems,
): readonly PlacedAnnotation[] {
  const all = manifest?.stacks.find(stack => stack.folder === resolve(folder))?.annotations ?? []
  return all.map(each => ({ ...each, source: problems.sourceOf({ path: each.constructPath }) }))
}

/** Whether the app left to a plan what its policies are held against here. */
function isDecided({ level, message }: Annotation, policies: WrittenPolicies | undefined): boolean {
  return policies !== undefined && level === 'warning' && message.endsWith(decidedByPlan)
}

function toldOf({ level, message, constructPath, source }: PlacedAnnotation, shown: string): Problem[] {
  if (level === 'info') return []
  return [
    {
      code: 'annotation',
      severity: level,
      message: `[${constructPath}] ${message}`,
      source: source ?? { file: shown, line: 1, column: 1 },
    },
  ]
}
