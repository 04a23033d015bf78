import type { IConstruct } from 'constructs'
import type { Reader } from '../arguments/argument.ts'
import { made } from '../arguments/made-here.ts'
import type { FlagGrants } from './flag-grants.ts'

/** A flag, whether a stack declares it (`new Flag`) or only refers to it (`Flag.fromKey`). */
export interface IFlag extends IConstruct {
  /** The id under which the service knows the flag; known once a plan is made. */
  readonly id: string
  /** What code asks for. */
  readonly key: string
  /** Who may edit the flag. */
  readonly grants: FlagGrants
}

export const flag: Reader<IFlag> = made('grants', 'a flag; write Flag.fromKey(scope, id, key)')
