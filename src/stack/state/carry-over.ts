import type { Exportable } from '../../core/exportable.ts'
import { canonicalField } from '../../core/live.ts'
import { declarableKind } from '../../kinds/index.ts'
import { isSameJson, type Json } from '../../model/json/json.ts'
import { readJsonIfAny } from '../../model/json/json-text.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import { isOurType } from '../../schema/terraform/terraform-names.ts'
import type { LiveGrant } from '../write/resource-names.ts'
import {
  type Counterpart,
  counterpartOf,
  fieldsIn,
  nameOf,
  projectOf,
  type Which,
} from './official-provider.ts'
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

/** What is live, and where. */
export interface Service {
  readonly live: readonly Exportable[]
  readonly project: string | undefined
  /** The ids of roles by name; undefined where they were not asked for, or are not told. */
  readonly roleIds?: ReadonlyMap<string, readonly string[]> | undefined
}

/**
 * What becomes of the resources of another provider. A resource of a configuration goes with all its instances or not at all,
 * since that is how Terraform is told to forget one.
 */
export function carryOver(
  resources: readonly StateResource[],
  service: Service,
): { readonly carried: readonly Carried[]; readonly not: readonly NotCarried[] } {
  const taken = ownObjects(resources)
  const found = resources.flatMap((resource): (Carried | NotCarried)[] => {
    const counterpart = counterpartOf(resource)
    if (!counterpart) return []
    const { address } = resource
    const result = inProject(resource, service.project) ?? find(resource, counterpart, service)
    if ('reason' in result) return [{ address, ...result }]
    const { kind, object, grant } = result
    const own = idText(kind.name, object.id, grant?.id)
    const other = taken.get(own) ?? taken.get(nameText(kind.name, object.identity, grant?.id))
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

/** What Vexil's own resources are already, by kind and by the id or, in a configuration, the name of the object. */
function ownObjects(resources: readonly StateResource[]): Map<string, string> {
  const own = resources.filter(({ type }) => isOurType(type))
  return new Map(
    own.map(resource => {
      const { type, address, attributes, configured } = resource
      const { id = null, feature_flag_id: parent = null, role_id: role = null } = attributes
      const kind = type.replace(/^[^_]+_/, '')
      const flag = configured?.names.feature_flag_id
      if (flag !== undefined) return [nameText(kind, flag, role), address]
      const name = nameOf(type, attributes)
      if (configured && name !== undefined) return [nameText(kind, name), address]
      return [parent === null ? idText(kind, id) : idText(kind, parent, role), address]
    }),
  )
}

function idText(kind: string, id: Json, role: Json = ''): string {
  return `${kind} ${String(id)} ${String(role)}`
}

function nameText(kind: string, name: string, role: Json = ''): string {
  return `${kind} ${JSON.stringify(name)} ${String(role)}`
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
  { live, roleIds }: Service,
): Carried | Reason {
  const { address } = resource
  const first = resource.configured
    ? 'run terraform apply first'
    : 'run terraform apply, or terraform state rm, first'
  switch (counterpart.is) {
    case 'nothing':
      return counterpart
    case 'object': {
      const { kind, which } = counterpart
      const object = live.find(each => each.kind === kind.name && isMeant(each, which))
      if (!object) return { reason: `no ${kind.title} ${calledText(which)} is live; ${first}` }
      return { address, kind, object, drifted: driftedIn(resource, object) }
    }
    case 'grant': {
      const { kind, parent, subject } = counterpart
      const object = live.find(each => each.kind === kind.lifecycle.parent?.kind && isMeant(each, parent))
      const roles = 'id' in subject ? [subject.id.toLowerCase()] : roleIds?.get(subject.name)
      if (!roles) return noSuchRole(subject, roleIds !== undefined)
      if (roles.length > 1)
        return {
          reason: `${roles.length} roles are called ${calledText(subject)}; take it over of the state`,
        }
      const grant = object?.grants?.find(({ id }) => roles.includes(id.toLowerCase()))
      if (!object || !grant) return { reason: `no such ${kind.title} is live; ${first}` }
      return { address, kind, object: { ...object, grants: [grant] }, grant, drifted: [] }
    }
  }
}

function noSuchRole(subject: Which, isListed: boolean): Reason {
  const why = isListed
    ? `no role ${calledText(subject)} is live`
    : 'the service does not tell the names of roles'
  return { reason: `${why}; take it over of the state` }
}

function isMeant({ id, identity }: Exportable, which: Which): boolean {
  return 'id' in which ? id === which.id : identity === which.name.trim()
}

function calledText(which: Which): string {
  return 'id' in which ? `with id ${which.id}` : JSON.stringify(which.name)
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
