import { declarableKind, declarableKinds, type KindName } from '../kinds/index.ts'
import type { JsonObject } from '../model/json.ts'
import type { DeclarableKind } from '../model/kind.ts'
import type { InventoryProof } from './change.ts'
import type { Declarations } from './desired.ts'
import { keptRecord, type Live, toLive } from './live.ts'
import { addFiles } from './read-files.ts'
import { readGrants } from './read-grants.ts'
import { readHidden } from './read-hidden.ts'
import type { SnapshotOptions } from './snapshot-options.ts'

/** What the service holds of everything that the declarations are about, read once. */
export interface Snapshot {
  readonly live: readonly Live[]
  /** By kind: whether its list was read whole. Kinds that nobody declares are not read. */
  readonly inventory: Readonly<Record<string, InventoryProof>>
  /** Identities of flags whose grants the service does not offer: a 404 there is not an empty list. */
  readonly withoutGrants: ReadonlySet<string>
}

/**
 * Reads one paged list per declared kind, then the few things that no list shows: grants of the flags whose grants
 * are declared, objects declared by id, tombstones that the activity trail names, and source files.
 */
export async function takeSnapshot(options: SnapshotOptions): Promise<Snapshot> {
  const { declarations } = options
  const wanted = wantedObjects(declarations)
  const kinds = declarableKinds.filter(({ name, lifecycle }) => !lifecycle.parent && wanted.has(name))
  const lists = await Promise.all(
    kinds.map(kind => readKind(kind, wanted.get(kind.name) ?? noObjects, options)),
  )
  const found = lists.flatMap(({ live }) => live)
  const hidden = await Promise.all(kinds.map(kind => readHidden(kind, found, options)))
  const objects = await addFiles([...found, ...hidden.flat()], options)
  const grants = await readGrants(objects, options)
  return {
    live: [...objects, ...grants.live],
    inventory: Object.fromEntries(lists.map(({ kind, inventory }) => [kind, inventory])),
    withoutGrants: grants.notOffered,
  }
}

interface Wanted {
  readonly identities: ReadonlySet<string>
  readonly ids: ReadonlySet<string>
}

const noObjects: Wanted = { identities: new Set(), ids: new Set() }

function wantedObjects({ desired, ownedGrants }: Declarations): Map<string, Wanted> {
  const wanted = new Map<string, { identities: Set<string>; ids: Set<string> }>()
  const of = (kind: string) => {
    const entry = wanted.get(kind) ?? { identities: new Set(), ids: new Set() }
    wanted.set(kind, entry)
    return entry
  }
  for (const { kind, identity, id, parent } of desired) {
    const parentKind = declarableKind(kind).lifecycle.parent?.kind
    if (parentKind && parent !== undefined) of(parentKind).identities.add(parent)
    else of(kind).identities.add(identity)
    if (id !== undefined) of(kind).ids.add(id)
  }
  for (const { flag } of ownedGrants) of('feature_flag').identities.add(flag)
  return wanted
}

async function readKind(
  kind: DeclarableKind,
  wanted: Wanted,
  { client, policy, signal }: SnapshotOptions,
): Promise<{ kind: string; live: Live[]; inventory: InventoryProof }> {
  const keepsAll = policy.ownership.prune !== 'never' || policy.ownership.tag !== undefined
  const live: Live[] = []
  const list = client.list(kind.name as KindName, { signal })
  for await (const record of list) {
    const one = toLive(kind, record as JsonObject)
    if (!one) continue
    if (keepsAll || wanted.identities.has(one.identity) || wanted.ids.has(one.id)) {
      live.push({ ...one, record: keptRecord(kind, one.record) })
    }
  }
  const { seen, count, complete } = list.inventory
  return { kind: kind.name, live, inventory: { seen, count, complete } }
}
