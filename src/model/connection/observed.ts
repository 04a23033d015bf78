/** What a record has shown of the service that it is from. */
export interface Sign {
  /** The request that it was the answer to, as in `GET /api/projects/1/feature_flags?limit=1`. */
  readonly request: string
  readonly kind: string
  /** The member that only some services have. */
  readonly member: string
  /** What those do, as a behaviour in which services differ has it. */
  readonly behaviour: string
  readonly is: string
}

/** What an answer says of how many requests are taken. Gateways say it; the public service is not known to. */
export interface ToldLimit {
  /** How many are taken in a window of time. */
  readonly limit?: number
  /** How many of these are left. */
  readonly remaining?: number
}
