import { type IResolvable, type IResolveContext, Token } from 'cdktf'
import { onlyExpression, quotedTemplate } from './template-pieces.ts'

/**
 * Something made of a value that the engine gives only when it synthesizes. Texts are templates then: a reference is an
 * expression in them, and a constant is what a `Lazy` produced.
 */
export class Later implements IResolvable {
  public readonly creationStack: string[] = []
  private readonly value: unknown
  private readonly make: (resolved: unknown) => unknown

  public constructor(value: unknown, make: (resolved: unknown) => unknown) {
    this.value = value
    this.make = make
  }

  public resolve(context: IResolveContext): unknown {
    const { suppressBraces = false } = context
    // Inside of an expression the engine leaves the braces out, without which a reference looks like a text.
    context.suppressBraces = false
    const resolved: unknown = context.resolve(this.value)
    context.suppressBraces = suppressBraces
    const made = this.make(resolved)
    return suppressBraces ? expressionOf(made) : made
  }

  public toString(): string {
    return Token.asString(this)
  }

  /** As the engine's own. */
  public toJSON(): string {
    return '<unresolved-later>'
  }
}

/** A template, or a list of them, as an expression of Terraform's own language; anything else as it is. */
export function expressionOf(made: unknown): unknown {
  if (Array.isArray(made)) return `[${made.map(expressionOf).join(', ')}]`
  return typeof made === 'string' ? (onlyExpression(made) ?? quotedTemplate(made)) : made
}
