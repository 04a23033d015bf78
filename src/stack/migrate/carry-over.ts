import { keysOf, renamedFields } from '../../core/flag-links.ts'
import { canonicalField, type Exportable } from '../../core/live.ts'
import { declarableKind } from '../../kinds/index.ts'
import { type DeclarableKind, identityField } from '../../model/kind.ts'
import { isSameJson, type Json, type JsonObject, pickMembers } from '../../model/text/json.ts'
import { readJsonIfAny } from '../../model/text/json-text.ts'
import { isOurType, typesElsewhere } from '../../schema/terraform/terraform-names.ts'
import {
  addressOf,
  type ConfigurationFile,
  type HclBlock,
  hclFile,
  importBlock,
  type ProviderPlace,
  providerBlocks,
  resourceFiles,
} from './hcl-configuration.ts'
import {
  type Lifecycle,
  type LiveGrant,
  type LiveResource,
  type Naming,
  ResourceNames,
  writtenOf,
} from './live-resource.ts'
import {
  type Counterpart,
  configured,
  counterpartOf,
  fieldsIn,
  identityIn,
  projectOf,
  type StateResource,
  sensitiveFields,
} from './read-state.ts'

export interface LiveProject {
  readonly project: string | undefined
  readonly live: readonly Exportable[]
}

/** A resource of a state that becomes a Vexil resource. */
export interface Carried {
  readonly address: string
  readonly kind: DeclarableKind
  /** The live object, without fields that are sensitive in the state; for a grant, its parent. */
  readonly object: Exportable
  readonly grant?: LiveGrant
  /** Set if it differs from the provider's project. */
  readonly project?: string
  /** The fields whose live value differs from the state. */
  readonly drifted: readonly string[]
  /** Its name in the state, if its current name differs. */
  readonly renamedFrom?: string
  /** Its lifecycle settings in the engine's configuration; undefined if the configuration was not found. */
  readonly lifecycle?: Lifecycle
  /** The fields that must never be shown. */
  readonly hidden: readonly string[]
}

export interface NotCarried {
  readonly address: string
  readonly reason: string
}

/**
 * Decides which resources of another provider are carried over. A resource is carried with all its instances
 * or not at all, since Terraform can only forget whole resources. The first project is that of the provider.
 *
 * A state does not show the host of a resource, and an id means another object at another host. So a resource
 * is only matched with the object of its id if the names are equal, or if another resource of the same
 * provider configuration has proved that its host is this one.
 */
export function carryOver(
  resources: readonly StateResource[],
  projects: readonly LiveProject[],
): { readonly carried: readonly Carried[]; readonly not: readonly NotCarried[] } {
  const taken = new Map(ownObjects(resources).map(([own, address]) => [own, { address, provider: '' }]))
  const theirs = resources.filter(resource => counterpartOf(resource) !== undefined)
  const providers = new Set(theirs.map(({ provider }) => provider))
  const looked = theirs.map(resource => ({ resource, found: findIn(resource, projects, providers.size > 1) }))
  const shown = new Set(
    looked.flatMap(({ resource, found }) =>
      'object' in found && found.renamedFrom === undefined ? [placeOf(resource)] : [],
    ),
  )
  const doubted = new Set<string>()
  const found = looked.map(({ resource, found: each }): Carried | NotCarried => {
    const { address, provider } = resource
    if ('reason' in each) return { address, reason: each.reason }
    const { kind, object, grant, renamedFrom } = each
    if (renamedFrom !== undefined && !shown.has(placeOf(resource)))
      return {
        address,
        reason: `the ${kind.title} with id ${object.id} has the name ${JSON.stringify(object.identity)} here: it was renamed, or belongs to another service; run terraform apply -refresh-only first`,
      }
    const own = idText(kind.name, object.id, grant?.id)
    const other = taken.get(own)
    if (other && other.provider !== '' && other.provider !== provider) doubted.add(other.address).add(address)
    if (other) return { address, reason: `${other.address} is the same object` }
    taken.set(own, { address, provider })
    return each
  })
  const settled = found.map(each =>
    doubted.has(each.address)
      ? {
          address: each.address,
          reason: 'another configuration of its provider has this id too: it may belong to another service',
        }
      : each,
  )
  const staying = new Map<string, NotCarried>()
  for (const each of settled)
    if ('reason' in each && !staying.has(configured(each.address)))
      staying.set(configured(each.address), each)
  return {
    carried: settled.flatMap(each =>
      'reason' in each || staying.has(configured(each.address)) ? [] : [each],
    ),
    not: settled.flatMap(each => {
      const cause = staying.get(configured(each.address))
      if ('reason' in each) return [each]
      return cause
        ? [{ address: each.address, reason: `it can only be migrated together with ${cause.address}` }]
        : []
    }),
  }
}

/** Vexil's own resources in the state, by kind and id. */
function ownObjects(resources: readonly StateResource[]): [own: string, address: string][] {
  const own = resources.filter(({ type }) => isOurType(type))
  return own.map(({ type, address, attributes }) => {
    const { id = null, feature_flag_id: parent = null, role_id: role = null } = attributes
    const kind = type.replace(/^[^_]+_/, '')
    return [parent === null ? idText(kind, id) : idText(kind, parent, role), address]
  })
}

function idText(kind: string, id: Json, role: Json = ''): string {
  return `${kind} ${String(id)} ${String(role)}`
}

function placeOf(resource: StateResource): string {
  return JSON.stringify([resource.provider, projectOf(resource)])
}

type Reason = { readonly reason: string }

function findIn(
  resource: StateResource,
  projects: readonly LiveProject[],
  areSeveral: boolean,
): Carried | Reason {
  const counterpart = counterpartOf(resource) ?? { is: 'nothing', reason: '' }
  if (counterpart.is === 'nothing') return counterpart
  const own = projectOf(resource)
  if (own === undefined && areSeveral)
    return { reason: 'the state does not show its project, and its provider has several configurations' }
  const index = projects.findIndex(
    ({ project }) => own === undefined || project === undefined || project === own,
  )
  const place = projects[index]
  if (!place) return { reason: `it is in project ${own}; export it with --project ${own}` }
  const found = find(resource, counterpart, place.live)
  return 'reason' in found || index === 0 || own === undefined ? found : { ...found, project: own }
}

function find(
  resource: StateResource,
  counterpart: Exclude<Counterpart, { is: 'nothing' }>,
  live: readonly Exportable[],
): Carried | Reason {
  const { address } = resource
  const first = 'run terraform apply, or terraform state rm, first'
  const { kind } = counterpart
  if (counterpart.is === 'object') {
    const { id } = counterpart
    const object = live.find(each => each.kind === kind.name && each.id === id)
    if (!object) return { reason: `there is no live ${kind.title} with id ${id}; ${first}` }
    const hidden = sensitiveFields(resource, kind)
    if (hidden.includes(identityField(kind))) return { reason: `its ${identityField(kind)} is sensitive` }
    const fields = pickMembers(object.fields, (_, name) => !hidden.includes(name))
    const renamedFrom = identityIn(resource, kind)
    return {
      ...{ address, kind, hidden, object: { ...object, fields } },
      drifted: driftedIn(resource, { ...object, fields }, live),
      ...(renamedFrom === object.identity ? {} : { renamedFrom }),
    }
  }
  const { parentId, roleId } = counterpart
  const object = live.find(each => each.kind === kind.lifecycle.parent?.kind && each.id === parentId)
  const grant = object?.grants?.find(({ id }) => id.toLowerCase() === roleId)
  if (!object || !grant) return { reason: `this ${kind.title} does not exist in the service; ${first}` }
  if (resource.sensitive.size > 0)
    return { reason: `its ${[...resource.sensitive].join(' and ')} is sensitive` }
  return { address, kind, object: { ...object, grants: [grant] }, grant, drifted: [], hidden: [] }
}

function driftedIn(resource: StateResource, object: Exportable, live: readonly Exportable[]): string[] {
  const kind = declarableKind(object.kind)
  const stated = Object.fromEntries(
    fieldsIn(resource, kind).map(([name, value]) => {
      const isText = kind.fields[name]?.type === 'json' && typeof value === 'string'
      return [name, isText ? (readJsonIfAny(value) ?? value) : value]
    }),
  ) as JsonObject
  // Conditions refer to other flags by id in the state, and by key here.
  return Object.entries(renamedFields(kind, stated, keysOf(live))).flatMap(([name, value]) => {
    const current = object.fields[name]
    if (current === undefined) return []
    return isSameJson(canonicalField(kind, name, value), canonicalField(kind, name, current)) ? [] : [name]
  })
}

/** How Terraform takes over another provider's resource: with an `import` block or a `moved` block. */
export type CarryingWay = 'import' | 'moved'

/** The versions of Terraform that introduced `removed`, and moves between types. */
const since: Readonly<Record<CarryingWay, string>> = { import: '>= 1.7', moved: '>= 1.8' }

export interface CarriedResource {
  readonly carried: Carried
  readonly resource: LiveResource
}

/**
 * Resources keep their names: `posthog_feature_flag.checkout` becomes `vexil_feature_flag.checkout`. Names
 * from modules and keys contain both, because these become separate resources.
 */
export class CarriedNames implements Naming {
  readonly #byObject: ReadonlyMap<string, string>

  constructor(carried: readonly Carried[]) {
    const names = new ResourceNames()
    const isPlain = ({ address }: Carried) =>
      address.split('.').length === 2 && configured(address) === address
    for (const each of carried.filter(isPlain)) names.keep(each.kind.name, lastName(each.address))
    this.#byObject = new Map(
      carried.map(each => {
        const { kind, address, object } = each
        const name = isPlain(each) ? lastName(address) : names.give(kind.name, wordsOf(address), object.id)
        return [keyOf(kind.name, object, each.grant), name]
      }),
    )
  }

  ofObject(object: Exportable): string {
    return this.#byObject.get(keyOf(object.kind, object)) ?? object.identity
  }

  ofGrant(kind: string, object: Exportable, grant: LiveGrant): string {
    return this.#byObject.get(keyOf(kind, object, grant)) ?? grant.id
  }
}

/**
 * The files beside a configuration from which the other provider's resources are removed: our resources, and
 * the blocks to take them over. `isRequired`: whether the configuration still has to require the provider.
 */
export function carriedConfiguration(
  all: readonly CarriedResource[],
  place: ProviderPlace,
  { way, isRequired }: { readonly way: CarryingWay; readonly isRequired: boolean },
): readonly ConfigurationFile[] {
  const provider = providerBlocks(place, since[way]).map(block =>
    isRequired ? block : { ...block, blocks: [] },
  )
  const files = [
    { path: 'providers.tf', text: hclFile(provider) },
    ...resourceFiles(all.map(({ resource }) => resource)),
    { path: 'imports.tf', text: hclFile(takeOverBlocks(all, way)) },
  ]
  return files.map(({ path, text }) => ({ path: `vexil_${path}`, text }))
}

/** Whether a resource is moved with its state, which only works between resources for the same objects. */
export function isMoved({ kind, address }: Carried, way: CarryingWay): boolean {
  const type = configured(address).split('.').at(-2) ?? ''
  return way === 'moved' && typesElsewhere(kind.name).includes(type)
}

/** The blocks that make Terraform take resources over: moves, imports, and removals from the state. */
export function takeOverBlocks(all: readonly CarriedResource[], way: CarryingWay): HclBlock[] {
  const moved = all.filter(({ carried }) => isMoved(carried, way))
  const imported = all.filter(({ carried }) => !isMoved(carried, way))
  const forgotten = new Set(imported.map(({ carried }) => configured(carried.address)))
  return [
    ...moved.map(({ carried, resource: { type, name } }) => ({
      type: 'moved',
      attributes: { from: addressOf(carried.address), to: addressOf(`${type}.${name}`) },
    })),
    ...imported.map(({ resource }) => importBlock(resource)),
    ...[...forgotten].map(removedBlock),
  ]
}

/** Makes Terraform forget a resource of the other provider without changing the object. */
function removedBlock(address: string): HclBlock {
  const lifecycle = { type: 'lifecycle', attributes: { destroy: writtenOf(false) } }
  return { type: 'removed', attributes: { from: addressOf(address) }, blocks: [lifecycle] }
}

function lastName(address: string): string {
  return address.split('.').at(-1) ?? ''
}

/** The modules, the name and the keys of an address. */
function wordsOf(address: string): string {
  const type = configured(address).split('.').at(-2) ?? ''
  return address.replaceAll(/\bmodule\./g, '').replace(`${type}.`, '')
}

function keyOf(kind: string, { id }: Exportable, grant?: LiveGrant): string {
  return `${kind} ${id} ${grant?.id ?? ''}`
}
