import { createHash } from 'node:crypto'
import { CsvError, parse } from 'csv-parse/sync'
import { compareTexts } from '../values/compare.ts'
import { type ExactJson, impliedTyped, isExactObject, parseLastOfEach } from '../values/json-value.ts'
import { elsewhere, invalid, unsupported } from '../values/refusal.ts'
import { list, nothing, object, ofText, type Typed } from '../values/typed.ts'
import { isListValue, isNumberValue, isObjectValue, type Value } from '../values/value.ts'
import { type FunctionRow, type FunctionRows, textAt } from './function-row.ts'

const text = (least: number, apply: (given: readonly Typed[]) => string): FunctionRow => ({
  least,
  gives: 'string',
  apply: given => ofText(apply(given).normalize('NFC')),
})

export const encodingFunctions: FunctionRows = {
  base64encode: text(1, given => Buffer.from(textAt(given, 0)).toString('base64')),
  base64decode: text(1, given => decoded(base64Bytes(textAt(given, 0)), 'utf-8')),
  textencodebase64: text(2, given => encoded(textAt(given, 0), encodingAt(given)).toString('base64')),
  textdecodebase64: text(2, given => {
    const text = decoded(base64Bytes(textAt(given, 0)), encodingAt(given))
    // Terraform takes this character as a sign that decoding failed.
    if (text.includes('\ufffd')) throw invalid('what is decoded has a replacement character')
    return text
  }),
  urlencode: text(1, given =>
    encodeURIComponent(textAt(given, 0))
      .replaceAll('%20', '+')
      .replace(/[!'()*]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`),
  ),
  csvdecode: { least: 1, apply: given => csvRows(textAt(given, 0)) },
}

/** Line ends inside are skipped, and the padding is required. */
function base64Bytes(written: string): Buffer {
  const plain = written.replace(/[\r\n]/g, '')
  if (plain.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(plain)) throw invalid('the text is not Base64')
  return Buffer.from(plain, 'base64')
}

const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'iso-8859-1'] as const
type Encoding = (typeof encodings)[number]

function encodingAt(given: readonly Typed[]): Encoding {
  const name = textAt(given, 1)
  const found = encodings.find(each => each === name.toLowerCase())
  if (found === undefined) throw unsupported(`the encoding ${JSON.stringify(name)}`, elsewhere)
  return found
}

function encoded(text: string, encoding: Encoding): Buffer {
  switch (encoding) {
    case 'utf-8':
      return Buffer.from(text)
    case 'utf-16le':
      return Buffer.from(text, 'utf16le')
    case 'utf-16be':
      return Buffer.from(text, 'utf16le').swap16()
    case 'iso-8859-1': {
      if (/[^\0-\xff]/.test(text)) throw invalid('the text has characters that ISO-8859-1 has not')
      return Buffer.from(text, 'latin1')
    }
  }
}

function decoded(bytes: Buffer, encoding: Encoding): string {
  // The platform uses this name for another encoding, Windows-1252.
  if (encoding === 'iso-8859-1') return bytes.toString('latin1')
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) throw invalid(`what is decoded is not ${encoding.toUpperCase()}`)
    throw error
  }
}

/** The rows below the first one, which contains the names of the columns. */
function csvRows(written: string): Typed {
  const [names, ...rows] = readCsv(written)
  if (!names) throw invalid('the text has no line with the names of columns')
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw invalid(`two columns are called ${JSON.stringify(twice)}`)
  const uneven = rows.findIndex(row => row.length !== names.length)
  if (uneven >= 0) throw invalid(`row ${uneven + 1} has not as many fields as there are columns`)
  const type = Object.fromEntries(names.map(name => [name.normalize('NFC'), 'string'] as const))
  const objects = rows.map(row =>
    object(
      row.map((field, index) => [(names[index] ?? '').normalize('NFC'), ofText(field.normalize('NFC'))]),
    ),
  )
  return list(objects, ['object', type])
}

function readCsv(written: string): readonly (readonly string[])[] {
  // Line ends are one character, even inside quotes; a return at the very end belongs to one.
  const plain = written.replaceAll('\r\n', '\n').replace(/\r$/, '')
  try {
    return parse(plain, { record_delimiter: '\n', relax_column_count: true, skip_empty_lines: true })
  } catch (error) {
    if (error instanceof CsvError) throw invalid('the text is not CSV')
    throw error
  }
}

/** The supported hashes of UTF-8 texts and files, by function name; other names are built from these. */
export const hashes = {
  md5: { algorithm: 'md5', encoding: 'hex' },
  sha1: { algorithm: 'sha1', encoding: 'hex' },
  sha256: { algorithm: 'sha256', encoding: 'hex' },
  sha512: { algorithm: 'sha512', encoding: 'hex' },
  base64sha256: { algorithm: 'sha256', encoding: 'base64' },
  base64sha512: { algorithm: 'sha512', encoding: 'base64' },
} as const

export type HashName = keyof typeof hashes

export function hashOf(name: HashName, bytes: string | Uint8Array): string {
  const { algorithm, encoding } = hashes[name]
  return createHash(algorithm).update(bytes).digest(encoding)
}

// The table has only these names.
const hashNames = Object.keys(hashes) as readonly HashName[]

export const hashFunctions: FunctionRows = {
  ...Object.fromEntries(
    hashNames.map((name): [string, FunctionRow] => [
      name,
      { least: 1, gives: 'string', apply: given => ofText(hashOf(name, textAt(given, 0))) },
    ]),
  ),
  uuidv5: { least: 2, gives: 'string', apply: given => ofText(uuidv5(textAt(given, 0), textAt(given, 1))) },
}

const namespaces: ReadonlyMap<string, string> = new Map([
  ['dns', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'],
  ['url', '6ba7b811-9dad-11d1-80b4-00c04fd430c8'],
  ['oid', '6ba7b812-9dad-11d1-80b4-00c04fd430c8'],
  ['x500', '6ba7b814-9dad-11d1-80b4-00c04fd430c8'],
])

/** A name in a namespace as a UUID of version 5 (RFC 9562, section 5.5). */
function uuidv5(namespace: string, name: string): string {
  const uuid = namespaces.get(namespace) ?? namespace
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(uuid))
    throw invalid('its namespace is neither a UUID nor "dns", "url", "oid" or "x500"')
  const hash = createHash('sha1')
    .update(Buffer.from(uuid.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest()
  const bytes = hash.subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

export const jsonFunctions: FunctionRows = {
  jsonencode: {
    least: 1,
    gives: 'string',
    takesNull: true,
    apply: ([{ plain } = nothing]) => ofText(jsonOf(plain)),
  },
  jsondecode: {
    least: 1,
    apply: given => {
      try {
        return impliedTyped(withNormalNames(parseLastOfEach(textAt(given, 0))))
      } catch (error) {
        if (error instanceof SyntaxError) throw invalid('the text is not JSON')
        throw error
      }
    },
  },
}

/** The same value; Terraform refuses a member name that is not in form NFC. */
function withNormalNames(json: ExactJson): ExactJson {
  if (Array.isArray(json)) json.forEach(withNormalNames)
  else if (isExactObject(json))
    for (const [name, member] of Object.entries(json)) {
      if (name !== name.normalize('NFC'))
        throw invalid(`the name ${JSON.stringify(name)} is not in the form NFC of Unicode`)
      withNormalNames(member)
    }
  return json
}

/** JSON as Terraform writes it: no white space, members by name, and escapes for HTML's signs of tags. */
export function jsonOf(value: Value): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return jsonText(value)
  if (isNumberValue(value)) return String(value)
  if (isListValue(value)) return `[${value.map(jsonOf).join(',')}]`
  if (!isObjectValue(value)) throw invalid('the value is not known')
  const members = Object.entries(value).sort(([left], [right]) => compareTexts(left, right))
  return `{${members.map(([name, member]) => `${jsonText(name)}:${jsonOf(member)}`).join(',')}}`
}

function jsonText(text: string): string {
  return JSON.stringify(text).replace(/[<>&\u2028\u2029\u007f]/g, character =>
    character === '\u007f' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
