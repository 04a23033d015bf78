import type { Runtime } from '../../model/runtime.ts'
import type { FaultPlan } from '../behaviour/faults.ts'
import type { Quirks } from '../behaviour/quirks.ts'
import type { Store } from '../store/store.ts'
import type { Throttle } from './throttle.ts'

/** What requests are answered with. */
export interface Service {
  readonly store: Store
  readonly quirks: Quirks
  readonly runtime: Runtime
  readonly throttle: Throttle
  readonly faults: FaultPlan
  readonly apiKey: string
  readonly onError: (error: unknown) => void
}
