import { mapMembers } from '../../hcl/values.ts'

import { callProviderFunction } from '../../schema/terraform/call-provider-function.ts'
import {
  type FunctionName,
  type FunctionSignature,
  functionSignatures,
} from '../../schema/terraform/terraform-functions.ts'
import type { ProviderFunction } from '../provider.ts'

/** The functions of the provider, as the protocol asks for them. */
export function providerFunctions(): Readonly<Record<string, ProviderFunction>> {
  return mapMembers<FunctionSignature, ProviderFunction>(
    functionSignatures,
    ({ summary, description, parameters, variadic, returns }, name) => ({
      summary,
      description,
      parameters,
      ...(variadic ? { variadic } : {}),
      result: returns,
      // The names are those of the signatures themselves.
      call: given => callProviderFunction(name as FunctionName, given),
    }),
  )
}
