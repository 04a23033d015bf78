import type { Profile } from '../../model/connection/profile.ts'
import { type Behaviour, behaviourOf, type DifferenceName } from '../../services/index.ts'

export { type Difference as Quirk, differences as quirkTable } from '../../services/index.ts'

/** Each behaviour in which services differ is one that the sandbox can be told by itself. */
export type QuirkName = DifferenceName

/** A value for every quirk. */
export type Quirks = Behaviour

/** The quirks of a profile, with single ones set otherwise. */
export function quirksOf(profile: Profile, changed: Partial<Quirks> = {}): Quirks {
  return { ...behaviourOf(profile), ...changed }
}
