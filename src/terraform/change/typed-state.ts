import { knownJson, memberOf, type ObjectValue } from '../../hcl/values.ts'
import { canonicalText, isJsonObject, isSameJson, type Json, type JsonObject } from '../../model/json/json.ts'
import { typedFilters } from '../../schema/terraform/targeting-attributes.ts'
import { withGroupTypesAs } from '../../targeting/canonical-filters.ts'
import { decodeFilters, encodeFilters, keepTyped, withShort } from '../../targeting/codec.ts'
import { canonicalFilters } from '../../targeting/index.ts'
import { typedAttributes } from '../../targeting/typed-form.ts'
import { undeclaredFilters } from './plan-filters.ts'

/**
 * Live filters as typed attributes, if the state has some: then drift shows at the configured attribute, and
 * `ignore_changes` can name it. What still means the same keeps its spelling. If the attributes cannot
 * express the live filters, they stay, and `field` holds the rest, so that the drift shows.
 */
export function typedState(field: string, state: ObjectValue, live: Json): ObjectValue {
  const was = pickTyped(state)
  if (!isJsonObject(live)) return { [field]: canonicalText(live) }
  // Newer services name the counted groups in each condition; a state does it only if its configuration does.
  const decoded = decodeFilters(withGroupTypesAs(live, encodeFilters(was)))
  // Filters without conditions equal one that everybody matches, which a state may not contain.
  const isReleased = was.release !== null || was.rollout_percentage !== null
  const release = decoded.release ?? (isReleased ? (everybody.release ?? null) : null)
  const typed: ObjectValue = keepTyped(withShort({ ...decoded, release }, was), was)
  if (isSameFilters(typedFilters(typed), live)) return { ...typed, [field]: null }
  return { [field]: canonicalText(undeclaredFilters(live, encodeFilters(was))) }
}

const everybody = decodeFilters({ groups: [{}] })

function pickTyped(state: ObjectValue): JsonObject {
  return Object.fromEntries(typedAttributes.map(name => [name, knownJson(memberOf(state, name))]))
}

function isSameFilters(one: JsonObject, other: JsonObject): boolean {
  return isSameJson(canonicalFilters(one), canonicalFilters(other))
}
