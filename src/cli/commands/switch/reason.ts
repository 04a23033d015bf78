import { escapeText } from '../../../model/text/escape-text.ts'
import { CommandError, exitCode } from '../../host/exit-code.ts'
import type { Host } from '../../host/host.ts'

/** In characters; a reason is one line of a plan. */
const longestReason = 300

/** Why a flag is turned off or on, as it goes on record: one line. Throws on what cannot be shown in every plan. */
export function reasonIn(given: string | undefined): string | undefined {
  const reason = given?.trim()
  if (reason === undefined) return undefined
  if (reason === '') throw unfit('is empty')
  if ([...reason].length > longestReason) throw unfit(`has more than ${longestReason} characters`)
  if (escapeText(reason) !== reason) throw unfit('has a line end or another control character')
  return reason
}

/** What everybody who plans is shown holds no key. To be asked once the key of the session is known. */
export function refuseKeyInReason({ secrets }: Host, reason: string | undefined): void {
  if (reason !== undefined && secrets.isIn(reason)) throw unfit('holds the key of the service')
}

function unfit(why: string): CommandError {
  return new CommandError(`--reason ${why}; say in one line why`, exitCode.usage)
}
