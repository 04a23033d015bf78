import { fieldSummary } from '../../../core/summary/field-summary.ts'
import { memberOf, type ObjectValue, type Value } from '../../../hcl/values.ts'
import { type DeclarableKind, isTargeting, switchField } from '../../../model/kind.ts'
import { givenTyped, targetingText } from '../../../schema/terraform/targeting-attributes.ts'
import { exposureOf } from '../../../targeting/index.ts'
import { jsonIn } from '../field-value.ts'

/**
 * What became of a field in the product, from what is configured to what is live. Texts are not told: any of them may be
 * given as sensitive, which no provider is told, and Terraform shows what is not.
 *
 * | field                 | told                                       |
 * |-----------------------|--------------------------------------------|
 * | yes or no             | both, as a plan of the reconciler says it  |
 * | who gets a flag       | the shares of its conditions               |
 * | any other             | which attribute it is                      |
 */
export function editSummary(
  kind: DeclarableKind,
  field: string,
  attribute: string,
  configured: ObjectValue,
  live: ObjectValue,
): string {
  const [was, is] = [memberOf(configured, field), memberOf(live, field)]
  if (field === switchField(kind)) return switchStep(field, is)
  if (typeof was === 'boolean' && typeof is === 'boolean')
    return fieldSummary(kind, [field], { [field]: was }, { [field]: is }).join(', ')
  const shares = isTargeting(kind, field) ? sharesStep(field, configured, live) : ''
  return `\`${attribute}\`${shares}`
}

/** The same of an object that nothing configures any more: what it was is not remembered. */
export function removedSummary(kind: DeclarableKind, field: string, live: ObjectValue): string {
  if (field === switchField(kind)) return switchStep(field, memberOf(live, field))
  const [typed] = isTargeting(kind, field) ? givenTyped(live) : []
  return `\`${typed ?? field}\``
}

function switchStep(field: string, is: Value): string {
  return is === true ? `${field} off -> on` : `${field} on -> off`
}

/** ` 10% -> 100%`; empty where the shares are the same ones, or too many to tell. */
function sharesStep(field: string, configured: ObjectValue, live: ObjectValue): string {
  // What is live and cannot be said by typed attributes is only a part of the filters.
  if (memberOf(live, field) !== null && memberOf(configured, field) === null) return ''
  const [was, is] = [sharesOf(targetingText(field, configured)), sharesOf(targetingText(field, live))]
  return was === is || was.length + is.length > longestShares ? '' : ` ${was} -> ${is}`
}

function sharesOf(filters: Value): string {
  const shares = exposureOf({ filters: jsonIn(filters), active: true }).conditions
  return shares.map(({ percent }) => `${percent}%`).join(', ') || 'nobody'
}

const longestShares = 60
