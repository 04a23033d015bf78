import {
  anything,
  concealed,
  consequence,
  constants,
  convert,
  type Engine,
  type ExactJson,
  evaluate,
  type Files,
  type FunctionRow,
  type FunctionRows,
  fixedSteps,
  fromDouble,
  impliedTyped,
  invalid,
  isListValue,
  isNull,
  isObjectValue,
  mapMembers,
  membersOf,
  namesOf,
  nothing,
  object,
  ofText,
  parseExpression,
  parseTypeConstraint,
  Refusal,
  type Scope,
  Sensitive,
  type Step,
  type TypeConstraint,
  type Typed,
  typed,
  undeclared,
  unreadableType,
  type Value,
  type Work,
} from '../../hcl/index.ts'
import { oncePer } from '../../model/runtime.ts'
import { didYouMean, meantHint } from '../../model/text/names.ts'
import { ArgumentError, callProviderFunction } from '../../schema/terraform/call-provider-function.ts'
import {
  type FunctionName,
  type FunctionParameter,
  type FunctionSignature,
  functionSignatures,
} from '../../schema/terraform/terraform-schema.ts'
import { type Addressed, addressIn, type Expressions } from '../expressions.ts'
import { type Block, switchIn } from '../stack-file.ts'
import type { StackProblems } from '../stack-problems.ts'
import type { LocalNames, ModuleInstance } from './modules.ts'

/** All evaluated values, by address; undefined for refused ones and those that come later. */
export type WorkedOut = ReadonlyMap<string, (() => Typed | undefined) | undefined>

/** The common context of all expressions of a stack, besides its names. */
export interface Surroundings {
  readonly work: Work
  readonly files: Files
  /** The folder in which Terraform would run, absolute. */
  readonly folder: string
  readonly engine: Engine | undefined
}

export interface Means {
  readonly scope: Scope
  readonly expressions: Expressions
  readonly problems: StackProblems
}

export function stackScope(
  module: ModuleInstance,
  surroundings: Surroundings,
  local: LocalNames = {},
): Scope {
  const { work, files, engine } = surroundings
  const { workedOut } = module
  const means: LocalNames = { ...surroundingNames(surroundings)(module), ...local }
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
      const value = workedOut.get(address)?.()
      if (value === undefined) throw consequence()
      return { value, taken }
    },
  }
}

/** Names that need an attribute; only `self` may also be used as a whole. */
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
    throw undeclared(`${root} alone is not a value`, `write one of its attributes: ${root}.${known[0]}`)
}

/** The names that every configuration has. A stack is the root module, which Terraform runs in its folder. */
const surroundingNames = oncePer(({ folder, engine }: Surroundings) =>
  oncePer(({ path }: ModuleInstance): LocalNames => {
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
  }),
)

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
      return undeclared(`${whole} is not available here`, `use it only ${whereItMeans[root]}`)
    default:
      return undeclared(
        `it refers to ${whole}, which does not exist`,
        'for literal text, write $${ instead of ${: text.replace(/([$%])\\{/g, "$1$1{")',
      )
  }
}

const whereItMeans = {
  each: 'with a for_each',
  count: 'with a count',
  self: 'in a postcondition',
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
        const { type }: FunctionParameter = parameters[index] ?? variadic ?? nothingElse
        if (value.plain === null) throw invalid(`argument ${index + 1} is null`)
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

/** A value as Terraform receives it from a provider: numbers of 64 bits, and texts in composed form. */
function fromWire(value: Value): Value {
  if (typeof value === 'number') return fromDouble(value)
  if (typeof value === 'string') return value.normalize('NFC')
  if (isListValue(value)) return value.map(fromWire)
  return isObjectValue(value) ? mapMembers(value, fromWire) : value
}

/** The values of variables: as texts from a command line or the environment, or as JSON. */
export interface GivenVariables {
  readonly texts: ReadonlyMap<string, { readonly text: string; readonly from: string }>
  readonly json: ReadonlyMap<string, { readonly json: ExactJson; readonly from: string }>
}

export interface DeclaredVariable {
  readonly name: string
  readonly constraint: TypeConstraint
  /** Whether it must not be shown; true for an ephemeral value too. */
  readonly isSensitive: boolean
  readonly isNullable: boolean
  readonly fallback: Typed | undefined
}

/** Reads the declaration of a variable. Its default has to be valid even if it is not used. */
export function declaredVariable({ name, body }: Block): DeclaredVariable {
  const declared = {
    name,
    constraint: constraintOf(body.type),
    isSensitive: [switchIn(body, 'sensitive', false), switchIn(body, 'ephemeral', false)].includes(true),
    isNullable: switchIn(body, 'nullable', true),
  }
  return { ...declared, fallback: defaultOf(declared, body.default) }
}

/** The value of a stack's variable: the given value, or its default. */
export function valueOfVariable(variable: DeclaredVariable, given: GivenVariables): Typed {
  const { name, constraint } = variable
  return settled(variable, givenValue(name, given, constraint), {
    missing: 'its value is missing',
    // The similar variable, if the stack has no variable of the given name.
    how: `set it with --var ${name}=..., or with TF_VAR_${name}`,
    address: `var.${name}`,
  })
}

/** The value of a module's variable: its argument, or its default. `address` is that of the variable. */
export function valueOfInput(variable: DeclaredVariable, given: Typed | undefined, address: string): Typed {
  return settled(variable, given, {
    missing: 'a value is required',
    how: `set it in the call of the module: ${variable.name} = ...`,
    address,
  })
}

function constraintOf(type: ExactJson | undefined): TypeConstraint {
  if (type === undefined) return anything
  if (typeof type !== 'string') throw unreadableType()
  return parseTypeConstraint(type)
}

function defaultOf(
  variable: Omit<DeclaredVariable, 'fallback'>,
  fallback: ExactJson | undefined,
): Typed | undefined {
  if (fallback === undefined) return undefined
  if (fallback === null && !variable.isNullable)
    throw invalid('its default is null, but null is not allowed', 'remove the default')
  try {
    return completed(impliedTyped(fallback), variable)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (variable.isSensitive) throw invalid('its default does not match its type')
    throw new Refusal(error.is, `its default does not match its type: ${error.message}`, error.remedy)
  }
}

interface Settling {
  /** The problem of a missing value, and its remedy. */
  readonly missing: string
  readonly how: string
  readonly address: string
}

function settled(
  variable: DeclaredVariable,
  given: Typed | undefined,
  { missing, how, address }: Settling,
): Typed {
  const { isSensitive, isNullable, fallback } = variable
  const value = given === undefined ? fallback : converted(given, variable, how)
  if (value === undefined) throw invalid(missing, how)
  const whole = isNull(value) && !isNullable ? (fallback ?? value) : value
  if (isNull(whole) && !isNullable) throw invalid('its value is null, but null is not allowed', how)
  if (!isSensitive || whole.plain instanceof Sensitive) return whole
  return concealed(whole, address)
}

function givenValue(name: string, { texts, json }: GivenVariables, constraint: TypeConstraint) {
  const text = texts.get(name)
  if (text)
    return constraint.isExpression
      ? expressionValue(text.text, text.from)
      : ofText(text.text.normalize('NFC'))
  const written = json.get(name)
  return written && impliedTyped(written.json)
}

/** A text that is not a valid expression is not shown: it may be a secret. */
function expressionValue(text: string, from: string): Typed {
  try {
    return evaluate(parseExpression(text), constants)
  } catch {
    throw invalid(
      `the value from ${from} does not match its type`,
      'write lists and maps as JSON: ["a", "b"]',
    )
  }
}

function converted(value: Typed, variable: DeclaredVariable, how: string): Typed {
  try {
    return completed(value, variable)
  } catch (error) {
    if (!variable.isSensitive) throw error
    throw invalid('its value does not match its type', how)
  }
}

function completed(
  value: Typed,
  { constraint: { type, complete } }: Pick<DeclaredVariable, 'constraint'>,
): Typed {
  return convert(complete(value), type)
}
