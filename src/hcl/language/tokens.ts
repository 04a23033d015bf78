import { deepestExpression } from '../limits.ts'
import { elsewhere, invalid, type Refusal, unsupported } from '../values/refusal.ts'

/** Goes through the tokens of a text, at most one ahead. */
export class TokenReader {
  protected readonly text: string
  protected at = 0
  #depth = 0
  /** Inside parentheses and brackets, the end of a line has no meaning. */
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

/** An expression is usually unreadable because a text was put into it without escaping its quotes. */
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

/** A word of an expression: a name, a number, or a sign. */
export interface Token {
  readonly is: 'name' | 'number' | 'sign' | 'line-end' | 'end'
  readonly text: string
  readonly end: number
}

/**
 * The token at an offset of the text, after white space and comments. Tokens are requested one by one,
 * because only the reader knows where a quoted text begins and ends.
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
export const namePattern = '[\\p{ID_Start}_][\\p{ID_Continue}-]*'
const wholeName = new RegExp(`^${namePattern}$`, 'u')

/** Whether a text is a valid name. */
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
