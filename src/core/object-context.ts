import type { DeclarableKind } from '../model/kind.ts'
import type { Desired } from './desired.ts'
import type { Live } from './live.ts'
import type { LiveIndex } from './live-index.ts'
import type { Policy } from './policy.ts'
import type { Snapshot } from './snapshot.ts'

/** One declaration beside what is live of it: what every step of planning looks at. */
export interface ObjectContext {
  readonly kind: DeclarableKind
  readonly desired: Desired
  readonly found: readonly Live[]
  readonly index: LiveIndex
  readonly snapshot: Snapshot
  readonly policy: Policy
  /** What the declaration says of the object at an address, if anything. */
  readonly ensured: (address: string) => Desired['ensure'] | undefined
}
