import { withoutMark } from '../literal-template.ts'
import { parseNumber } from '../values/number.ts'
import { elsewhere, unsupported } from '../values/type.ts'
import { nothing, ofBool, ofNumber, ofText } from '../values/typed.ts'
import { type BinaryOperator, binding, type Expression, elementName, type Step } from './expression.ts'
import {
  asExpression,
  type FilledIn,
  heredocAt,
  TemplateReader,
  unexpected,
  withoutIndentation,
} from './template.ts'

/** Parses a text with `${...}`. A text that is only one `${...}` has the value of its expression. */
export function parseTemplate(text: string): Expression {
  return asExpression(new ExpressionReader(withoutMark(text)).template('bare'))
}

/** Parses a single expression, without `${` and `}`. */
export function parseExpression(text: string): Expression {
  const reader = new ExpressionReader(withoutMark(text))
  const expression = reader.expression()
  reader.requireEnd()
  return expression
}

/** The limit of nested operands, because code that visits them is recursive. */
const mostOperands = 1000

/** Reads expressions and templates in sequence. */
export class ExpressionReader extends TemplateReader {
  readonly #isMeasuring: boolean

  constructor(text: string, isMeasuring = false) {
    super(text)
    this.#isMeasuring = isMeasuring
  }

  /** The positions of `${...}` and `%{...}` in an unquoted template, without their values. */
  static measure(template: string): readonly FilledIn[] {
    // Inner texts keep their indentation. Otherwise each level would double the work.
    const reader = new ExpressionReader(template, true)
    reader.template('bare')
    return reader.filledInBare
  }

  expression(): Expression {
    return this.deeper(() => {
      const condition = this.#binary(1)
      if (!this.take('?')) return condition
      const whenTrue = this.expression()
      this.require(':')
      const whenFalse = this.expression()
      return { is: 'conditional', condition, whenTrue, whenFalse }
    })
  }

  #binary(least: number): Expression {
    let left = this.#term()
    for (let operands = 1; ; operands++) {
      const { text, is } = this.peek()
      if (is !== 'sign' || !isBinary(text) || binding[text] < least) return left
      this.next()
      if (operands >= mostOperands) throw unsupported('an expression of so many operands', elsewhere)
      const right = this.#binary(binding[text] + 1)
      left = { is: 'binary', operator: text, left, right }
    }
  }

  #term(): Expression {
    return this.deeper(() => {
      for (const operator of ['!', '-'] as const) {
        if (this.take(operator)) return { is: 'unary', operator, operand: this.#term() }
      }
      return this.#withSteps(this.#plainTerm())
    })
  }

  #plainTerm(): Expression {
    const token = this.next()
    if (token.is === 'number') return numberLiteral(token.text)
    if (token.is === 'name') return this.#named(token.text)
    switch (token.text) {
      case '"': {
        const parts = this.template('quoted')
        this.at += 1
        return asExpression(parts)
      }
      case '(':
        return this.inside(false, () => {
          const expression = this.expression()
          this.require(')')
          return expression
        })
      case '[':
        return this.inside(false, () => this.#tuple())
      case '{':
        return this.inside(true, () => this.#object())
      case '<':
        return this.#heredoc()
      default:
        throw unexpected(token)
    }
  }

  /** A text with several lines, `<<END` or `<<-END`, up to the line with its end word. */
  #heredoc(): Expression {
    const { template, isIndented, end } = heredocAt(this.text, this.at)
    this.at = end
    return this.deeper(() => {
      const isStripped = isIndented && !this.#isMeasuring
      const text = isStripped ? withoutIndentation(template, ExpressionReader.measure(template)) : template
      return asExpression(new ExpressionReader(text, this.#isMeasuring).template('bare'))
    })
  }

  #named(name: string): Expression {
    if (this.peek().text === '(') {
      this.next()
      return this.inside(false, () => this.#call(name))
    }
    if (name === 'true' || name === 'false') return { is: 'literal', value: ofBool(name === 'true') }
    if (name === 'null') return { is: 'literal', value: nothing }
    return { is: 'reference', root: name, steps: [] }
  }

  #call(name: string): Expression {
    const given: Expression[] = []
    while (!this.take(')')) {
      given.push(this.expression())
      if (this.take('...')) {
        this.require(')')
        return { is: 'call', name, arguments: given, isExpanded: true }
      }
      if (this.take(')')) break
      this.require(',')
    }
    return { is: 'call', name, arguments: given, isExpanded: false }
  }

  #tuple(): Expression {
    if (this.#isFor()) return this.#for(']')
    const elements: Expression[] = []
    while (!this.take(']')) {
      elements.push(this.expression())
      if (this.take(']')) break
      this.require(',')
    }
    return { is: 'tuple', elements }
  }

  #object(): Expression {
    this.skipLines()
    if (this.#isFor()) return this.inside(false, () => this.#for('}'))
    const members: [Expression, Expression][] = []
    while (!this.take('}')) {
      const key = this.inside(false, () => this.#objectKey())
      members.push([key, this.expression()])
      const separated = this.take(',') || this.peek().is === 'line-end'
      this.skipLines()
      if (!separated) {
        this.require('}')
        break
      }
    }
    return { is: 'object', members }
  }

  /** A bare name is the key itself, not a reference. */
  #objectKey(): Expression {
    const isInParentheses = this.peek().text === '('
    const expression = this.expression()
    if (!this.take('=')) this.require(':')
    const isBare = !isInParentheses && expression.is === 'reference' && expression.steps.length === 0
    return isBare ? { is: 'literal', value: ofText(expression.root.normalize('NFC')) } : expression
  }

  #isFor(): boolean {
    const { is, text } = this.peek()
    return is === 'name' && text === 'for'
  }

  #for(bracket: ']' | '}'): Expression {
    this.next()
    const { key, value, of } = this.forIntroduction()
    this.require(':')
    const first = this.expression()
    const isNamed = bracket === '}'
    if (isNamed) this.require('=>')
    const result = isNamed ? this.expression() : first
    const isGrouped = isNamed && this.take('...')
    const condition = this.takeName('if') ? this.expression() : undefined
    this.require(bracket)
    return {
      is: 'for',
      key,
      value,
      of,
      resultName: isNamed ? first : undefined,
      result,
      condition,
      isGrouped,
    }
  }

  #withSteps(start: Expression): Expression {
    const { steps, splat } = this.#steps()
    const whole = steps.length === 0 ? start : withSteps(start, steps)
    if (!splat) return whole
    const element: Expression = { is: 'reference', root: elementName, steps: [] }
    // All steps after `[*]` apply to each element; after `.*`, only the names do.
    const each =
      splat === 'index' ? this.deeper(() => this.#withSteps(element)) : withSteps(element, this.#nameSteps())
    const made: Expression = { is: 'splat', of: whole, each }
    return splat === 'index' ? made : this.deeper(() => this.#withSteps(made))
  }

  /** The steps up to a splat, or up to the end. */
  #steps(): { readonly steps: readonly Step[]; readonly splat: 'index' | 'name' | undefined } {
    const steps: Step[] = []
    for (;;) {
      if (this.take('.')) {
        if (this.take('*')) return { steps, splat: 'name' }
        steps.push(this.#memberStep())
      } else if (this.peek().text === '[' && this.peek().is === 'sign') {
        this.next()
        const step = this.inside(false, () => this.#indexStep())
        if (step === undefined) return { steps, splat: 'index' }
        steps.push(step)
      } else return { steps, splat: undefined }
      if (steps.length > mostOperands) throw unsupported('a way of so many steps', elsewhere)
    }
  }

  #nameSteps(): readonly Step[] {
    const steps: Step[] = []
    while (this.take('.')) steps.push(this.#memberStep())
    return steps
  }

  #memberStep(): Step {
    const token = this.next()
    if (token.is === 'name') return { is: 'name', name: token.text }
    if (token.is !== 'number') throw unexpected(token)
    if (/^\d+$/.test(token.text)) return { is: 'index', index: numberLiteral(token.text) }
    // `.0.1` looks like a number with a fraction, and only some engines read it as indexes.
    throw unsupported(`the index .${token.text}`, 'write it in brackets')
  }

  /** Undefined for `[*]`. */
  #indexStep(): Step | undefined {
    const index = this.take('*') ? undefined : this.expression()
    this.require(']')
    return index === undefined ? undefined : { is: 'index', index }
  }
}

function isBinary(text: string): text is BinaryOperator {
  return Object.hasOwn(binding, text)
}

function numberLiteral(text: string): Expression {
  const number = parseNumber(text)
  return { is: 'literal', value: number ? ofNumber(number) : nothing }
}

function withSteps(start: Expression, steps: readonly Step[]): Expression {
  if (steps.length === 0) return start
  return start.is === 'reference' && start.steps.length === 0
    ? { ...start, steps }
    : { is: 'access', of: start, steps }
}
