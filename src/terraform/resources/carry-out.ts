import { type Answer, type Client, isServiceError } from '../../api/index.ts'
import type { Change } from '../../core/change.ts'
import { perform } from '../../core/perform.ts'
import { type KindName, kinds } from '../../kinds/index.ts'
import { isJsonObject, type JsonObject } from '../../model/json.ts'
import type { Kind } from '../../model/kind.ts'
import type { Place } from './object-place.ts'

/** What came of one change. */
export type CarriedOut =
  | {
      readonly is: 'done'
      readonly id: string
      /** The record as the service last answered it. */
      readonly record: JsonObject | undefined
      /** The very first attempt to create it was refused: it was there before, so it is somebody else's. */
      readonly wasThere: boolean
      readonly notKept: readonly string[]
    }
  | { readonly is: 'stale'; readonly reason: string }
  /** `record`: what there is in spite of it. */
  | { readonly is: 'failed'; readonly error: unknown; readonly record: JsonObject | undefined }

/**
 * Carries out one change through the reconciler. What was read a moment ago for the change need not be read again,
 * and what the service answers is kept, since a state is made of it. A change that has begun is brought to its end
 * when Terraform asks to stop, as long as that does not take long.
 */
export async function carryOut(
  place: Place,
  change: Change,
  alreadyRead: readonly (readonly [endpoint: string, answer: JsonObject])[] = [],
): Promise<CarriedOut> {
  const { kind, run, session, signal } = place
  // Nothing is begun any more once everything is to end.
  signal.throwIfAborted()
  const watch = watchChange(run.client, kind, alreadyRead)
  try {
    const performed = await perform(change, {
      client: watch.client,
      world: session.world,
      idOf: () => undefined,
      attempting: async () => {},
      signal: session.finishing,
    })
    if (performed.is === 'stale') return performed
    const { id, already, notKept } = performed
    // A source file may have set fields too, so what was answered before it is no proof.
    const record = change.files ? undefined : watch.latest()
    return { is: 'done', id, record, notKept, wasThere: already && watch.wasRefusedAtFirst() }
  } catch (error) {
    return { is: 'failed', error, record: watch.latest() }
  }
}

interface Watch {
  readonly client: Client
  readonly latest: () => JsonObject | undefined
  readonly wasRefusedAtFirst: () => boolean
}

function watchChange(
  client: Client,
  { name, lifecycle = { list: '', read: '' } }: Kind,
  alreadyRead: readonly (readonly [string, JsonObject])[],
): Watch {
  const known = new Map(alreadyRead)
  const aboutObject = new Set([lifecycle.read, lifecycle.create, lifecycle.update])
  let latest: JsonObject | undefined
  let firstWrite: 'none' | 'answered' | 'refused' | 'open' = 'none'
  const call = async (
    kind: KindName,
    endpoint: string,
    options?: Parameters<Client['call']>[2],
  ): Promise<Answer> => {
    const seen = kind === name ? known.get(endpoint) : undefined
    if (seen) {
      known.delete(endpoint)
      return { status: 200, body: seen, text: '' }
    }
    const isWrite = (kinds[kind] as Kind).endpoints[endpoint]?.method !== 'GET'
    try {
      const answer = await client.call(kind, endpoint, options)
      if (isWrite && firstWrite === 'none') firstWrite = 'answered'
      if (kind === name && aboutObject.has(endpoint) && isJsonObject(answer.body)) latest = answer.body
      return answer
    } catch (error) {
      if (isWrite && firstWrite === 'none') {
        firstWrite = isServiceError(error) && error.status < 500 ? 'refused' : 'open'
      }
      throw error
    }
  }
  return {
    // Everything else is the client's own.
    client: Object.assign(Object.create(client), {
      call,
      list: client.list,
      target: client.target,
    }) as Client,
    latest: () => latest,
    wasRefusedAtFirst: () => firstWrite === 'refused' || firstWrite === 'none',
  }
}
