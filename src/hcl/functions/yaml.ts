import { Alias, isMap, isScalar, isSeq, type Node, parseAllDocuments, Scalar, type YAMLError } from 'yaml'
import { deepest, tooDeep } from '../json.ts'
import { type Engine, mostParts } from '../language/expression.ts'
import { type BigFloat, parseNumber } from '../values/number.ts'
import { elsewhere, invalid, invalidToTerraform, unsupported } from '../values/type.ts'
import {
  membersOf,
  nothing,
  object,
  ofBool,
  ofNumber,
  ofText,
  sequenceOf,
  type Typed,
  tuple,
} from '../values/typed.ts'
import { compareTexts, isListValue, isNumberValue, isObjectValue, type Value } from '../values/value.ts'
import { momentText, second, utcSeconds } from './dates.ts'
import { type FunctionRows, row } from './function-row.ts'

export const yamlFunctions: FunctionRows = {
  yamlencode: row(['any'], 'string', ({ plain }) => encodeYaml(plain), { takesNull: true }),
}

/** Like Terraform: maps become objects, lists tuples; plain texts may be numbers, bools, dates or null. */
export function decodeYaml(written: string, engine: Engine | undefined): Typed {
  const text = readableText(written)
  // The library must resolve nothing, because plain texts have other meanings in each version of YAML.
  const documents = parseAllDocuments(text, {
    schema: 'failsafe',
    uniqueKeys: false,
    logLevel: 'silent',
    strict: true,
  })
  const [document, ...others] = Array.isArray(documents) ? documents : []
  if (!document || others.length > 0 || document.contents === null || /^\s*\.\.\.(?:\s|$)/.test(text))
    throw invalid('the text is not one YAML document')
  const [error] = document.errors
  if (error) throw unreadable(error, text)
  const { yaml } = document.directives ?? {}
  if (
    document.warnings.some(({ code }) => code === 'BAD_DIRECTIVE') ||
    (yaml?.explicit && yaml.version !== '1.1')
  )
    throw invalid('the text has a directive that YAML 1.1 does not have')
  return new Reader(text, engine).typedOf(document.contents, 0, false)
}

/** The text with unified line ends. */
function readableText(written: string): string {
  if (/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]|\p{Surrogate}/u.test(written))
    throw invalid('the text has control characters, which YAML does not allow')
  if (/[\u2028\u2029]/.test(written)) throw unsupported('such line ends in YAML', elsewhere)
  return written.replace(/\r\n?|\u0085/g, '\n')
}

/** The library requires more indentation than Terraform, and reads some signs in brackets differently. */
function unreadable({ code, message }: YAMLError, text: string) {
  const [problem = ''] = message.split(/ at line \d/)
  const isOtherwise = code === 'BAD_INDENT' || code === 'BLOCK_IN_FLOW'
  const isOfLines = code === 'MISSING_CHAR' && /^(?:Missing closing|Comments)/.test(problem)
  return isOtherwise || (isOfLines && text.includes('\n'))
    ? unsupported(`YAML in this form: ${problem}`, elsewhere)
    : invalid(`the text is not YAML: ${problem}`)
}

class Reader {
  readonly #text: string
  readonly #engine: Engine | undefined
  readonly #anchors = new Map<string, { readonly value: Typed; readonly parts: number }>()
  #parts = 0

  constructor(text: string, engine: Engine | undefined) {
    this.#text = text
    this.#engine = engine
  }

  typedOf(node: unknown, depth: number, isInFlow: boolean): Typed {
    if (depth > deepest) throw invalid(tooDeep)
    if (node instanceof Alias) return this.#meantBy(node)
    const before = this.#parts
    this.#parts += 1
    const value = this.#valueOf(node, depth, isInFlow)
    const anchor = isScalar(node) || isSeq(node) || isMap(node) ? node.anchor : undefined
    // Set only now, because a value cannot refer to itself.
    if (anchor !== undefined && !/^[\w-]+$/.test(anchor)) throw invalid(`&${anchor} is no anchor in YAML 1.1`)
    if (anchor !== undefined) this.#anchors.set(anchor, { value, parts: this.#parts - before })
    return value
  }

  #meantBy({ source }: Alias): Typed {
    const found = this.#anchors.get(source)
    if (!found) throw invalid(`there is no anchor &${source} before the alias *${source}`)
    this.#parts += found.parts
    // Aliases of aliases are short in the text, but visiting all their values takes forever.
    if (this.#parts > mostParts) throw unsupported(`YAML of more than ${mostParts} parts`, elsewhere)
    return found.value
  }

  #valueOf(node: unknown, depth: number, isInFlow: boolean): Typed {
    if (isScalar(node)) return this.#scalarOf(node, isInFlow)
    if (isSeq(node)) {
      requireTag(node, 'seq')
      return tuple(node.items.map(item => this.typedOf(item, depth + 1, node.flow === true)))
    }
    if (!isMap(node)) return nothing
    requireTag(node, 'map')
    const isFlow = node.flow === true || isInFlow
    const members = node.items.flatMap(({ key, value }): readonly (readonly [string, Typed])[] => {
      const name = this.#nameOf(key, isFlow)
      if (isFlow) this.#requireApart(key, value)
      const member = this.typedOf(value, depth + 1, isFlow)
      return name === '<<' ? mergedOf(member, this.#engine) : [[name, member]]
    })
    // If a name repeats, the last member wins, whatever its source.
    return object(new Map(members))
  }

  #nameOf(key: unknown, isInFlow: boolean): string {
    if (key instanceof Alias) throw invalid(`the alias *${key.source} cannot be a name`)
    if (!isScalar(key) || key.source === undefined) throw unsupported('such a name in YAML', elsewhere)
    const { plain } = this.typedOf(key, 0, isInFlow)
    if (plain === null) throw invalid('null cannot be a name')
    return String(plain)
  }

  /** In `{a:}`, the name ends with a colon. */
  #requireApart(key: unknown, value: unknown): void {
    const from = isScalar(key) && key.type === Scalar.PLAIN ? key.range?.[1] : undefined
    const isEmpty = value === null || (isScalar(value) && value.source === '')
    if (from !== undefined && isEmpty && /^:[,\]}]/.test(this.#text.slice(from, from + 2)))
      throw unsupported('a name without a space behind its colon in YAML', elsewhere)
  }

  #scalarOf(node: Scalar, isInFlow: boolean): Typed {
    requireTag(node, 'str')
    const text = String(node.value ?? '')
    switch (node.type) {
      case Scalar.BLOCK_LITERAL:
      case Scalar.BLOCK_FOLDED:
        return text === '' ? nothing : ofText(this.#blockText(node, text).normalize('NFC'))
      case Scalar.QUOTE_DOUBLE:
        requireEscapes(this.#text.slice(node.range?.[0], node.range?.[1]))
        return ofText(text.normalize('NFC'))
      case Scalar.PLAIN:
        if (isInFlow && /^:|\?/.test(text))
          throw unsupported(
            `${JSON.stringify(text.slice(0, 60))} without quotes in brackets in YAML`,
            elsewhere,
          )
        return node.tag === undefined ? plainValue(text) : ofText(text.normalize('NFC'))
      default:
        return ofText(text.normalize('NFC'))
    }
  }

  /** The library adds a line end after the last line of a block; Terraform does not. */
  #blockText(node: Scalar, text: string): string {
    const last = this.#text.slice(this.#text.lastIndexOf('\n') + 1)
    const isAtEnd = node.range?.[1] === this.#text.length && last !== ''
    if (!isAtEnd || !text.endsWith('\n')) return text
    const made = text.slice(0, -1)
    const isWritten = /\S/.test(last) || /(?:^|\n)[ \t]+$/.test(made)
    return isWritten ? made : text
  }
}

/** The members that `<<` merges in, from a map or (in OpenTofu) a list of maps. Later names win. */
function mergedOf(value: Typed, engine: Engine | undefined): readonly (readonly [string, Typed])[] {
  const list = sequenceOf(value)
  if (list && engine !== 'OpenTofu') throw invalidToTerraform(engine, '<< is before a list')
  if (list) return list.elements.flatMap(each => mergedOf(each, 'Terraform'))
  const named = membersOf(value)
  if (!named) throw invalid('<< is before something that is no map')
  return [...named.members]
}

function requireTag({ tag }: Pick<Node, 'tag'>, own: 'str' | 'seq' | 'map'): void {
  if (tag === undefined || tag === `tag:yaml.org,2002:${own}`) return
  if (/^tag:yaml\.org,2002:(?:str|seq|map)$/.test(tag))
    throw invalid(`the tag ${tag} stands before something else`)
  throw unsupported(`the tag ${tag} in YAML`, elsewhere)
}

/** Refuses two escapes that the library accepts but Terraform refuses: of a slash, and of a surrogate. */
function requireEscapes(quoted: string): void {
  const stray = /(?<!\\)(?:\\\\)*(\\(?:\/|u[dD][89a-fA-F]))/.exec(quoted)
  if (stray) throw invalid(`${stray[1]} is no escape in YAML 1.1`)
}

/** The value of a plain text in YAML 1.1: null, a bool, a number, a date, or the text. */
function plainValue(text: string): Typed {
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

/** Dates are formatted as usual, without fractions of a second. */
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

/** Like Terraform: members sorted by name, texts in quotes or, if they have several lines, as blocks. */
function encodeYaml(value: Value): string {
  const writer = new Writer()
  writer.root(value)
  return writer.text
}

/** A quoted text is wrapped at the first space after this column. */
const widest = 80

class Writer {
  text = ''
  #column = 0

  root(value: Value): void {
    if (isCollection(value)) this.#block(value, 0)
    else this.#scalar(value, 2)
    this.#endLine()
    // A value that is neither quoted nor a collection gets an end mark.
    if (value === null || typeof value === 'boolean' || isNumberValue(value)) this.text += '...\n'
  }

  /** Writes a collection: its first element or member continues this line, the others get their own lines. */
  #block(value: Value, indent: number): void {
    const parts = isListValue(value) ? value.map(each => [undefined, each] as const) : sortedMembers(value)
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
        // A list starts in the column of the member's name, and an object is indented.
        const inner = isListValue(each) ? indent : indent + 2
        this.#newLine(inner)
        this.#block(each, inner)
      }
    }
  }

  /** Writes a long name, or a name with several lines, separately from its value. */
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

function sortedMembers(value: Value): readonly (readonly [string, Value])[] {
  const members = isObjectValue(value) ? Object.entries(value) : []
  return members.sort(([left], [right]) => compareTexts(left, right))
}

/** Whether a name fits on a line with its value: it has up to 128 bytes, and no line end. */
function isShortName(name: string): boolean {
  return !/[\n\r\u0085\u2028\u2029]/.test(name) && Buffer.byteLength(name) <= 128
}

function quotedText(text: string): string {
  return `"${Array.from(text, escapeOf(text)).join('')}"`
}

/** If the text starts with a byte order mark, Terraform escapes all of its letters. */
function escapeOf(text: string): (letter: string) => string {
  return text.startsWith('\ufeff') ? letter => escapes.get(letter) ?? hexEscape(letter) : escaped
}

/** Whether a text with several lines can be a block: it needs no escapes, and no line ends with a space. */
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
