import { isFull } from '../suites.ts'

/** How often a property is tried: in full by `npm run test:full`, else a quarter as often, since one waits for it. */
export function rounds(inFull: number): number {
  return isFull() ? inFull : Math.ceil(inFull / 4)
}
