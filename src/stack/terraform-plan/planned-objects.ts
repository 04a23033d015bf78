import type { Desired } from '../../core/desired.ts'
import { isSameField } from '../../core/diff.ts'
import { convert, type ExactJson, isExactObject, isNumber, Refusal, Unknown } from '../../hcl/index.ts'
import { declarableKind } from '../../kinds/index.ts'
import type { Json, JsonObject } from '../../model/json/json.ts'
import { type DeclarableKind, identityField } from '../../model/kind.ts'
import { parentAttribute, typeName, usualLocalName } from '../../schema/terraform/terraform-names.ts'
import { desiredOf } from '../declare/desired-of.ts'
import { type Attributes, type ResourceSchema, resourceSchemas } from '../evaluate/attributes.ts'
import { noSettings, placeText } from '../evaluate/providers.ts'
import { type Body, blockMembers } from '../read/stack-file.ts'
import { flagKeyOf } from './plan-references.ts'
import { typedOf } from './plan-values.ts'
import type { PlannedChange } from './planned-change.ts'
import type { TerraformPlan } from './read-plan.ts'

/** An object as it is, or as it will be, in the service's fields. */
export interface ObjectValues {
  readonly fields: JsonObject
  readonly files?: Readonly<Record<string, string | null>>
  /** Its name; undefined if it is known only after the apply. */
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

/** The values of a resource; unreadable attributes have no fields. */
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
    const read = attempt(() =>
      convert(
        typedOf({ value, unknown: undefined, sensitive: undefined }, `${planned.address}.${name}`),
        type,
      ),
    )
    if (read) given[name] = read.plain
  }
  return withFlag(given, values, about)
}

/** Replaces the flag's id of a grant in the plan by the flag's key, or else describes the id. */
function withFlag(
  given: Attributes,
  values: Body,
  { schema: { kind }, plan, planned }: Surroundings,
): Attributes {
  const [attribute, { parent }] = [parentAttribute(kind), kind.lifecycle]
  if (attribute === undefined || !parent) return given
  const flag = declarableKind(parent.kind)
  const configured = plan.resources.find(({ address }) => address === planned.address)?.configured
  const key = flagKeyOf(
    plan,
    { address: planned.address, configured, values: { ...values } },
    { attribute, type: typeName(flag.name), identity: identityField(flag) },
  )
  const id = given[attribute]
  const shown =
    key ?? (id === undefined || id instanceof Unknown ? 'known after the apply' : `with the id ${String(id)}`)
  return {
    ...given,
    [attribute]: new Unknown(planned.address, { key: shown.trim(), place: placeText(place) }),
  }
}

/** Whether a value has a plan's mark anywhere. */
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

/** A resource before and after a Terraform plan. */
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
  // A hidden attribute for some tags needs no second mention for all tags.
  if (hidden.has(ownedBy))
    return { ...sides, hidden: new Map([...hidden].filter(([name]) => name !== allTags)) }
  if (hidden.has(allTags)) return sides
  const [were, will] = [tagsIn(planned.before), tagsIn(planned.after)]
  // If `ignore_changes` keeps all tags as they were, those of the resource still change.
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
      return [[name, isSame ? 'sensitive, and stays as it is' : 'sensitive, and changes']]
    }),
  )
}

const laterOnly = 'known only after the apply'

/** A value of a plan as text, with each number as it is written. */
export function exactText(json: ExactJson | undefined): string {
  return JSON.stringify(json ?? null, (_, value) => (isNumber(value) ? value.text : value))
}
