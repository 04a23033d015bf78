import { sortedUnique } from '../../model/json/canonical.ts'
import {
  canonicalText,
  isJsonArray,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
} from '../../model/json/json.ts'
import { readJsonAsWritten, writeJson } from '../../model/json/json-text.ts'
import { keepSpelling, type Spelled } from '../../model/json/keep-spelling.ts'
import { canonicalFilters } from '../filters.ts'
import { withConditions } from '../old-form.ts'
import { canonicalPayload, isJsonText, payloadText, payloadValue } from '../payload.ts'
import { partnersOf } from './align.ts'
import { canonicalProperty } from './meaning.ts'
import { keyOf, peopleOf } from './spelling.ts'

/**
 * Filters in the spelling of `model`, wherever parts of both mean the same: `exact` said or left out, a payload as value
 * or as text, null or nothing, the order of members and of a property's values, `50.0` or `50`. So what a reader is shown
 * between the two is what was changed, and nothing else. Numbers of the model may be as somebody wrote them.
 */
export function keepFilters(filters: Json, model: Json): Json {
  if (!isJsonObject(filters) || !isJsonObject(model)) return keepSpelling(filters, model, wholeFilters)
  return keepSpelling(countedAs(withConditions(filters), model), model, wholeFilters)
}

const property: Spelled = {
  canonical: canonicalProperty,
  // Whether their order means anything is for the property to say.
  members: { value: { canonical: sortedUnique, isSet: true } },
}

const condition: Spelled = {
  canonical: alone => canonicalFilters({ groups: [alone] }),
  members: {
    properties: {
      canonical: list => (isJsonArray(list) ? list.map(canonicalProperty) : list),
      elements: { of: property, pair: pairedBy(each => canonicalText(canonicalProperty(each)), keyOf) },
    },
  },
}

const variant: Spelled = {
  canonical: alone => canonicalFilters({ multivariate: { variants: [alone] } }),
}

const payload: Spelled = { canonical: canonicalPayload, respell: respelledPayload }

const wholeFilters: Spelled = {
  canonical: canonicalFilters,
  members: {
    groups: {
      canonical: groups => canonicalFilters({ groups }),
      elements: { of: condition, pair: pairedBy(each => canonicalText(condition.canonical(each)), peopleOf) },
    },
    multivariate: {
      canonical: multivariate => canonicalFilters({ multivariate }),
      members: {
        variants: {
          canonical: variants => canonicalFilters({ multivariate: { variants } }),
          elements: { of: variant, pair: pairedBy(keyOf) },
        },
      },
    },
    payloads: { canonical: payloads => canonicalFilters({ payloads }), everyMember: payload },
  },
}

function pairedBy(...keys: readonly ((element: Json) => string)[]) {
  return (list: readonly Json[], models: readonly Json[]) => partnersOf(list, models, keys)
}

/** What a payload holds in the spelling of the other one, as text where that is text. */
export function respelledPayload(value: Json, model: Json): Json {
  if (model === null) return value
  if (typeof model !== 'string') return keepSpelling(payloadValue(value), model)
  if (!isJsonText(model)) return value
  const kept = keepSpelling(readJsonAsWritten(payloadText(value)), readJsonAsWritten(model))
  return writeJson(kept)
}

/**
 * The type of groups that all conditions count is said above them, in each of them, or both; newer services answer in
 * another way than they were asked. [service-today 2]
 */
function countedAs(filters: JsonObject, model: JsonObject): JsonObject {
  const { groups, [counted]: above = null, ...others } = filters
  const models = model.groups
  if (groups === undefined || !isJsonArray(groups) || models === undefined || !isJsonArray(models))
    return filters
  const partners = pairedBy(each => peopleOf(each))(groups, models)
  const said = groups.map((each, at) => {
    if (!isJsonObject(each)) return each
    const { [counted]: own = null, ...rest } = each
    const partner = models[partners.get(at) ?? -1] ?? null
    const isSaid = isJsonObject(partner) && (partner[counted] ?? null) !== null
    return isSaid ? { ...rest, [counted]: own ?? above } : rest
  })
  const whole = groups
    .map(each => (isJsonObject(each) ? (each[counted] ?? above) : above))
    .find(each => each !== null)
  const isAbove =
    (model[counted] ?? null) !== null || !said.every(each => isJsonObject(each) && counted in each)
  const spelled = { ...others, groups: said, ...(isAbove && whole !== undefined ? { [counted]: whole } : {}) }
  return isSameJson(canonicalFilters(spelled), canonicalFilters(filters)) ? spelled : filters
}

const counted = 'aggregation_group_type_index'
