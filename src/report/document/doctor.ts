import type { Sign, ToldLimit } from '../../model/connection/observed.ts'
import type { Profile, ProfileProof } from '../../model/connection/profile.ts'
import type { Limit } from '../../services/facts.ts'

/** `vexil doctor`. */
export interface DoctorDocument {
  readonly is: 'doctor'
  readonly exitCode: number
  readonly checks: readonly Check[]
  /** Absent, as what follows, where nothing could be asked. */
  readonly service?: FoundService
  readonly kinds?: readonly OfferedKind[]
  readonly permissions?: readonly Permission[]
  readonly clock?: { readonly aheadMs: number; readonly toleranceMs: number }
  readonly limits?: FoundLimits
  readonly requests?: number
}

/** Which service it is, and what this build knows of it. */
export interface FoundService {
  readonly profile: Profile
  readonly known: ProfileProof
  readonly signs: readonly Sign[]
  /** The services that the answers leave. */
  readonly possible: readonly Profile[]
  readonly facts: { readonly title: string; readonly newestSource?: string; readonly version: string }
}

/** Whether the service has objects of a kind for this key. `refused`: it has, and another key may get them. */
export interface OfferedKind {
  readonly kind: string
  readonly offered: 'yes' | 'read_only' | 'refused' | 'no' | 'not_known'
  /** The endpoint of the list, where services have it in one of two ways. */
  readonly route?: string
  readonly reason?: string
}

/** Whether the key may do one thing that Vexil does. */
export interface Permission {
  /** As in `feature_flag.update`. */
  readonly operation: string
  readonly purpose: string
  /** What a key with scopes needs for it; absent where none lets it in. */
  readonly scope?: string
  readonly may: 'yes' | 'no' | 'not_known'
  /** Why not, or why it is not known. */
  readonly reason?: string
  /** The service says that it is this scope that is missing. */
  readonly lacksScope?: true
}

export interface FoundLimits {
  readonly known: readonly Limit[]
  /** What the answers say of it. */
  readonly told: ToldLimit
  /** Whether the service has asked for fewer requests. */
  readonly isThrottled: boolean
}

/**
 * What a check came to. `note`: it stops no plan. `not_checked`: nothing is known of it, and the summary says why; that is
 * never taken for `ok`.
 */
export type Verdict = 'ok' | 'note' | 'failed' | 'not_checked'

export interface Check {
  readonly name: string
  readonly verdict: Verdict
  readonly summary: string
  /** The value of a setting; never that of the key. */
  readonly value?: string
  /** Where the setting is from. */
  readonly source?: string
}
