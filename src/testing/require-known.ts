import {
  brokenMarkIn,
  isMarkedNumber,
  markedForm,
  markedNumberIn,
} from '../constructs/engine/engine-marks.ts'
import { containerSample, isAsymmetric } from './expected/asymmetric.ts'

/**
 * Refuses what is known only once a plan is made: a test compares with what was synthesized, where an expression stands
 * in its place.
 */
export function requireKnown(value: unknown, name: string, around: readonly object[] = []): void {
  if (isKnownLater(value)) {
    throw new TypeError(
      `"${name}" is known only once a plan is made; expect what a stack has in its place, as '\${var.name}', ` +
        'or a value that is known now',
    )
  }
  if (isAsymmetric(value)) {
    requireKnown(containerSample(value), name, around)
    return
  }
  if (typeof value !== 'object' || value === null || around.includes(value)) return
  for (const [key, member] of Object.entries(value)) {
    requireKnown(key, name)
    requireKnown(member, Array.isArray(value) ? `${name}[${key}]` : `${name}.${key}`, [...around, value])
  }
}

/** Whether it is an expression, or has one in it, that an engine puts in the place of a value. */
export function isKnownLater(value: unknown): boolean {
  if (typeof value === 'string')
    return brokenMarkIn(value) !== undefined || markedNumberIn(value) !== undefined
  return markedForm(value) !== undefined || (typeof value === 'number' && isMarkedNumber(value))
}
