import {
  conditionOf,
  convert,
  type ExactJson,
  type ExactObject,
  evaluateDeclared,
  findSensitive,
  invalid,
  isExactObject,
  notKnown,
  Refusal,
  requireDeclared,
  type Scope,
  type Type,
  type Typed,
  Unknown,
  type Value,
} from '../../hcl/index.ts'
import { declarableKinds } from '../../kinds/index.ts'
import type { DeclarableKind, IdentifiedKind } from '../../model/kind.ts'
import { nounOf } from '../../model/text/json-shape.ts'
import { meantHint } from '../../model/text/names.ts'
import {
  requireNames,
  type TerraformAttributes,
  typeOfAttribute,
} from '../../schema/terraform/terraform-attribute.ts'
import { dataSourceBlock, dataSources } from '../../schema/terraform/terraform-data-sources.ts'
import { typeName } from '../../schema/terraform/terraform-names.ts'
import { providerBlock, resourceBlock } from '../../schema/terraform/terraform-schema.ts'
import { type Expressions, expressionOf } from '../expressions.ts'
import { type Body, bodiesIn, notBodiesIn, requireMembers } from '../stack-file.ts'
import type { StackProblems, Subject } from '../stack-problems.ts'

/** The configured attributes of one block; an absent attribute is null. */
export type Attributes = Readonly<Record<string, Value>>

export interface AttributesOptions {
  readonly place: Subject
  readonly scope: Scope
  readonly expressions: Expressions
  readonly problems: StackProblems
  /** Members of the body that are not attributes. */
  readonly others?: ReadonlySet<string>
}

/** Evaluates the attributes of a block. Reports each refusal, and returns undefined if there is any. */
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
    // A refused attribute exists, but has no value.
    if (!isWhole && body[name] !== undefined && body[name] !== null) continue
    isWhole = false
    problems.refuse(place, name, invalid('a value is required'))
  }
  return isWhole ? values : undefined
}

/** Evaluates one value. A refusal is reported for the innermost refused part. */
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
  if (schema.has(name))
    return invalid('the service sets this attribute, so it cannot be declared', 'remove it')
  const known = [...schema].flatMap(([each, { isSettable }]) => (isSettable ? [each] : []))
  return invalid('this attribute does not exist', meantHint(name, known, `there are ${known.join(', ')}`))
}

/** The code of failed conditions of a configuration; in a `check` block they are warnings. */
export const conditionCode = 'stack-condition'

type Condition = 'precondition' | 'postcondition' | 'validation' | 'assert'

/**
 * Checks the conditions of a configuration. An unknown condition is refused, except in `check` blocks: those
 * check the live state, and Terraform continues with a warning whatever they find.
 */
export function checkConditions(
  place: Subject,
  body: ExactJson | ExactObject | undefined,
  options: { readonly scope: Scope; readonly expressions: Expressions; readonly problems: StackProblems },
  kinds: readonly Condition[],
): void {
  const members = isExactObject(body) ? body : {}
  for (const kind of kinds) {
    for (const { json } of notBodiesIn(members[kind], 0, []))
      options.problems.refuse(place, kind, invalid(`a condition must be an object, not ${nounOf(json)}`))
    for (const [index, body] of bodiesIn(members[kind]).entries()) {
      const field = `${kind}[${index}]`
      const { condition = null, error_message: message = null } = body
      const { expressions, scope, problems } = options
      const isWritten = problems.attempt(place, field, () => {
        requireMembers(body, ['condition', 'error_message'])
        if (message === null) throw invalid('error_message is missing')
        requireDeclared(expressions.of(message), scope)
        return true
      })
      const holds = attempt(condition, `${field}.condition`, { place, ...options }, value => {
        const { holds } = conditionOf(value)
        if (!(holds instanceof Unknown)) return holds
        if (kind !== 'assert') throw notKnown(holds, 'the condition')
        const { message: words } = notKnown(holds, 'the condition')
        options.problems.add(place, {
          code: conditionCode,
          severity: 'warning',
          message: `${place.address}.${field}: ${words}, so this condition is not checked`,
        })
        return true
      })
      if (holds === undefined || holds === true || !isWritten) continue
      const words = attempt(message, `${field}.error_message`, { place, ...options }, ({ plain }) => plain)
      if (words === undefined) continue
      const shown = findSensitive(words) || typeof words !== 'string' ? 'the condition is not met' : words
      options.problems.add(place, {
        code: conditionCode,
        severity: kind === 'assert' ? 'warning' : 'error',
        message: `${place.address}.${field}: ${shown}`,
      })
    }
  }
}

export interface SchemaAttribute {
  readonly type: Type
  readonly isRequired: boolean
  /** False for values that only the service sets. */
  readonly isSettable: boolean
  /** Whether the service fills in a missing value. */
  readonly isComputed: boolean
}

export type Schema = ReadonlyMap<string, SchemaAttribute>

export interface ResourceSchema {
  readonly kind: DeclarableKind
  readonly attributes: Schema
}

export interface DataSourceSchema {
  readonly kind: DeclarableKind | undefined
  /** The kind of the object that its attributes identify. */
  readonly one: IdentifiedKind | undefined
  readonly attributes: Schema
}

export const resourceSchemas: ReadonlyMap<string, ResourceSchema> = new Map(
  declarableKinds.map(kind => [
    typeName(kind.name),
    { kind, attributes: schemaOf(resourceBlock(kind).attributes) },
  ]),
)

export const dataSourceSchemas: ReadonlyMap<string, DataSourceSchema> = new Map(
  Object.entries(dataSources).map(([name, source]) => {
    const kind = declarableKinds.find(each => each.name === source.kind.name)
    const attributes = schemaOf(dataSourceBlock(source).attributes)
    return [typeName(name), { kind, one: source.is === 'one' ? source.kind : undefined, attributes }]
  }),
)

export const providerSchema: Schema = schemaOf(providerBlock.attributes)

function schemaOf(attributes: TerraformAttributes): Schema {
  return new Map(
    Object.entries(attributes).map(([name, attribute]) => {
      const { required = false, optional = false, computed = false } = attribute
      const type = typeOfAttribute(attribute)
      return [name, { type, isRequired: required, isSettable: required || optional, isComputed: computed }]
    }),
  )
}
