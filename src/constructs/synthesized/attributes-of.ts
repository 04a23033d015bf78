import {
  DefaultTokenResolver,
  StringConcat,
  TerraformDataSource,
  type TerraformResource,
  Token,
  Tokenization,
} from 'cdktf'
import type { IConstruct } from 'constructs'
import { markedForm, splitMarks } from '../engine/engine-marks.ts'
import { onlyExpression, templatePieces } from './templates.ts'

export interface Attributes {
  readonly [name: string]: unknown
}

/**
 * The current attributes that a resource or a data source will be synthesized with, including `addOverride`
 * and the results of every `Lazy`.
 */
export function attributesOf(declared: TerraformResource | TerraformDataSource): Attributes | undefined {
  const section = TerraformDataSource.isTerraformDataSource(declared) ? 'data' : 'resource'
  const types = memberOf(declared.toTerraform(), section)
  const attributes = memberOf(memberOf(types, declared.terraformResourceType), declared.friendlyUniqueId)
  // A resource that was moved elsewhere leaves only a note of that.
  const known = settled(declared, attributes)
  return isRecord(known) ? known : undefined
}

function memberOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined
}

function isRecord(value: unknown): value is Attributes {
  return typeof value === 'object' && value !== null
}

/**
 * A value of a construct as far as it is known after the engine has resolved it: a `Lazy` is the constant
 * that it produces. A value that Terraform evaluates stays a reference.
 */
function settled(scope: IConstruct, value: unknown): unknown {
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
