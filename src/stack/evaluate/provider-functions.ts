import {
  convert,
  type FunctionRow,
  type FunctionRows,
  fromDouble,
  invalid,
  isListValue,
  isObjectValue,
  mapMembers,
  typed,
  type Value,
} from '../../hcl/index.ts'

import { ArgumentError, callProviderFunction } from '../../schema/terraform/call-provider-function.ts'
import {
  type FunctionName,
  type FunctionParameter,
  type FunctionSignature,
  functionSignatures,
} from '../../schema/terraform/terraform-functions.ts'

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
