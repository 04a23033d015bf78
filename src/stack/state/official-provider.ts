import { declarableKinds, kindBelow } from '../../kinds/index.ts'
import { numberText } from '../../model/json/big-num.ts'
import { isJsonNumber, type Json } from '../../model/json/json.ts'
import { type DeclarableKind, managedFields } from '../../model/kind.ts'
import { typesElsewhere } from '../../schema/terraform/terraform-names.ts'
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
      readonly subject: string
    }
  | { readonly is: 'nothing'; readonly reason: string }

/** What a resource is; undefined for one of another provider. */
export function counterpartOf({ type, attributes, isDeposed }: StateResource): Counterpart | undefined {
  if (!type.startsWith(prefix)) return undefined
  if (isDeposed)
    return {
      is: 'nothing',
      reason: 'an apply has replaced it and not yet destroyed it: apply once more first',
    }
  const kind = declarableKinds.find(({ name }) => typesElsewhere(name).includes(type))
  const id = textOf(attributes.id)
  if (kind) return id === undefined ? noId : { is: 'object', kind, id }
  if (type !== accessType) return { is: 'nothing', reason: 'Vexil manages none of these' }
  return accessOf(textOf(attributes.resource), textOf(attributes.resource_id), textOf(attributes.role))
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

const noId: Counterpart = { is: 'nothing', reason: 'the state has no id of it: apply once more first' }

function accessOf(
  of: string | undefined,
  parentId: string | undefined,
  subject: string | undefined,
): Counterpart {
  const kind = of === undefined ? undefined : kindBelow(of)
  if (!kind) return { is: 'nothing', reason: 'Vexil grants roles access to flags, and not to this' }
  if (parentId === undefined)
    return { is: 'nothing', reason: 'it is for every flag, and Vexil grants one flag at a time' }
  if (subject === undefined)
    return { is: 'nothing', reason: 'it is for a person or for everybody, and Vexil grants to roles' }
  return { is: 'grant', kind, parentId, subject: subject.toLowerCase() }
}

function textOf(json: Json | undefined): string | undefined {
  if (isJsonNumber(json)) return numberText(json)
  return typeof json === 'string' && json !== '' ? json : undefined
}
