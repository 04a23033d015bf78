import { isObjectValue, memberOf, type ObjectValue, type Value } from '../../../hcl/values.ts'

import { declarableKind } from '../../../kinds/index.ts'
import type { DeclarableKind } from '../../../model/kind.ts'
import { destroyWays } from '../../../model/removal.ts'
import { sentence } from '../../../model/text/sentence.ts'
import { checkAllowed } from '../../../rules/check-field.ts'
import { checkSourceNames } from '../../../rules/check-object.ts'
import { parentAttribute } from '../../../schema/terraform/terraform-names.ts'
import { checkOwnerId } from '../../check-block.ts'
import { type Diagnostics, errorDiagnostic } from '../../diagnostic.ts'
import { textsOf } from '../plan/tags.ts'
import { ownerAttribute, whereParentIdsAre } from '../resource-context.ts'
import { checkId } from './check-named.ts'

/** What is wrong with the attributes that Terraform adds to the fields of a kind; unknown values pass. */
export function checkExtras(kind: DeclarableKind, config: ObjectValue): Diagnostics {
  return [
    ...checkOwner(kind, memberOf(config, ownerAttribute(kind))),
    ...checkParent(kind, config),
    ...checkSource(memberOf(config, 'source')),
    ...checkDestroy(memberOf(config, 'on_destroy')),
    ...checkAllow(kind, memberOf(config, 'allow')),
  ]
}

function checkOwner(kind: DeclarableKind, value: Value): Diagnostics {
  const name = ownerAttribute(kind)
  if (typeof value !== 'string' || value.trim() !== '') return checkOwnerId(kind.scope, name, value)
  const detail = `Leave it out, or null, for the ${kind.scope} of the provider.`
  return [errorDiagnostic(`\`${name}\` is empty`, detail, [name])]
}

function checkParent(kind: DeclarableKind, config: ObjectValue): Diagnostics {
  const { parent } = kind.lifecycle
  const name = parentAttribute(kind)
  if (!parent || name === undefined) return []
  return checkId(declarableKind(parent.kind), { name, config, detail: whereParentIdsAre(kind) })
}

function checkSource(value: Value): Diagnostics {
  if (!isObjectValue(value)) return []
  return checkSourceNames(Object.keys(value)).map(({ message, hint }) =>
    errorDiagnostic(message, hint === undefined ? undefined : sentence(hint), ['source']),
  )
}

function checkDestroy(value: Value): Diagnostics {
  if (typeof value !== 'string' || destroyWays.some(way => way === value)) return []
  const choices = destroyWays.map(way => `"${way}"`).join(', ')
  return [
    errorDiagnostic(`"${value}" is not a way to let go of it`, `Take one of ${choices}.`, ['on_destroy']),
  ]
}

function checkAllow(kind: DeclarableKind, value: Value): Diagnostics {
  return checkAllowed(textsOf(value), kind).map(({ message, hint }) =>
    errorDiagnostic(message, sentence(hint), ['allow']),
  )
}
