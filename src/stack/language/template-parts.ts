import type { Expression } from './syntax.ts'

/** The pieces of a template: texts, and what is filled in between them. */
export type Parts = readonly (string | Expression)[]

/**
 * Puts the pieces of a template together. A strip marker takes the white space away from the text beside it: in quotes
 * all of it, otherwise that of one line with its end, as Terraform reads such templates line by line.
 */
export class PartsMaker {
  readonly #parts: (string | Expression)[] = []
  readonly #isByLine: boolean
  #text = ''
  /** Whether there was any, of which a marker may have left nothing. */
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

  /** Something is filled in: a marker before it strips none of what follows it. */
  beginExpression(): void {
    this.#endText()
    this.#isTrimming = false
  }

  /** `~` at the beginning of what is filled in. */
  trimBefore(): void {
    const end = this.#text.endsWith('\n') ? this.#text.length - 1 : this.#text.length
    const from = this.#isByLine && end > 0 ? this.#text.lastIndexOf('\n', end - 1) + 1 : 0
    this.#text = this.#text.slice(0, from) + this.#text.slice(from).replace(spaceAtEnd, '')
  }

  /** `~` at the end of it. */
  trimAfter(): void {
    this.#endText()
    this.#isTrimming = true
  }

  /** Whether the text that comes next is to be stripped, which another maker then does. */
  handOverTrim(): boolean {
    const wasTrimming = this.#isTrimming && this.#text === ''
    if (wasTrimming) this.#isTrimming = false
    return wasTrimming
  }

  #endText(): void {
    if (!this.#hasText) return
    const text = this.#isTrimming ? this.#trimmedStart(this.#text) : this.#text
    // Also where nothing is left of it: what is filled in beside it becomes a part of a text. Joining can make one character of two.
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

// White space as Unicode has it, which JavaScript's own \s is not: it has a byte order mark too.
export const whiteSpace = '[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+'
export const spaceAtStart = new RegExp(`^${whiteSpace}`)
export const spaceAtEnd = new RegExp(`${whiteSpace}$`)
