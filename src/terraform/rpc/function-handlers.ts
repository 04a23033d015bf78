import { mapMembers, typeJson } from '../../hcl/values.ts'

import { ArgumentError } from '../../schema/terraform/call-provider-function.ts'
import type { FunctionParameter } from '../../schema/terraform/terraform-functions.ts'
import { messageOf } from '../diagnostic.ts'
import type { Provider, ProviderFunction } from '../provider.ts'
import type { Draft } from '../wire/messages.ts'
import type { CallScope } from './call-scope.ts'
import { readValue, writeValue } from './dynamic-value.ts'
import type { Handlers } from './handlers.ts'
import { lookUp } from './look-up.ts'

/** The calls about functions. An error of theirs names the argument instead of an attribute. */
export function functionHandlers(provider: Provider, scope: CallScope): Handlers {
  return {
    GetFunctions: () => ({ functions: mapMembers(provider.functions, functionToWire) }),
    async CallFunction({ name, arguments: given }) {
      try {
        const called = lookUp(provider.functions, name, 'function')
        const values = given.map((argument, index) => readValue(parameterAt(called, index).type, argument))
        return { result: writeValue(called.result, await called.call(values, scope.context())) }
      } catch (error) {
        const argument = error instanceof ArgumentError ? error.argument : undefined
        return { error: { text: messageOf(error), function_argument: argument } }
      }
    },
  }
}

export function functionToWire({
  summary,
  description,
  parameters,
  variadic,
  result,
}: ProviderFunction): Draft<'Function'> {
  return {
    parameters: parameters.map(parameterToWire),
    ...(variadic ? { variadic_parameter: parameterToWire(variadic) } : {}),
    return: { type: Buffer.from(typeJson(result)) },
    summary,
    description,
    description_kind: 'markdown',
  }
}

function parameterAt({ parameters, variadic }: ProviderFunction, index: number): FunctionParameter {
  const parameter = parameters[index] ?? variadic
  if (!parameter) throw new ArgumentError(index, 'one argument too many')
  return parameter
}

function parameterToWire({
  name,
  type,
  description,
  allowNull,
  allowUnknown,
}: FunctionParameter): Draft<'Parameter'> {
  return {
    name,
    type: Buffer.from(typeJson(type)),
    allow_null_value: allowNull,
    allow_unknown_values: allowUnknown,
    description,
    description_kind: 'markdown',
  }
}
