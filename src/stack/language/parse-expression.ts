import { parseNumber } from '../../cty/big-float.ts'
import { elsewhere, invalid, unsupported } from '../../cty/invalid-value.ts'
import { nothing, ofBool, ofNumber, ofText } from '../../cty/typed.ts'
import { plainTextAt, quotedTextAt } from './literal-text.ts'
import { type BinaryOperator, binding, type Expression, type Step } from './syntax.ts'
import { TokenReader, unexpected } from './token-reader.ts'

/** Reads a text in which `${...}` is filled in. A text that is nothing but one of those is what it stands for. */
export function parseTemplate(text: string): Expression {
  const reader = new Reader(text)
  return asExpression(reader.template('bare'))
}

/** Reads an expression that stands alone, without `${` and `}`. */
export function parseExpression(text: string): Expression {
  const reader = new Reader(text)
  const expression = reader.expression()
  reader.requireEnd()
  return expression
}

type Parts = readonly (string | Expression)[]

function asExpression(parts: Parts): Expression {
  const [only] = parts
  if (parts.length === 0) return { is: 'literal', value: ofText('') }
  if (parts.length > 1 || only === undefined) return { is: 'template', parts }
  return typeof only === 'string' ? { is: 'literal', value: ofText(only) } : only
}

/** One deeper than the next: so many are refused, so that nobody who goes through them loses their way. */
const mostOperands = 1000

class Reader extends TokenReader {
  /** The pieces of a template: up to its closing quote, or to the end of the text. */
  template(form: 'bare' | 'quoted'): Parts {
    const parts: (string | Expression)[] = []
    let literal = ''
    for (;;) {
      const rest = this.text.slice(this.at, this.at + 3)
      if (rest === '') {
        if (form === 'quoted') throw invalid('a text in quotes has no end')
        break
      }
      if (form === 'quoted' && rest.startsWith('"')) break
      if (rest === '$${' || rest === '%%{') {
        literal += rest.slice(1)
        this.at += 3
      } else if (rest.startsWith('${')) {
        if (literal !== '') parts.push(literal.normalize('NFC'))
        literal = ''
        parts.push(this.#interpolation())
      } else if (rest.startsWith('%{')) {
        throw unsupported(
          'a template directive %{...}',
          `write %%{ where text is meant; otherwise ${elsewhere}`,
        )
      } else literal += this.#literalText(form)
    }
    if (literal !== '') parts.push(literal.normalize('NFC'))
    return parts
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
      default:
        throw unexpected(token)
    }
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
    this.#refuseFor('[')
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
    this.#refuseFor('{')
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

  /** A bare name is itself there, not what it refers to. */
  #objectKey(): Expression {
    const expression = this.expression()
    if (!this.take('=')) this.require(':')
    const isBare = expression.is === 'reference' && expression.steps.length === 0
    return isBare ? { is: 'literal', value: ofText(expression.root.normalize('NFC')) } : expression
  }

  #withSteps(start: Expression): Expression {
    const steps: Step[] = []
    for (;;) {
      if (this.take('.')) steps.push(this.#memberStep())
      else if (this.peek().text === '[' && this.peek().is === 'sign') {
        this.next()
        steps.push(this.inside(false, () => this.#indexStep()))
      } else break
    }
    if (steps.length === 0) return start
    return start.is === 'reference' ? { ...start, steps } : { is: 'access', of: start, steps }
  }

  #memberStep(): Step {
    const token = this.next()
    if (token.is === 'name') return { is: 'name', name: token.text }
    if (token.text === '*') throw splat()
    if (token.is === 'number' && /^\d+$/.test(token.text))
      return { is: 'index', index: numberLiteral(token.text) }
    throw unexpected(token)
  }

  #indexStep(): Step {
    if (this.take('*')) throw splat()
    const index = this.expression()
    this.require(']')
    return { is: 'index', index }
  }

  #refuseFor(bracket: '[' | '{'): void {
    const { is, text } = this.peek()
    if (is !== 'name' || text !== 'for') return
    const shown = bracket === '[' ? '[for ...]' : '{for ...}'
    throw unsupported(`a for expression ${shown}`, 'build it in TypeScript, or run this stack with Terraform')
  }

  #interpolation(): Expression {
    this.at += 2
    return this.inside(false, () => {
      if (this.text.charAt(this.at) === '~') throw stripMarker()
      const expression = this.expression()
      const token = this.next()
      if (token.text !== '}') throw unexpected(token)
      return expression
    })
  }

  #literalText(form: 'bare' | 'quoted'): string {
    const { text, end } =
      form === 'quoted' ? quotedTextAt(this.text, this.at) : plainTextAt(this.text, this.at)
    this.at = end
    return text
  }
}

function isBinary(text: string): text is BinaryOperator {
  return Object.hasOwn(binding, text)
}

function numberLiteral(text: string): Expression {
  const number = parseNumber(text)
  return { is: 'literal', value: number ? ofNumber(number) : nothing }
}

function splat() {
  return unsupported('a splat expression', 'name the elements one by one, or run this stack with Terraform')
}

function stripMarker() {
  return unsupported('a strip marker ${~', elsewhere)
}
