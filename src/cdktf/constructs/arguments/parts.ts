import { markedForm } from '../../engine-marks.ts'
import type { FeatureFlag } from '../../generated/feature-flag/index.ts'
import type { IFlag } from '../flag-interface.ts'
import type { Role } from '../role.ts'
import type { Variants } from '../variants.ts'
import type { When } from '../when.ts'
import { notA, notKnown, type Reader } from './argument.ts'

/** Conditions are read here, so they have to be there when the stack is made; what is in them need not. */
export const conditions: Reader<readonly When[]> = (value, name) => {
  if (isWorkedOut(value)) throw notKnown(name, `${byHand}.putRelease(...)`)
  if (!Array.isArray(value)) throw notA('a list of conditions', value, name)
  return value.map((each, index) => condition(each, `${name}[${index}]`))
}

/** By what it has and not by class: a condition may come from another copy of this package. */
export const condition: Reader<When> = (value, name) => {
  if (isWorkedOut(value)) throw notKnown(name, `${byHand}.putRelease(...)`)
  if (!has(value, 'condition')) throw notA('a condition that When made', value, name)
  // Nothing else of ours has that member.
  return value as unknown as When
}

export const variants: Reader<Variants> = (value, name) => {
  if (isWorkedOut(value)) throw notKnown(name, `${byHand}.putVariants(...)`)
  if (!has(value, 'list')) throw notA('what Variants made', value, name)
  // Nothing else of ours has that member.
  return value as unknown as Variants
}

export const roles: Reader<readonly Role[]> = (value, name) => {
  if (isWorkedOut(value)) throw notKnown(name, 'give each role: Role.fromId(id, name)')
  if (!Array.isArray(value)) throw notA('a list of roles', value, name)
  return value.map((each, index) => role(each, `${name}[${index}]`))
}

export const role: Reader<Role> = (value, name) => {
  if (!has(value, 'id')) throw notA('a role; write Role.fromId(id, name)', value, name)
  // A role is what it has.
  return value as unknown as Role
}

export const flag: Reader<IFlag> = (value, name) => {
  if (!has(value, 'grants')) throw notA('a flag; write Flag.fromKey(scope, id, key)', value, name)
  // Nothing else of ours has that member.
  return value as unknown as IFlag
}

/** A flag that was made with the generated construct. */
export const generatedFlag: Reader<FeatureFlag> = (value, name) => {
  if (!has(value, 'keyInput')) throw notA('a flag of the generated construct', value, name)
  // Nothing else of ours has that member.
  return value as unknown as FeatureFlag
}

const byHand = 'give it to the generated construct: flag.resource'

/** A list as a reference, or a list that holds one. */
function isWorkedOut(value: unknown): boolean {
  return markedForm(value) !== undefined
}

function has<Name extends string>(value: unknown, name: Name): value is { readonly [name in Name]: unknown } {
  return typeof value === 'object' && value !== null && !isWorkedOut(value) && name in value
}
