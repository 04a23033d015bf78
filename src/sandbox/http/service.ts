import type { JsonObject } from '../../model/json/json.ts'
import type { Runtime } from '../../model/runtime/runtime.ts'
import type { FaultPlan } from '../behaviour/faults.ts'
import type { Quirks } from '../behaviour/quirks.ts'
import type { Call } from '../resource/call.ts'
import type { Store } from '../store/store.ts'
import type { Owner } from './admission.ts'
import { serverError } from './refusal.ts'
import type { Throttle } from './throttle.ts'

/** What requests are answered with. */
export interface Service {
  readonly store: Store
  readonly quirks: Quirks
  readonly runtime: Runtime
  readonly throttle: Throttle
  readonly faults: FaultPlan
  readonly apiKey: string
  /** The scopes of that key; without them it may do everything. */
  readonly scopes?: readonly string[]
  readonly onError: (error: unknown) => void
}

/** A request that was let in by a route which the document does not have. */
export function callFor<P extends Owner>(
  { store, quirks, runtime }: Service,
  place: P,
  url: URL,
  body: JsonObject = {},
): Call & P {
  const caller = store.owner
  if (!caller) throw serverError()
  const random = () => runtime.random()
  return { store, quirks, now: runtime.now(), random, caller, params: {}, url, body, ...place }
}
