import type { Expression } from '../language/expression.ts'
import type { Files, Scope } from '../language/scope.ts'
import { requireLength } from '../limits.ts'
import { convert } from '../values/convert.ts'
import { elsewhere, invalid, invalidToTerraform, Refusal, unsupported } from '../values/refusal.ts'
import {
  nothing,
  nounOf,
  ofBool,
  sequenceOf,
  type Typed,
  typed,
  unknownOf,
  unmarked,
} from '../values/typed.ts'
import { Sensitive, Unknown } from '../values/value.ts'
import { findUnknown } from '../values/walk.ts'
import { cidrFunctions } from './cidr.ts'
import {
  choiceFunctions,
  collectionFunctions,
  combinationFunctions,
  mapFunctions,
  setFunctions,
} from './collections.ts'
import { dateFunctions } from './dates.ts'
import { encodingFunctions, hashFunctions, jsonFunctions } from './encoding.ts'
import {
  type Evaluate,
  fileFunctionNames,
  fileFunctions,
  fillFile,
  fillText,
  pathFunctions,
} from './files.ts'
import { formatFunctions } from './format.ts'
import { type FunctionRow, type FunctionRows, textAt } from './function-row.ts'
import { conversionFunctions, floatFunctions, numberFunctions } from './numbers.ts'
import { regexFunctions, textFunctions } from './text.ts'
import { decodeYaml, yamlFunctions } from './yaml.ts'

/** The functions that use only their arguments. */
const functions: FunctionRows = {
  ...choiceFunctions,
  ...cidrFunctions,
  ...combinationFunctions,
  ...collectionFunctions,
  ...conversionFunctions,
  ...dateFunctions,
  ...encodingFunctions,
  ...floatFunctions,
  ...formatFunctions,
  ...hashFunctions,
  ...jsonFunctions,
  ...mapFunctions,
  ...numberFunctions,
  ...pathFunctions,
  ...regexFunctions,
  ...setFunctions,
  ...textFunctions,
  ...yamlFunctions,
}

type Call = Expression & { readonly is: 'call' }

/** Calls a function by its name. */
export function callFunction(call: Call, scope: Scope, evaluate: Evaluate): Typed {
  const name = call.name.replace(/^core::/, '')
  const work = (argument: Expression) => evaluate(argument, scope)
  if (scope.isConstant) throw invalid(`it calls ${name}(), and has to be a constant`)
  try {
    const special = Object.hasOwn(specialFunctions, name) ? specialFunctions[name] : undefined
    const made = special
      ? special(call, work, scope, evaluate)
      : apply(rowOf(name, scope), argumentsOf(call, work))
    if (typeof made.plain === 'string') requireLength(made.plain.length)
    return made
  } catch (error) {
    if (!(error instanceof Refusal) || error.inFunction !== undefined) throw error
    throw new Refusal(error.is, `function ${name}(): ${error.message}`, error.remedy, name)
  }
}

/** Functions that use more than their arguments' values: expressions, marks, names, or the engine. */
const specialFunctions: Readonly<
  Record<
    string,
    (call: Call, work: (argument: Expression) => Typed, scope: Scope, evaluate: Evaluate) => Typed
  >
> = {
  try: (call, work) => attempt('try', call, work),
  can: (call, work) => attempt('can', call, work),
  sensitive: (call, work) => mark('sensitive', call, work),
  nonsensitive: (call, work) => mark('nonsensitive', call, work),
  issensitive: (call, work) => {
    const { plain } = onlyOf(call, work)
    if (plain instanceof Unknown) return unknownOf('bool', plain.origin)
    return ofBool(plain instanceof Sensitive)
  },
  yamldecode: (call, work, { engine }) =>
    apply({ least: 1, apply: given => decodeYaml(textAt(given, 0), engine) }, argumentsOf(call, work)),
  // Nothing is ephemeral here.
  ephemeralasnull: onlyOf,
  templatefile: (call, work, scope, evaluate) =>
    apply(
      {
        least: 2,
        movesUnknown: true,
        apply: given => fillFile(filesOf(scope), textAt(given, 0), given[1] ?? nothing, scope, evaluate),
      },
      argumentsOf(call, work),
    ),
  templatestring: (call, work, scope, evaluate) => {
    const [template] = call.arguments
    const { engine } = scope
    if (template?.is !== 'reference' && engine !== 'OpenTofu')
      throw invalidToTerraform(engine, 'argument 1 has to name where the template is', 'put it into a local')
    if (scope.isInTemplate) throw unsupported('a template within a template', elsewhere)
    return apply(
      {
        least: 2,
        movesUnknown: true,
        // Arguments: a text, and the variables to fill in; nothing is converted.
        apply([template = nothing, variables = nothing]) {
          if (typeof template.plain !== 'string')
            throw invalidToTerraform(engine, `argument 1 is ${nounOf(template)} and not a text`)
          const filled = fillText(template.plain, variables, scope, evaluate)
          // OpenTofu keeps the type of a value if the template contains nothing else.
          if (engine !== 'Terraform' && filled.type !== 'string')
            throw unsupported('a template that comes to no text', elsewhere)
          return convert(filled, 'string')
        },
      },
      argumentsOf(call, work),
    )
  },
}

/** The names of all functions that are evaluated here. */
export const functionNames: readonly string[] = [
  ...Object.keys(functions),
  ...fileFunctionNames,
  ...Object.keys(specialFunctions),
]

function rowOf(name: string, scope: Scope): FunctionRow {
  const given = scope.functions ?? {}
  for (const rows of [functions, given]) {
    const row = Object.hasOwn(rows, name) ? rows[name] : undefined
    if (row) return row
  }
  const found = fileFunctionNames.includes(name) ? fileFunctions(filesOf(scope))[name] : undefined
  if (found) return found
  throw refusedFunction(name) ?? unknownFunction(name, scope)
}

function filesOf({ files }: Scope): Files {
  if (files) return files
  throw unsupported('there are no files to look at', elsewhere)
}

function apply(row: FunctionRow, given: readonly Typed[]): Typed {
  const { least, most = least, takesNull, movesUnknown, gives = 'dynamic' } = row
  if (given.length < least || given.length > most) {
    const wanted =
      most === Number.POSITIVE_INFINITY ? `${least} or more` : least === most ? least : `${least} to ${most}`
    throw invalid(`it takes ${wanted} arguments and gets ${given.length}`)
  }
  return unmarked(given, shown => {
    const plain = shown.map(value => value.plain)
    const unknown = movesUnknown
      ? plain.find(each => each instanceof Unknown)
      : plain.map(findUnknown).find(each => each !== undefined)
    if (unknown) return unknownOf(gives, unknown.origin)
    const empty = takesNull ? -1 : plain.indexOf(null)
    if (empty >= 0) throw invalid(`argument ${empty + 1} is null`)
    return row.apply(shown)
  })
}

function argumentsOf(call: Call, work: (argument: Expression) => Typed): readonly Typed[] {
  const given = call.arguments.map(work)
  if (!call.isExpanded) return given
  const last = given.at(-1) ?? nothing
  if (last.plain instanceof Sensitive) throw unsupported('arguments out of a sensitive list', elsewhere)
  if (last.plain instanceof Unknown)
    throw unsupported(`arguments out of ${last.plain.origin}, which only the service knows`, elsewhere)
  const sequence = sequenceOf(last)
  if (!sequence) throw invalid(`the arguments are ${nounOf(last)} and not a list`)
  return [...given.slice(0, -1), ...sequence.elements]
}

/** The first argument that can be evaluated; Terraform might evaluate something that is unsupported here. */
function attempt(name: 'try' | 'can', call: Call, work: (argument: Expression) => Typed): Typed {
  for (const argument of call.arguments) {
    try {
      const value = work(argument)
      const unknown = findUnknown(value.plain)
      if (unknown) return unknownOf('dynamic', unknown.origin)
      return name === 'try' ? value : ofBool(true)
    } catch (error) {
      if (!(error instanceof Refusal) || error.is !== 'invalid') throw error
    }
  }
  if (name === 'can') return ofBool(false)
  throw invalid('none of its arguments can be worked out')
}

function onlyOf(call: Call, work: (argument: Expression) => Typed): Typed {
  const [value, ...others] = argumentsOf(call, work)
  if (value === undefined || others.length > 0) throw invalid('it takes one argument')
  return value
}

function mark(name: 'sensitive' | 'nonsensitive', call: Call, work: (argument: Expression) => Typed): Typed {
  const value = onlyOf(call, work)
  const { type, plain } = value
  if (name === 'nonsensitive') return plain instanceof Sensitive ? typed(type, plain.value) : value
  return plain instanceof Sensitive ? value : { type, plain: new Sensitive(plain, 'sensitive(...)') }
}

function unknownFunction(name: string, { functions: given = {}, suggest }: Scope): Refusal {
  const near = suggest?.(name, [...functionNames, ...Object.keys(given)])
  const meant = near === undefined ? '' : `; did you mean ${near}()?`
  return new Refusal('unsupported', `function ${name}() is not worked out here${meant}`, elsewhere, name)
}

const ofOpenTofu = ['is a function of OpenTofu alone', 'compute it in TypeScript'] as const

/** Why functions are not evaluated here, by name: the reason, and what to do. */
const reasons: ReadonlyMap<string, readonly [string, string]> = new Map<string, readonly [string, string]>([
  ['timestamp', ['is impure: it gives another time at every run', 'give the time as a variable']],
  ['plantimestamp', ['is impure: it gives another time at every run', 'give the time as a variable']],
  ['uuid', ['is impure: it gives something else at every run', 'give the value as a variable']],
  ['bcrypt', ['is impure: it gives something else at every run', 'give the value as a variable']],
  ['rsadecrypt', ['needs a private key in the stack', 'give what it decrypts as a sensitive variable']],
  ['base64gunzip', ofOpenTofu],
  ['cidrcontains', ofOpenTofu],
  ['convert', ofOpenTofu],
  ['urldecode', ofOpenTofu],
  ['base64gzip', ['gives bytes that depend on who compresses', 'give the compressed text as a variable']],
])

/** The refusal of an existing function that is not evaluated here; undefined for every other name. */
function refusedFunction(name: string): Refusal | undefined {
  const [reason, remedy] = reasons.get(name) ?? []
  if (reason === undefined || remedy === undefined) return undefined
  return unsupported(reason, remedy)
}
