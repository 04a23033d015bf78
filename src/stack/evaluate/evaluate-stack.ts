import {
  concealed,
  type ExactJson,
  findSensitive,
  fixedSteps,
  invalid,
  namesOf,
  object,
  type Reference,
  requireDeclared,
  type Scope,
  Sensitive,
  type Typed,
  unsupported,
  ValueSizes,
  Work,
} from '../../hcl/index.ts'
import { mostModuleInstances } from '../../model/limits.ts'
import { once } from '../../model/runtime.ts'
import { meantHint } from '../../model/text/names.ts'
import { addressIn, Expressions, referenceIn } from '../expressions.ts'
import type { StackModule } from '../module-tree.ts'
import { type Block, providerAddress, switchIn } from '../stack-file.ts'
import { type StackProblems, type Subject, subjectOf } from '../stack-problems.ts'
import { attempt, checkConditions, providerSchema, readAttributes } from './attributes.ts'
import {
  givenProviders,
  graphOf,
  instancesOf,
  ModuleInstance,
  misnamedProviders,
  stackProvider,
} from './modules.ts'
import { noSettings, type ProviderSettings, providerSettings } from './providers.ts'
import {
  dataSource,
  type Evaluation,
  type LateValue,
  type ResourceInstance,
  resource,
  type StackInput,
} from './resources.ts'
import {
  declaredVariable,
  type Means,
  stackScope,
  valueOfInput,
  valueOfVariable,
  type WorkedOut,
} from './stack-scope.ts'

export interface EvaluatedStack {
  readonly instances: readonly ResourceInstance[]
  /** By name; an output without a value is absent. */
  readonly outputs: ReadonlyMap<string, Typed>
  readonly providers: readonly ProviderSettings[]
  /** All evaluated values, by address; undefined for refused ones. */
  readonly workedOut: WorkedOut
  /** Evaluates an expression outside of all blocks, such as that of an import. */
  readonly scope: Scope
}

/** Evaluates each part after its dependencies. A refusal is reported once, without its consequences. */
export function evaluateStack(
  stack: StackModule,
  input: StackInput,
  problems: StackProblems,
): EvaluatedStack {
  const root = new ModuleInstance(stack)
  const { files, engine } = input
  const { localName } = stack.file
  const expressions = new Expressions()
  const surroundings = { work: new Work(), files, folder: files.folder, engine }
  const evaluation: Evaluation = {
    input,
    problems,
    means: (module, local) => ({ scope: stackScope(module, surroundings, local), expressions, problems }),
    providers: new Map([[providerAddress(localName), noSettings(localName)]]),
    modules: new Map([[stack, [root]]]),
    instances: [],
    outputs: new Map(),
  }
  const { instances, outputs, providers, modules, means } = evaluation
  evaluateBlocks(stack, evaluation, expressions)
  const all = [...modules.values()].flat()
  for (const module of all) checkVariables(module, evaluation)
  return {
    instances,
    outputs,
    providers: [...providers.values()].filter(settings => settings !== undefined),
    workedOut: new Map(
      all.flatMap(({ prefix, workedOut }) =>
        [...workedOut].map(([address, value]) => [`${prefix}${address}`, value] as const),
      ),
    ),
    scope: means(root).scope,
  }
}

function evaluateBlocks(stack: StackModule, evaluation: Evaluation, expressions: Expressions): void {
  const { problems, modules } = evaluation
  const sizes = new ValueSizes()
  const { nodes, needs } = graphOf(stack, expressions)
  const { order, cycles } = dependencyOrder(needs)
  const inCycles = new Set(cycles.flat())
  for (const cycle of cycles) {
    const [first = ''] = cycle
    const path = cycle.map(id => id.trim()).join(' -> ')
    problems.refuse(
      subjectOf(first.trim(), nodes.get(first)?.block ?? {}),
      '',
      invalid(`cycle ${path}`, 'replace one of these references by a value'),
    )
  }
  for (const id of order) {
    const node = nodes.get(id)
    if (!node || inCycles.has(id)) continue
    const { block } = node
    for (const module of modules.get(node.module) ?? []) {
      const place = subjectOf(module.addressOf(block), block)
      const sized = (value: Typed) =>
        problems.attempt(place, '', () => {
          sizes.require(value.plain)
          return value
        })
      const value = evaluateBlock(block, module, evaluation, place)
      const known = typeof value === 'object' ? sized(value) : undefined
      const late = typeof value === 'function' ? once(() => sized(value())) : known && (() => known)
      module.workedOut.set(block.address, late)
    }
  }
}

function checkVariables(module: ModuleInstance, { means }: Evaluation): void {
  for (const block of module.module.file.blocks) {
    if (block.is !== 'variable' || module.workedOut.get(block.address) === undefined) continue
    checkConditions(subjectOf(module.addressOf(block), block), block.body, means(module), ['validation'])
  }
}

/** The value of a block, whose dependencies are already evaluated; undefined if refused. */
function evaluateBlock(
  block: Block,
  module: ModuleInstance,
  evaluation: Evaluation,
  place: Subject,
): Typed | LateValue | undefined {
  const { means } = evaluation
  checkDependsOn(place, block, means(module))
  switch (block.is) {
    case 'variable':
      return variable(block, module, evaluation, place)
    case 'local':
      return attempt(block.body.value ?? null, '', { place, ...means(module) }, value => value)
    case 'output':
      return output(block, module, evaluation, place)
    case 'provider':
      return provider(block, module, evaluation, place)
    case 'module':
      return moduleCall(block, module, evaluation, place)
    case 'check':
      // The asserts of a check must be met; a warning reports those that only the service can evaluate.
      checkConditions(place, block.body, means(module), ['assert'])
      return object([])
    case 'resource':
      return resource(block, module, evaluation)
    case 'data':
      return dataSource(block, module, evaluation)
  }
}

function variable(
  block: Block,
  module: ModuleInstance,
  { problems, means, input }: Evaluation,
  place: Subject,
): Typed | undefined {
  const { caller } = module
  const declared = problems.attempt(place, '', () => declaredVariable(block))
  if (!declared) return undefined
  if (!caller) return problems.attempt(place, '', () => valueOfVariable(declared, input.variables))
  const written = caller.block.body[block.name]
  if (written === undefined)
    return problems.attempt(place, '', () => valueOfInput(declared, undefined, place.address))
  const address = `${caller.module.addressOf(caller.block)}${caller.instance.suffix}`
  return attempt(
    written,
    block.name,
    { place: subjectOf(address, caller.block), ...means(caller.module, module.callerNames) },
    value => valueOfInput(declared, value, place.address),
  )
}

function output(
  block: Block,
  module: ModuleInstance,
  { problems, means, outputs }: Evaluation,
  place: Subject,
): Typed | undefined {
  const { body, name } = block
  if (body.value === undefined) problems.refuse(place, 'value', invalid('a value is required'))
  const value = attempt(body.value ?? null, 'value', { place, ...means(module) }, found => found)
  const isSensitive = problems.attempt(place, '', () => switchIn(body, 'sensitive', false))
  if (value === undefined || isSensitive === undefined) return undefined
  const mark = findSensitive(value.plain)
  // An output of a module stays marked for its caller.
  if (mark && !isSensitive && !module.caller) {
    problems.refuse(
      place,
      'value',
      invalid(`it comes from ${mark.origin}, which is sensitive`, 'set sensitive: true on the output'),
    )
  }
  checkConditions(place, body, means(module), ['precondition'])
  const isHidden = isSensitive && !(value.plain instanceof Sensitive)
  const shown = isHidden ? concealed(value, place.address) : value
  if (!module.caller) outputs.set(name, shown)
  return shown
}

function provider(
  block: Block,
  module: ModuleInstance,
  { problems, means, providers }: Evaluation,
  place: Subject,
): Typed | undefined {
  const others = new Set(['version'])
  const attributes = readAttributes(block.body, providerSchema, { place, ...means(module), others })
  const settings =
    attributes &&
    problems.attempt(place, '', () =>
      providerSettings({ localName: block.type, alias: block.name }, attributes),
    )
  providers.set(block.address, settings)
  return settings ? object([]) : undefined
}

/** Finds the instances of a module. Their blocks are evaluated later, in order. */
function moduleCall(
  block: Block,
  module: ModuleInstance,
  { problems, means, modules, providers }: Evaluation,
  place: Subject,
): Typed | undefined {
  const called = module.module.calls.get(block.name)
  if (!called || !isWellCalled(block, module, called, { problems, providers }, place)) return undefined
  const { scope, expressions } = means(module)
  const field = block.body.count === undefined ? 'for_each' : 'count'
  const instances = problems.attempt(place, field, () => {
    const found = instancesOf(block, scope, expressions)
    // One of them is the stack itself.
    const others = [...modules.values()].flat().length - 1
    if (others + found.length > mostModuleInstances)
      throw unsupported(
        `there are more than ${mostModuleInstances} instances of modules`,
        'declare fewer of them',
      )
    return found
  })
  if (!instances) return undefined
  const made = module.call(block, called, instances)
  modules.set(called, [...(modules.get(called) ?? []), ...made])
  return object([])
}

function isWellCalled(
  block: Block,
  { module }: ModuleInstance,
  called: StackModule,
  { problems, providers }: Pick<Evaluation, 'problems' | 'providers'>,
  place: Subject,
): boolean {
  const variables = called.file.blocks.flatMap(({ is, name }) => (is === 'variable' ? [name] : []))
  const strangers = Object.keys(block.body).filter(
    name => !callArguments.has(name) && !variables.includes(name),
  )
  for (const name of strangers) {
    const listed = variables.length === 0 ? 'there are none' : `there are ${variables.join(', ')}`
    problems.refuse(
      place,
      name,
      invalid('the module does not have this variable', meantHint(name, variables, listed)),
    )
  }
  const isBoth = block.body.count !== undefined && block.body.for_each !== undefined
  if (isBoth) problems.refuse(place, 'for_each', invalid('count is set too', 'remove one of them'))
  const misnamed = misnamedProviders(block, { caller: module.file, called: called.file })
  for (const name of misnamed)
    problems.refuse(
      place,
      `providers.${name}`,
      invalid(
        `the module calls our provider "${called.file.localName}"`,
        `write ${called.file.localName} = ... there`,
      ),
    )
  const lost = [...givenProviders(block, called.file).keys()].filter(
    address => !providers.has(stackProvider(called, address) ?? ''),
  )
  for (const address of lost) {
    const known = [...providers.values()].flatMap(settings => settings?.name ?? [])
    problems.refuse(
      place,
      address.replace(/^provider/, 'providers'),
      invalid('the provider does not have this configuration', `there are ${known.join(', ')}`),
    )
  }
  return [strangers, misnamed, lost].every(each => each.length === 0) && !isBoth
}

const callArguments = new Set(['source', 'version', 'providers', 'count', 'for_each', 'depends_on'])

/** Refuses a missing dependency, because the order would differ from the intended order. */
function checkDependsOn(
  place: Subject,
  { body: { depends_on: explicit } }: Block,
  { scope, problems }: Means,
): void {
  if (explicit === undefined) return
  problems.attempt(place, 'depends_on', () => {
    if (!Array.isArray(explicit)) throw invalid('the value must be a list of addresses')
    for (const address of explicit) {
      const reference = referenceOf(address)
      requireDeclared(reference, scope)
      requireWhole(reference)
    }
  })
}

function referenceOf(address: ExactJson): Reference {
  if (typeof address !== 'string') throw invalid('an element is not an address')
  const parsed = referenceIn(address)
  if (!parsed) throw invalid(`${JSON.stringify(address)} is not an address`)
  return parsed
}

/** A dependency can name an instance or an output, but not a part of one. */
function requireWhole({ root, steps }: Reference): void {
  const addressed = addressIn(namesOf(root, steps))
  if (!addressed) return
  const { address, taken } = addressed
  const inside = steps.slice(taken - 1)
  if (fixedSteps(inside).length < inside.length)
    throw invalid(`an expression selects the instance of ${address}`, `write ${address}, or a constant index`)
  const isValue = root === 'var' || root === 'local'
  const [key, output, ...more] = isValue ? [undefined, ...inside] : inside
  const isOutput = root === 'module' && key?.is === 'index' && output?.is === 'name'
  if (key?.is === 'name' || (output && !isOutput) || more.length > 0)
    throw invalid(`it refers to something inside ${address}`, `write ${address}`)
}

/** An evaluation order; things that depend on each other in a cycle are listed separately. */
export interface DependencyOrder {
  readonly order: readonly string[]
  /** Each from one member back to itself: `a`, `b`, `a`. */
  readonly cycles: readonly (readonly string[])[]
}

/** Sorts things by their dependencies. Without recursion, because a chain may be as long as the stack. */
export function dependencyOrder(needs: ReadonlyMap<string, ReadonlySet<string>>): DependencyOrder {
  const order: string[] = []
  const cycles: string[][] = []
  const state = new Map<string, 'open' | 'done'>()
  for (const start of needs.keys()) {
    const path: { readonly name: string; readonly left: Iterator<string> }[] = []
    const enter = (name: string) => {
      state.set(name, 'open')
      path.push({ name, left: (needs.get(name) ?? new Set<string>()).values() })
    }
    if (!state.has(start)) enter(start)
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.left.next()
      if (next.done) {
        path.pop()
        state.set(top.name, 'done')
        order.push(top.name)
      } else if (state.get(next.value) === 'open') {
        const from = path.findIndex(({ name }) => name === next.value)
        cycles.push([...path.slice(from).map(({ name }) => name), next.value])
      } else if (!state.has(next.value) && needs.has(next.value)) enter(next.value)
    }
  }
  return { order, cycles }
}
