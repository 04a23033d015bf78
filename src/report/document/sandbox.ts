import type { Profile } from '../../model/connection/profile.ts'

/** `vexil sandbox`, as soon as it listens. */
export interface SandboxDocument {
  readonly is: 'sandbox'
  readonly url: string
  readonly profile: Profile
  readonly apiKey: string
  readonly organization: string
  readonly project: number
  readonly projectToken: string
  readonly projects: readonly number[]
  readonly roles: readonly { readonly id: string; readonly name: string }[]
}

/** `vexil sandbox quirks`: every behaviour that a sandbox can be told. */
export interface QuirksDocument {
  readonly is: 'quirks'
  readonly quirks: readonly ShownQuirk[]
}

export interface ShownQuirk {
  readonly name: string
  readonly doc: string
  /** The values that it takes; of one that takes any number, none. */
  readonly takes: readonly (string | boolean)[] | 'number'
  readonly profiles: Readonly<Record<Profile, string | number | boolean>>
  readonly sources: readonly string[]
  readonly certainty: 'high' | 'medium' | 'low'
}
