import { type IResolvable, type IResolveContext, Token } from 'cdktf'
import { onlyExpression, quotedTemplate } from './template-pieces.ts'

/**
 * The result of a value that the engine resolves only at synthesis. Texts are templates then: a reference is
 * an expression in them, and a constant is the result of a `Lazy`.
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
    // Inside an expression the engine leaves the braces out, and then a reference looks like a text.
    context.suppressBraces = false
    const resolved: unknown = context.resolve(this.value)
    context.suppressBraces = suppressBraces
    const made = this.make(resolved)
    return suppressBraces ? expressionOf(made) : made
  }

  public toString(): string {
    return Token.asString(this)
  }

  /** Like the engine's own. */
  public toJSON(): string {
    return '<unresolved-later>'
  }
}

/** A template, or a list of them, as an expression of Terraform's own language; other values stay. */
export function expressionOf(made: unknown): unknown {
  if (Array.isArray(made)) return `[${made.map(expressionOf).join(', ')}]`
  return typeof made === 'string' ? (onlyExpression(made) ?? quotedTemplate(made)) : made
}
