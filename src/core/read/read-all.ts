import pMap from 'p-map'
import { type Client, isNotFound, isServiceError } from '../../api/index.ts'
import { declarableKind, kindBelow } from '../../kinds/index.ts'
import { type DeclarableKind, identityField, managedFields, objectAddress } from '../../model/kind.ts'
import { isJsonObject, type JsonObject, pickMembers } from '../../model/text/json.ts'
import type { InventoryProof } from '../change.ts'
import { grantsOfFlags } from '../desired.ts'
import { keysOf, renamedLive } from '../flag-links.ts'
import { type Exportable, keptRecord, type Live, labelOf, toLive } from '../live.ts'
import { readFiles, type SnapshotOptions } from './read-record.ts'

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

/** Reads the grants of flags with declared grants: one list per flag, and none for other flags. */
export async function readGrants(
  objects: readonly Live[],
  options: SnapshotOptions,
): Promise<{ live: Live[]; notOffered: Set<string>; refused: Map<string, string> }> {
  const { declarations } = options
  const declared = grantsOfFlags(declarations)
  const notOffered = new Set<string>()
  const refused = new Map<string, string>()
  const asked = objects.filter(live => kindBelow(live.kind) && declared.of(live.identity))
  const lists = await pMap(
    asked,
    async flag => {
      try {
        const grants = await readGrantsOf(flag, options, declarations.roleNames)
        if (grants === undefined) notOffered.add(flag.identity)
        return grants ?? []
      } catch (error) {
        // The public service fails on every page after the first. With half a list, grants look missing.
        if (!isServiceError(error) || (error.status < 500 && error.status !== 403)) throw error
        refused.set(objectAddress(flag.kind, flag.identity), error.message)
        return []
      }
    },
    { concurrency: options.parallelism },
  )
  // If no flag has such a list, new flags will not have one either.
  const isNowhere = asked.length > 0 && notOffered.size === asked.length
  return { live: lists.flat(), notOffered: isNowhere ? new Set(declared.flags) : notOffered, refused }
}

/** The grants of one flag; undefined if the service has no such list. An empty list is different. */
async function readGrantsOf(
  flag: Pick<Live, 'kind' | 'id' | 'identity'>,
  { client, signal }: Pick<SnapshotOptions, 'client' | 'signal'>,
  names?: ReadonlyMap<string, string>,
): Promise<Live[] | undefined> {
  const kind = kindBelow(flag.kind)
  if (!kind) return undefined
  const parameter = kind.lifecycle.parent?.parameter ?? ''
  const grants: Live[] = []
  try {
    const list = client.list(kind.name, { params: { [parameter]: flag.id }, signal })
    for await (const record of list) {
      const live = toLive(kind, record, { key: flag.identity, id: flag.id })
      if (live) grants.push({ ...live, record: grantRecord(kind, live.record, names?.get(live.identity)) })
    }
    return grants
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/** A grant nests its whole flag; only the granted role is kept. */
function grantRecord(kind: DeclarableKind, record: JsonObject, known: string | undefined): JsonObject {
  const { identity } = kind
  if (identity.by === 'field') return record
  const { structure, member, sentAs } = identity
  const role = record[structure]
  const kept = isJsonObject(role)
    ? { [member]: role[member] ?? null, name: role.name ?? known ?? null }
    : null
  return { ...keptRecord(kind, record), [structure]: kept, [sentAs]: record[sentAs] ?? null }
}
