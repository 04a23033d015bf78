/**
 * What the service took and did not keep: by address, the digest of each such value. A plan of tags without the tagging
 * feature, say, drops them without a word, and sending them again would change nothing.
 */
export type NotKept = Readonly<Record<string, Readonly<Record<string, string>>>>

/** What waits for approval: by address, the id of the request in the service, and a digest of what was asked for. */
export type Pending = Readonly<Record<string, PendingChange | undefined>>

export interface PendingChange {
  readonly changeRequest: string
  readonly askedFor: string
}
