import type { Profile } from '../../model/connection/profile.ts'
import {
  type Behaviour,
  behaviourOf,
  type Difference,
  type DifferenceName,
  differences,
} from '../../services/index.ts'

export type Quirk = Difference
export const quirkTable = differences

/** Each behaviour in which services differ is one that the sandbox can be told by itself. */
export type QuirkName = DifferenceName

/** A value for every quirk. */
export type Quirks = Behaviour

/** The quirks of a profile, with single ones set otherwise. */
export function quirksOf(profile: Profile, changed: Partial<Quirks> = {}): Quirks {
  return { ...behaviourOf(profile), ...changed }
}
