import { DefaultTokenResolver, StringConcat, Tokenization } from 'cdktf'
import type { IConstruct } from 'constructs'

/** The engine's output for a value of a construct: `${var.share}` instead of a mark. */
export function resolveInStack(scope: IConstruct, value: unknown): unknown {
  return Tokenization.resolve(value, { scope, resolver: new DefaultTokenResolver(new StringConcat()) })
}

/**
 * The engine's expression for a value, without its braces; undefined for any other value, for a text with
 * more in it, and for an expression without a reference.
 */
export function expressionIn(scope: IConstruct, value: unknown): string | undefined {
  const [, expression] = /^\$\{(.*)\}$/s.exec(String(resolveInStack(scope, value))) ?? []
  if (expression === undefined || /[$%]\{/.test(expression)) return undefined
  const withoutTexts = expression.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
  return /[a-z_][\w-]*[.[]/i.test(withoutTexts) ? expression : undefined
}
