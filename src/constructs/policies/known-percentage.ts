import { knownNumber } from '../arguments/argument.ts'

/** A percentage for a policy: a number from 0 to 100. */
export function knownPercentage(value: unknown, name: string, policy: string): number {
  const percent = knownNumber(value, name)
  if (percent >= 0 && percent <= 100) return percent
  throw new RangeError(`${policy}: ${percent} is not a percentage; it goes from 0 to 100`)
}
