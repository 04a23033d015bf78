import type { Json, JsonObject } from './json/json.ts'
import type { Source } from './problem.ts'

/** Where a value is defined: the declaration, an override for the environment, a default, or an audience. */
export type ValueSource = 'declaration' | 'override' | 'default' | 'audience'

/** A value of a declared object, as written, and its place. */
export interface ShownLeaf {
  /** From the object on: `/release/rest/rollout_percentage`. The values of an audience are below its name. */
  readonly pointer: string
  /** A text from an environment variable is shown as its reference. */
  readonly value: Json
  readonly source: Source
  readonly by: ValueSource
  /** The audience that defines it. */
  readonly audience?: string
}

/** An object as it is declared for one environment, with the place of each of its values. */
export interface ShownObject {
  readonly address: string
  readonly kind: string
  /** Its section in a file, and its name there. */
  readonly section: string
  readonly name: string
  readonly environment?: string
  readonly source: Source
  readonly value: JsonObject
  readonly leaves: readonly ShownLeaf[]
}
