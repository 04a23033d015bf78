import type { ObjectValue, Value } from '../cty/value.ts'
import { memberOf } from '../cty/walk-type.ts'
import type { Scope } from '../model/kind.ts'
import { isUuid } from '../model/text/uuid.ts'
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
  if (typeof value !== 'string' || value === '' || value === '@current') return []
  const summary = `${JSON.stringify(value)} is no id of ${scope === 'project' ? 'a project' : 'an organization'}`
  if (scope === 'organization')
    return isUuid(value) ? [] : [errorDiagnostic(summary, 'It is a UUID.', [name])]
  if (/^\d+$/.test(value)) return []
  if (/[^\w.~-]/.test(value)) return [errorDiagnostic(summary, 'It is a number.', [name])]
  // The document of the interface only says that it is a text; every service that is known counts them.
  return [
    { severity: 'warning', summary, detail: 'On every known service it is a number.', attribute: [name] },
  ]
}
