import { declarableKinds, kindBelow, roleKind } from '../../kinds/index.ts'
import { numberText } from '../../model/json/big-num.ts'
import { isJsonNumber, type Json } from '../../model/json/json.ts'
import { type DeclarableKind, identityField, managedFields } from '../../model/kind.ts'
import { typeName, typesElsewhere } from '../../schema/terraform/terraform-names.ts'
import type { Configured, StateResource } from './read-state.ts'

/** The service's own provider; its types begin with this. */
const prefix = 'posthog_'

/** Which object is meant: by its id or, in a configuration, by what it is called. */
export type Which = { readonly id: string } | { readonly name: string }

/** What a resource of the service's own provider is here. */
export type Counterpart =
  | { readonly is: 'object'; readonly kind: DeclarableKind; readonly which: Which }
  /** The access of a role to one object. */
  | {
      readonly is: 'grant'
      readonly kind: DeclarableKind
      readonly parent: Which
      readonly subject: Which
    }
  | { readonly is: 'nothing'; readonly reason: string }

/** What a resource is; undefined for one of another provider. */
export function counterpartOf(resource: StateResource): Counterpart | undefined {
  const { type, isDeposed } = resource
  if (!type.startsWith(prefix)) return undefined
  if (isDeposed)
    return {
      is: 'nothing',
      reason: 'an apply has replaced it and not yet destroyed it: apply once more first',
    }
  const kind = kindOfType(type)
  if (kind) return objectOf(kind, resource)
  return type === accessType ? accessOf(resource) : { is: 'nothing', reason: 'Vexil manages none of these' }
}

/** What an object is called whose attributes a configuration says: a flag by its key, a role by its name. */
export function nameOf(type: string, attributes: StateResource['attributes']): string | undefined {
  const kind = kindOfType(type)
  if (kind) return textOf(attributes[identityField(kind)])
  return type === roleType ? textOf(attributes.name) : undefined
}

function kindOfType(type: string): DeclarableKind | undefined {
  return declarableKinds.find(({ name }) => typeName(name) === type || typesElsewhere(name).includes(type))
}

function objectOf(kind: DeclarableKind, { type, attributes, configured }: StateResource): Counterpart {
  const id = textOf(attributes.id)
  if (id !== undefined) return { is: 'object', kind, which: { id } }
  if (!configured) return { is: 'nothing', reason: 'the state has no id of it: apply once more first' }
  const name = nameOf(type, attributes)
  if (name !== undefined) return { is: 'object', kind, which: { name } }
  return notKnown(identityField(kind), configured)
}

/** The project that a resource says it is in; undefined where its provider says that. */
export function projectOf({ attributes }: StateResource): string | undefined {
  return textOf(attributes.project_id)
}

/** The fields of an object that a state has, by the names of ours. */
export function fieldsIn(
  { attributes }: StateResource,
  kind: DeclarableKind,
): readonly (readonly [string, Json])[] {
  return managedFields(kind).flatMap(name => {
    const value = attributes[name] ?? null
    return value === null ? [] : [[name, value] as const]
  })
}

/** What says who may do what with one object, or with all of a kind. */
const accessType = `${prefix}access_control`
const roleType = `${prefix}${roleKind.name}`

function accessOf({ attributes, configured }: StateResource): Counterpart {
  const lost = ['resource', 'resource_id', 'role'].find(name => configured && name in configured.unknown)
  if (configured && lost !== undefined) return notKnown(lost, configured)
  const of = textOf(attributes.resource)
  const kind = of === undefined ? undefined : kindBelow(of)
  if (!kind) return { is: 'nothing', reason: 'Vexil grants roles access to flags, and not to this' }
  const [parent, subject] = ['resource_id', 'role'].map((name): Which | undefined => {
    const meant = configured?.names[name]
    const id = textOf(attributes[name])
    if (meant !== undefined) return { name: meant }
    return id === undefined ? undefined : { id }
  })
  if (parent === undefined)
    return { is: 'nothing', reason: 'it is for every flag, and Vexil grants one flag at a time' }
  if (subject === undefined)
    return { is: 'nothing', reason: 'it is for a person or for everybody, and Vexil grants to roles' }
  return { is: 'grant', kind, parent, subject }
}

/** What hangs on something that only Terraform has is in its state. */
function notKnown(attribute: string, { unknown }: Configured): Counterpart {
  const why = unknown[attribute] ?? 'it is left out'
  return { is: 'nothing', reason: `its ${attribute} is not known: ${why}; take it over of the state` }
}

function textOf(json: Json | undefined): string | undefined {
  if (isJsonNumber(json)) return numberText(json)
  return typeof json === 'string' && json !== '' ? json : undefined
}
