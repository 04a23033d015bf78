import {
  canonicalText,
  isJsonArray,
  isJsonNumber,
  isJsonObject,
  type Json,
  type JsonObject,
} from '../model/text/json.ts'
import { getAt, pointerOf, segmentsOf } from '../model/text/pointer.ts'
import { type FilterMember, filterParts } from './filter-parts.ts'

export type TypedPartName = 'filters' | 'condition' | 'property' | 'variant'

/** One attribute of the typed form, and its place in the filters of the service. */
export interface TypedAttribute {
  /** The type. The name of a part means a list of such parts. */
  readonly is: 'text' | 'texts' | 'scalar' | 'json' | 'number' | 'truth' | Exclude<TypedPartName, 'filters'>
  /** The path of members on the wire, starting at its part. */
  readonly at: readonly [string, ...string[]]
  /** On the wire it is not in its part: `at` starts at the top of the filters and ends with the key of the part. */
  readonly byKey?: true
  /** The wire value of an absent attribute. */
  readonly byDefault?: string
  /** An absent value becomes an empty text on both sides, which a check reports. */
  readonly orEmpty?: true
  /** The attribute of that name is the longer form of this one. */
  readonly shortFor?: string
  /** On the wire, an empty list means the same as an absent one. */
  readonly emptyIsNothing?: true
  /** The wire value for a text. */
  readonly encode?: (text: Json, part: JsonObject) => Json
  /** The attribute value for a wire value; null if impossible. By default, any value of type `is`. */
  readonly decode?: (value: Json) => Json
}

/**
 * Who gets a flag, as typed attributes in Terraform and the constructs, with the place of each in `filters`.
 * This table is the source of both directions of the codec, the positions, and the attributes of the
 * Terraform provider. The constructs are generated from those attributes.
 */
export const typedForm = {
  filters: {
    release: { is: 'condition', at: ['groups'] },
    rollout_percentage: {
      is: 'number',
      at: ['groups'],
      shortFor: 'release',
      encode: oneCondition,
      // Conditions are decoded as conditions; `withShort` converts them.
      decode: () => null,
    },
    variants: { is: 'variant', at: ['multivariate', 'variants'], emptyIsNothing: true },
    payload: { is: 'json', at: ['payloads', 'true'] },
    group_type_index: { is: 'number', at: ['aggregation_group_type_index'] },
    early_exit: { is: 'truth', at: ['early_exit'] },
  },
  condition: {
    properties: { is: 'property', at: ['properties'], emptyIsNothing: true },
    rollout_percentage: { is: 'number', at: ['rollout_percentage'] },
    variant: { is: 'text', at: ['variant'] },
    group_type_index: { is: 'number', at: ['aggregation_group_type_index'] },
    description: { is: 'text', at: ['description'] },
  },
  property: {
    key: { is: 'text', at: ['key'], orEmpty: true },
    type: { is: 'text', at: ['type'], byDefault: 'person' },
    value: { is: 'scalar', at: ['value'], encode: comparedWith, decode: textOf },
    // After `value`: if both are set, the last one wins.
    values: { is: 'texts', at: ['value'], decode: textsOf },
    operator: { is: 'text', at: ['operator'] },
    group_type_index: { is: 'number', at: ['group_type_index'] },
    negation: { is: 'truth', at: ['negation'] },
  },
  variant: {
    key: { is: 'text', at: ['key'], orEmpty: true },
    name: { is: 'text', at: ['name'] },
    rollout_percentage: { is: 'number', at: ['rollout_percentage'] },
    payload: { is: 'json', at: ['payloads'], byKey: true },
  },
} as const satisfies Readonly<Record<TypedPartName, Readonly<Record<string, TypedAttribute>>>>

type TypedForm = typeof typedForm

interface Held {
  readonly text: string
  readonly texts: readonly string[]
  readonly scalar: string | number | boolean
  readonly json: unknown
  readonly number: number
  readonly truth: boolean
}

type HeldBy<Is> = Is extends keyof Held
  ? Held[Is]
  : Is extends TypedPartName
    ? readonly TypedPart<Is>[]
    : never

/** A part in the typed form, with the members that are set. */
export type TypedPart<Part extends TypedPartName> = {
  readonly [Name in keyof TypedForm[Part]]?: TypedForm[Part][Name] extends { readonly is: infer Is }
    ? HeldBy<Is>
    : never
}

/** The attributes of a flag that together express its `filters`. */
// The table has these keys and no others.
export const typedAttributes = Object.keys(typedForm.filters) as readonly (keyof TypedForm['filters'])[]

export function attributesOf(part: TypedPartName): Readonly<Record<string, TypedAttribute>> {
  return typedForm[part]
}

export function rowsOf(part: TypedPartName): readonly (readonly [name: string, attribute: TypedAttribute])[] {
  return rows.get(part) ?? []
}

// Computed once: a flag can have hundreds of conditions, each with several properties.
const rows = new Map(
  Object.entries(typedForm).map(([part, attributes]) => [part, Object.entries<TypedAttribute>(attributes)]),
)

/** An attribute of a part; undefined for an unknown name. */
export function attributeOf(part: TypedPartName, name: string): TypedAttribute | undefined {
  return Object.hasOwn(typedForm[part], name) ? attributesOf(part)[name] : undefined
}

/** The part that is in the list of an attribute, if any. */
export function partOf({ is }: TypedAttribute): TypedPartName | undefined {
  return Object.hasOwn(typedForm, is) ? (is as TypedPartName) : undefined
}

/** The wire type of an attribute; undefined for a payload, which can have any type. */
export function wireMember(part: TypedPartName, { at, byKey }: TypedAttribute): FilterMember | undefined {
  if (byKey) return undefined
  const [first, ...rest] = at
  const member = filterParts[part].members[first]
  return rest.reduce<FilterMember | undefined>((outer, name) => {
    const inner = outer?.takes.is === 'part' ? outer.takes.of : undefined
    return inner && filterParts[inner].members[name]
  }, member)
}

/** Whether a part is invalid without this attribute. */
export function isRequired(part: TypedPartName, attribute: TypedAttribute): boolean {
  return (
    part !== 'filters' && attribute.byDefault === undefined && wireMember(part, attribute)?.required === true
  )
}

/**
 * The value that a property is compared with, if it is only known as text.
 *
 * | the text        | of the type       | on the wire                             |
 * |-----------------|-------------------|-----------------------------------------|
 * | digits          | `cohort`          | the number, which is a cohort's id      |
 * | `true`, `false` | `flag`            | the truth value: the flag is on, or off |
 * | any other       | `flag`            | the text, which is the key of a variant |
 * | any             | `person`, `group` | the text, since everything is compared as text |
 */
function comparedWith(text: Json, { type }: JsonObject): Json {
  if (type === 'cohort' && typeof text === 'string' && /^(?:0|[1-9]\d{0,14})$/.test(text)) return Number(text)
  if (type === 'flag' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

/** A single condition with a percentage of everybody. */
function oneCondition(percent: Json): Json {
  return [{ rollout_percentage: percent }]
}

function textOf(value: Json): Json {
  if (isJsonNumber(value) || typeof value === 'boolean') return canonicalText(value)
  return typeof value === 'string' ? value : null
}

function textsOf(value: Json): Json {
  return isJsonArray(value) ? value.map(textOf) : null
}

type Step = string | number

/** A path into the typed form: attribute names and indexes. */
export type TypedPath = readonly [attribute: (typeof typedAttributes)[number], ...steps: readonly Step[]]

/** The keys of the variants, in order; undefined for an unknown key. */
export type VariantKeys = readonly (string | undefined)[]

export function variantKeysIn(filters: JsonObject): VariantKeys {
  const variants = getAt(filters, '/multivariate/variants') ?? null
  if (!isJsonArray(variants)) return []
  return variants.map(each => (isJsonObject(each) && typeof each.key === 'string' ? each.key : undefined))
}

/**
 * The path in the typed form for a pointer into its filters; the nearest existing path. A payload belongs to
 * its variant there, so the keys of the variants are needed. If several attributes share one place, the one
 * that is set is used.
 */
export function typedPath(
  pointer: string,
  variantKeys: VariantKeys,
  given: readonly string[] = [],
): TypedPath {
  const segments = segmentsOf(pointer)
  const [member = '', key = '', ...rest] = segments
  const index = variantKeys.indexOf(key)
  const byKey = placesByKey.find(({ at }) => at === member)
  if (byKey && index >= 0) return [byKey.list, index, byKey.name, ...rest]
  const names = typedAttributes.filter(each => typedForm.filters[each].at[0] === member)
  const name = names.find(each => given.includes(each)) ?? names[0]
  if (name === undefined) return typedPath('/groups', variantKeys, given)
  return attributeOf('filters', name)?.shortFor ? [name] : [name, ...typedSteps('filters', name, segments)]
}

/** The pointer into the filters for a path; undefined for the payload of a missing variant. */
export function filtersPointer(place: TypedPath, variantKeys: VariantKeys): string | undefined {
  const path = wirePath('filters', place, variantKeys)
  return path && pointerOf(...path)
}

/** The attributes that the wire stores under the key of an element. */
const placesByKey = typedAttributes.flatMap(list => {
  const part = partOf(typedForm.filters[list])
  const inside = part ? Object.entries(attributesOf(part)) : []
  return inside.flatMap(
    ([
      name,
      {
        at: [at],
        byKey,
      },
    ]) => (byKey ? [{ list, name, at }] : []),
  )
})

/** The steps after an attribute, for the remaining segments on the wire. */
function typedSteps(part: TypedPartName, name: string, segments: readonly string[]): readonly Step[] {
  const attribute = attributeOf(part, name)
  const [index, ...inside] = segments.slice(attribute?.at.length ?? 1)
  if (index === undefined) return []
  const of = attribute && partOf(attribute)
  if (!of || inside.length === 0) return [index, ...inside].map(indexOrName)
  const inner = nameOf(of, inside)
  return [indexOrName(index), inner, ...typedSteps(of, inner, inside)]
}

/** One value and a list of values share a member on the wire; only a list has elements. */
function nameOf(part: TypedPartName, [member = '', ...rest]: readonly string[]): string {
  const found = Object.entries(attributesOf(part)).findLast(
    ([, { at, is }]) => at[0] === member && (is !== 'texts' || rest.length > 0),
  )
  return found?.[0] ?? member
}

function wirePath(
  part: TypedPartName,
  [name = '', ...steps]: readonly Step[],
  variantKeys: VariantKeys,
): readonly Step[] | undefined {
  const attribute = attributeOf(part, String(name))
  if (!attribute) return [name, ...steps]
  const of = partOf(attribute)
  const [index, inner, ...rest] = steps
  if (!of || index === undefined || inner === undefined) return [...attribute.at, ...steps]
  const byKey = attributeOf(of, String(inner))
  if (byKey?.byKey) {
    const key = typeof index === 'number' ? variantKeys[index] : undefined
    return key === undefined ? undefined : [...byKey.at, key, ...rest]
  }
  const inside = wirePath(of, [inner, ...rest], variantKeys)
  return inside && [...attribute.at, index, ...inside]
}

function indexOrName(segment: string): Step {
  return /^\d+$/.test(segment) ? Number(segment) : segment
}
