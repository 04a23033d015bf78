import { type Diagnostics, errorDiagnostic } from '../diagnostic.ts'
import type { Block } from '../schema/schema.ts'
import { type AttributePath, showPath } from '../values/attribute-path.ts'
import { isListValue, isObjectValue, type ObjectValue, type Value } from '../values/value.ts'
import { memberOf } from '../values/walk-type.ts'

/** A Terraform that does not know of values that are never kept would keep them, secrets and all. */
export function checkWriteOnly(block: Block, config: ObjectValue): Diagnostics {
  return writtenPaths(block, config, []).map(path =>
    errorDiagnostic(
      `"${showPath(path)}" needs Terraform 1.11 or later`,
      'an older one would keep the value in the state; leave it out, or upgrade',
      path,
    ),
  )
}

function writtenPaths(block: Block, value: ObjectValue, path: AttributePath): readonly AttributePath[] {
  const attributes = Object.entries(block.attributes).flatMap(([name, attribute]) => {
    const member = memberOf(value, name)
    const at = [...path, name]
    if (attribute.writeOnly) return member === null ? [] : [at]
    return 'attributes' in attribute ? inElements(attribute, member, at) : []
  })
  const blocks = Object.entries(block.blocks ?? {}).flatMap(([name, nested]) =>
    inElements(nested.block, memberOf(value, name), [...path, name]),
  )
  return [...attributes, ...blocks]
}

function inElements(block: Block, value: Value, path: AttributePath): readonly AttributePath[] {
  if (isListValue(value))
    return value.flatMap((element, index) => inElements(block, element, [...path, index]))
  return isObjectValue(value) ? writtenPaths(block, value, path) : []
}
