import { doubleOf } from '../model/json/big-num.ts'
import { isEmptyJson, isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/json/json.ts'
import { canonicalProperty, compactProperty } from './compare/meaning.ts'
import { hasConditions, withConditions } from './old-form.ts'
import { canonicalPayload, payloadText } from './payload.ts'

export { canonicalPayload, payloadText, payloadValue } from './payload.ts'

/** The condition that the service shows when nobody declared any: everybody. */
const everybody: JsonObject = { groups: [{}] }

/**
 * The canonical form of filters, in which they are compared. Null, `{}` and `[]` count as absent everywhere but in a
 * property's own value and in `groups`: no conditions at all means nobody, while filters without `groups` are one
 * condition that everybody matches, but for an old form (`withConditions`). Payloads are compared as JSON, whether they travel as values or as text;
 * properties as `canonicalProperty` has it. The order of conditions and of variants is kept, since it decides who
 * gets what.
 */
export function canonicalFilters(value: Json): Json {
  return formOf(value, { property: canonicalProperty, payload: canonicalPayload, percent: canonicalPercent })
}

/**
 * Filters as they are shown and written down: what says nothing is gone, and everything else is spelled as it was.
 * The canonical form stays the same.
 */
export function compactFilters(value: Json): Json {
  const property = (each: Json) => (isJsonObject(each) ? compactProperty(each) : each)
  return formOf(value, { property, payload: payloadText, percent: each => each })
}

/**
 * Filters as they are sent: as declared, but always with `groups` (without them the service ignores or refuses the
 * whole value) and with payloads as JSON text. [service-behaviour 2.2, 2.3, 2.5]
 */
export function wireFilters(value: Json): Json {
  if (!isJsonObject(value)) return isEmptyJson(value) ? everybodyOnTheWire() : value
  const current = withConditions(value)
  const filters: JsonObject = hasConditions(current) ? current : { ...current, ...everybodyOnTheWire() }
  const { payloads = null } = filters
  return isJsonObject(payloads) ? { ...filters, payloads: mapMembers(payloads, payloadText) } : filters
}

function everybodyOnTheWire(): JsonObject {
  return { groups: [{ properties: [], rollout_percentage: null }] }
}

interface Forms {
  readonly property: (property: Json) => Json
  readonly payload: (payload: Json) => Json
  readonly percent: (percent: Json) => Json
}

function formOf(filters: Json, { property, payload, percent }: Forms): Json {
  if (!isJsonObject(filters)) return isEmptyJson(filters) ? everybody : filters
  const value = withConditions(filters)
  const condition: MemberForms = {
    properties: properties => mapArray(properties, property),
    rollout_percentage: percent,
  }
  const compacted = compact(value, {
    groups: groups => mapArray(groups, each => compact(each, condition)),
    multivariate: multivariate =>
      compact(multivariate, {
        variants: variants => mapArray(variants, each => compact(each, { rollout_percentage: percent })),
      }),
    payloads: payloads => mapMembers(payloads, payload),
  })
  if ('groups' in compacted) return compacted
  return { ...compacted, ...(isJsonArray(value.groups) ? { groups: [] } : everybody) }
}

/** The service works with percentages as doubles, and shows them so: a third of many digits is the same third. */
export function canonicalPercent(percent: Json): Json {
  return doubleOf(percent) ?? percent
}

type MemberForms = Readonly<Record<string, (value: Json) => Json>>

/** Applies a form to the members that have one, then leaves out the empty ones. */
function compact<Value extends Json>(value: Value, forms: MemberForms): Value | JsonObject {
  if (!isJsonObject(value)) return value
  const members = Object.entries(value).map(([name, member]) => {
    // A member may be called "constructor", which every object answers to.
    const form = Object.hasOwn(forms, name) ? forms[name] : undefined
    return [name, form ? form(member) : member] as const
  })
  return Object.fromEntries(members.filter(([, member]) => !isEmptyJson(member)))
}

function mapMembers(value: Json, form: (member: Json) => Json): Json {
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, form(member)]))
}

function mapArray(value: Json, form: (element: Json) => Json): Json {
  return isJsonArray(value) ? value.map(form) : value
}
