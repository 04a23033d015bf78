import { invalid } from '../../cty/invalid-value.ts'
import type { Token } from '../language/lex.ts'
import { ExpressionReader } from '../language/parse-expression.ts'
import type { Expression } from '../language/syntax.ts'
import { unexpected } from '../language/token-reader.ts'

/** What stands in a file, or between the braces of a block. `at` is the offset of its name in the text. */
export interface HclBody {
  readonly attributes: readonly HclAttribute[]
  readonly blocks: readonly HclBlock[]
}

export interface HclAttribute {
  readonly name: string
  readonly at: number
  readonly expression: Expression
}

export interface HclBlock {
  readonly type: string
  readonly labels: readonly string[]
  readonly at: number
  readonly body: HclBody
}

/** Reads a file in Terraform's own language. Throws a refusal at the offset that `position` then has. */
export class HclReader extends ExpressionReader {
  readonly #texts = new WeakMap<Expression, string>()
  #last: Token | undefined

  /** Where something is wrong: at the word that was read last. */
  get position(): number {
    const last = this.#last
    return last?.end === this.at ? this.at - last.text.length : this.at
  }

  protected override next(): Token {
    this.#last = super.next()
    return this.#last
  }

  file(): HclBody {
    if (this.text.startsWith('\ufeff')) this.at = 1
    return this.inside(true, () => {
      const body = this.#body()
      this.requireEnd()
      return body
    })
  }

  override expression(): Expression {
    const from = this.at
    const expression = super.expression()
    this.#texts.set(expression, this.text.slice(from, this.at).trim())
    return expression
  }

  /** An expression as it is written. */
  textOf(expression: Expression): string {
    return this.#texts.get(expression) ?? ''
  }

  #body(): HclBody {
    const attributes: HclAttribute[] = []
    const blocks: HclBlock[] = []
    for (;;) {
      this.skipLines()
      const token = this.peek()
      if (token.is === 'end' || token.text === '}') return { attributes, blocks }
      const name = this.#name()
      const at = this.at - name.length
      if (this.take('=')) {
        if (attributes.some(each => each.name === name)) {
          this.at = at
          throw invalid(`"${name}" is said twice`, 'keep one of them')
        }
        attributes.push({ name, at, expression: this.expression() })
      } else blocks.push(this.#block(name, at))
      this.#requireLineEnd()
    }
  }

  #block(type: string, at: number): HclBlock {
    const labels: string[] = []
    while (!this.take('{')) labels.push(this.#label())
    const body = this.deeper(() => this.inside(true, () => this.#body()))
    this.require('}')
    return { type, labels, at, body }
  }

  #label(): string {
    if (this.peek().text !== '"') return this.#name()
    this.next()
    const parts = this.template('quoted')
    this.at += 1
    if (parts.some(part => typeof part !== 'string')) throw invalid('a label has something to fill in')
    return parts.join('')
  }

  #name(): string {
    const token = this.next()
    if (token.is !== 'name' || token.text.includes('::')) throw unexpected(token, 'a name')
    return token.text
  }

  #requireLineEnd(): void {
    const token = this.peek()
    if (token.is !== 'line-end' && token.is !== 'end' && token.text !== '}')
      throw unexpected(token, 'the end of the line')
  }
}
