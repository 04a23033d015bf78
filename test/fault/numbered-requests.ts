import { isFull } from '../suites.ts'
import { isWrite } from '../support/workspace.ts'

/** A request by its number, from 1 on. */
export type Numbered = readonly [number, string]

/** The requests at which something is tried: in full all of them, else every write and the first read of each kind. */
export function numberedRequests(lines: readonly string[]): readonly Numbered[] {
  const kinds = lines.map(kindOf)
  return lines
    .map((line, index): Numbered => [index + 1, line])
    .filter(([number, line]) => isFull() || isWrite(line) || kinds.indexOf(kindOf(line)) === number - 1)
}

/**
 * The requests at which one of several faults is tried: in full all of them, else every third one, and those between
 * with the faults before and after it.
 */
export function triedWith<Request>(fault: number, requests: readonly Request[]): readonly Request[] {
  return requests.filter((_, index) => isFull() || index % 3 === fault % 3)
}

/** Method and path, whichever object is meant. */
function kindOf(line: string): string {
  return line.replace(/\?.*/, '').replace(/\/(?:\d+|[\da-f-]{36})(?=\/|$)/g, '/')
}
