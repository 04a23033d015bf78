import { isJsonObject } from '../../model/json/json.ts'
import { type PartlyKnown, unknownHere } from '../../rules/known-part.ts'
import { hasMark, isMarkedNumber, markedForm } from '../engine/engine-marks.ts'
import { templatePieces } from './template-pieces.ts'

/**
 * Whether a value is known only at plan time, as `variable.stringValue` and `flag.id` are. Value objects
 * accept such values, without asking the engine for them.
 */
export function isReference(value: unknown): boolean {
  if (typeof value === 'number') return isMarkedNumber(value)
  if (typeof value === 'string') return hasMark(value)
  return (
    typeof value === 'object' && value !== null && 'resolve' in value && typeof value.resolve === 'function'
  )
}

/** Whether Terraform evaluates a part of a text: a reference, or an expression that people wrote. */
export function hasExpression(value: unknown): boolean {
  return typeof value === 'string' && (hasMark(value) || templatePieces(value).length > 1)
}

/** Whether a value is a reference or contains one. */
export function hasReference(value: unknown): boolean {
  if (isReference(value)) return true
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, member]) => hasMark(name) || hasReference(member))
}

/** A value for the rules of declared objects, which treat references as unknown values. */
export function partlyKnown(value: unknown): PartlyKnown {
  // A value without references is JSON; if it is not, writing its text finds that.
  if (!hasReference(value)) return value as PartlyKnown
  if (isReference(value) || markedForm(value) !== undefined) return unknownHere
  if (Array.isArray(value)) return value.map(partlyKnown)
  if (!isJsonObject(value)) return unknownHere
  // A member whose name is a reference may have any name, so its value is unknown.
  const members = Object.entries(value).map(([name, member]) => [
    name,
    hasMark(name) ? unknownHere : partlyKnown(member),
  ])
  return Object.fromEntries(members)
}
