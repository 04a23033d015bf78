import type { Json } from '../../model/json/json.ts'
import type { DeclarableKind } from '../../model/kind.ts'

/** The three values of a field that was changed on both sides. */
export interface ThreeValues {
  /** Undefined where the commit that declared it, or its value there, is not to be had. */
  readonly base: Json | undefined
  readonly declared: Json
  readonly live: Json
}

/** What both sides come to together, or why they contradict each other, in words. */
export type Merged =
  | { readonly is: 'merged'; readonly value: Json }
  | { readonly is: 'conflict'; readonly reason: string }

/** Merges a field that was changed in the repository and in the product. Where in doubt, it is a conflict. */
export function mergeField(_kind: DeclarableKind, field: string, { base }: ThreeValues): Merged {
  return base === undefined
    ? {
        is: 'conflict',
        reason: `${field} was changed on both sides, and what both began with is not to be had`,
      }
    : { is: 'conflict', reason: `${field} was changed on both sides` }
}
