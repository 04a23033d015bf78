import { resourceBlock } from '../../derive/terraform-schema.ts'
import { typedAttributes } from '../../derive/typed-filters.ts'
import { type DeclarableKind, identityField, managedFields } from '../../model/kind.ts'
import { pointerOf } from '../../model/pointer.ts'
import type { Attributes } from './attributes.ts'
import { isNumber, truncate } from './language/big-float.ts'
import { type ExactJson, isExactObject } from './language/json-value.ts'
import { parseExpression } from './language/parse.ts'
import { invalid, unsupported } from './language/refusal.ts'
import type { Step } from './language/syntax.ts'
import { isMembers, isSequence, type Value } from './language/value.ts'

/** Whether a resource must not be destroyed: more than Terraform, Vexil also refuses to turn it off. */
export function isProtected(lifecycle: ExactJson | undefined): boolean {
  const { prevent_destroy: protect = false } = membersOf(lifecycle)
  if (typeof protect !== 'boolean') throw invalid('it has to be true or false')
  return protect
}

/**
 * What is left to the service, as pointers into the fields.
 *
 * | ignored                                | left to the service                        |
 * |----------------------------------------|--------------------------------------------|
 * | `tags`, `name`, any managed attribute  | that field                                 |
 * | `release`, `release[0].properties`     | the conditions, or that part of one        |
 * | `variants`, `variants[1].payload`      | the variants, or that part of one          |
 * | `payload`, `group_type_index`          | that member of the filters                 |
 * | `all`                                  | every field that is declared               |
 * | `adopt`, `acknowledge`, `on_destroy`   | nothing: the service does not hold them    |
 */
export function ignoredPaths(
  kind: DeclarableKind,
  attributes: Attributes,
  lifecycle: ExactJson | undefined,
): readonly string[] {
  const { ignore_changes: ignored = [] } = membersOf(lifecycle)
  const identity = identityField(kind)
  if (isAll(ignored)) {
    if ((attributes.source ?? null) !== null) throw filesCannot()
    return managedFields(kind)
      .filter(name => name !== identity)
      .map(name => pointerOf(name))
  }
  if (!Array.isArray(ignored)) throw invalid('it has to be a list of attributes, or "all"')
  return ignored.flatMap(each => {
    const { name, steps } = attributePath(each)
    if (!Object.hasOwn(resourceBlock(kind).attributes, name)) throw invalid(`there is no attribute "${name}"`)
    if (name === identity)
      throw unsupported(
        `"${name}" finds the ${kind.title}, so it cannot be left to the service`,
        'take it out',
      )
    if (name === 'source') throw filesCannot()
    if (typedAttributes.some(typed => typed === name))
      return [`/filters${typedPointer(name, steps, attributes)}`]
    if (!managedFields(kind).includes(name)) return []
    if (steps.length > 0 && kind.fields[name]?.type !== 'set')
      throw unsupported(`a part of "${name}"`, `ignore "${name}" as a whole`)
    return [pointerOf(name)]
  })
}

function isAll(ignored: ExactJson): boolean {
  return ignored === 'all' || (Array.isArray(ignored) && ignored.length === 1 && ignored[0] === 'all')
}

function filesCannot() {
  return unsupported(
    'source files cannot be left to the service once they are declared',
    'leave `source` out',
  )
}

interface AttributePath {
  readonly name: string
  /** A name, or the index of an element. */
  readonly steps: readonly (string | number)[]
}

function attributePath(json: ExactJson): AttributePath {
  const expression =
    typeof json === 'string' ? parseExpression(json.replace(/^\$\{(.*)\}$/, '$1')) : undefined
  if (expression?.is !== 'reference') throw invalid(`${JSON.stringify(json)} is no attribute`)
  return { name: expression.root, steps: expression.steps.map(plainStep) }
}

function plainStep(step: Step): string | number {
  if (step.is === 'name') return step.name
  const value = step.index.is === 'literal' ? step.index.value : null
  if (typeof value === 'string') return value
  if (value === null || !isNumber(value)) throw invalid('an index has to be a number')
  return Number(truncate(value))
}

function typedPointer(name: string, steps: readonly (string | number)[], attributes: Attributes): string {
  switch (name) {
    case 'release':
      return pointerOf('groups', ...steps.map(wireStep))
    case 'variants': {
      const [index, member, ...rest] = steps
      if (member === 'payload')
        return pointerOf('payloads', variantKey(attributes.variants ?? null, index), ...rest)
      return pointerOf('multivariate', 'variants', ...steps)
    }
    case 'payload':
      return pointerOf('payloads', 'true')
    default:
      return pointerOf('aggregation_group_type_index')
  }
}

/** One value and several are one member on the wire. */
function wireStep(step: string | number): string | number {
  return step === 'values' ? 'value' : step
}

function variantKey(variants: Value, index: string | number | undefined): string {
  const variant = isSequence(variants) && typeof index === 'number' ? variants.elements[index] : undefined
  const key = variant !== undefined && isMembers(variant) ? variant.members.get('key') : undefined
  if (typeof key !== 'string') throw invalid('there is no such variant')
  return key
}

function membersOf(json: ExactJson | undefined): { readonly [name: string]: ExactJson } {
  return isExactObject(json) ? json : {}
}
