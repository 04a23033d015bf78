import { DefaultTokenResolver, StringConcat, Tokenization } from 'cdktf'
import type { IConstruct } from 'constructs'

/** What the engine will write for a value of a construct: `${var.share}` in the place of a mark. */
export function resolveInStack(scope: IConstruct, value: unknown): unknown {
  return Tokenization.resolve(value, { scope, resolver: new DefaultTokenResolver(new StringConcat()) })
}

/**
 * The expression that the engine will write for a value, without its braces; undefined for anything else, for a text with
 * more than that, and for an expression that refers to nothing.
 */
export function expressionIn(scope: IConstruct, value: unknown): string | undefined {
  const [, expression] = /^\$\{(.*)\}$/s.exec(String(resolveInStack(scope, value))) ?? []
  if (expression === undefined || /[$%]\{/.test(expression)) return undefined
  const withoutTexts = expression.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
  return /[a-z_][\w-]*[.[]/i.test(withoutTexts) ? expression : undefined
}
