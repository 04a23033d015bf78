import { CsvError, parse } from 'csv-parse/sync'
import { elsewhere, invalid, unsupported } from '../../../../cty/invalid-value.ts'
import { list, object, ofText, type Typed } from '../../../../cty/typed.ts'
import { type FunctionRow, type FunctionRows, textAt } from '../function-row.ts'

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
    // Terraform takes the character itself for a sign that something could not be decoded.
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

/** Line ends inside are skipped, and the padding has to be there. */
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
  // What the platform calls so is another encoding, Windows-1252.
  if (encoding === 'iso-8859-1') return bytes.toString('latin1')
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) throw invalid(`what is decoded is not ${encoding.toUpperCase()}`)
    throw error
  }
}

/** The rows under the first one, which has the names of the columns. */
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
  // Line ends are one character, also inside of quotes; a return at the very end belongs to one.
  const plain = written.replaceAll('\r\n', '\n').replace(/\r$/, '')
  try {
    return parse(plain, { record_delimiter: '\n', relax_column_count: true, skip_empty_lines: true })
  } catch (error) {
    if (error instanceof CsvError) throw invalid('the text is not CSV')
    throw error
  }
}
