import {
  consequence,
  convert,
  type Engine,
  type Files,
  type FunctionRow,
  type FunctionRows,
  fixedSteps,
  fromDouble,
  invalid,
  isListValue,
  isObjectValue,
  mapMembers,
  membersOf,
  namesOf,
  nothing,
  object,
  ofText,
  type Scope,
  type Step,
  type Typed,
  typed,
  undeclared,
  type Value,
  type Work,
} from '../../hcl/index.ts'
import { didYouMean, meantHint } from '../../model/text/did-you-mean.ts'
import { ArgumentError, callProviderFunction } from '../../schema/terraform/call-provider-function.ts'
import {
  type FunctionName,
  type FunctionParameter,
  type FunctionSignature,
  functionSignatures,
} from '../../schema/terraform/terraform-functions.ts'
import { type Addressed, addressIn, type Expressions } from '../read/expressions.ts'
import type { LocalNames, ModuleInstance } from './modules.ts'
import type { StackProblems } from './stack-problems.ts'

/** All evaluated values, by address; undefined for refused ones and those that come later. */
export type WorkedOut = ReadonlyMap<string, Typed | undefined>

/** What the expressions of a stack share besides its names. */
export interface Surroundings {
  readonly work: Work
  readonly files: Files
  /** The folder in which Terraform would run, absolute. */
  readonly folder: string
  readonly engine: Engine | undefined
}

/** The means to evaluate values. */
export interface Means {
  readonly scope: Scope
  readonly expressions: Expressions
  readonly problems: StackProblems
}

/** The names of a configuration. */
export function stackScope(
  module: ModuleInstance,
  { work, files, folder, engine }: Surroundings,
  local: LocalNames = {},
): Scope {
  const { workedOut, path } = module
  const means: LocalNames = { ...surroundingNames(folder, path, engine), ...local }
  const requireAddress = (names: readonly string[]): Addressed => {
    const addressed = addressIn(names)
    if (addressed === undefined) throw noSuchName(names)
    // The outputs of a module are evaluated when it is called.
    const declared = names[0] === 'module' ? `module.${names[1]}` : addressed.address
    if (!workedOut.has(declared)) throw notDeclared(declared, workedOut)
    return addressed
  }
  return {
    work,
    files,
    engine,
    functions: providerFunctions,
    suggest: didYouMean,
    declared: module.knownDeclared(local),
    requireDeclared({ root, steps }) {
      if (Object.hasOwn(means, root)) return requirePart(root, means[root] ?? nothing, steps)
      const { address, taken } = requireAddress(namesOf(root, steps))
      module.requireInside(address, fixedSteps(steps.slice(taken - 1)))
    },
    find(names) {
      const [root = '', name = '', output] = names
      if (Object.hasOwn(means, root)) return { value: means[root] ?? nothing, taken: 1 }
      const { address, taken } = requireAddress(names)
      if (root === 'module') return module.outputOf(name, output)
      const value = workedOut.get(address)
      if (value === undefined) throw consequence()
      return { value, taken }
    },
  }
}

/** Names that need an attribute; only `self` may be used as a whole too. */
const partsOnly: ReadonlySet<string> = new Set(['path', 'terraform', 'tofu', 'each', 'count'])

function requirePart(root: string, value: Typed, [step]: readonly Step[]): void {
  const known = [...(membersOf(value)?.members.keys() ?? [])]
  if (step?.is === 'name') {
    if (known.includes(step.name)) return
    const listed = `there ${known.length === 1 ? 'is' : 'are'} ${known.join(', ')}`
    throw undeclared(
      `${root} has no attribute ${JSON.stringify(step.name)}`,
      meantHint(step.name, known, listed),
    )
  }
  if (partsOnly.has(root))
    throw undeclared(`${root} is nothing by itself`, `write what of it is meant: ${root}.${known[0]}`)
}

/** The names that every configuration has. A stack is the root module, which Terraform runs in its folder. */
function surroundingNames(folder: string, path: string, engine: Engine | undefined): LocalNames {
  const run = object([['workspace', ofText('default')]])
  return {
    path: object([
      ['module', ofText(path)],
      ['root', ofText('.')],
      ['cwd', ofText(folder)],
    ]),
    terraform: run,
    ...(engine === 'OpenTofu' ? { tofu: run } : {}),
  }
}

function noSuchName(names: readonly string[]) {
  const [root = ''] = names
  const whole = names.join('.')
  switch (root) {
    case 'undefined':
      return undeclared(
        'it refers to undefined, which an engine writes for an empty text, zero and a missing value',
        'compare with Op.eq(value, Fn.rawString("")) or compute the answer in TypeScript',
      )
    case 'each':
    case 'count':
    case 'self':
      return undeclared(`${whole} means nothing here`, `use it where ${whereItMeans[root]}`)
    default:
      return undeclared(
        `it refers to ${whole}, and nothing is called so`,
        'where text is meant, write $${ for ${: text.replace(/([$%])\\{/g, "$1$1{")',
      )
  }
}

const whereItMeans = {
  each: 'there is a for_each',
  count: 'there is a count',
  self: 'a postcondition is',
} as const

function notDeclared(address: string, workedOut: WorkedOut) {
  const near = didYouMean(address, [...workedOut.keys()])
  return undeclared(
    `it refers to ${address}, which is not declared`,
    near === undefined ? 'declare it in this stack' : `did you mean ${near}?`,
  )
}

/** The functions of Vexil's own provider, by the names in expressions: `provider::vexil::rollout`. */
export const providerFunctions: FunctionRows = Object.fromEntries(
  Object.entries<FunctionSignature>(functionSignatures).map(([name, signature]) => [
    `provider::vexil::${name}`,
    // The names are those of the signatures.
    rowOf(name as FunctionName, signature),
  ]),
)

function rowOf(name: FunctionName, { parameters, variadic, returns }: FunctionSignature): FunctionRow {
  return {
    least: parameters.length,
    most: variadic ? Number.POSITIVE_INFINITY : parameters.length,
    gives: returns,
    takesNull: true,
    movesUnknown: parameters.some(({ allowUnknown }) => allowUnknown),
    apply(given) {
      const values = given.map((value, index) => {
        const { type, allowNull }: FunctionParameter = parameters[index] ?? variadic ?? nothingElse
        if (value.plain === null && !allowNull) throw invalid(`argument ${index + 1} is null`)
        return convert(value, type).plain
      })
      return typed(returns, fromWire(call(name, values)))
    },
  }
}

const nothingElse: FunctionParameter = { name: '', type: 'dynamic', description: '' }

function call(name: FunctionName, values: readonly Value[]): Value {
  try {
    return callProviderFunction(name, values)
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error
    throw invalid(`argument ${error.argument + 1}: ${error.message}`)
  }
}

/** A value after a provider has sent it to Terraform: numbers of 64 bits, and texts in composed form. */
function fromWire(value: Value): Value {
  if (typeof value === 'number') return fromDouble(value)
  if (typeof value === 'string') return value.normalize('NFC')
  if (isListValue(value)) return value.map(fromWire)
  return isObjectValue(value) ? mapMembers(value, fromWire) : value
}
