import { env } from 'node:process'
import { suiteVariable } from '../suites.ts'

/** How often a property is tried: in full, but in `npm run test:unit` a quarter as often, since one waits for it. */
export function rounds(inFull: number): number {
  return env[suiteVariable] === 'unit' ? Math.ceil(inFull / 4) : inFull
}
