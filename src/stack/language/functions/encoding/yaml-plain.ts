import { type BigFloat, parseNumber } from '../../../../cty/big-float.ts'
import { elsewhere, invalid, unsupported } from '../../../../cty/invalid-value.ts'
import { nothing, ofBool, ofNumber, ofText, type Typed } from '../../../../cty/typed.ts'
import { momentText, second, utcSeconds } from '../dates.ts'

/** What a text without quotes means in YAML 1.1: null, a bool, a number, a date or itself. */
export function plainValue(text: string): Typed {
  if (words.has(text)) return words.get(text) ?? nothing
  if (/^[-+]?\.(?:inf|Inf|INF)$/.test(text)) throw unsupported('a number that is not finite', elsewhere)
  if (/^\.(?:nan|NaN|NAN)$/.test(text)) throw invalid('there is no such number as NaN')
  const number = numberOf(text)
  if (number) return ofNumber(number)
  return ofText(dateOf(text) ?? text.normalize('NFC'))
}

const words: ReadonlyMap<string, Typed> = new Map([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map(
    word => [word, ofBool(true)] as const,
  ),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map(
    word => [word, ofBool(false)] as const,
  ),
  ...['', '~', 'null', 'Null', 'NULL'].map(word => [word, nothing] as const),
])

function numberOf(text: string): BigFloat | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = ''] =
    /^([-+]?)(\d*)(?:\.(\d*))?([eE][-+]?\d+)?$/.exec(text) ?? []
  if (whole + fraction !== '') return parseNumber(`${sign}${whole || '0'}.${fraction || '0'}${exponent}`)
  if (!/^(?:0x[0-9a-fA-F]+|0o[0-7]+)$/.test(text)) return undefined
  const digits = BigInt(text)
  if (digits >= 2n ** 64n) throw invalid(`the number ${text.slice(0, 60)} has more than 64 bits`)
  return parseNumber(String(digits))
}

/** Dates are told as they are written elsewhere, without the fraction of a second. */
function dateOf(text: string): string | undefined {
  const [, date = '', time = '', zone = 'Z', other = ''] =
    /^(\d{4}-\d\d?-\d\d?)(?:[Tt](\d\d?:\d\d?:\d\d?)(?:[.,]\d+)?(Z|[+-]\d\d:\d\d)| +(\d\d?:\d\d?:\d\d?)(?:[.,]\d+)?)?$/.exec(
      text,
    ) ?? []
  if (date === '') return undefined
  const clock = (time || other || '0:0:0').split(':')
  const utc = utcSeconds([...date.split('-'), ...clock].map(Number))
  if (utc === undefined) return undefined
  const [zoneHour = 0, zoneMinute = 0] = zone === 'Z' ? [] : zone.slice(1).split(':').map(Number)
  const offset = (zoneHour * 60 + zoneMinute) * (zone.startsWith('-') ? -1 : 1)
  return momentText({ nanoseconds: (utc - BigInt(offset * 60)) * second, offset })
}
