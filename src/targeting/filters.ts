import { isEmptyJson, isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/json.ts'
import { isOperatorName, operators } from './operator-table.ts'
import { payloadText } from './payload.ts'

export { payloadText, payloadValue } from './payload.ts'

/**
 * One release condition: who matches, and how many of them get the flag, as the public service understands it.
 * Unknown members are kept as they are. [service-behaviour 2.5]
 */
export interface Condition {
  readonly properties?: readonly Property[]
  /** 0 to 100; null means everybody who matches. */
  readonly rollout_percentage?: number | null
  /** The variant that everybody in this condition gets. */
  readonly variant?: string | null
}

export interface Property {
  readonly key: string
  readonly value?: Json
  /** `exact` when absent. */
  readonly operator?: string
  readonly type?: string
  readonly group_type_index?: number | null
  readonly negation?: boolean
}

export interface Variant {
  readonly key: string
  readonly name?: string | null
  /** 0 to 100; the variants of a flag add up to 100. */
  readonly rollout_percentage: number
}

/** The condition that the service shows when nobody declared any: everybody. */
const everybody: JsonObject = { groups: [{}] }

/** Members that newer services add on reading; they say nothing that a declaration could mean. */
const annotations = new Set(['cohort_name', 'group_key_names'])

/**
 * The canonical form of filters. Null, `{}` and `[]` count as absent everywhere but in a property's own value and
 * in `groups`: no conditions at all means nobody, while filters without `groups` are one condition that everybody
 * matches. `exact` is the operator that is meant when none is given; payloads are compared as JSON, whether they
 * travel as values or as text. The order of conditions and of variants is kept, since it decides who gets what.
 */
export function canonicalFilters(value: Json): Json {
  if (!isJsonObject(value)) return isEmptyJson(value) ? everybody : value
  const canonical = compact(value, {
    groups: groups => mapArray(groups, condition => compact(condition, { properties: canonicalProperties })),
    multivariate: multivariate =>
      compact(multivariate, { variants: variants => mapArray(variants, variant => compact(variant, {})) }),
    payloads: canonicalPayloads,
  })
  if ('groups' in canonical) return canonical
  return { ...canonical, ...(isJsonArray(value.groups) ? { groups: [] } : everybody) }
}

/**
 * Filters as they are sent: as declared, but always with `groups` (without them the service ignores or refuses the
 * whole value) and with payloads as JSON text. [service-behaviour 2.2, 2.3, 2.5]
 */
export function wireFilters(value: Json): Json {
  if (!isJsonObject(value)) return isEmptyJson(value) ? everybodyOnTheWire() : value
  const saysWho = isJsonArray(value.groups) || !isEmptyJson(value.groups)
  const filters: JsonObject = saysWho ? value : { ...value, ...everybodyOnTheWire() }
  return isJsonObject(filters.payloads) ? { ...filters, payloads: payloadTexts(filters.payloads) } : filters
}

function everybodyOnTheWire(): JsonObject {
  return { groups: [{ properties: [], rollout_percentage: null }] }
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

function canonicalProperties(properties: Json): Json {
  return mapArray(properties, property => {
    if (!isJsonObject(property)) return property
    const members = Object.entries(property).filter(([name, member]) => {
      if (annotations.has(name)) return false
      if (name === 'operator' && member === 'exact') return false
      if (name === 'value') return member !== null && !isValueless(property.operator)
      return !isEmptyJson(member)
    })
    return Object.fromEntries(members)
  })
}

/** Whether an operator looks at nothing but the property itself; the service's own screen still writes a value. */
function isValueless(operator: Json | undefined): boolean {
  return typeof operator === 'string' && isOperatorName(operator) && operators[operator].value === 'none'
}

function canonicalPayloads(payloads: Json): Json {
  return isJsonObject(payloads) ? payloadTexts(payloads) : payloads
}

function payloadTexts(payloads: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(payloads).map(([variant, payload]) => [variant, payloadText(payload)]),
  )
}

function mapArray(value: Json, form: (element: Json) => Json): Json {
  return isJsonArray(value) ? value.map(form) : value
}
