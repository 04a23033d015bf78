import type { IConstruct } from 'constructs'
import { type Reader, text } from '../arguments/argument.ts'
import { made } from '../arguments/made-here.ts'
import { isReference } from '../synthesized/terraform-references.ts'
import type { FlagGrants } from './flag-grants.ts'

/** A flag, whether a stack declares it (`new Flag`) or only refers to it (`Flag.fromKey`). */
export interface IFlag extends IConstruct {
  /** The id under which the service knows the flag; known once a plan is made. */
  readonly id: string
  /** What code asks for. */
  readonly key: string
  /** The same as a reference: whoever uses it comes after the flag. */
  readonly keyReference: string
  /** Who may edit the flag. */
  readonly grants: FlagGrants
}

export const flag: Reader<IFlag> = made('grants', 'a flag; write Flag.fromKey(scope, id, key)')

/** A flag by its construct or, if that is elsewhere, by its key. */
export const flagKey: Reader<string> = (value, name) =>
  isText(value) ? text(value, name) : text(flag(value, name).keyReference, name)

function isText(value: unknown): boolean {
  return typeof value === 'string' || isReference(value)
}
