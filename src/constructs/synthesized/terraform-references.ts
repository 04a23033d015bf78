import { isJsonObject } from '../../model/json/json.ts'
import { type PartlyKnown, unknownHere } from '../../rules/known-part.ts'
import { hasMark, isMarkedNumber, markedForm } from '../engine/engine-marks.ts'
import { templatePieces } from './template-pieces.ts'

/**
 * Whether a value stands for one that is known only once a plan is made, as `variable.stringValue` and `flag.id` do.
 * Value objects let such values through, without asking the engine for them.
 */
export function isReference(value: unknown): boolean {
  if (typeof value === 'number') return isMarkedNumber(value)
  if (typeof value === 'string') return hasMark(value)
  return (
    typeof value === 'object' && value !== null && 'resolve' in value && typeof value.resolve === 'function'
  )
}

/** Whether Terraform works out something in a text: a reference, or an expression that people wrote themselves. */
export function hasExpression(value: unknown): boolean {
  return typeof value === 'string' && (hasMark(value) || templatePieces(value).length > 1)
}

/** Whether a value is a reference or has one somewhere inside. */
export function hasReference(value: unknown): boolean {
  if (isReference(value)) return true
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, member]) => hasMark(name) || hasReference(member))
}

/** A value for the rules of declared objects, which know references as what is not known yet. */
export function partlyKnown(value: unknown): PartlyKnown {
  // What holds no reference is JSON; where it is not, that is found when its text is written.
  if (!hasReference(value)) return value as PartlyKnown
  if (isReference(value) || markedForm(value) !== undefined) return unknownHere
  if (Array.isArray(value)) return value.map(partlyKnown)
  if (!isJsonObject(value)) return unknownHere
  // A member whose name is a reference may be any, so its value says nothing.
  const members = Object.entries(value).map(([name, member]) => [
    name,
    hasMark(name) ? unknownHere : partlyKnown(member),
  ])
  return Object.fromEntries(members)
}
