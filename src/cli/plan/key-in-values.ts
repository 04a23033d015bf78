import type { JsonObject } from '../../model/json/json.ts'
import { writeJsonOnce } from '../../model/json/json-text.ts'
import { CommandError, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'

/** Something of the service, with its values. */
export interface Held {
  readonly address: string
  readonly values: JsonObject
}

/**
 * The addresses of what holds a key in clear. A key can be taken out of what is read by people; a file that is read
 * back later, such as a plan, a run's record or an export, would write the mark in its place over the value. So
 * nothing of such an object is written to one.
 */
export function addressesWithKey({ secrets }: Host, objects: readonly Held[]): readonly string[] {
  return objects
    .filter(({ address, values }) => secrets.isIn(address) || secrets.isIn(writeJsonOnce(values)))
    .map(({ address }) => address)
}

/** Ends the command where it would put a key on record. */
export function refuseKeyOnRecord(host: Host, deed: string, objects: readonly Held[]): void {
  const addresses = addressesWithKey(host, objects)
  if (addresses.length === 0) return
  throw new CommandError(`${deed}: ${withKeyText(addresses)}`, exitCode.refused)
}

/** Why something is not put on record, and the way out. */
export function withKeyText(addresses: readonly string[]): string {
  const shown = addresses.slice(0, 5).join(', ')
  const more = addresses.length > 5 ? ` and ${addresses.length - 5} more` : ''
  return `the key of the service stands in clear in ${shown}${more}; make a new key, since this one has been seen there, or take it out in the product`
}
