import { type Expression, type Files, requireLength, type Scope } from '../language/expression.ts'
import { convert } from '../values/convert.ts'
import { elsewhere, invalid, invalidToTerraform, Refusal, unsupported } from '../values/type.ts'
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
import { findUnknown, Sensitive, Unknown } from '../values/value.ts'
import { collectionFunctions } from './collections.ts'
import { dateFunctions } from './dates.ts'
import { encodingFunctions } from './encoding.ts'
import {
  type Evaluate,
  fileFunctionNames,
  fileFunctions,
  fillFile,
  fillText,
  pathFunctions,
} from './files.ts'
import { type FunctionRow, type FunctionRows, row } from './function-row.ts'
import { cidrFunctions, numberFunctions } from './numbers.ts'
import { formatFunctions, textFunctions } from './text.ts'
import { decodeYaml, yamlFunctions } from './yaml.ts'

/** The functions that use only their arguments. */
const functions: FunctionRows = {
  ...cidrFunctions,
  ...collectionFunctions,
  ...dateFunctions,
  ...encodingFunctions,
  ...formatFunctions,
  ...numberFunctions,
  ...pathFunctions,
  ...textFunctions,
  ...yamlFunctions,
}

type Call = Expression & { readonly is: 'call' }

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

type Work = (argument: Expression) => Typed

/** Functions that need more than the values of their arguments: expressions, marks, names, or the engine. */
const specialFunctions: Readonly<
  Record<string, (call: Call, work: Work, scope: Scope, evaluate: Evaluate) => Typed>
> = {
  try(call, work) {
    for (const argument of call.arguments) {
      const found = attempt(argument, work)
      if (found) return found
    }
    throw invalid('none of its arguments can be worked out')
  },
  can(call, work) {
    for (const argument of call.arguments) {
      const found = attempt(argument, work)
      if (found) return found.plain instanceof Unknown ? found : ofBool(true)
    }
    return ofBool(false)
  },
  sensitive(call, work) {
    const value = onlyOf(call, work)
    const { type, plain } = value
    return plain instanceof Sensitive ? value : { type, plain: new Sensitive(plain, 'sensitive(...)') }
  },
  nonsensitive(call, work) {
    const value = onlyOf(call, work)
    return value.plain instanceof Sensitive ? typed(value.type, value.plain.value) : value
  },
  issensitive(call, work) {
    const { plain } = onlyOf(call, work)
    return plain instanceof Unknown ? unknownOf('bool', plain.origin) : ofBool(plain instanceof Sensitive)
  },
  // No value is ephemeral here.
  ephemeralasnull: onlyOf,
  yamldecode: (call, work, { engine }) =>
    apply(
      row(['text'], 'dynamic', text => decodeYaml(text, engine)),
      argumentsOf(call, work),
    ),
  templatefile: (call, work, scope, evaluate) =>
    apply(
      row(
        ['text', 'any'],
        'dynamic',
        (path, variables) => fillFile(filesOf(scope), path, variables, scope, evaluate),
        { movesUnknown: true },
      ),
      argumentsOf(call, work),
    ),
  templatestring(call, work, scope, evaluate) {
    const [named] = call.arguments
    const { engine } = scope
    if (named?.is !== 'reference' && engine !== 'OpenTofu')
      throw invalidToTerraform(engine, 'argument 1 has to name where the template is', 'put it into a local')
    if (scope.isInTemplate) throw unsupported('a template within a template', elsewhere)
    const fill = (template: Typed, variables: Typed) => {
      // The template itself is not converted.
      if (typeof template.plain !== 'string')
        throw invalidToTerraform(engine, `argument 1 is ${nounOf(template)} and not a text`)
      const filled = fillText(template.plain, variables, scope, evaluate)
      // OpenTofu keeps the type of a value if the template contains nothing else.
      if (engine !== 'Terraform' && filled.type !== 'string')
        throw unsupported('a template that comes to no text', elsewhere)
      return convert(filled, 'string')
    }
    return apply(row(['any', 'any'], 'dynamic', fill, { movesUnknown: true }), argumentsOf(call, work))
  },
}

export const functionNames: readonly string[] = [
  ...Object.keys(functions),
  ...fileFunctionNames,
  ...Object.keys(specialFunctions),
]

function rowOf(name: string, scope: Scope): FunctionRow {
  const given = scope.functions ?? {}
  for (const rows of [functions, given]) {
    const found = Object.hasOwn(rows, name) ? rows[name] : undefined
    if (found) return found
  }
  const found = fileFunctionNames.includes(name) ? fileFunctions(filesOf(scope))[name] : undefined
  if (found) return found
  const reason = reasons.get(name)
  throw reason ? unsupported(...reason) : unknownFunction(name, scope)
}

function filesOf({ files }: Scope): Files {
  if (files) return files
  throw unsupported('there are no files to look at', elsewhere)
}

function apply(of: FunctionRow, given: readonly Typed[]): Typed {
  const { least, most, takesNull, movesUnknown, gives } = of
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
    return of.apply(shown)
  })
}

function argumentsOf(call: Call, work: Work): readonly Typed[] {
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

/**
 * Evaluates an argument; undefined if Terraform refuses it too. An unsupported expression throws, because
 * Terraform might evaluate it.
 */
function attempt(argument: Expression, work: Work): Typed | undefined {
  try {
    const value = work(argument)
    const unknown = findUnknown(value.plain)
    return unknown ? unknownOf('dynamic', unknown.origin) : value
  } catch (error) {
    if (error instanceof Refusal && error.is === 'invalid') return undefined
    throw error
  }
}

function onlyOf(call: Call, work: Work): Typed {
  const [value, ...others] = argumentsOf(call, work)
  if (value === undefined || others.length > 0) throw invalid('it takes one argument')
  return value
}

function unknownFunction(name: string, { functions: given = {}, suggest }: Scope): Refusal {
  const near = suggest?.(name, [...functionNames, ...Object.keys(given)])
  const meant = near === undefined ? '' : `; did you mean ${near}()?`
  return new Refusal('unsupported', `function ${name}() is not worked out here${meant}`, elsewhere, name)
}

type Reason = readonly [reason: string, remedy: string]

const anew = (what: string, remedy: string): Reason => [`is impure: it gives ${what} at every run`, remedy]
const ofOpenTofu: Reason = ['is a function of OpenTofu alone', 'compute it in TypeScript']

/** Why some functions are not supported, by name: the reason and the remedy. */
const reasons: ReadonlyMap<string, Reason> = new Map<string, Reason>([
  ['timestamp', anew('another time', 'give the time as a variable')],
  ['plantimestamp', anew('another time', 'give the time as a variable')],
  ['uuid', anew('something else', 'give the value as a variable')],
  ['bcrypt', anew('something else', 'give the value as a variable')],
  ['rsadecrypt', ['needs a private key in the stack', 'give what it decrypts as a sensitive variable']],
  ['base64gunzip', ofOpenTofu],
  ['cidrcontains', ofOpenTofu],
  ['convert', ofOpenTofu],
  ['urldecode', ofOpenTofu],
  ['base64gzip', ['gives bytes that depend on who compresses', 'give the compressed text as a variable']],
])
