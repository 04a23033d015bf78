import type { Desired } from '../../core/desired.ts'
import { isSameField } from '../../core/diff.ts'
import { canonicalIdentity } from '../../core/live.ts'
import { convert, type ExactJson, isExactObject, Refusal, Unknown, unsupported } from '../../hcl/index.ts'
import { declarableKind } from '../../kinds/index.ts'
import { type DeclarableKind, identityField } from '../../model/kind.ts'
import type { Json, JsonObject } from '../../model/text/json.ts'
import {
  isOurSource,
  parentAttribute,
  typeName,
  usualLocalName,
} from '../../schema/terraform/terraform-names.ts'
import {
  type Attributes,
  providerSchema,
  type ResourceSchema,
  resourceSchemas,
} from '../evaluate/attributes.ts'
import { desiredOf } from '../evaluate/desired-of.ts'
import { noSettings, type ProviderSettings, placeText, providerSettings } from '../evaluate/providers.ts'
import type { ResourceInstance } from '../evaluate/resources.ts'
import { type Body, blockMembers } from '../stack-file.ts'
import type { StackProblems } from '../stack-problems.ts'
import {
  exactText,
  howToShow,
  idText,
  type PlannedChange,
  type PlannedResource,
  referencesIn,
  type TerraformPlan,
  textOf,
  typedOf,
  withoutIndexes,
} from './read-plan.ts'

/** The current or planned values of an object, in the service's fields. */
export interface ObjectValues {
  readonly fields: JsonObject
  readonly files?: Readonly<Record<string, string | null>>
  /** Its identity; undefined if it is known only after the apply. */
  readonly names?: {
    readonly address: string
    readonly identity: string
    readonly parent: string | undefined
    readonly label: string | undefined
  }
}

interface Surroundings {
  readonly planned: PlannedChange
  readonly plan: TerraformPlan
  readonly schema: ResourceSchema
  /** The attributes that must not be read. */
  readonly hidden: ReadonlyMap<string, string>
}

const provider = noSettings(usualLocalName)
const place = {}

/** The values of a resource; unreadable attributes are omitted. */
function objectValues(json: ExactJson, about: Surroundings): ObjectValues {
  const { planned, schema } = about
  const { kind } = schema
  const { address, type } = planned
  const block = { is: 'resource' as const, address, type, name: address, body: {} }
  const attributes = attributesOf(blockMembers(json), about)
  const desired = attempt(() =>
    desiredOf(
      { kind, block, address, attributes, provider, place },
      {
        attempt: (_, work) => attempt(work),
        roleNames: new Map(),
        source: undefined,
        sourceOfTest: () => undefined,
        ignored: () => [],
        id: undefined,
      },
    ),
  )
  if (!desired) return { fields: {} }
  return {
    fields: desired.fields,
    ...(desired.files ? { files: desired.files } : {}),
    names: namesOf(desired),
  }
}

function namesOf({ address, identity, parent, label }: Desired): NonNullable<ObjectValues['names']> {
  return { address, identity, parent: parent && 'key' in parent ? parent.key : undefined, label }
}

function attributesOf(values: Body, about: Surroundings): Attributes {
  const { schema, hidden, planned } = about
  const given: Record<string, Attributes[string]> = {}
  for (const [name, { type, isSettable }] of schema.attributes) {
    const value = values[name]
    if (!isSettable || hidden.has(name) || value === undefined || value === null) continue
    const read = attempt(() => convert(typedOf(value, `${planned.address}.${name}`), type))
    if (read) given[name] = read.plain
  }
  return withFlag(given, values, about)
}

/** Replaces the flag's id in a planned grant by the flag's key, or describes the id. */
function withFlag(given: Attributes, values: Body, { schema, plan, planned }: Surroundings): Attributes {
  const attribute = parentAttribute(schema.kind)
  if (attribute === undefined) return given
  const { address } = planned
  const configured = plan.resources.find(each => each.address === address)?.configured
  const key = parentKeyOf(plan, { address, configured, values }, schema.kind)
  const id = given[attribute]
  const shown =
    key ?? (id === undefined || id instanceof Unknown ? 'known after the apply' : `with the id ${String(id)}`)
  return { ...given, [attribute]: new Unknown(address, { key: shown.trim(), place: placeText(place) }) }
}

/** The key of the flag that a grant refers to by id; undefined if the plan does not contain it. */
export function parentKeyOf(
  plan: TerraformPlan,
  { address, configured = {}, values }: Pick<PlannedResource, 'address' | 'configured' | 'values'>,
  kind: DeclarableKind,
): string | undefined {
  const attribute = parentAttribute(kind) ?? ''
  const parent = declarableKind(kind.lifecycle.parent?.kind ?? '')
  const identity = identityField(parent)
  const id = idText(values[attribute])
  const references = referencesIn(blockMembers(configured.expressions)[attribute])
  const flags = objectsNamed(plan, address, references, typeName(parent.name))
  const among = flags.length > 0 ? flags : plan.known.map(each => each.values)
  const meant = id === undefined ? flags : among.filter(each => idText(each.id) === id)
  const keys = new Set(meant.flatMap(each => (typeof each[identity] === 'string' ? [each[identity]] : [])))
  const [only] = keys
  return keys.size === 1 ? only : undefined
}

/**
 * The values of all objects of a type that an expression may refer to, in the module instance of a resource.
 * A plan lists each use of an object in full and then shorter: `flag.a[0].id`, `flag.a[0]`, `flag.a` for one
 * instance, and only `flag.a` for `flag.a[each.key]`. So equal counts mean that all uses name an instance.
 */
function objectsNamed(
  plan: TerraformPlan,
  address: string,
  references: readonly string[],
  type: string,
): readonly Body[] {
  const module = modulePath.exec(address)?.[0] ?? ''
  const uses = references.flatMap(reference => {
    const [, name, index] = use.exec(reference) ?? []
    return name === `${type}.` || name === `data.${type}.` ? [{ reference, index }] : []
  })
  const wanted = new Set<string>()
  for (const { reference, index } of uses) {
    const name = withoutIndexes(reference)
    const same = uses.filter(other => withoutIndexes(other.reference) === name)
    const areDefinite = same.filter(other => other.index !== undefined).length * 2 === same.length
    if (!areDefinite || index !== undefined) wanted.add(`${module}${areDefinite ? reference : name}`)
  }
  const isWanted = (known: string) =>
    wanted.has(known) ||
    (known.startsWith(module) && wanted.has(`${module}${withoutIndexes(known.slice(module.length))}`))
  return plan.known.filter(each => isWanted(each.address)).map(({ values }) => values)
}

const key = String.raw`\[(?:\d+|"(?:[^"\\]|\\.)*")\]`

/** The prefix `module.shop["eu"].module.part[0].` of an address in this module. */
const modulePath = new RegExp(String.raw`^(?:module\.[^.[]+(?:${key})?\.)*`)

/** A reference without an attribute: the type, and the instance if known. */
const use = new RegExp(String.raw`^((?:data\.)?[^.[]+\.)[^.[]+(${key})?$`)

function isMarked(mark: ExactJson | undefined): boolean {
  if (mark === true) return true
  if (Array.isArray(mark)) return mark.some(isMarked)
  return mark !== undefined && isExactObject(mark) && Object.values(mark).some(isMarked)
}

/** Describes as much of a plan as possible: a refused value does not affect the others. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

export interface PlannedSides {
  readonly planned: PlannedChange
  readonly kind: DeclarableKind
  /** The attributes that must not be shown, with the reason. */
  readonly hidden: ReadonlyMap<string, string>
  readonly before: ObjectValues | null
  readonly after: ObjectValues | null
}

/** Both sides of the plan for a resource; undefined for an unknown kind. */
export function readPlanned(planned: PlannedChange, plan: TerraformPlan): PlannedSides | undefined {
  const schema = resourceSchemas.get(planned.type)
  if (!schema) return undefined
  const looked = [...schema.attributes].flatMap(([name, { isSettable }]) =>
    isSettable || name === allTags ? [name] : [],
  )
  const hidden = hiddenIn(planned, looked)
  const valuesOf = (json: ExactJson) =>
    json === null ? null : objectValues(json, { planned, plan, schema, hidden })
  const [before, after] = [valuesOf(planned.before), valuesOf(planned.after)]
  return { kind: schema.kind, ...withDefaultTags(schema.kind, { planned, hidden, before, after }) }
}

type BothSides = Omit<PlannedSides, 'kind'>

/** Both sides with the tags of the service: the provider's default tags and those of the resource. */
function withDefaultTags(kind: DeclarableKind, sides: BothSides): BothSides {
  const { planned, hidden, before, after } = sides
  const { ownedBy } = kind.lifecycle
  if (ownedBy === undefined) return sides
  // An attribute that is hidden because of some tags needs no second note for all tags.
  if (hidden.has(ownedBy))
    return { ...sides, hidden: new Map([...hidden].filter(([name]) => name !== allTags)) }
  if (hidden.has(allTags)) return sides
  const [were, will] = [tagsIn(planned.before), tagsIn(planned.after)]
  // If `ignore_changes` keeps all tags unchanged, those of the resource still change.
  if (were && will && isSameField(kind, ownedBy, were, will)) return sides
  const withTags = (values: ObjectValues | null, tags: Json | undefined) =>
    values && tags ? { ...values, fields: { ...values.fields, [ownedBy]: tags } } : values
  return { ...sides, before: withTags(before, were), after: withTags(after, will) }
}

const allTags = 'tags_all'

function tagsIn(side: ExactJson): Json[] | undefined {
  const { [allTags]: tags } = blockMembers(side)
  return Array.isArray(tags) ? tags.filter(tag => typeof tag === 'string') : undefined
}

/** The attributes that must not be shown, with the reason: sensitive, or unknown before the apply. */
function hiddenIn(planned: PlannedChange, names: readonly string[]): ReadonlyMap<string, string> {
  const { before, after, unknown, sensitiveBefore, sensitiveAfter } = planned
  return new Map(
    names.flatMap((name): [string, string][] => {
      if (isMarked(blockMembers(unknown)[name])) return [[name, laterOnly]]
      const isSensitive =
        isMarked(blockMembers(sensitiveBefore)[name]) || isMarked(blockMembers(sensitiveAfter)[name])
      if (!isSensitive) return []
      const isSame = exactText(blockMembers(before)[name]) === exactText(blockMembers(after)[name])
      return [[name, isSame ? 'sensitive, unchanged' : 'sensitive, changed']]
    }),
  )
}

const laterOnly = 'known only after the apply'

/**
 * How a change of a plan affects the name of an object.
 *
 * | actions           | name     | result                                                       |
 * |-------------------|----------|--------------------------------------------------------------|
 * | update            | another  | a rename of the object with the id                           |
 * | delete and create | another  | another object; the replaced one is no longer declared       |
 * | any               | the same | nothing                                                      |
 */
export function renamedIn(change: PlannedChange, kind: DeclarableKind): ResourceInstance['renamed'] {
  const from = formerName(change, kind)
  if (from === undefined || !change.actions.includes('update')) return undefined
  const id = idText(blockMembers(change.before).id)
  if (id === undefined)
    throw unsupported(`it renames ${JSON.stringify(from)} but does not contain its id`, howToShow)
  return { id, from }
}

/** The former name of an object that a plan renames or replaces. */
export function formerName(
  { before, after }: Pick<PlannedChange, 'before' | 'after'>,
  kind: DeclarableKind,
): string | undefined {
  if (kind.identity.by !== 'field') return undefined
  const { field } = kind.identity
  const [was, becomes] = [before, after].map(side =>
    canonicalIdentity(kind, textOf(blockMembers(side)[field])),
  )
  return was === '' || becomes === '' || was === becomes ? undefined : was
}

/**
 * The configurations of our provider in a plan, by their keys in resources. Terraform writes a key for each
 * module whose local name for the provider differs from its caller's. It writes no expressions if the module
 * uses the caller's configuration; an empty block looks the same.
 */
export class PlannedProviders {
  /** The configurations with settings; if there are none, an empty one. */
  readonly all: readonly ProviderSettings[]
  readonly #plan: TerraformPlan
  readonly #problems: StackProblems
  readonly #settings: ReadonlyMap<string, ProviderSettings | undefined>

  constructor(plan: TerraformPlan, problems: StackProblems) {
    this.#plan = plan
    this.#problems = problems
    const configured = [...ourProvidersIn(plan)].filter(([, each]) => each.expressions !== undefined)
    this.#settings = new Map(configured.map(([key, body]) => [key, this.#settingsOf(key, body)]))
    const known = [...this.#settings.values()].filter(each => each !== undefined)
    this.all = known.length > 0 ? known : [noSettings(usualLocalName)]
  }

  /** The configuration that a resource uses; undefined if it is unreadable, which is reported. */
  of(key: string, address: string): ProviderSettings | undefined {
    if (this.#settings.has(key)) return this.#settings.get(key)
    return this.#problems.attempt({ address }, 'provider', () => this.#silent(key))
  }

  /** A configuration without expressions in the plan. */
  #silent(key: string): ProviderSettings | undefined {
    const [name = '', module] = [
      key.slice(key.lastIndexOf(':') + 1),
      key.slice(0, Math.max(0, key.lastIndexOf(':'))),
    ]
    const above = [...ourProvidersIn(this.#plan)].filter(
      ([each, { alias, module_address: place = '' }]) =>
        alias === undefined &&
        this.#settings.has(each) &&
        (place === '' || place === module || module.startsWith(`${place}.`)),
    )
    const [first] = above
    if (!first) {
      if (name.includes('.') && this.#settings.size > 0)
        throw unsupported(
          `the plan has no configuration ${name} of the provider`,
          'plan the configuration again',
        )
      return noSettings(name)
    }
    // The stack has only one local name for the provider, so it has no block under this other name.
    if (module === '' && above.length === 1) return this.#settings.get(first[0])
    const [given = ''] = above.map(([, each]) => each.name)
    throw unsupported(
      `the plan does not show which configuration of the provider ${module} uses`,
      `pass a configuration in the call of the module, providers = { ${name} = ${String(given)} }, and remove an empty provider block`,
    )
  }

  #settingsOf(key: string, { name, alias, expressions }: Body): ProviderSettings | undefined {
    const place = { address: `provider.${key}` }
    const values: Record<string, Attributes[string]> = {}
    for (const [attribute, expression] of Object.entries(blockMembers(expressions))) {
      const type = providerSchema.get(attribute)?.type
      if (type === undefined) continue
      const value = this.#problems.attempt(
        place,
        attribute,
        () => convert(this.#constant(expression), type).plain,
      )
      if (value === undefined) return undefined
      values[attribute] = value
    }
    const names = { localName: textOf(name) || usualLocalName, alias: textOf(alias) }
    return this.#problems.attempt(place, '', () => providerSettings(names, values))
  }

  /** A plan has no values for a provider's configuration, so only constants and variables can be read. */
  #constant(expression: ExactJson) {
    const { constant_value: constant } = blockMembers(expression)
    if (constant !== undefined) return typedOf(constant, 'it')
    const references = referencesIn(expression)
    const [, name = ''] = /^var\.([^.[]+)$/.exec(references.join(' ')) ?? []
    const variable = this.#plan.variables[name]
    if (variable === undefined)
      throw unsupported(
        `the plan does not contain the value of ${references.join(', ') || 'it'}`,
        'use a constant or a variable there',
      )
    return typedOf(variable, `var.${name}`)
  }
}

/** The configurations of our provider under any local name. A copy from another source needs our name. */
export function ourProvidersIn({ providers }: TerraformPlan): ReadonlyMap<string, Body> {
  return new Map(
    [...providers].filter(
      ([, { name, full_name: source }]) => isOurSource(source) || name === usualLocalName,
    ),
  )
}
