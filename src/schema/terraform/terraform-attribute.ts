import {
  attributeType,
  findUnknown,
  invalid,
  isListValue,
  isObjectValue,
  knownJson,
  memberOf,
  type ObjectType,
  type ObjectValue,
  Sensitive,
  type Type,
  Unknown,
  type Value,
} from '../../hcl/values.ts'
import { proxyVariables, variables } from '../../model/connection.ts'
import type { Field } from '../../model/field.ts'
import { canonicalText, type JsonObject } from '../../model/text/json.ts'
import { didYouMean } from '../../model/text/names.ts'
import { encodeFilters, isEmptyCondition } from '../../targeting/codec.ts'
import type { Takes } from '../../targeting/filter-parts.ts'
import { compactFilters } from '../../targeting/index.ts'
import {
  attributesOf,
  isRequired,
  partOf,
  type TypedAttribute,
  type TypedPartName,
  typedAttributes,
  wireMember,
} from '../../targeting/typed-form.ts'

interface Described {
  readonly description: string
  readonly required?: true
  readonly optional?: true
  /** The service sets a value if the configuration does not. */
  readonly computed?: true
  readonly sensitive?: true
  /** The accepted values, or the accepted elements of a collection. Any value if absent. */
  readonly choices?: readonly (string | number)[]
}

/** One attribute: a plain type, or a list of objects with their own attributes. */
export type TerraformAttribute = Described &
  ({ readonly type: Type } | { readonly list: TerraformAttributes })

export type TerraformAttributes = { readonly [name: string]: TerraformAttribute }

/** The content of a resource, a data source or the provider's own block. */
export interface TerraformBlock {
  readonly version: number
  readonly description: string
  readonly attributes: TerraformAttributes
}

/** An optional attribute, with the accepted values if they are limited. */
export function optional(
  type: Type,
  description: string,
  choices?: Described['choices'],
): TerraformAttribute {
  return { type, description, optional: true, ...(choices ? { choices } : {}) }
}

/** An attribute that the service sets. */
export function computed(type: Type, description: string): TerraformAttribute {
  return { type, description, computed: true }
}

/** An attribute that the service sets if the configuration does not. */
export function settable(type: Type, description: string): TerraformAttribute {
  return { ...optional(type, description), computed: true }
}

/** A managed field as an attribute. If the configuration omits it, the service sets it. */
export function managedAttribute(field: Field): TerraformAttribute {
  return {
    type: terraformType(field),
    description: `${field.doc}${valuePhrase(field)}`,
    ...(field.type === 'string' && field.oneOf ? { choices: field.oneOf } : {}),
    ...(field.required ? { required: true } : { optional: true, computed: true }),
  }
}

/** A field as a read-only attribute. */
export function shownAttribute(field: Field): TerraformAttribute {
  return computed(terraformType(field), field.doc)
}

/** JSON is passed as a string, because its shape is not guaranteed. */
function terraformType(field: Field): Type {
  switch (field.type) {
    case 'string':
    case 'json':
    case 'structure':
      return 'string'
    case 'integer':
      return 'number'
    case 'boolean':
      return 'bool'
    case 'list':
    case 'set':
      return [field.type, field.of === 'integer' ? 'number' : 'string']
  }
}

/** A block in the form of `terraform providers schema -json`. */
export function blockJson({ version, attributes, description }: TerraformBlock): JsonObject {
  return {
    version,
    block: { attributes: attributesJson(attributes), description, description_kind: 'markdown' },
  }
}

function attributesJson(attributes: TerraformAttributes): JsonObject {
  const names = Object.keys(attributes).sort()
  return Object.fromEntries(names.map(name => [name, attributeJson(attributes[name] as TerraformAttribute)]))
}

function attributeJson(attribute: TerraformAttribute): JsonObject {
  const { description, required, optional, computed, sensitive } = attribute
  const shape: JsonObject =
    'type' in attribute
      ? { type: attribute.type }
      : { nested_type: { attributes: attributesJson(attribute.list), nesting_mode: 'list' } }
  return {
    ...shape,
    description,
    description_kind: 'markdown',
    ...(required ? { required } : {}),
    ...(optional ? { optional } : {}),
    ...(computed ? { computed } : {}),
    ...(sensitive ? { sensitive } : {}),
  }
}

function valuePhrase(field: Field): string {
  if (field.type === 'json') return ' JSON text; write it with `jsonencode(...)`.'
  if (field.type === 'string' && field.oneOf)
    return ` One of ${field.oneOf.map(value => `"${value}"`).join(', ')}.`
  return ''
}

export function typeOfAttribute(attribute: TerraformAttribute): Type {
  return 'list' in attribute ? ['list', objectType(attribute.list)] : attribute.type
}

/**
 * Refuses unknown members of nested attributes. Terraform drops them without an error, and then a condition
 * with a misspelt percentage reaches everybody.
 */
export function requireNames(value: Value, type: Type, field: string): void {
  const inner = value instanceof Sensitive ? value.value : value
  if (typeof type === 'string') return
  if (isListValue(inner) && (type[0] === 'list' || type[0] === 'set')) {
    for (const [index, element] of inner.entries()) requireNames(element, type[1], `${field}[${index}]`)
  }
  if (!isObjectValue(inner) || type[0] !== 'object') return
  const [, attributes] = type
  for (const [name, member] of Object.entries(inner)) {
    if (!Object.hasOwn(attributes, name)) throw stray(name, field, Object.keys(attributes))
    requireNames(member, attributeType(type, name), `${field}.${name}`)
  }
}

function stray(name: string, field: string, known: readonly string[]) {
  const snake = name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
  const near = known.includes(snake) ? snake : didYouMean(name, known)
  const hint = near === undefined ? `the members are ${known.join(', ')}` : `did you mean "${near}"?`
  return invalid(`${JSON.stringify(name)} is not a member of ${field}`, hint)
}

function objectType(attributes: TerraformAttributes): ObjectType {
  const entries = Object.entries(attributes)
  return [
    'object',
    Object.fromEntries(entries.map(([name, attribute]) => [name, typeOfAttribute(attribute)])),
    entries.flatMap(([name, { required }]) => (required ? [] : [name])),
  ]
}

/** The provider's attributes that environment variables can replace, and the setting of each. */
export const attributeSettings = {
  base_url: 'baseUrl',
  api_key: 'apiKey',
  project_id: 'project',
  organization_id: 'organization',
  profile: 'profile',
  parallelism: 'parallelism',
} as const satisfies Readonly<Record<string, keyof typeof variables>>

export type AttributeWithVariables = keyof typeof attributeSettings

/** The last sentence of an attribute's description: the variables that can replace it. */
export function orVariables(attribute: AttributeWithVariables): string {
  const names = variables[attributeSettings[attribute]]
  return `Or the environment variable ${names.join(' or ')}.`
}

/** A Markdown table of all environment variables that the provider reads. */
export function variableTable(): readonly string[] {
  const settings = Object.entries(attributeSettings).map(
    ([attribute, setting]) => [coded(variables[setting]), `\`${attribute}\``] as const,
  )
  const { https, all, except } = proxyVariables
  const rows = [
    ...settings,
    [coded([https, all]), 'nothing: the proxy for `https` addresses; lower case works too'],
    [coded([except]), 'nothing: the hosts that are reached without a proxy; lower case works too'],
    [
      coded(['TF_LOG_PROVIDER', 'TF_LOG']),
      "nothing: the level of the provider's log; with `DEBUG`, one line for each request",
    ],
  ] as const
  return [
    '| Environment variable (the first one that is set and not empty) | Replaces |',
    '|---|---|',
    ...rows.map(([names, meaning]) => `| ${names} | ${meaning} |`),
  ]
}

function coded(names: readonly string[]): string {
  return names.map(name => `\`${name}\``).join(', ')
}

const insteadOfFilters = 'Do not combine it with `filters`.'

/** Descriptions for Terraform's users, if they differ from those of the wire fields. */
const otherText: Readonly<Record<string, string>> = {
  'filters.release': `Who gets the flag: conditions in order. ${insteadOfFilters} To let people change it in the product, ignore changes of this, \`variants\` and \`payload\`, but not of \`filters\`. If you remove the attribute, the service keeps the conditions.`,
  'filters.rollout_percentage': `Releases the flag to this percentage of everybody: \`rollout_percentage = 25\` is short for \`release = [{ rollout_percentage = 25 }]\`. Do not combine it with \`release\` or \`filters\`.`,
  'filters.payload': `The payload of a flag without variants, as JSON text. ${insteadOfFilters}`,
  'property.value':
    'The value to compare with. If the type is "flag": `true` matches if that flag is on, `false` if it is off, and any other string matches the variant with that key. For a variant named "true" or "false", use `filters = jsonencode(...)`.',
  'property.values': 'Several values; one of them must match. Do not combine it with `value`.',
  'variant.payload': 'The payload that code receives with this variant, as JSON text.',
}

/** The attributes of a part of the typed form; those of `filters` are the flag's own. */
export function typedTerraformAttributes(part: TypedPartName): TerraformAttributes {
  return Object.fromEntries(
    Object.entries(attributesOf(part)).map(([name, attribute]) => [
      name,
      terraformAttribute(part, name, attribute),
    ]),
  )
}

function terraformAttribute(
  part: TypedPartName,
  name: string,
  attribute: TypedAttribute,
): TerraformAttribute {
  const list = partOf(attribute)
  return {
    ...(list ? { list: typedTerraformAttributes(list) } : { type: typeOf(attribute) }),
    description: otherText[`${part}.${name}`] ?? wordsOf(part, attribute),
    ...choicesOf(wireMember(part, attribute)?.takes),
    ...(isRequired(part, attribute) ? { required: true } : { optional: true }),
  }
}

/** The description of the wire field, and the possible values. */
function wordsOf(part: TypedPartName, attribute: TypedAttribute): string {
  const { doc = '', takes } = wireMember(part, attribute) ?? {}
  const more = part === 'filters' ? [insteadOfFilters] : []
  return [doc, ...choicesText(takes, attribute.byDefault), ...more].join(' ')
}

/** The accepted words or whole numbers, if there are only a few. */
function choicesOf(takes: Takes | undefined): Pick<TerraformAttribute, 'choices'> {
  if (takes?.is === 'word') return { choices: Object.keys(takes.of) }
  if (takes?.is !== 'integer') return {}
  const { from, to } = takes
  return { choices: Array.from({ length: to - from + 1 }, (_, index) => from + index) }
}

function choicesText(takes: Takes | undefined, byDefault: string | undefined): string[] {
  if (takes?.is !== 'word') return []
  const words = Object.keys(takes.of).map(word => `"${word}"`)
  return [`One of ${words.join(', ')}${byDefault === undefined ? '' : `. Default: "${byDefault}"`}.`]
}

function typeOf({ is }: TypedAttribute): Type {
  switch (is) {
    case 'number':
      return 'number'
    case 'truth':
      return 'bool'
    case 'texts':
      return ['list', 'string']
    default:
      return 'string'
  }
}

export function givenTyped(config: ObjectValue): string[] {
  return typedAttributes.filter(name => memberOf(config, name) !== null)
}

/**
 * The `filters` that a configuration's typed attributes express, as JSON text. Unknown if any part is
 * unknown; undefined if there are no typed attributes.
 */
export function typedFiltersText(config: ObjectValue): string | Unknown | undefined {
  const given = givenTyped(config)
  if (given.length === 0) return undefined
  for (const name of given) {
    const unknown = findUnknown(memberOf(config, name))
    if (unknown) return new Unknown(unknown.origin)
  }
  return canonicalText(compactFilters(typedFilters(config)))
}

/**
 * Who gets a flag, as JSON text, from the values of a state, a plan or a configuration. Typed attributes come
 * first; without them, `field` counts. Next to typed attributes, `field` only repeats them.
 */
export function targetingText(field: string, values: ObjectValue): Value {
  return typedFiltersText(values) ?? memberOf(values, field)
}

/** Conditions without any limit, for example because all their limits are null. */
export function emptyConditions(
  config: ObjectValue,
): readonly { readonly path: readonly ['release', number]; readonly message: string }[] {
  const release = memberOf(config, 'release')
  const all = isListValue(release) ? [...release.entries()] : []
  return all.flatMap(([index, condition]) =>
    isObjectValue(condition) && isEmptyCondition(condition)
      ? [
          {
            path: ['release', index],
            message: `condition ${index + 1} has no limits, so it matches everybody`,
          },
        ]
      : [],
  )
}

/** The typed attributes as filters in JSON. */
export function typedFilters(config: ObjectValue): JsonObject {
  return encodeFilters(
    Object.fromEntries(typedAttributes.map(name => [name, knownJson(memberOf(config, name))])),
  )
}

/** Whether `mock_provider` of a `terraform test` may have generated a string. */
export function looksMadeUp(value: Value): boolean {
  return typeof value === 'string' && (ofTerraform.test(value) || ofOpenTofu.test(value))
}

/** Terraform generates eight small letters and digits. */
const ofTerraform = /^[a-z0-9]{8}$/

/**
 * OpenTofu generates 4 to 15 letters and digits. A string of only small letters, or of only digits, is more
 * likely a name or number that a person wrote. It is reported immediately.
 */
const ofOpenTofu = /^(?![a-z]+$|\d+$)[A-Za-z0-9]{4,15}$/
