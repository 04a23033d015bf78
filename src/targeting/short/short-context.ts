import type { Json } from '../../model/json/json.ts'

/** What an audience amounts to in one environment: a part of a condition that has a name and is shared. */
export interface SharedAudience {
  /** All of its properties as filters have them, those of the audience that it builds on first. */
  readonly properties: readonly Json[]
  /** The type of groups whose properties they are; null for persons. */
  readonly groupType: Json
  /** Something is wrong with it, which is told where it is declared. */
  readonly isBroken: boolean
}

/** What the short form may name that is said elsewhere. */
export interface ShortContext {
  /** Undefined where there is no audience of that name. */
  readonly audience: (name: string) => SharedAudience | undefined
  /** What to do about a name that is no audience. */
  readonly audienceHint: (name: string) => string
}

/** Nothing has a name. */
export const nothingShared: ShortContext = {
  audience: () => undefined,
  audienceHint: () => 'audiences are declared under "audiences"',
}
