import { invalid } from '../../cty/invalid-value.ts'
import { ofText } from '../../cty/typed.ts'
import type { FilledIn } from './heredoc.ts'
import { plainTextAt, quotedTextAt } from './literal-text.ts'
import type { Expression, ForExpression } from './syntax.ts'
import { type Parts, PartsMaker } from './template-parts.ts'
import { TokenReader, unexpected } from './token-reader.ts'

/** Reads templates: texts with `${...}` and `%{...}` in them. What is filled in is read by whoever reads expressions. */
export abstract class TemplateReader extends TokenReader {
  /** Where a template that stands in no quotes has something to fill in. */
  protected readonly filledInBare: FilledIn[] = []

  abstract expression(): Expression

  /** The pieces of a template: up to its closing quote, or to the end of the text. */
  template(form: 'bare' | 'quoted'): Parts {
    const { parts, end } = this.#parts(form)
    if (end !== undefined) throw invalid(`%{ ${end} } stands where nothing has begun that it belongs to`)
    return parts
  }

  /** The pieces up to where they end: by a directive that is not theirs, or with the template. */
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

  /** What stands in `${...}` or `%{...}`, with the markers that strip white space beside it. */
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

  /** A whole directive, or the word that ends or divides one which is open. */
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

  /** What stands between two directives. A marker at the end of one strips there, and at the beginning of the other. */
  #section(form: 'bare' | 'quoted', outer: PartsMaker): Section {
    const made = new PartsMaker(form)
    if (outer.handOverTrim()) made.trimAfter()
    const section = this.#parts(form, made)
    if (made.handOverTrim()) outer.trimAfter()
    return section
  }

  /** `key, value in of`, or `value in of`. */
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

/** A template that is nothing but one thing to fill in is that thing. */
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

/** Where a part of a template ends, and by what. */
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
