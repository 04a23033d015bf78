import { elsewhere, invalid, Refusal, unsupported } from '../../../cty/invalid-value.ts'
import { findUnknown } from '../../../cty/marks.ts'
import { nothing, nounOf, ofBool, sequenceOf, type Typed, typed, unknownOf } from '../../../cty/typed.ts'
import { Unknown } from '../../../cty/unknown.ts'
import { unmarked } from '../../../cty/unmarked.ts'
import { Sensitive } from '../../../cty/value.ts'
import { didYouMean } from '../../../model/text/did-you-mean.ts'
import type { Expression } from '../syntax.ts'
import { choiceFunctions } from './choices.ts'
import { collectionFunctions } from './collections.ts'
import { conversionFunctions } from './conversions.ts'
import { formatFunctions } from './format-functions.ts'
import type { FunctionRow, FunctionRows } from './function-row.ts'
import { jsonFunctions } from './json-functions.ts'
import { mapFunctions } from './maps.ts'
import { numberFunctions } from './number-functions.ts'
import { setFunctions } from './sets.ts'
import { textFunctions } from './text-functions.ts'

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
export function callFunction(call: Call, work: (argument: Expression) => Typed): Typed {
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

/** The first argument that can be worked out; what is beyond us here might be worked out by Terraform. */
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

function mark(name: 'sensitive' | 'nonsensitive', call: Call, work: (argument: Expression) => Typed): Typed {
  const [value, ...others] = argumentsOf(call, work)
  if (value === undefined || others.length > 0) throw invalid('it takes one argument')
  const { type, plain } = value
  if (name === 'nonsensitive') return plain instanceof Sensitive ? typed(type, plain.value) : value
  return plain instanceof Sensitive ? value : { type, plain: new Sensitive(plain, 'sensitive(...)') }
}

function unknownFunction(name: string): Refusal {
  const known = [...Object.keys(functions), ...special]
  const near = didYouMean(name, known)
  const meant = near === undefined ? '' : `; did you mean ${near}()?`
  return new Refusal('unsupported', `function ${name}() is not worked out here${meant}`, elsewhere, name)
}
