import { memberOf, type ObjectValue, type Value } from '../hcl/values.ts'

import type { Scope } from '../model/kind.ts'
import { sentence } from '../model/text/sentence.ts'
import { checkOwner } from '../rules/check-object.ts'
import type { TerraformBlock } from '../schema/terraform/terraform-attribute.ts'
import { type Diagnostics, errorDiagnostic } from './diagnostic.ts'

/** What a block may not leave open though Terraform lets it: a required attribute that is null, as a variable may be. */
export function checkRequired({ attributes }: TerraformBlock, config: ObjectValue): Diagnostics {
  const missing = Object.entries(attributes).filter(
    ([name, { required }]) => required && memberOf(config, name) === null,
  )
  return missing.map(([name, { description }]) => errorDiagnostic(`\`${name}\` is null`, description, [name]))
}

/** The id of a project or an organization; unknown values pass, and so does none. */
export function checkOwnerId(scope: Scope, name: string, value: Value): Diagnostics {
  const problem = typeof value === 'string' ? checkOwner(scope, value) : undefined
  if (!problem) return []
  const { severity, message, hint } = problem
  return [{ severity, summary: message, detail: sentence(hint), attribute: [name] }]
}
