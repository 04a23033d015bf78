import type { JsonObject } from '../../model/json/json.ts'
import { writeJsonOnce } from '../../model/json/json-text.ts'
import { CommandError, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'

/** An object of the service, with its values. */
export interface Held {
  readonly address: string
  readonly values: JsonObject
}

/**
 * The addresses of objects that hold a key in clear text. A key can be removed from output for people. But a
 * file that is read back later, such as a plan, a run's record or an export, would then have the mark instead
 * of the value. So no such object is written to a file.
 */
export function addressesWithKey({ secrets }: Host, objects: readonly Held[]): readonly string[] {
  return objects
    .filter(({ address, values }) => secrets.isIn(address) || secrets.isIn(writeJsonOnce(values)))
    .map(({ address }) => address)
}

/** Ends the command if it would write a key into a record. */
export function refuseKeyOnRecord(host: Host, deed: string, objects: readonly Held[]): void {
  const addresses = addressesWithKey(host, objects)
  if (addresses.length === 0) return
  throw new CommandError(`${deed}: ${withKeyText(addresses)}`, exitCode.refused)
}

/** Why something is not recorded, and how to solve it. */
export function withKeyText(addresses: readonly string[]): string {
  const shown = addresses.slice(0, 5).join(', ')
  const more = addresses.length > 5 ? ` and ${addresses.length - 5} more` : ''
  return `the key of the service stands in clear in ${shown}${more}; make a new key, since this one has been seen there, or take it out in the product`
}
