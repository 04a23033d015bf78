import type { JsonObject } from '../../model/json/json.ts'
import type { Call } from '../resource/call.ts'
import type { Owner } from './admission.ts'
import { serverError } from './refusal.ts'
import type { Service } from './service.ts'

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
