import {
  type ExactJson,
  fixedSteps,
  invalid,
  isListValue,
  isNumber,
  type KnownStep,
  memberOf,
  ofText,
  truncate,
  unsupported,
  type Value,
} from '../../hcl/index.ts'

import { nounOf } from '../../model/json/json-shape.ts'
import { pointerOf } from '../../model/json/pointer.ts'
import { identityField, managedFields } from '../../model/kind.ts'
import { filtersPointer, type TypedPath, typedAttributes } from '../../targeting/typed-form.ts'
import { type Attributes, resourceSchemas } from '../evaluate/attributes.ts'
import { requireAttribute } from '../evaluate/modules.ts'
import type { ResourceInstance } from '../evaluate/resources.ts'
import { referenceIn } from '../read/expressions.ts'
import { type Block, blockMembers, switchIn } from '../read/stack-file.ts'

/** Whether a resource must not be destroyed. Vexil, unlike Terraform, then also refuses to turn it off. */
export function isProtected(lifecycle: ExactJson | undefined): boolean {
  return switchIn(blockMembers(lifecycle), 'prevent_destroy', false)
}

/** What a block leaves to the service, in its own words: attributes, or parts of them. */
export type IgnoredAttributes = 'all' | readonly AttributePath[]

interface AttributePath {
  readonly name: string
  /** A name, or the index of an element. */
  readonly steps: readonly (string | number)[]
}

/** Reads `ignore_changes`, which is equal for all instances of a block. */
export function ignoredAttributes(block: Block): IgnoredAttributes {
  const { ignore_changes: ignored = [] } = blockMembers(block.body.lifecycle)
  if (isAll(ignored)) return 'all'
  if (!Array.isArray(ignored)) throw invalid('it has to be a list of attributes, or "all"')
  return ignored.map(each => attributePath(each, block))
}

/**
 * The ignored parts as pointers into the fields.
 *
 * | ignored                                | left to the service                        |
 * |----------------------------------------|--------------------------------------------|
 * | `tags`, `name`, any managed attribute  | that field                                 |
 * | `release`, `release[0].properties`     | the conditions, or that part of one        |
 * | `variants`, `variants[1].payload`      | the variants, or that part of one; a whole one includes its payload |
 * | `payload`, `group_type_index`, others  | that member of the filters                 |
 * | `all`                                  | every field that is declared               |
 * | `adopt`, `allow`, `on_destroy`         | nothing: the service does not hold them    |
 */
export function ignoredPaths(
  { kind, attributes }: Pick<ResourceInstance, 'kind' | 'attributes'>,
  ignored: IgnoredAttributes,
): readonly string[] {
  const identity = identityField(kind)
  if (ignored === 'all') {
    if ((attributes.source ?? null) !== null) throw filesCannot()
    return managedFields(kind)
      .filter(name => name !== identity)
      .map(name => pointerOf(name))
  }
  return ignored.flatMap(({ name, steps }) => {
    if (name === identity)
      throw unsupported(
        `"${name}" finds the ${kind.title}, so it cannot be left to the service`,
        'take it out',
      )
    if (name === 'source') throw filesCannot()
    const typed = typedAttributes.find(each => each === name)
    if (typed) return typedPointers([typed, ...steps], attributes)
    if (!managedFields(kind).includes(name)) return []
    if (steps.length > 0 && kind.fields[name]?.type !== 'set')
      throw unsupported(`a part of "${name}"`, `ignore "${name}" as a whole`)
    return [pointerOf(name)]
  })
}

function isAll(ignored: ExactJson): boolean {
  return typeof ignored === 'string' && ignored.trim() === 'all'
}

function filesCannot() {
  return unsupported(
    'source files cannot be left to the service once they are declared',
    'leave `source` out',
  )
}

function attributePath(json: ExactJson, { address, type }: Block): AttributePath {
  const reference = referenceIn(json)
  const shown = typeof json === 'string' ? JSON.stringify(json) : nounOf(json)
  if (!reference || reference.root === 'all') throw invalid(`${shown} is no attribute`)
  const steps = fixedSteps(reference.steps)
  if (steps.length < reference.steps.length) throw invalid('an index has to be a constant')
  const name: KnownStep = { index: ofText(reference.root), isNamed: true }
  requireAttribute(address, resourceSchemas.get(type)?.attributes ?? new Map(), [name, ...steps])
  return { name: reference.root, steps: steps.map(plainStep) }
}

function plainStep({ index: { plain } }: KnownStep): string | number {
  return isNumber(plain) ? Number(truncate(plain)) : String(plain)
}

/** A variant includes its payload, which the filters have elsewhere. */
function typedPointers([name, ...steps]: TypedPath, { variants = null }: Attributes): string[] {
  const keys = isListValue(variants) ? variants.map(keyOf) : []
  const [index, inner] = steps
  const payloads =
    name !== 'variants' || inner !== undefined
      ? []
      : [index === undefined ? '/payloads' : filtersPointer([name, index, 'payload'], keys)]
  return [filtersPointer([name, ...steps], keys), ...payloads].map(pointer => {
    if (pointer === undefined) throw invalid('there is no such variant')
    return `/filters${pointer}`
  })
}

function keyOf(variant: Value): string | undefined {
  const key = memberOf(variant, 'key')
  return typeof key === 'string' ? key : undefined
}
