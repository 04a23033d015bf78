import { createHash } from 'node:crypto'
import { CsvError, parse } from 'csv-parse/sync'
import { type ExactJson, impliedTyped, isExactObject, parseLastOfEach } from '../values/convert.ts'
import { elsewhere, invalid, unsupported } from '../values/type.ts'
import { list, object, ofText, type Typed } from '../values/typed.ts'
import { compareTexts, isListValue, isNumberValue, isObjectValue, type Value } from '../values/value.ts'
import { type FunctionRows, row } from './function-row.ts'

/** The hashes of UTF-8 texts and files. Other function names are built from these names. */
export const hashes = {
  md5: { algorithm: 'md5', encoding: 'hex' },
  sha1: { algorithm: 'sha1', encoding: 'hex' },
  sha256: { algorithm: 'sha256', encoding: 'hex' },
  sha512: { algorithm: 'sha512', encoding: 'hex' },
  base64sha256: { algorithm: 'sha256', encoding: 'base64' },
  base64sha512: { algorithm: 'sha512', encoding: 'base64' },
} as const

export type Hash = (typeof hashes)[keyof typeof hashes]

export function hashed({ algorithm, encoding }: Hash, bytes: string | Uint8Array): string {
  return createHash(algorithm).update(bytes).digest(encoding)
}

export const encodingFunctions: FunctionRows = {
  base64encode: row(['text'], 'string', text => Buffer.from(text).toString('base64')),
  base64decode: row(['text'], 'string', text => decoded(base64Bytes(text), 'utf-8')),
  textencodebase64: row(['text', 'text'], 'string', (text, name) =>
    encoded(text, encodingNamed(name)).toString('base64'),
  ),
  textdecodebase64: row(['text', 'text'], 'string', (written, name) => {
    const text = decoded(base64Bytes(written), encodingNamed(name))
    // Terraform treats this character as failed decoding.
    if (text.includes('\ufffd')) throw invalid('what is decoded has a replacement character')
    return text
  }),
  urlencode: row(['text'], 'string', text =>
    encodeURIComponent(text)
      .replaceAll('%20', '+')
      .replace(/[!'()*]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`),
  ),
  csvdecode: row(['text'], 'dynamic', csvRows),
  jsonencode: row(['any'], 'string', ({ plain }) => jsonOf(plain), { takesNull: true }),
  jsondecode: row(['text'], 'dynamic', text => {
    try {
      return impliedTyped(withNormalNames(parseLastOfEach(text)))
    } catch (error) {
      if (error instanceof SyntaxError) throw invalid('the text is not JSON')
      throw error
    }
  }),
  uuidv5: row(['text', 'text'], 'string', uuidv5),
  ...Object.fromEntries(
    Object.entries(hashes).map(([name, hash]) => [name, row(['text'], 'string', text => hashed(hash, text))]),
  ),
}

/** Line ends are skipped, and the padding is required. */
function base64Bytes(written: string): Buffer {
  const plain = written.replace(/[\r\n]/g, '')
  if (plain.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(plain)) throw invalid('the text is not Base64')
  return Buffer.from(plain, 'base64')
}

const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'iso-8859-1'] as const
type Encoding = (typeof encodings)[number]

function encodingNamed(name: string): Encoding {
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
  // A line end is one character, even inside quotes. A return at the very end belongs to one.
  const plain = written.replaceAll('\r\n', '\n').replace(/\r$/, '')
  try {
    return parse(plain, { record_delimiter: '\n', relax_column_count: true, skip_empty_lines: true })
  } catch (error) {
    if (error instanceof CsvError) throw invalid('the text is not CSV')
    throw error
  }
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

/** Checks member names: Terraform refuses a name that is not in form NFC. */
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

/** JSON in Terraform's form: no white space, members sorted by name, HTML's tag characters escaped. */
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
