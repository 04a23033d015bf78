import { didYouMean } from '../../../../model/did-you-mean.ts'
import { findUnknown, unmarked } from '../marks.ts'
import { elsewhere, invalid, Refusal, unsupported } from '../refusal.ts'
import type { Expression } from '../syntax.ts'
import { isSequence, nounOf, Sensitive, Unknown, type Value } from '../value.ts'
import { choiceFunctions } from './choices.ts'
import { collectionFunctions } from './collections.ts'
import { conversionFunctions } from './conversions.ts'
import { formatFunctions } from './format.ts'
import type { FunctionRow, FunctionRows } from './function-row.ts'
import { jsonFunctions } from './json.ts'
import { mapFunctions } from './maps.ts'
import { numberFunctions } from './numbers.ts'
import { setFunctions } from './sets.ts'
import { textFunctions } from './texts.ts'

/** The functions that are worked out here. All are pure: they look at nothing but their arguments. */
const functions: FunctionRows = {
  ...choiceFunctions,
  ...collectionFunctions,
  ...conversionFunctions,
  ...formatFunctions,
  ...jsonFunctions,
  ...mapFunctions,
  ...numberFunctions,
  ...setFunctions,
  ...textFunctions,
}

type Call = Expression & { readonly is: 'call' }

/** Calls a function by its name. */
export function callFunction(call: Call, work: (argument: Expression) => Value): Value {
  const name = call.name.replace(/^core::/, '')
  try {
    if (name === 'try' || name === 'can') return attempt(name, call, work)
    if (name === 'sensitive' || name === 'nonsensitive') return mark(name, call, work)
    const row = functions[name]
    if (!row || !Object.hasOwn(functions, name)) throw unknownFunction(name)
    return apply(row, argumentsOf(call, work))
  } catch (error) {
    if (!(error instanceof Refusal) || error.inFunction !== undefined) throw error
    throw new Refusal(error.is, `function ${name}(): ${error.message}`, error.remedy, name)
  }
}

const special = ['try', 'can', 'sensitive', 'nonsensitive']

function apply(row: FunctionRow, given: readonly Value[]): Value {
  const { least, most = least, takesNull, movesUnknown, gives = 'any' } = row
  if (given.length < least || given.length > most) {
    const wanted =
      most === Number.POSITIVE_INFINITY ? `${least} or more` : least === most ? least : `${least} to ${most}`
    throw invalid(`it takes ${wanted} arguments and gets ${given.length}`)
  }
  return unmarked(given, plain => {
    const unknown = movesUnknown
      ? plain.find(value => value instanceof Unknown)
      : plain.map(findUnknown).find(Boolean)
    if (unknown instanceof Unknown) return new Unknown(gives, unknown.origin)
    const empty = takesNull ? -1 : plain.indexOf(null)
    if (empty >= 0) throw invalid(`argument ${empty + 1} is null`)
    return row.apply(plain)
  })
}

function argumentsOf(call: Call, work: (argument: Expression) => Value): readonly Value[] {
  const given = call.arguments.map(work)
  if (!call.isExpanded) return given
  const last = given.at(-1) ?? null
  if (last instanceof Sensitive) throw unsupported('arguments out of a sensitive list', elsewhere)
  if (last instanceof Unknown)
    throw unsupported(`arguments out of ${last.origin}, which only the service knows`, elsewhere)
  if (!isSequence(last)) throw invalid(`the arguments are ${nounOf(last)} and not a list`)
  return [...given.slice(0, -1), ...last.elements]
}

/** The first argument that can be worked out; what is beyond us here might be worked out by Terraform. */
function attempt(name: 'try' | 'can', call: Call, work: (argument: Expression) => Value): Value {
  for (const argument of call.arguments) {
    try {
      const value = work(argument)
      const unknown = findUnknown(value)
      if (unknown) return new Unknown('any', unknown.origin)
      return name === 'try' ? value : true
    } catch (error) {
      if (!(error instanceof Refusal) || error.is !== 'invalid') throw error
    }
  }
  if (name === 'can') return false
  throw invalid('none of its arguments can be worked out')
}

function mark(name: 'sensitive' | 'nonsensitive', call: Call, work: (argument: Expression) => Value): Value {
  const [value, ...others] = argumentsOf(call, work)
  if (value === undefined || others.length > 0) throw invalid('it takes one argument')
  if (name === 'sensitive') return value instanceof Sensitive ? value : new Sensitive(value, 'sensitive(...)')
  return value instanceof Sensitive ? value.value : value
}

function unknownFunction(name: string): Refusal {
  const known = [...Object.keys(functions), ...special]
  const near = didYouMean(name, known)
  const meant = near === undefined ? '' : `; did you mean ${near}()?`
  return new Refusal('unsupported', `function ${name}() is not worked out here${meant}`, elsewhere, name)
}
