import pMap from 'p-map'
import { type Client, unlessRefused } from '../../api/index.ts'
import { declarableKind } from '../../kinds/index.ts'
import { isJsonObject } from '../../model/json/json.ts'
import type { Desired } from '../desired.ts'
import type { Pending } from '../plan/base.ts'

interface Asking {
  readonly client: Client
  readonly parallelism?: number
  readonly signal?: AbortSignal
}

/**
 * What still waits for approval, of what did when it was asked for: a person may have decided since, and taken back what
 * was decided, before any apply has seen it.
 *
 * | the service says of the request          | it waits                                             |
 * |------------------------------------------|------------------------------------------------------|
 * | pending, or approved and not made yet    | yes                                                  |
 * | applied, rejected, expired, failed       | no: what differs is asked for anew                   |
 * | nothing: another state, no such place    | as far as is known: what it says may be no decision  |
 */
export async function stillPending(
  pending: Pending,
  desired: readonly Desired[],
  { client, parallelism = 8, signal }: Asking,
): Promise<Pending> {
  if (Object.keys(pending).length === 0) return pending
  const asked = desired.flatMap(({ address, kind }) => {
    const waiting = pending[address]
    const { approval } = declarableKind(kind).lifecycle
    return waiting && approval ? [{ address, kind, ...approval, ...waiting }] : []
  })
  const closed = await pMap(
    asked,
    async ({ address, kind, endpoint, parameter, changeRequest }) => {
      const state = await unlessRefused(async () => {
        const { body } = await client.call(kind, endpoint, { params: { [parameter]: changeRequest }, signal })
        return isJsonObject(body) ? body.state : undefined
      })
      return closedStates.some(each => each === state) ? [address] : []
    },
    { concurrency: parallelism },
  )
  const gone = new Set(closed.flat())
  return gone.size === 0
    ? pending
    : Object.fromEntries(Object.entries(pending).filter(([at]) => !gone.has(at)))
}

const closedStates = ['applied', 'rejected', 'expired', 'failed']
