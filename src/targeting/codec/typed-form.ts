import {
  canonicalText,
  isJsonArray,
  isJsonNumber,
  type Json,
  type JsonObject,
} from '../../model/json/json.ts'
import { type FilterMember, filterParts } from '../filter-parts.ts'

export type TypedPartName = 'filters' | 'condition' | 'property' | 'variant'

/** One attribute of the typed form, and where it stands in filters as the service has them. */
export interface TypedAttribute {
  /** What it holds. The name of a part stands for a list of such parts. */
  readonly is: 'text' | 'texts' | 'scalar' | 'json' | 'number' | 'truth' | Exclude<TypedPartName, 'filters'>
  /** The members that lead to it on the wire, from its part on. */
  readonly at: readonly [string, ...string[]]
  /** On the wire it is not in its part: `at` starts at the top of the filters and ends with the key of the part. */
  readonly byKey?: true
  /** What the wire says where the attribute says nothing. */
  readonly byDefault?: string
  /** Where there is none, either side has an empty text, which a check finds. */
  readonly orEmpty?: true
  /** It says by itself what the attribute of that name can say too, and stands there in its place. */
  readonly shortFor?: string
  /** On the wire an empty list says what nothing does. */
  readonly emptyIsNothing?: true
  /** What the wire has for a text. */
  readonly encode?: (text: Json, part: JsonObject) => Json
  /** What the attribute has for a value of the wire; null where it cannot say that. Whatever `is` asks for, when left out. */
  readonly decode?: (value: Json) => Json
}

/**
 * Who gets a flag in attributes with types, as Terraform and the constructs have it, and where each of them stands in
 * `filters`. From this table come both ways of the codec, the places, and the attributes of the Terraform provider, from
 * which the constructs are generated.
 */
export const typedForm = {
  filters: {
    release: { is: 'condition', at: ['groups'] },
    rollout_percentage: {
      is: 'number',
      at: ['groups'],
      shortFor: 'release',
      encode: oneCondition,
      // Conditions are read as such; `withShort` makes this of them.
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
    // Behind `value`: of two attributes in one place the last counts.
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

/** A part in the typed form, as far as anything is said of it. */
export type TypedPart<Part extends TypedPartName> = {
  readonly [Name in keyof TypedForm[Part]]?: TypedForm[Part][Name] extends { readonly is: infer Is }
    ? HeldBy<Is>
    : never
}

/** The attributes of a flag that say in parts what `filters` says as JSON. */
// The table has these keys and no others.
export const typedAttributes = Object.keys(typedForm.filters) as readonly (keyof TypedForm['filters'])[]

/** The attributes of a part, by name. */
export function attributesOf(part: TypedPartName): Readonly<Record<string, TypedAttribute>> {
  return typedForm[part]
}

/** The same one by one. */
export function rowsOf(part: TypedPartName): readonly (readonly [name: string, attribute: TypedAttribute])[] {
  return rows.get(part) ?? []
}

// Made once: a flag can have hundreds of conditions, each with several properties.
const rows = new Map(
  Object.entries(typedForm).map(([part, attributes]) => [part, Object.entries<TypedAttribute>(attributes)]),
)

/** An attribute of a part; undefined for what is none. */
export function attributeOf(part: TypedPartName, name: string): TypedAttribute | undefined {
  return Object.hasOwn(typedForm[part], name) ? attributesOf(part)[name] : undefined
}

/** The part of which an attribute has a list, if it has one. */
export function partOf({ is }: TypedAttribute): TypedPartName | undefined {
  return Object.hasOwn(typedForm, is) ? (is as TypedPartName) : undefined
}

/** What the wire says of an attribute; undefined for a payload, which can be anything. */
export function wireMember(part: TypedPartName, { at, byKey }: TypedAttribute): FilterMember | undefined {
  if (byKey) return undefined
  const [first, ...rest] = at
  const member = filterParts[part].members[first]
  return rest.reduce<FilterMember | undefined>((outer, name) => {
    const inner = outer?.takes.is === 'part' ? outer.takes.of : undefined
    return inner && filterParts[inner].members[name]
  }, member)
}

/** Whether a part is none without it. */
export function isRequired(part: TypedPartName, attribute: TypedAttribute): boolean {
  return (
    part !== 'filters' && attribute.byDefault === undefined && wireMember(part, attribute)?.required === true
  )
}

/**
 * What a property is compared with where its value is only known as text.
 *
 * | the text        | of the type       | on the wire                             |
 * |-----------------|-------------------|-----------------------------------------|
 * | digits          | `cohort`          | the number, which is a cohort's id      |
 * | `true`, `false` | `flag`            | the truth value: the flag is on, or off |
 * | any other       | `flag`            | the text, which is the key of a variant |
 * | any             | `person`, `group` | the text, as everything is compared     |
 */
function comparedWith(text: Json, { type }: JsonObject): Json {
  if (type === 'cohort' && typeof text === 'string' && /^(?:0|[1-9]\d{0,14})$/.test(text)) return Number(text)
  if (type === 'flag' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

/** A share of everybody. */
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
