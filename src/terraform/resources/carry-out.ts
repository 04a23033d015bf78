import { type Client, isServiceError, isTransportError, type Wrapping, wrapClient } from '../../api/index.ts'
import type { Change } from '../../core/change.ts'
import { perform } from '../../core/perform.ts'
import { kindNamed } from '../../kinds/index.ts'
import { isJsonObject, type JsonObject } from '../../model/json.ts'
import type { Kind } from '../../model/kind.ts'
import { findShadowed, type Place } from './object-place.ts'

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
  | {
      readonly is: 'failed'
      readonly error: unknown
      /** What there is in spite of it. */
      readonly record: JsonObject | undefined
      /** The last write has left, and nobody knows what became of it. */
      readonly isOpen: boolean
    }

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
      isNew: () => false,
      attempting: async () => {},
      findShadowed: findShadowed(place),
      signal: session.finishing,
    })
    if (performed.is === 'stale') return performed
    const { id, already, notKept, tookBack } = performed
    // A source file may have set fields too, so what was answered before it is no proof.
    const record = change.files ? undefined : watch.latest()
    const wasThere = tookBack !== undefined || (already && watch.wasRefusedAtFirst())
    return { is: 'done', id, record, notKept, wasThere }
  } catch (error) {
    return { is: 'failed', error, record: watch.latest(), isOpen: watch.isOpen() }
  }
}

interface Watch {
  readonly client: Client
  readonly latest: () => JsonObject | undefined
  readonly wasRefusedAtFirst: () => boolean
  readonly isOpen: () => boolean
}

function watchChange(
  client: Client,
  { name, lifecycle = { list: '', read: '' } }: Kind,
  alreadyRead: readonly (readonly [string, JsonObject])[],
): Watch {
  const known = new Map(alreadyRead)
  const aboutObject = new Set([lifecycle.read, lifecycle.create, lifecycle.update])
  let latest: JsonObject | undefined
  let firstWrite: WriteOutcome | undefined
  let lastWrite: WriteOutcome | undefined
  const wrote = (outcome: WriteOutcome) => {
    // What never left says nothing of who was there before.
    if (outcome !== 'unsent') firstWrite ??= outcome
    lastWrite = outcome
  }
  const around: Wrapping['around'] = async ({ kind, endpoint }, send) => {
    const seen = kind === name ? known.get(endpoint) : undefined
    if (seen) {
      known.delete(endpoint)
      return { status: 200, body: seen, text: '' }
    }
    const isWrite = kindNamed(kind).endpoints[endpoint]?.method !== 'GET'
    try {
      const answer = await send()
      if (isWrite) wrote('answered')
      if (kind === name && aboutObject.has(endpoint) && isJsonObject(answer.body)) latest = answer.body
      return answer
    } catch (error) {
      if (isWrite) wrote(outcomeOf(error))
      throw error
    }
  }
  return {
    client: wrapClient(client, { around }),
    latest: () => latest,
    wasRefusedAtFirst: () => firstWrite === 'refused' || firstWrite === undefined,
    isOpen: () => lastWrite === 'open',
  }
}

type WriteOutcome = 'answered' | 'refused' | 'unsent' | 'open'

function outcomeOf(error: unknown): WriteOutcome {
  if (isServiceError(error) && error.status < 500) return 'refused'
  return isTransportError(error) && error.sent === 'no' ? 'unsent' : 'open'
}
