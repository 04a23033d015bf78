import { Alias, isMap, isScalar, isSeq, type Node, parseAllDocuments, Scalar } from 'yaml'
import { type BigFloat, parseNumber } from '../../../../cty/big-float.ts'
import { elsewhere, invalid, unsupported } from '../../../../cty/invalid-value.ts'
import { nothing, object, ofBool, ofNumber, ofText, type Typed, tuple } from '../../../../cty/typed.ts'
import { deepest, tooDeep } from '../../../../model/limits.ts'
import { momentText, second, utcSeconds } from '../dates.ts'

/** YAML as Terraform reads it: maps are objects, lists are tuples, and plain texts may be numbers, bools, dates or null. */
export function decodeYaml(text: string): Typed {
  // Nothing is resolved by the library: what plain texts mean is another question in each version of YAML.
  const documents = parseAllDocuments(text, {
    schema: 'failsafe',
    uniqueKeys: false,
    logLevel: 'silent',
    strict: true,
  })
  const [document, ...others] = Array.isArray(documents) ? documents : []
  if (!document || others.length > 0 || document.contents === null)
    throw invalid('the text is not one YAML document')
  const [error] = document.errors
  if (error) throw invalid(`the text is not YAML: ${error.message.split('\n')[0]}`)
  return typedOf(document.contents, 0)
}

function typedOf(node: unknown, depth: number): Typed {
  if (depth > deepest) throw invalid(tooDeep)
  if (node instanceof Alias) throw unsupported('an alias in YAML', elsewhere)
  if (isScalar(node)) return scalarOf(node)
  if (isSeq(node)) {
    requirePlain(node)
    return tuple(node.items.map(item => typedOf(item, depth + 1)))
  }
  if (!isMap(node)) return nothing
  requirePlain(node)
  return object(node.items.map(({ key, value }) => [nameOf(key), typedOf(value, depth + 1)]))
}

function nameOf(key: unknown): string {
  if (!isScalar(key) || key.source === undefined) throw unsupported('such a name in YAML', elsewhere)
  requirePlain(key)
  if (key.source === '<<') throw unsupported('a merge in YAML', elsewhere)
  const { plain } = scalarOf(key)
  // A name is what it is as text, so only such count whose text is the same as what is written.
  const text = plain === null ? 'null' : String(plain)
  if (text !== key.source && typeof plain !== 'string')
    throw unsupported(`the name ${key.source} in YAML`, elsewhere)
  return text.normalize('NFC')
}

function requirePlain({ anchor, tag }: Pick<Node, 'anchor' | 'tag'>): void {
  if (tag !== undefined && !/^tag:yaml\.org,2002:(?:str|seq|map)$/.test(tag))
    throw unsupported(`the tag ${tag} in YAML`, elsewhere)
  if (anchor !== undefined) throw unsupported('an anchor in YAML', elsewhere)
}

function scalarOf(node: Scalar): Typed {
  requirePlain(node)
  const text = String(node.value ?? '')
  if (node.type !== Scalar.PLAIN || node.tag !== undefined) return ofText(text.normalize('NFC'))
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
  const [, minus = '', digits] = /^([-+]?)(0x[0-9a-fA-F]+|0o[0-7]+)$/.exec(text) ?? []
  if (digits !== undefined) return parseNumber(`${minus}${BigInt(digits)}`)
  // What is nearly a number is one in some places and text in others.
  if (/^[-+]?(?:0[xXoO]|[\d.]+[pP][-+]?\d)/.test(text))
    throw unsupported(`the number ${text} in YAML`, elsewhere)
  return undefined
}

/** Dates are told as they are written elsewhere, without the fraction of a second. */
function dateOf(text: string): string | undefined {
  const [, date = '', hour = '0', minute = '0', seconds = '0', zone = 'Z'] =
    /^(\d{4}-\d\d?-\d\d?)(?:[Tt](\d\d?):(\d\d?):(\d\d?)(?:\.\d+)?(Z|[+-]\d\d:\d\d)| (\d\d?):(\d\d?):(\d\d?)(?:\.\d+)?)?$/.exec(
      text,
    ) ?? []
  if (date === '') return undefined
  if (text.includes(' ')) throw unsupported('a date with a space in YAML', elsewhere)
  const utc = utcSeconds([...date.split('-'), hour, minute, seconds].map(Number))
  if (utc === undefined) return undefined
  const [zoneHour = 0, zoneMinute = 0] = zone === 'Z' ? [] : zone.slice(1).split(':').map(Number)
  const offset = (zoneHour * 60 + zoneMinute) * (zone.startsWith('-') ? -1 : 1)
  return momentText({ nanoseconds: (utc - BigInt(offset * 60)) * second, offset })
}
