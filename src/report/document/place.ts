/** `vexil init`. */
export interface InitDocument {
  readonly is: 'init'
  readonly directory: string
  readonly files: readonly { readonly path: string; readonly state: 'wrote' | 'kept' }[]
  /** What to run next. */
  readonly next: string
}

/** `vexil terraform install`. */
export interface InstallationDocument {
  readonly is: 'installation'
  /** As configurations name it: `vexil/vexil`. */
  readonly provider: string
  readonly version: string
  /** As Terraform writes it: `linux_amd64`. */
  readonly platform: string
  /** What a lock file has of it: `h1:` and a digest. */
  readonly checksum: string
  readonly directory: string
  readonly folders: readonly {
    /** The address with its registry. */
    readonly source: string
    readonly path: string
    readonly state: 'wrote' | 'kept' | 'replaced'
  }[]
  /** What to run next. */
  readonly next: string
  /** Whether Terraform looks into that directory without being told. */
  readonly isFoundByItself: boolean
}

/** `vexil unlock`: the lock that was removed, and whose it was; without one, none was held. */
export interface UnlockDocument {
  readonly is: 'unlock'
  readonly removed?: { readonly lock: string; readonly owner?: string }
}
