import { elsewhere, invalid, unsupported } from '../../../../cty/invalid-value.ts'
import { compareTexts } from '../../../../cty/text-order.ts'
import { isListValue, isNumberValue, isObjectValue, type Value } from '../../../../cty/value.ts'

/** YAML as Terraform writes it: members by name, texts in quotes or, where they have lines, as blocks. */
export function encodeYaml(value: Value): string {
  const writer = new Writer()
  writer.root(value)
  return writer.text
}

/** Texts in quotes go on in a new line at the first space behind this column. */
const widest = 80

class Writer {
  text = ''
  #column = 0

  root(value: Value): void {
    if (isCollection(value)) this.#block(value, 0)
    else this.#scalar(value, 2)
    this.#endLine()
    // What is neither in quotes nor a collection has an end mark.
    if (value === null || typeof value === 'boolean' || isNumberValue(value)) this.text += '...\n'
  }

  /** A collection whose first element or member stands right here, and the others in lines of their own. */
  #block(value: Value, indent: number): void {
    const parts = isListValue(value) ? value.map(each => [undefined, each] as const) : membersOf(value)
    for (const [index, [name, each]] of parts.entries()) {
      if (index > 0) this.#newLine(indent)
      const isApart = name !== undefined && !isShortName(name)
      if (isApart) this.#nameApart(name, indent)
      else this.#write(name === undefined ? '-' : `${quotedText(name)}:`)
      if (!isCollection(each)) {
        this.#write(' ')
        this.#scalar(each, indent + 2)
      } else if (name === undefined || isApart) {
        this.#write(' ')
        this.#block(each, indent + 2)
      } else {
        // A list stands under the name of the member, and an object is indented.
        const inner = isListValue(each) ? indent : indent + 2
        this.#newLine(inner)
        this.#block(each, inner)
      }
    }
  }

  /** A name that is long or has lines stands apart from what it names. */
  #nameApart(name: string, indent: number): void {
    this.#write('? ')
    this.#scalar(name, indent + 2)
    this.#newLine(indent)
    this.#write(':')
  }

  #scalar(value: Value, indent: number): void {
    if (value === null || typeof value === 'boolean') this.#write(String(value))
    else if (isNumberValue(value)) this.#write(String(value))
    else if (isListValue(value)) this.#write('[]')
    else if (isObjectValue(value)) this.#write('{}')
    else if (typeof value !== 'string') throw invalid('the value is not known')
    else if (value.includes('\n') && isPlainBlock(value)) this.#lines(value, indent)
    else this.#quoted(value, indent)
  }

  #lines(value: string, indent: number): void {
    const hint = /^[ \n]/.test(value) ? '2' : ''
    const end = value.endsWith('\n') ? (value === '\n' || value.endsWith('\n\n') ? '+' : '') : '-'
    this.#write(`|${hint}${end}\n`)
    const lines = value.endsWith('\n') ? value.slice(0, -1).split('\n') : value.split('\n')
    this.text += lines.map(line => (line === '' ? '' : ' '.repeat(indent) + line)).join('\n')
    this.#column = lines.at(-1) === '' ? 0 : indent + (lines.at(-1)?.length ?? 0)
    if (value.endsWith('\n')) this.#endLine(true)
  }

  #quoted(value: string, indent: number): void {
    this.#write('"')
    const letters = Array.from(value)
    const written = escapeOf(value)
    let wasSpace = false
    for (let index = 0; index < letters.length; index++) {
      const letter = letters[index] ?? ''
      const isInside = index > 0 && index < letters.length - 1
      if (letter === ' ' && !wasSpace && this.#column > widest && isInside) {
        this.#newLine(indent)
        if (letters[index + 1] === ' ') this.#write('\\')
      } else this.#write(written(letter))
      wasSpace = letter === ' '
    }
    this.#write('"')
  }

  #write(text: string): void {
    this.text += text
    this.#column += Array.from(text).length
  }

  #newLine(indent: number): void {
    this.#endLine()
    this.text += ' '.repeat(indent)
    this.#column = indent
  }

  #endLine(isForced = false): void {
    if (isForced || !this.text.endsWith('\n')) this.text += '\n'
    this.#column = 0
  }
}

function isCollection(value: Value): boolean {
  return isListValue(value) ? value.length > 0 : isObjectValue(value) && Object.keys(value).length > 0
}

function membersOf(value: Value): readonly (readonly [string, Value])[] {
  const members = isObjectValue(value) ? Object.entries(value) : []
  return members.sort(([left], [right]) => compareTexts(left, right))
}

/** Whether a name fits on a line with what it names: it has up to 128 bytes, and no end of a line. */
function isShortName(name: string): boolean {
  return !/[\n\r\u0085\u2028\u2029]/.test(name) && Buffer.byteLength(name) <= 128
}

function quotedText(text: string): string {
  return `"${Array.from(text, escapeOf(text)).join('')}"`
}

/** How the letters of a text are written. Behind a byte order mark Terraform escapes all of them. */
function escapeOf(text: string): (letter: string) => string {
  return text.startsWith('\ufeff') ? letter => escapes.get(letter) ?? hexEscape(letter) : escaped
}

/** Whether a text with lines can stand as a block: nothing in it has to be escaped, and no line ends in a space. */
function isPlainBlock(text: string): boolean {
  if (/[\u0085\u2028\u2029]/.test(text)) throw unsupported('a text with such line ends in YAML', elsewhere)
  return !/ \n| $/.test(text) && Array.from(text).every(letter => letter === '\n' || isPrintable(letter))
}

function isPrintable(letter: string): boolean {
  const code = letter.codePointAt(0) ?? 0
  if (code < 0xa0) return code >= 0x20 && code < 0x7f
  return code < 0xfffe && code !== 0xfeff && !(code >= 0xd800 && code < 0xe000)
}

function escaped(letter: string): string {
  const short = escapes.get(letter)
  if (short !== undefined) return short
  return isPrintable(letter) ? letter : hexEscape(letter)
}

function hexEscape(letter: string): string {
  const hex = (letter.codePointAt(0) ?? 0).toString(16).toUpperCase()
  if (hex.length <= 2) return `\\x${hex.padStart(2, '0')}`
  return hex.length <= 4 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['\0', '\\0'],
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\v', '\\v'],
  ['\f', '\\f'],
  ['\r', '\\r'],
  ['\x1b', '\\e'],
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\x85', '\\N'],
  ['\u2028', '\\L'],
  ['\u2029', '\\P'],
])
