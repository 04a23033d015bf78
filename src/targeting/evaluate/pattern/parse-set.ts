import { parseSetEscape } from './escape.ts'
import { acceptOne, acceptRange } from './letter-case.ts'
import { type Accepts, type Flags, PatternError } from './node.ts'
import type { Reading } from './reading.ts'

/** What stands in square brackets. A bracket that comes first closes nothing: it is a member. [Python `re`] */
export function parseSet(reading: Reading, flags: Flags): Accepts {
  const { scanner } = reading
  const isNegated = scanner.take('^')
  const members: Accepts[] = []
  while (members.length === 0 || !scanner.take(']')) members.push(parseMember(reading, flags))
  return code => members.some(accepts => accepts(code)) !== isNegated
}

function parseMember(reading: Reading, flags: Flags): Accepts {
  const { scanner } = reading
  const low = parseSymbol(reading, flags)
  const high = scanner.attempt(() =>
    // A hyphen before the closing bracket is a hyphen.
    scanner.take('-') && scanner.peek() !== ']' ? parseSymbol(reading, flags) : undefined,
  )
  if (high === undefined) return typeof low === 'number' ? acceptOne(low, flags) : low
  if (typeof low !== 'number' || typeof high !== 'number' || high < low)
    throw new PatternError('a range in brackets goes from one character to a later one')
  return acceptRange(low, high, flags)
}

function parseSymbol(reading: Reading, flags: Flags): number | Accepts {
  const symbol = reading.scanner.next()
  return symbol === '\\' ? parseSetEscape(reading, flags) : (symbol.codePointAt(0) ?? 0)
}
