import { memberOf, type ObjectValue } from '../../../hcl/values.ts'

import { declarableKind } from '../../../kinds/index.ts'
import { type IdentifiedKind, identityField } from '../../../model/kind.ts'
import { parentNameAttribute } from '../../../schema/terraform/terraform-data-sources.ts'
import { parentAttribute } from '../../../schema/terraform/terraform-names.ts'
import { type Diagnostic, type Diagnostics, errorDiagnostic } from '../../diagnostic.ts'

/** Whether values name one object of a kind, by its id or by its name, as far as that can be told without asking for it. */
export function checkNamed(kind: IdentifiedKind, config: ObjectValue): Diagnostics {
  return checkEither(kind, config, ['id', identityField(kind)])
}

/** The same of the one object from which those of a kind hang, such as the flag of its grants; others hang from none. */
export function checkBelow(kind: IdentifiedKind, config: ObjectValue): Diagnostics {
  const { parent } = kind.lifecycle
  const names = [parentAttribute(kind), parentNameAttribute(kind)].filter(name => name !== undefined)
  return parent ? checkEither(declarableKind(parent.kind), config, names) : []
}

/** An id as the service has those of a kind; what is not known passes. */
export function checkId(
  { parameters, title }: IdentifiedKind,
  { name, config, detail }: { readonly name: string; readonly config: ObjectValue; readonly detail?: string },
): Diagnostics {
  const value = memberOf(config, name)
  if (parameters?.id !== 'integer' || typeof value !== 'string' || /^\d+$/.test(value)) return []
  return [errorDiagnostic(`${JSON.stringify(value)} is no id of a ${title}`, detail, [name])]
}

function checkEither(kind: IdentifiedKind, config: ObjectValue, names: readonly string[]): Diagnostics {
  const [byId = ''] = names
  if (names.some(name => memberOf(config, name) !== null)) return checkId(kind, { name: byId, config })
  return [notNamed(names, byId)]
}

/** What is said where none of the attributes is given that name an object. */
export function notNamed(names: readonly string[], attribute: string): Diagnostic {
  const summary = `neither ${names.map(name => `\`${name}\``).join(' nor ')} is given`
  return errorDiagnostic(summary, 'Give one of them.', [attribute])
}
