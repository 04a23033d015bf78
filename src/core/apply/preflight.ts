import pMap from 'p-map'
import type { Client } from '../../api/index.ts'
import { declarableKind } from '../../kinds/index.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import type { Runtime } from '../../model/runtime.ts'
import type { Change } from '../change.ts'
import { canonicalIdentity, type Live, toLive } from '../live.ts'
import { shadowFinder } from '../read/shadowed.ts'
import { perform } from './perform.ts'
import { sameFields } from './performed.ts'

export interface PreflightOptions {
  readonly changes: readonly Change[]
  readonly client: Client
  readonly runtime: Runtime
  readonly parallelism: number
  /** When aborted, no further change is checked. */
  readonly stop?: AbortSignal
  /** When aborted, running requests are cut off. */
  readonly abort?: AbortSignal
}

/** Why a change could not be carried out now. */
export type Obstacle =
  | { readonly is: 'stale'; readonly reason: string }
  | { readonly is: 'failed'; readonly error: unknown }

/**
 * Checks whether each of some changes could be carried out now, and writes nothing. Every change runs up to
 * its first write, so this checks exactly what an apply checks. Changes that wait for others are not checked:
 * the objects that they need do not exist yet.
 *
 * | before the first write            | means                 |
 * |-----------------------------------|-----------------------|
 * | a write is next                   | it can be carried out |
 * | nothing has to be written         | it can be carried out |
 * | the object moved                  | it cannot: stale      |
 * | a name is taken by something else | it cannot: stale      |
 * | the service fails                 | unknown: failed       |
 */
export async function preflight(options: PreflightOptions): Promise<ReadonlyMap<string, Obstacle>> {
  const { changes, parallelism, stop } = options
  const addresses = new Set(changes.map(({ address }) => address))
  const isFirst = ({ dependsOn }: Change) => !dependsOn.some(address => addresses.has(address))
  const findTaken = takenFinder(options)
  const findShadowed = shadowFinder({ client: options.client, signal: options.abort })
  const found = await pMap(
    changes.filter(isFirst),
    async change => {
      if (stop?.aborted) return []
      const obstacle = await obstacleTo(change, { ...options, findShadowed, findTaken })
      return obstacle ? [[change.address, obstacle] as const] : []
    },
    { concurrency: parallelism },
  )
  return new Map(found.flat())
}

interface Looking extends PreflightOptions {
  readonly findShadowed: ReturnType<typeof shadowFinder>
  readonly findTaken: FindTaken
}

async function obstacleTo(
  change: Change,
  { client, runtime, abort, findShadowed, findTaken }: Looking,
): Promise<Obstacle | undefined> {
  // A preflight always reads the object, even if the service would compare it later.
  const { version: _, ...unseen } = change
  const performed = await perform(unseen, {
    client,
    runtime,
    signal: abort,
    idOf: () => undefined,
    isNew: () => false,
    findShadowed,
    async attempting() {
      throw new FirstWrite()
    },
  })
  if (performed.is === 'done') return undefined
  if (performed.is === 'failed' && performed.error instanceof FirstWrite)
    return takenBefore(change, findTaken)
  return performed
}

/** Thrown instead of the first write of a change. */
class FirstWrite extends Error {}

/** A creation finds a taken name only by its refusal, so the list is read here. */
async function takenBefore(change: Change, findTaken: FindTaken): Promise<Obstacle | undefined> {
  const kind = declarableKind(change.kind)
  if (change.action !== 'create' || kind.identity.by !== 'field') return undefined
  try {
    const live = await findTaken(kind, change.identity)
    if (!live || sameFields(kind, change.after, live.record)) return undefined
    return { is: 'stale', reason: `it exists with id ${live.id} and is not as planned` }
  } catch (error) {
    return { is: 'failed', error }
  }
}

type FindTaken = (kind: DeclarableKind, identity: string) => Promise<Live | undefined>

/** Reads each list once, however many changes create something of it. */
function takenFinder({ client, abort: signal, changes }: PreflightOptions): FindTaken {
  const created = new Set(changes.map(({ kind, identity }) => nameIn(declarableKind(kind), identity)))
  const lists = new Map<string, Promise<ReadonlyMap<string, Live>>>()
  const read = async (kind: DeclarableKind) => {
    const living = new Map<string, Live>()
    for await (const record of client.list(kind.name, { signal })) {
      const live = toLive(kind, record)
      const name = live && nameIn(kind, live.identity)
      if (live && name && !live.isSoftDeleted && created.has(name)) living.set(name, live)
    }
    return living
  }
  return async (kind, identity) => {
    const list = lists.get(kind.name) ?? read(kind)
    lists.set(kind.name, list)
    return (await list).get(nameIn(kind, identity))
  }
}

function nameIn(kind: DeclarableKind, identity: string): string {
  return `${kind.name}/${canonicalIdentity(kind, identity)}`
}
