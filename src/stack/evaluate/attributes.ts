import {
  convert,
  type ExactJson,
  evaluateDeclared,
  invalid,
  isExactObject,
  Refusal,
  type Scope,
  type Typed,
  type Value,
} from '../../hcl/index.ts'

import { meantHint } from '../../model/text/did-you-mean.ts'
import { requireNames } from '../../schema/terraform/terraform-attribute.ts'
import { type Expressions, expressionOf } from '../read/expression-of.ts'
import type { Body } from '../read/stack-file.ts'
import type { Schema } from './provider-schemas.ts'
import type { StackProblems, Subject } from './stack-problems.ts'

/** The attributes of one block as they are configured; null is what is left out. */
export type Attributes = Readonly<Record<string, Value>>

export interface AttributesOptions {
  readonly place: Subject
  readonly scope: Scope
  readonly expressions: Expressions
  readonly problems: StackProblems
  /** Members of the body that are no attributes. */
  readonly others?: ReadonlySet<string>
}

/** Works the attributes of a block out; undefined where one of them is refused, and all that are get told. */
export function readAttributes(
  body: Body,
  schema: Schema,
  options: AttributesOptions,
): Attributes | undefined {
  const { place, problems, others } = options
  let isWhole = true
  const values: Record<string, Value> = {}
  for (const name of Object.keys(body)) {
    if (others?.has(name) || schema.get(name)?.isSettable) continue
    isWhole = false
    problems.refuse(place, name, unknownAttribute(name, schema))
  }
  for (const [name, { type, isSettable }] of schema) {
    const written = Object.hasOwn(body, name) ? body[name] : undefined
    if (written === undefined || !isSettable) continue
    const value = attempt(written, name, options, found => {
      requireNames(found.plain, type, name)
      return convert(found, type).plain
    })
    if (value === undefined) isWhole = false
    else values[name] = value
  }
  for (const [name, { isRequired }] of schema) {
    if (!isRequired || (values[name] ?? null) !== null) continue
    // One that was refused is there, only not usable.
    if (!isWhole && body[name] !== undefined && body[name] !== null) continue
    isWhole = false
    problems.refuse(place, name, invalid('it has to be given'))
  }
  return isWhole ? values : undefined
}

/** Works one value out; a refusal is told for the innermost part of it that is refused. */
export function attempt<Result>(
  written: ExactJson,
  field: string,
  { place, scope, expressions, problems }: Omit<AttributesOptions, 'others'>,
  use: (value: Typed) => Result,
): Result | undefined {
  try {
    return use(evaluateDeclared(expressions.of(written), scope))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const inner = innermost(written, field, scope, error)
    problems.refuse(place, inner.field, inner.refusal)
    return undefined
  }
}

function innermost(
  written: ExactJson,
  field: string,
  scope: Scope,
  refusal: Refusal,
): { readonly field: string; readonly refusal: Refusal } {
  const parts = Array.isArray(written)
    ? written.map((element, index) => [`${field}[${index}]`, element] as const)
    : isExactObject(written)
      ? Object.entries(written).map(([name, member]) => [memberField(field, name), member] as const)
      : []
  for (const [inside, part] of parts) {
    try {
      evaluateDeclared(expressionOf(part), scope)
    } catch (error) {
      if (error instanceof Refusal) return innermost(part, inside, scope, error)
      throw error
    }
  }
  return { field, refusal }
}

function memberField(field: string, name: string): string {
  if (!/^[\w-]+$/.test(name)) return `${field}[${JSON.stringify(name)}]`
  return field === '' ? name : `${field}.${name}`
}

function unknownAttribute(name: string, schema: Schema): Refusal {
  if (schema.has(name)) return invalid('the service says it, so it cannot be set', 'leave it out')
  const known = [...schema].flatMap(([each, { isSettable }]) => (isSettable ? [each] : []))
  return invalid('there is no such attribute', meantHint(name, known, `there are ${known.join(', ')}`))
}
