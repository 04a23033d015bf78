import { Token } from 'cdktf'
import type { IConstruct } from 'constructs'
import { markedForm, splitMarks } from '../engine/engine-marks.ts'
import { resolveInStack } from './resolve-in-stack.ts'
import { onlyExpression, templatePieces } from './template-pieces.ts'

/**
 * A value of a construct as far as it is known after the engine has resolved it: a `Lazy` is the constant
 * that it produces. A value that Terraform evaluates stays a reference.
 */
export function settled(scope: IConstruct, value: unknown): unknown {
  if (markedForm(value) !== undefined) return produced(scope, value)
  if (typeof value === 'string') return settledText(scope, value)
  return withMembers(value, member => settled(scope, member))
}

function settledText(scope: IConstruct, text: string): string {
  return splitMarks(text)
    .map((piece, index) => (index % 2 === 1 ? String(produced(scope, piece)) : piece))
    .join('')
}

function produced(scope: IConstruct, reference: unknown): unknown {
  const resolved = resolveInStack(scope, reference)
  // The reference still shows its type.
  if (typeof resolved === 'string' && onlyExpression(resolved) !== undefined) return reference
  return withReferences(resolved)
}

/** A value from the engine, with references instead of expressions. */
function withReferences(value: unknown): unknown {
  if (typeof value !== 'string') return withMembers(value, withReferences)
  return templatePieces(value)
    .map((piece, index) => (index % 2 === 1 ? Token.asString(Token.asAny(piece)) : piece))
    .join('')
}

function withMembers(value: unknown, change: (member: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member)]))
}
