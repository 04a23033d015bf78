import type { Exportable } from '../../core/live.ts'
import { typesElsewhere } from '../../schema/terraform/terraform-names.ts'
import type { Carried } from './carry-over.ts'
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
import { type LiveGrant, type LiveResource, type Naming, ResourceNames, writtenOf } from './live-resource.ts'
import { configured } from './read-state.ts'

/** How Terraform takes over another provider's resource: by an import, or with the state that it has. */
export type CarryingWay = 'import' | 'moved'

/** `removed` came with the first of these versions of Terraform, and moves between types with the second. */
const since: Readonly<Record<CarryingWay, string>> = { import: '>= 1.7', moved: '>= 1.8' }

/** A carried resource, as one of ours. */
export interface CarriedResource {
  readonly carried: Carried
  readonly resource: LiveResource
}

/**
 * Resources keep their names: `posthog_feature_flag.checkout` becomes `vexil_feature_flag.checkout`. Names
 * from modules and keys contain both, since these resources become separate ones.
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

/** Makes Terraform forget a resource of the other provider, and leave the object as it is. */
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
