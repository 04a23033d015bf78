import { sortedUnique } from '../../model/json/canonical.ts'
import {
  canonicalText,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
} from '../../model/json/json.ts'
import { readJsonAsWritten, writeJson } from '../../model/json/json-text.ts'
import { keepSpelling, type Spelled } from '../../model/json/keep-spelling.ts'
import { canonicalFilters } from '../filters.ts'
import { withGroupTypesAs } from '../group-types.ts'
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
  const value = withConditions(filters)
  const partners = partnersIn(value, model)
  return keepSpelling(
    withGroupTypesAs(value, model, index => partners.get(index)),
    model,
    wholeFilters,
  )
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

/** The conditions of other filters that these correspond to, by their places. */
function partnersIn(filters: JsonObject, model: JsonObject): ReadonlyMap<number, number> {
  const [groups, models] = [filters.groups, model.groups]
  return isJsonArray(groups) && isJsonArray(models) ? pairedBy(peopleOf)(groups, models) : new Map()
}
