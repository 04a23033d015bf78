import type { BigNum } from '../model/big-num.ts'

/** An end of the range in which an unknown number will lie. */
export interface Bound {
  readonly value: number | BigNum
  readonly isInclusive: boolean
}

/** What is known of an unknown value already. */
export interface Refinement {
  readonly isNull?: boolean
  readonly prefix?: string
  readonly min?: Bound
  readonly max?: Bound
  readonly minLength?: number
  readonly maxLength?: number
}

/** A value that only the apply will tell. */
export class Unknown {
  readonly refinement: Refinement

  constructor(refinement: Refinement = {}) {
    this.refinement = refinement
  }
}

/** Nothing but unknown: what a plan puts where the service will decide. */
export const unknown = new Unknown()
