import { elsewhere, invalid, type Refusal, unsupported } from '../values/type.ts'
import { ofText } from '../values/typed.ts'
import { deepestExpression, type Expression, type ForExpression } from './expression.ts'

/** Reads the tokens of a text, with one token of lookahead. */
class TokenReader {
  protected readonly text: string
  protected at = 0
  #depth = 0
  /** Inside parentheses and brackets, line ends have no meaning. */
  #linesCount = false

  constructor(text: string) {
    this.text = text
  }

  requireEnd(): void {
    const token = this.peek()
    if (token.is !== 'end') throw unexpected(token)
  }

  protected deeper<Result>(work: () => Result): Result {
    this.#depth += 1
    if (this.#depth > deepestExpression) throw unsupported('an expression of so many levels', elsewhere)
    const result = work()
    this.#depth -= 1
    return result
  }

  protected inside<Result>(linesCount: boolean, work: () => Result): Result {
    const before = this.#linesCount
    this.#linesCount = linesCount
    const result = work()
    this.#linesCount = before
    return result
  }

  protected peek(): Token {
    let token = tokenAt(this.text, this.at)
    while (token.is === 'line-end' && !this.#linesCount) token = tokenAt(this.text, token.end)
    return token
  }

  protected next(): Token {
    const token = this.peek()
    this.at = token.end
    return token
  }

  protected take(sign: string): boolean {
    const { is, text, end } = this.peek()
    if (is !== 'sign' || text !== sign) return false
    this.at = end
    return true
  }

  protected takeName(name: string): boolean {
    const { is, text } = this.peek()
    if (is !== 'name' || text !== name) return false
    this.next()
    return true
  }

  protected require(sign: string): void {
    if (!this.take(sign)) throw unexpected(this.peek(), sign)
  }

  protected requireName(): string {
    const token = this.next()
    if (token.is !== 'name') throw unexpected(token)
    return token.text
  }

  protected skipLines(): void {
    while (this.peek().is === 'line-end') this.next()
  }
}

/** The usual cause of an unexpected token is a text inserted without escaping its quotes. */
export function unexpected({ is, text }: Token, wanted?: string): Refusal {
  const found =
    is === 'end'
      ? 'the expression ends'
      : is === 'line-end'
        ? 'the line ends'
        : `${JSON.stringify(text)} stands`
  const where = wanted === undefined ? 'where something else is needed' : `where "${wanted}" is needed`
  return invalid(
    `it cannot be read: ${found} ${where}`,
    'write text that is to be taken as it is with $${ for ${, and JSON with JSON.stringify instead of Fn.jsonencode',
  )
}

/** A token of an expression: a name, a number, or a sign. */
export interface Token {
  readonly is: 'name' | 'number' | 'sign' | 'line-end' | 'end'
  readonly text: string
  readonly end: number
}

/**
 * The token at an offset, after white space and comments. Tokens are requested one at a time, because only
 * the reader knows where a quoted text begins and ends.
 */
function tokenAt(text: string, from: number): Token {
  const start = skipBlank(text, from)
  if (start >= text.length) return { is: 'end', text: '', end: start }
  if (text.charAt(start) === '\n') return { is: 'line-end', text: '\n', end: start + 1 }
  for (const { is, pattern } of patterns) {
    pattern.lastIndex = start
    const [found] = pattern.exec(text) ?? []
    if (found !== undefined) return { is, text: found, end: start + found.length }
  }
  throw invalid(
    `${JSON.stringify(String.fromCodePoint(text.codePointAt(start) ?? 0))} has no meaning in an expression`,
  )
}

/** The form of a name, as a part of a Unicode regular expression. */
const namePattern = '[\\p{ID_Start}_][\\p{ID_Continue}-]*'
const wholeName = new RegExp(`^${namePattern}$`, 'u')

export function isName(text: string): boolean {
  return wholeName.test(text)
}

const patterns = [
  { is: 'name', pattern: new RegExp(`${namePattern}(?:::${namePattern})*`, 'uy') },
  { is: 'number', pattern: /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y },
  { is: 'sign', pattern: /\|\||&&|==|!=|<=|>=|=>|\.\.\.|[{}()[\],.:?=<>+\-*/%!"~]/y },
] as const

function skipBlank(text: string, from: number): number {
  const blank = /(?:[ \t\r]|#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y
  blank.lastIndex = from
  return from + (blank.exec(text)?.[0].length ?? 0)
}

/** Reads templates: texts with `${...}` and `%{...}`. A subclass reads the expressions inside. */
export abstract class TemplateReader extends TokenReader {
  /** The positions of `${...}` and `%{...}` in the unquoted template. */
  protected readonly filledInBare: FilledIn[] = []

  abstract expression(): Expression

  /** The pieces of a template: up to its closing quote, or to the end of the text. */
  template(form: 'bare' | 'quoted'): Parts {
    const { parts, end } = this.#parts(form)
    if (end !== undefined) throw invalid(`%{ ${end} } stands where nothing has begun that it belongs to`)
    return parts
  }

  /** The pieces up to a directive that belongs to an outer part, or up to the end of the template. */
  #parts(form: 'bare' | 'quoted', made = new PartsMaker(form)): Section {
    return this.deeper(() => {
      for (;;) {
        const rest = this.text.slice(this.at, this.at + 3)
        if (rest === '') {
          if (form === 'quoted') throw invalid('a text in quotes has no end')
          return { parts: made.parts, end: undefined }
        }
        if (form === 'quoted' && rest.startsWith('"')) return { parts: made.parts, end: undefined }
        if (rest === '$${' || rest === '%%{') {
          made.addText(rest.slice(1))
          this.at += 3
        } else if (rest.startsWith('${')) {
          made.addExpression(this.#filledIn(form, made, () => this.expression()))
        } else if (rest.startsWith('%{')) {
          const end = this.#directive(form, made)
          if (end !== undefined) return { parts: made.parts, end }
        } else made.addText(this.#literalText(form))
      }
    })
  }

  /** Reads the content of `${...}` or `%{...}`, and its strip markers. */
  #filledIn<Result>(form: 'bare' | 'quoted', made: PartsMaker, read: () => Result): Result {
    const start = this.at
    this.at += 2
    if (this.text.charAt(this.at) === '~') {
      made.trimBefore()
      this.at += 1
    }
    made.beginExpression()
    return this.inside(false, () => {
      const result = read()
      const isTrimming = this.take('~')
      this.require('}')
      if (isTrimming) made.trimAfter()
      if (form === 'bare') this.filledInBare.push({ start, end: this.at })
      return result
    })
  }

  /** Reads a whole directive, or the word that ends or divides an open directive. */
  #directive(form: 'bare' | 'quoted', made: PartsMaker): DirectiveEnd | undefined {
    const opened = this.#filledIn(form, made, (): Opened => {
      const token = this.next()
      switch (token.text) {
        case 'if':
          return { is: 'if', condition: this.expression() }
        case 'for':
          return { is: 'for', ...this.forIntroduction() }
        case 'else':
        case 'endif':
        case 'endfor':
          return { is: 'end', end: token.text }
        default:
          throw unexpected(token, 'if", "else", "endif", "for" or "endfor')
      }
    })
    if (opened.is === 'end') return opened.end
    made.addExpression(
      opened.is === 'if' ? this.#choice(form, made, opened.condition) : this.#join(form, made, opened),
    )
    return undefined
  }

  #choice(form: 'bare' | 'quoted', made: PartsMaker, condition: Expression): Expression {
    const whenTrue = this.#section(form, made)
    const whenFalse = whenTrue.end === 'else' ? this.#section(form, made) : { parts: [], end: whenTrue.end }
    if (whenFalse.end !== 'endif') throw invalid('%{ if } has no %{ endif }')
    return {
      is: 'conditional',
      condition,
      whenTrue: asText(whenTrue.parts),
      whenFalse: asText(whenFalse.parts),
    }
  }

  #join(form: 'bare' | 'quoted', made: PartsMaker, { key, value, of }: ForIntroduction): Expression {
    const { parts, end } = this.#section(form, made)
    if (end !== 'endfor') throw invalid('%{ for } has no %{ endfor }')
    const result = asText(parts)
    return {
      is: 'join',
      of: {
        is: 'for',
        key,
        value,
        of,
        result,
        resultName: undefined,
        condition: undefined,
        isGrouped: false,
      },
    }
  }

  /** The pieces between two directives. Their strip markers apply to these pieces. */
  #section(form: 'bare' | 'quoted', outer: PartsMaker): Section {
    const made = new PartsMaker(form)
    if (outer.handOverTrim()) made.trimAfter()
    const section = this.#parts(form, made)
    if (made.handOverTrim()) outer.trimAfter()
    return section
  }

  /** Reads `key, value in of` or `value in of`. */
  protected forIntroduction(): ForIntroduction {
    const first = this.requireName()
    const second = this.take(',') ? this.requireName() : undefined
    if (!this.takeName('in')) throw unexpected(this.peek(), 'in')
    const of = this.expression()
    return second === undefined ? { key: undefined, value: first, of } : { key: first, value: second, of }
  }

  #literalText(form: 'bare' | 'quoted'): string {
    const { text, end } =
      form === 'quoted' ? quotedTextAt(this.text, this.at) : plainTextAt(this.text, this.at)
    this.at = end
    return text
  }
}

/** A template with a single `${...}` equals its expression. */
export function asExpression(parts: Parts): Expression {
  const [only] = parts
  return parts.length === 1 && typeof only === 'object' ? only : asText(parts)
}

function asText(parts: Parts): Expression {
  const [only = ''] = parts
  return parts.length < 2 && typeof only === 'string'
    ? { is: 'literal', value: ofText(only) }
    : { is: 'template', parts }
}

/** A part of a template, and the directive that ends it. */
interface Section {
  readonly parts: Parts
  readonly end: DirectiveEnd | undefined
}

type DirectiveEnd = 'else' | 'endif' | 'endfor'
type ForIntroduction = Pick<ForExpression, 'key' | 'value' | 'of'>
type Opened =
  | { readonly is: 'if'; readonly condition: Expression }
  | ({ readonly is: 'for' } & ForIntroduction)
  | { readonly is: 'end'; readonly end: DirectiveEnd }

/** The pieces of a template: texts, and the expressions between them. */
type Parts = readonly (string | Expression)[]

/**
 * Joins the pieces of a template. A strip marker removes adjacent white space: all of it in quotes, otherwise
 * only that of one line including its end, because Terraform reads such templates line by line.
 */
class PartsMaker {
  readonly #parts: (string | Expression)[] = []
  readonly #isByLine: boolean
  #text = ''
  /** Whether there was any text, even if a marker has removed all of it. */
  #hasText = false
  #isTrimming = false

  constructor(form: 'bare' | 'quoted') {
    this.#isByLine = form === 'bare'
  }

  get parts(): Parts {
    this.#endText()
    return this.#parts
  }

  addText(text: string): void {
    this.#text += text
    this.#hasText ||= text !== ''
  }

  addExpression(expression: Expression): void {
    this.#endText()
    this.#parts.push(expression)
  }

  /** Starts an expression. Earlier markers do not apply after it. */
  beginExpression(): void {
    this.#endText()
    this.#isTrimming = false
  }

  /** Handles `~` at the start of an expression. */
  trimBefore(): void {
    const end = this.#text.endsWith('\n') ? this.#text.length - 1 : this.#text.length
    const from = this.#isByLine && end > 0 ? this.#text.lastIndexOf('\n', end - 1) + 1 : 0
    this.#text = this.#text.slice(0, from) + this.#text.slice(from).replace(spaceAtEnd, '')
  }

  /** Handles `~` at the end of an expression. */
  trimAfter(): void {
    this.#endText()
    this.#isTrimming = true
  }

  /** Whether the next text must be stripped. The next maker then does this. */
  handOverTrim(): boolean {
    const wasTrimming = this.#isTrimming && this.#text === ''
    if (wasTrimming) this.#isTrimming = false
    return wasTrimming
  }

  #endText(): void {
    if (!this.#hasText) return
    const text = this.#isTrimming ? this.#trimmedStart(this.#text) : this.#text
    // Even an empty text counts: it makes the adjacent value part of a text. Joining can merge characters.
    this.#parts.push(text.normalize('NFC'))
    this.#text = ''
    this.#hasText = false
    this.#isTrimming = false
  }

  #trimmedStart(text: string): string {
    const lineEnd = this.#isByLine ? text.indexOf('\n') + 1 || text.length : text.length
    return text.slice(0, lineEnd).replace(spaceAtStart, '') + text.slice(lineEnd)
  }
}

// White space by Unicode. JavaScript's own \s also contains the byte order mark.
export const whiteSpace = '[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+'
const spaceAtStart = new RegExp(`^${whiteSpace}`)
const spaceAtEnd = new RegExp(`${whiteSpace}$`)

/** A piece of unchanged text, and its end. */
export interface LiteralText {
  readonly text: string
  readonly end: number
}

/** The next literal piece of a template. */
function plainTextAt(whole: string, at: number): LiteralText {
  const plain = /[^$%]+|[$%]/y
  plain.lastIndex = at
  const text = plain.exec(whole)?.[0] ?? ''
  return { text, end: at + text.length }
}

/** The next literal piece inside quotes, where a backslash starts an escape. */
function quotedTextAt(whole: string, at: number): LiteralText {
  const plain = /[^"$%\\\n]+|[$%]/y
  plain.lastIndex = at
  const text = plain.exec(whole)?.[0]
  return text === undefined ? escapeAt(whole, at) : { text, end: at + text.length }
}

function escapeAt(whole: string, at: number): LiteralText {
  const pattern = /\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))/sy
  pattern.lastIndex = at
  const match = pattern.exec(whole)
  if (!match) throw invalid('a text in quotes has no end')
  const [written, short, long, letter = ''] = match
  const code = short ?? long
  const text = code === undefined ? escapes.get(letter) : characterOf(code)
  if (text === undefined) throw invalid(`"${written}" is no escape`)
  return { text, end: at + written.length }
}

const escapes = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['"', '"'],
  ['\\', '\\'],
])

function characterOf(digits: string): string | undefined {
  const code = Number.parseInt(digits, 16)
  return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? undefined : String.fromCodePoint(code)
}

/** A text with several lines, and the offset after its end word. */
export interface Heredoc {
  readonly template: string
  /** Whether the common indentation of its lines is removed, because it starts with `<<-`. */
  readonly isIndented: boolean
  readonly end: number
}

/** The position of a `${...}` or `%{...}` in a template. */
export interface FilledIn {
  readonly start: number
  readonly end: number
}

/** Reads the text that starts after the first `<` of `<<END`, like Terraform. */
export function heredocAt(text: string, at: number): Heredoc {
  const opening = new RegExp(`<(-?)(${namePattern})[ \\t]*\\r?\\n`, 'uy')
  opening.lastIndex = at
  const [whole, dash, word] = opening.exec(text) ?? []
  if (whole === undefined)
    throw invalid('a text of several lines does not begin with <<WORD and the end of the line')
  const begin = at + whole.length
  for (let start = begin; start < text.length; ) {
    const next = text.indexOf('\n', start) + 1 || text.length
    const line = text.slice(start, next)
    if (line.trim() === word) {
      const end = start + line.trimEnd().length
      return { template: text.slice(begin, start), isIndented: dash === '-', end }
    }
    start = next
  }
  throw invalid(`a text of several lines has no end: no line says ${word}`)
}

/**
 * Removes the common indentation of all lines of a template, as Terraform does after the strip markers:
 *
 * | a line                                             | counts                        |
 * |----------------------------------------------------|-------------------------------|
 * | with text, or with something to fill in behind it  | with the space that it begins |
 * | that is blank                                      | not, and keeps its space      |
 * | that begins with something to fill in              | as one without space          |
 * | whose space a marker has stripped, `  %{~ if ...}` | as one without space          |
 * | behind a line end that a marker has stripped       | not, and keeps its space      |
 */
export function withoutIndentation(template: string, filledIn: readonly FilledIn[]): string {
  const starts: { readonly at: number; readonly space: number }[] = []
  let isLineStart = true
  for (const { at, text = '' } of piecesOf(template, filledIn)) {
    const rest = text.replace(spaceAtStart, '')
    const isBlank = rest === '' && text.endsWith('\n')
    if (isLineStart && !isBlank) starts.push({ at, space: text.length - rest.length })
    isLineStart = text.endsWith('\n')
  }
  const least = starts.reduce((so, { space }) => Math.min(so, space), Number.POSITIVE_INFINITY)
  const from = [0, ...starts.map(({ at }) => at + least)]
  const to = [...starts.map(({ at }) => at), template.length]
  return from.map((start, at) => template.slice(start, to[at])).join('')
}

interface Piece {
  readonly at: number
  /** Undefined for a filled-in part. */
  readonly text?: string
}

/** The lines between filled-in parts, after strip markers. */
function piecesOf(template: string, filledIn: readonly FilledIn[]): readonly Piece[] {
  const starts = [0, ...filledIn.map(({ end }) => end)]
  return starts.flatMap((start, index) => {
    const next = filledIn[index]
    const isStrippedBefore = start > 0 && template.charAt(start - 2) === '~'
    const isStrippedBehind = next !== undefined && template.charAt(next.start + 2) === '~'
    const lines = linesOf(template.slice(start, next?.start))
    let at = start
    const pieces = lines.map((line, number): Piece => {
      const piece = { at, text: line }
      at += line.length
      const text = isStrippedBefore && number === 0 ? line.replace(spaceAtStart, '') : line
      return isStrippedBehind && number === lines.length - 1
        ? { ...piece, text: text.replace(spaceAtEnd, '') }
        : { ...piece, text }
    })
    return next === undefined ? pieces : [...pieces, { at: next.start }]
  })
}

/** The lines of a text, including their ends. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}
