import type { Json, JsonObject } from './json/json.ts'
import type { Source } from './problem.ts'

/** Who says a value: the declaration, its override for the environment, a default of the settings, or an audience that a condition names. */
export type SaidBy = 'declaration' | 'override' | 'default' | 'audience'

/** A value of a declared object, as it is written, and where. */
export interface ShownLeaf {
  /** From the object on: `/release/rest/rollout_percentage`. What an audience says stands below its name. */
  readonly pointer: string
  /** A text that comes out of the environment is shown as its reference. */
  readonly value: Json
  readonly source: Source
  readonly by: SaidBy
  /** The audience that says it. */
  readonly audience?: string
}

/** An object as it is declared for one environment, with the place of each of its values. */
export interface ShownObject {
  readonly address: string
  readonly kind: string
  /** The section of a file that it stands in, and its name there. */
  readonly section: string
  readonly name: string
  readonly environment?: string
  readonly source: Source
  readonly value: JsonObject
  readonly leaves: readonly ShownLeaf[]
}
