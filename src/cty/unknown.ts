import type { BigNum } from '../model/json/big-num.ts'

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

/** A flag that a value is the id of, though nobody knows the number. */
export interface FlagReference {
  readonly key: string
  /** Where it lives: only what lives there too can refer to it. */
  readonly place: string
}

/** A value that only the apply will tell. Its type is that of the place where it stands. */
export class Unknown {
  readonly refinement: Refinement
  /** What it comes from, for messages: `vexil_feature_flag.checkout.id`. Over the wire that is not told. */
  readonly origin: string
  readonly flag: FlagReference | undefined

  constructor(refinement: Refinement = {}, origin = '', flag?: FlagReference) {
    this.refinement = refinement
    this.origin = origin
    this.flag = flag
  }
}

/** Nothing but unknown: what a plan puts where the service will decide. */
export const unknown = new Unknown()
