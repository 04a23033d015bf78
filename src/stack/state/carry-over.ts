import type { Exportable } from '../../core/exportable.ts'
import { canonicalField } from '../../core/live.ts'
import { declarableKind } from '../../kinds/index.ts'
import { isSameJson, type Json } from '../../model/json/json.ts'
import { readJsonIfAny } from '../../model/json/json-text.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import { isOurType } from '../../schema/terraform/terraform-names.ts'
import type { LiveGrant } from '../write/resource-names.ts'
import { type Counterpart, counterpartOf, fieldsIn, projectOf } from './official-provider.ts'
import { configured, type StateResource } from './read-state.ts'

/** A resource of a state that becomes one of ours. */
export interface Carried {
  readonly address: string
  readonly kind: DeclarableKind
  /** The live object; of a grant, that which it is a grant of. */
  readonly object: Exportable
  readonly grant?: LiveGrant
  /** The fields that are live with another value than the state has. */
  readonly drifted: readonly string[]
}

/** A resource that stays where it is. */
export interface NotCarried {
  readonly address: string
  readonly reason: string
}

/**
 * What becomes of the resources of another provider. A resource of a configuration goes with all its instances or not at all,
 * since that is how Terraform is told to forget one.
 */
export function carryOver(
  resources: readonly StateResource[],
  live: readonly Exportable[],
  project: string | undefined,
): { readonly carried: readonly Carried[]; readonly not: readonly NotCarried[] } {
  const taken = ownObjects(resources)
  const found = resources.flatMap((resource): (Carried | NotCarried)[] => {
    const counterpart = counterpartOf(resource)
    if (!counterpart) return []
    const { address } = resource
    const result = inProject(resource, project) ?? find(resource, counterpart, live)
    if ('reason' in result) return [{ address, ...result }]
    const { kind, object, grant } = result
    const own = idText(kind.name, object.id, grant?.id)
    const other = taken.get(own)
    if (other !== undefined) return [{ address, reason: `${other} is the same object` }]
    taken.set(own, address)
    return [result]
  })
  const staying = new Map<string, NotCarried>()
  for (const each of found)
    if ('reason' in each && !staying.has(configured(each.address)))
      staying.set(configured(each.address), each)
  return {
    carried: found.flatMap(each => ('reason' in each || staying.has(configured(each.address)) ? [] : [each])),
    not: found.flatMap(each => {
      const cause = staying.get(configured(each.address))
      if ('reason' in each) return [each]
      return cause ? [{ address: each.address, reason: `it goes with ${cause.address}, or not at all` }] : []
    }),
  }
}

/** Vexil's own resources in the state, by kind and id. */
function ownObjects(resources: readonly StateResource[]): Map<string, string> {
  const own = resources.filter(({ type }) => isOurType(type))
  return new Map(
    own.map(resource => {
      const { type, address, attributes } = resource
      const { id = null, feature_flag_id: parent = null, role_id: role = null } = attributes
      const kind = type.replace(/^[^_]+_/, '')
      return [parent === null ? idText(kind, id) : idText(kind, parent, role), address]
    }),
  )
}

function idText(kind: string, id: Json, role: Json = ''): string {
  return `${kind} ${String(id)} ${String(role)}`
}

type Reason = { readonly reason: string }

function inProject(resource: StateResource, project: string | undefined): Reason | undefined {
  const own = projectOf(resource)
  if (own === undefined || project === undefined || own === project) return undefined
  return { reason: `it is in project ${own}; export it with --project ${own}` }
}

function find(
  resource: StateResource,
  counterpart: Counterpart,
  live: readonly Exportable[],
): Carried | Reason {
  const { address } = resource
  const first = 'run terraform apply, or terraform state rm, first'
  switch (counterpart.is) {
    case 'nothing':
      return counterpart
    case 'object': {
      const { kind, id } = counterpart
      const object = live.find(each => each.kind === kind.name && each.id === id)
      if (!object) return { reason: `no ${kind.title} with id ${id} is live; ${first}` }
      return { address, kind, object, drifted: driftedIn(resource, object) }
    }
    case 'grant': {
      const { kind, parentId, roleId } = counterpart
      const object = live.find(each => each.kind === kind.lifecycle.parent?.kind && each.id === parentId)
      const grant = object?.grants?.find(({ id }) => id.toLowerCase() === roleId)
      if (!object || !grant) return { reason: `no such ${kind.title} is live; ${first}` }
      return { address, kind, object: { ...object, grants: [grant] }, grant, drifted: [] }
    }
  }
}

function driftedIn(resource: StateResource, object: Exportable): string[] {
  const kind = declarableKind(object.kind)
  return fieldsIn(resource, kind).flatMap(([name, value]) => {
    const said = object.fields[name]
    if (said === undefined) return []
    const declared =
      kind.fields[name]?.type === 'json' && typeof value === 'string' ? readJsonIfAny(value) : value
    const isSame = (one: Json, other: Json) =>
      isSameJson(canonicalField(kind, name, one), canonicalField(kind, name, other))
    return declared !== undefined && isSame(declared, said) ? [] : [name]
  })
}
