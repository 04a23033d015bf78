import type { Problem } from '../model/problem.ts'
import type { Fault } from './document.ts'

/** A problem of a file as a member of `errors`. */
export function faultIn({ severity: _severity, ...fault }: Problem): Fault {
  return fault
}
