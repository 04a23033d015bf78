import pMap from 'p-map'
import type { Client } from '../../api/index.ts'
import { declarableKind, kindBelow } from '../../kinds/index.ts'
import { pickMembers } from '../../model/json/json.ts'
import { type DeclarableKind, identityField, managedFields } from '../../model/kind.ts'
import type { InventoryProof } from '../change.ts'
import { keysOf, renamedLive } from '../flag-links.ts'
import { type Exportable, type Live, labelOf, toLive } from '../live.ts'
import { readFiles } from './locate.ts'
import { readGrantsOf } from './read-grants.ts'

export interface ReadAllOptions {
  readonly client: Client
  readonly kinds: readonly DeclarableKind[]
  /** Whether grants are read too: one request per flag. */
  readonly withGrants: boolean
  /** Whose grants and files are read; absent means all objects. */
  readonly isWanted?: (object: Omit<Exportable, 'grants' | 'files'>) => boolean
  readonly parallelism: number
  readonly signal?: AbortSignal
}

/** A living object without a name, which nothing can declare. */
export interface Nameless {
  readonly kind: string
  readonly id: string
}

/** Reads every living object of some kinds, with the proof that each list was read whole. */
export async function readAll(options: ReadAllOptions): Promise<{
  readonly objects: readonly Exportable[]
  readonly nameless: readonly Nameless[]
  readonly inventory: Readonly<Record<string, InventoryProof>>
}> {
  const lists = await Promise.all(options.kinds.map(kind => readExportable(kind, options)))
  return {
    objects: lists.flatMap(({ objects }) => objects),
    nameless: lists.flatMap(({ nameless }) => nameless),
    inventory: Object.fromEntries(lists.map(({ kind, inventory }) => [kind.name, inventory])),
  }
}

async function readExportable(kind: DeclarableKind, options: ReadAllOptions) {
  const list = options.client.list(kind.name, { signal: options.signal })
  const living: Live[] = []
  const nameless: Nameless[] = []
  for await (const record of list) {
    const live = toLive(kind, record)
    if (live && !live.isSoftDeleted) living.push(live)
    if (!live) nameless.push({ kind: kind.name, id: String(record.id) })
  }
  const toKey = keysOf(living)
  const objects = await pMap(living, live => exportableOf(kind, renamedLive(kind, live, toKey), options), {
    concurrency: options.parallelism,
  })
  const { seen, count, complete } = list.inventory
  return { kind, objects, nameless, inventory: { seen, count, complete } }
}

async function exportableOf(kind: DeclarableKind, live: Live, options: ReadAllOptions): Promise<Exportable> {
  const managed = new Set(managedFields(kind))
  const identity = identityField(kind)
  const object = {
    kind: kind.name,
    identity: live.identity,
    id: live.id,
    fields: pickMembers(live.record, (_, name) => managed.has(name) && name !== identity),
  }
  if (options.isWanted?.(object) === false) return object
  const grants = options.withGrants && kindBelow(kind.name) ? await readGrantsOf(live, options) : undefined
  const { files } = await readFiles(live, options)
  return {
    ...object,
    ...(grants ? { grants: grants.map(roleOf) } : {}),
    ...(files ? { files } : {}),
  }
}

function roleOf(live: Live): NonNullable<Exportable['grants']>[number] {
  const name = labelOf(live)
  const level = live.record[declarableKind(live.kind).lifecycle.levels?.field ?? '']
  return {
    id: live.identity,
    ...(name === undefined ? {} : { name }),
    ...(typeof level === 'string' ? { level } : {}),
  }
}
