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
import {
  canonicalFilters,
  canonicalPayload,
  canonicalPercent,
  isJsonText,
  payloadText,
  payloadValue,
  withGroupTypesAs,
} from '../canonical-filters.ts'
import { withConditions } from '../release.ts'
import { keyOf, partnersOf } from './align.ts'
import { canonicalProperty } from './meaning.ts'

/**
 * Filters in the spelling of `model`, wherever parts of both mean the same: `exact` present or absent, a
 * payload as value or as text, null or absent, the order of members and of a property's values, `50.0` or
 * `50`. So a reader sees only real changes between the two. Numbers of the model may keep their written form.
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
  // The property decides whether their order matters.
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

/** The content of a payload in the spelling of the other one, as text if that is text. */
export function respelledPayload(value: Json, model: Json): Json {
  if (model === null) return value
  if (typeof model !== 'string') return keepSpelling(payloadValue(value), model)
  if (!isJsonText(model)) return value
  const kept = keepSpelling(readJsonAsWritten(payloadText(value)), readJsonAsWritten(model))
  return writeJson(kept)
}

/** The corresponding conditions of other filters, by position. */
function partnersIn(filters: JsonObject, model: JsonObject): ReadonlyMap<number, number> {
  const [groups, models] = [filters.groups, model.groups]
  return isJsonArray(groups) && isJsonArray(models) ? pairedBy(peopleOf)(groups, models) : new Map()
}

/**
 * Filters in the spelling of others, wherever both have the same canonical form: so a description of the two
 * shows only real differences. Both are compact.
 */
export function spelledAs(filters: Json, others: Json): Json {
  if (!isJsonObject(filters) || !isJsonObject(others)) return filters
  return mapShared(withGroupTypesAs(filters, others), others, {
    groups: conditions,
    multivariate: (one, other) =>
      isJsonObject(one) && isJsonObject(other) ? mapShared(one, other, { variants }) : one,
    payloads: (payloads, model) =>
      isJsonObject(payloads) && isJsonObject(model)
        ? mapShared(payloads, model, (one, other) => respelled(one, other, canonicalPayload))
        : payloads,
  })
}

type Respell = (value: Json, model: Json) => Json

function conditions(groups: Json, models: Json): Json {
  if (!isJsonArray(groups) || !isJsonArray(models)) return groups
  const keys = [canonicalText, peopleOf]
  return paired(groups, models, keys, (condition, model) =>
    isJsonObject(condition) && isJsonObject(model)
      ? mapShared(condition, model, { properties, rollout_percentage: percent })
      : condition,
  )
}

function variants(list: Json, models: Json): Json {
  if (!isJsonArray(list) || !isJsonArray(models)) return list
  return paired(list, models, [keyOf], (variant, model) =>
    isJsonObject(variant) && isJsonObject(model)
      ? mapShared(variant, model, { rollout_percentage: percent })
      : variant,
  )
}

function percent(value: Json, model: Json): Json {
  return respelled(value, model, canonicalPercent)
}

function properties(list: Json, models: Json): Json {
  if (!isJsonArray(list) || !isJsonArray(models)) return list
  const key = (property: Json) => canonicalText(canonicalProperty(property))
  return paired(list, models, [key], (property, model) => respelled(property, model, canonicalProperty))
}

/** Each element beside its counterpart in the other list. */
function paired(
  list: readonly Json[],
  models: readonly Json[],
  keys: readonly ((element: Json) => string)[],
  respell: Respell,
): Json {
  const partners = partnersOf(list, models, keys)
  return list.map((element, at) => {
    const model = models[partners.get(at) ?? -1]
    return model === undefined ? element : respell(element, model)
  })
}

function mapShared(
  members: JsonObject,
  models: JsonObject,
  respell: Respell | Readonly<Record<string, Respell>>,
): JsonObject {
  const entries = Object.entries(members).map(([name, member]) => {
    const own =
      typeof respell === 'function' ? respell : Object.hasOwn(respell, name) ? respell[name] : undefined
    const model = Object.hasOwn(models, name) ? models[name] : undefined
    return [name, own && model !== undefined ? own(member, model) : member] as const
  })
  return Object.fromEntries(entries)
}

function respelled(value: Json, model: Json, canonical: (value: Json) => Json): Json {
  return isSameJson(value, model) || isSameJson(canonical(value), canonical(model)) ? model : value
}

/** The people of a condition, ignoring the share of them that gets the flag. */
function peopleOf(condition: Json): string {
  const list = isJsonObject(condition) ? condition.properties : undefined
  return canonicalText([
    list !== undefined && isJsonArray(list) ? list.map(canonicalProperty) : (list ?? null),
  ])
}
