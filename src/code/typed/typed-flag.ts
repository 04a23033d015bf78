import type { Json, JsonObject } from '../../model/json/json.ts'

/** What typed keys are made of: a declared flag, over all environments. */
export interface TypedFlag {
  readonly key: string
  /** What people call it. */
  readonly name?: string
  /** The keys of its variants; none where it is on or off. */
  readonly variants: readonly string[]
  /** The declared payloads, as the values that code receives. */
  readonly payloads: readonly Json[]
  /** What its payloads have to fit, one for each environment that has a schema of its own. */
  readonly schemas: readonly JsonObject[]
}

/** The text of a file of typed keys, and what is to be known of it: a line each. */
export interface TypedFile {
  readonly text: string
  readonly notes: readonly string[]
}
