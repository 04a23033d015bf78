import { type Client, wrapClient } from '../../api/index.ts'
import { kindNamed } from '../../kinds/index.ts'
import type { JsonObject } from '../../model/json/json.ts'
import type { Kind } from '../../model/kind.ts'
import { SharedReads } from './shared-reads.ts'

/** Whose objects are meant, where that is not said by the provider's own configuration. */
export interface Owner {
  readonly projectId?: string
  readonly organizationId?: string
}

/** A client for one project and organization, with what the reads of a run share. */
export interface RunClient {
  readonly client: Client
  readonly shared: SharedReads
  /** The names that objects had before this run renamed them, by kind and new name. */
  readonly renamed: Map<string, string>
  /** What this run has made, brought back or taken over, by kind, what it hangs from, and id. */
  readonly made: Set<string>
}

/**
 * The client that everything of one owner goes through. A write drops what reads have in common, before and after:
 * a list that was begun while the write was under way may be older or newer than it.
 */
export function openRunClient(opened: Client, owner: Owner, signal: () => AbortSignal): RunClient {
  const client = wrapClient(opened, {
    target: owner,
    params: ownerParams(owner),
    async around({ kind: name, endpoint, options }, send) {
      const kind = kindNamed(name)
      if (kind.endpoints[endpoint]?.method === 'GET') return send()
      shared.drop()
      try {
        return await send()
      } finally {
        shared.drop()
        // Only what is deleted softly adds to what a trail is read for.
        if (deletes(kind, options.body)) shared.dropTrails()
      }
    },
  })
  const shared = new SharedReads(client, signal)
  return { client, shared, renamed: new Map(), made: new Set() }
}

function deletes({ lifecycle }: Kind, body: JsonObject | undefined): boolean {
  const softDelete = lifecycle?.softDelete
  return softDelete !== undefined && body?.[softDelete.field] === softDelete.is
}

function ownerParams({ projectId, organizationId }: Owner): Record<string, string> {
  return {
    ...(projectId === undefined ? {} : { project_id: projectId }),
    ...(organizationId === undefined ? {} : { parent_lookup_organization_id: organizationId }),
  }
}
