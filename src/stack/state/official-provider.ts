import { numberText } from '../../hcl/json.ts'
import { declarableKinds, kindBelow } from '../../kinds/index.ts'
import { isJsonNumber, type Json } from '../../model/json/json.ts'
import { type DeclarableKind, identityField, isTargeting, managedFields } from '../../model/kind.ts'
import { typesElsewhere } from '../../schema/terraform/terraform-names.ts'
import { typedAttributes } from '../../targeting/typed-form.ts'
import type { StateResource } from './read-state.ts'

/** The service's own provider; its types begin with this. */
const prefix = 'posthog_'

/** What a resource of the service's own provider is here. */
export type Counterpart =
  | { readonly is: 'object'; readonly kind: DeclarableKind; readonly id: string }
  /** The access of a role to one object. */
  | {
      readonly is: 'grant'
      readonly kind: DeclarableKind
      readonly parentId: string
      /** In small letters. */
      readonly roleId: string
    }
  | { readonly is: 'nothing'; readonly reason: string }

/** What a resource is; undefined for one of another provider. */
export function counterpartOf(resource: StateResource): Counterpart | undefined {
  const { type, attributes, isDeposed } = resource
  if (!type.startsWith(prefix)) return undefined
  if (isDeposed)
    return {
      is: 'nothing',
      reason: 'an apply has replaced it and not yet destroyed it: apply once more first',
    }
  const kind = declarableKinds.find(({ name }) => typesElsewhere(name).includes(type))
  if (kind) {
    const id = textOf(attributes.id)
    if (id !== undefined) return { is: 'object', kind, id }
    return { is: 'nothing', reason: 'the state has no id of it: apply once more first' }
  }
  return type === accessType ? accessOf(resource) : { is: 'nothing', reason: 'Vexil manages none of these' }
}

/** The project that a resource says it is in; undefined where its provider says that. */
export function projectOf({ attributes }: StateResource): string | undefined {
  return textOf(attributes.project_id)
}

/** What an object is called in a state; empty where that does not show it. */
export function identityIn({ attributes }: StateResource, kind: DeclarableKind): string {
  return textOf(attributes[identityField(kind)]) ?? ''
}

/** The fields of an object of which a state keeps something from people. Who gets a flag is one field, whatever says it. */
export function sensitiveFields({ sensitive }: StateResource, kind: DeclarableKind): readonly string[] {
  const isHidden = (name: string) =>
    sensitive.has(name) || (isTargeting(kind, name) && typedAttributes.some(each => sensitive.has(each)))
  return managedFields(kind).filter(isHidden)
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

function accessOf({ attributes }: StateResource): Counterpart {
  const of = textOf(attributes.resource)
  const kind = of === undefined ? undefined : kindBelow(of)
  if (!kind) return { is: 'nothing', reason: 'Vexil grants roles access to flags, and not to this' }
  const parentId = textOf(attributes.resource_id)
  const roleId = textOf(attributes.role)?.toLowerCase()
  if (parentId === undefined)
    return { is: 'nothing', reason: 'it is for every flag, and Vexil grants one flag at a time' }
  if (roleId === undefined)
    return { is: 'nothing', reason: 'it is for a person or for everybody, and Vexil grants to roles' }
  return { is: 'grant', kind, parentId, roleId }
}

function textOf(json: Json | undefined): string | undefined {
  if (isJsonNumber(json)) return numberText(json)
  return typeof json === 'string' && json !== '' ? json : undefined
}
