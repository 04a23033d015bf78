import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { App, Aspects, type IAspect, TerraformStack } from 'cdktf'
import { Construct, type IConstruct } from 'constructs'
import { didYouMean } from '../../model/text/names.ts'
import { addressOf, type Declared, engineClass, isOurs } from './declared.ts'
import { brokenMarkIn, markedForm, markedNumberIn } from './engine-marks.ts'
import { LostValues } from './lost-values.ts'

/**
 * Returns the scope after checking that the engine of these constructs created everything around it. An app
 * with parts from both cdktf and cdktn type-checks, but fails in the middle of its synthesis.
 */
export function inThisEngine(scope: Construct, id: string): Construct {
  if (!Construct.isConstruct(scope))
    throw new TypeError(`the scope of ${JSON.stringify(id)} is not a construct`)
  if (typeof id !== 'string' || brokenMarkIn(id) !== undefined || markedNumberIn(id) !== undefined) {
    throw new Error(
      `"${scope.node.path}": a construct here has an id that is not known during synthesis; use an id that is`,
    )
  }
  for (const around of scope.node.scopes) {
    const theirs = engineOf(around)
    if (theirs === undefined || theirs === ours) continue
    const path = [scope.node.path, id].filter(part => part !== '').join('/')
    throw new Error(
      `"${path}": this construct is made for ${ours}, but ${described(around)} comes from ${theirs}; import the construct from "vexil/${theirs}", or everything else from "${ours}"`,
    )
  }
  heedPoliciesAround(scope)
  return scope
}

/** Registers a new generated construct: records its line, and checks that its name is unique. */
export function registerConstruct(construct: Declared): void {
  notePlace(construct)
  watchNames(construct)
}

/** `cdktf` may be an alias of cdktn here, so it is checked like any other module. */
const ours = engineOf(TerraformStack.prototype)

function engineOf(construct: object): string | undefined {
  return /^cdkt[fn](?=\.)/.exec(engineClass(construct))?.[0]
}

function described(construct: IConstruct): string {
  return construct.node.path === '' ? 'the app' : `"${construct.node.path}"`
}

/**
 * Whether a generated construct writes a value member by member. A reference in any form is passed to
 * Terraform as a whole: it seems to have no members, and a condition without members means everybody. A value
 * with misspelt members would have the same effect, and TypeScript only reports it if it knows the type.
 */
export function isStruct(value: unknown, type: string, members: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null || markedForm(value) !== undefined) return false
  const stray = Object.entries(value).find(
    ([name, member]) => member !== undefined && !members.includes(name),
  )
  if (stray === undefined) return true
  const [name] = stray
  const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const meant = members.includes(camel) ? camel : didYouMean(name, members)
  const hint = meant === undefined ? `there are ${members.join(', ')}` : `did you mean "${meant}"?`
  throw new TypeError(`"${name}" is not a member of ${type}; ${hint}`)
}

/** Makes synthesis of a stack fail if two of its constructs would become one. */
function watchNames(declared: Declared): void {
  namesIn(TerraformStack.of(declared))
}

/** The used names of a stack. They belong to the stack, whatever copy of this package its constructs use. */
export function namesIn(stack: TerraformStack): Map<string, Declared> {
  const known: unknown = Reflect.get(stack, taken)
  // Only this package uses the symbol.
  if (known instanceof Map) return known as Map<string, Declared>
  const names = new Map<string, Declared>()
  Object.defineProperty(stack, taken, { value: names })
  stack.node.addValidation({ validate: () => sharedNames(stack) })
  // An app may skip validations, as an engine's tests do. Names are final only now.
  const toTerraform = stack.toTerraform.bind(stack)
  stack.toTerraform = () => {
    const shared = sharedNames(stack)
    if (shared.length > 0) throw new Error(shared.join('\n'))
    return toTerraform()
  }
  return names
}

const taken = Symbol.for('vexil/names')

/** Resources with equal names, for any reason: the engine itself names generated constructs. */
function sharedNames(stack: TerraformStack): string[] {
  const first = new Map<string, Declared>()
  return stack.node.findAll().flatMap(node => {
    if (!isOurs(node) || TerraformStack.of(node) !== stack) return []
    const address = addressOf(node)
    const before = first.get(address)
    if (before === undefined) first.set(address, node)
    return before === undefined ? [] : [declaredTwice(address, before, node)]
  })
}

export function declaredTwice(address: string, before: IConstruct, declared: IConstruct): string {
  const paths = [before, declared].map(({ node }) => `"${pathOf(node)}"`)
  const isGenerated = [before, declared].every(({ node }) => pathOf(node) === node.path)
  const remedy = isGenerated
    ? 'the engine removes characters from ids: use another id for one of them, or overrideLogicalId'
    : 'declare it once, or use a logicalId for one of them'
  return `${address} is declared twice, by ${paths.join(' and ')}; ${remedy}`
}

/** The path of the app's own construct: the resource inside it has no name of its own. */
function pathOf(node: IConstruct['node']): string {
  return node.path.replace(/\/Resource$/, '')
}

/**
 * Runs policies that were added to an app, or to another construct around a stack. The engines only run the
 * aspects of stacks and of their contents, and silently skip those around. Other aspects there stay skipped,
 * with a warning.
 */
function heedPoliciesAround(scope: IConstruct): void {
  const stack = outermostStack(scope)
  if (stack === undefined || around in stack) return
  const policies = new PoliciesAround(stack)
  Object.defineProperty(stack, around, { value: policies })
  Aspects.of(stack).add(policies)
  Aspects.of(stack).add(new LostValues(stack, isPolicy))
}

/** Runs the policies around a construct's stack on it, unless they already ran on it: outer ones first. */
export function runPoliciesAround(construct: IConstruct): void {
  const stack = outermostStack(construct)
  if (stack === undefined || !(around in stack)) return // Only a copy of this package sets this symbol.
  ;(stack[around] as PoliciesAround).look(construct)
}

/** Marks an aspect as a policy. */
export function markPolicy(aspect: IAspect): void {
  Object.defineProperty(aspect, policy, { value: true })
}

function isPolicy(aspect: IAspect): boolean {
  return policy in aspect
}

/** The names are global, so that copies of this package know each other's policies, and run them once. */
const around = Symbol.for('vexil/policies-around')
const policy = Symbol.for('vexil/policy')

class PoliciesAround implements IAspect {
  private readonly stack: IConstruct
  private seen = new WeakSet<IConstruct>()

  public constructor(stack: IConstruct) {
    this.stack = stack
  }

  public visit(construct: IConstruct): void {
    // The engine visits the stack first, so a new synthesis starts there.
    if (construct === this.stack) this.seen = new WeakSet()
    this.look(construct)
  }

  public look(construct: IConstruct): void {
    if (this.seen.has(construct)) return
    this.seen.add(construct)
    const scopes = this.stack.node.scopes.slice(0, -1)
    const policies = scopes.flatMap(scope => Aspects.of(scope).all.filter(isPolicy))
    for (const each of new Set(policies)) each.visit(construct)
  }
}

function outermostStack(construct: IConstruct): IConstruct | undefined {
  return construct.node.scopes.find(TerraformStack.isStack)
}

/**
 * Records the line of the app's code that created a construct, so that readers of the stack can report it.
 * The engines write `stackTrace` into the metadata of each construct, but leave it empty. The path is
 * relative to the folder that the app synthesizes into: the same app gives the same stack on every machine.
 * `new App({ stackTraces: false })` turns it off, as for annotations; it is off in `Testing.app()`.
 */
function notePlace(construct: IConstruct): void {
  const { node } = construct
  const entry = node.metadata.find(({ type }) => type === 'stacktrace')
  const place = entry && placeNow(construct)
  // The engine reads this member when it synthesizes.
  if (entry && place !== undefined) Object.assign(entry, { trace: [place] })
}

/** The current line of the app's own code for a construct, in the recorded form: `../main.ts:8:15`. */
export function placeNow({ node }: IConstruct): string | undefined {
  const output = App.isApp(node.root) ? node.root.outdir : undefined
  if (output === undefined || node.tryGetContext(off)) return undefined
  const place = placeOf(ownFrames()[0])
  if (place === undefined) return undefined
  const path = relative(resolve(output), place.file).replaceAll('\\', '/')
  return `${path}:${place.position}`
}

/** The setting that the engines check before they record the position of an annotation. */
const off = '@cdktf/disable_stack_trace_in_metadata'

/** `at new Shop (/app/main.ts:12:5)`, or without a name. */
const frameForm = /^at (?:async )?(?:.*? \()?((?:file:|[A-Za-z]:[\\/]|\/).*):(\d+:\d+)\)?$/

function placeOf(frame: string | undefined) {
  const [, file, position] = frameForm.exec(frame ?? '') ?? []
  if (file === undefined || position === undefined) return undefined
  return { file: file.startsWith('file:') ? fileURLToPath(file) : file, position }
}

/**
 * The lines of the current stack outside all packages: those of the app, the innermost first, as `at new Shop
 * (/app/main.ts:12:5)`. Empty if the stack is not available.
 */
function ownFrames(): readonly string[] {
  const { stackTraceLimit } = Error
  const holder: { stack?: string } = {}
  try {
    Error.stackTraceLimit = deepest
    Error.captureStackTrace(holder, ownFrames)
    return theirsOf(holder.stack ?? '')
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** The depth of the search for the app's code: not half as many frames are between it and a resource. */
const deepest = 50

/** The frames of a stack, as text, in an app's own code. */
export function theirsOf(stack: string): readonly string[] {
  const frames = stack
    .split('\n')
    .map(line => line.trim())
    .filter(line => line.startsWith('at '))
  return frames.filter(frame => !isInPackage(frame))
}

/** The folder of this package, from its own first frame: the package may be linked and not installed. */
const ownFolder = /(?:file:\/\/)?((?:[A-Za-z]:)?[\\/].*[\\/](?:dist|src)[\\/])/.exec(
  String(new Error().stack).split('\n')[1] ?? '',
)?.[1]

function isInPackage(frame: string): boolean {
  return (
    /[\\/]node_modules[\\/]|\(?node:/.test(frame) ||
    !/:\d+:\d+\)?$/.test(frame) ||
    (ownFolder !== undefined && frame.includes(ownFolder))
  )
}
