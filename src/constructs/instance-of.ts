import type { TerraformMetaArguments } from 'cdktf'
import type { Declared } from './engine/engine.ts'

/**
 * A construct with `forEach` or `count` is several objects in Terraform. So a resource that belongs to each
 * of them is declared as often, and refers to its own object by the same key or number.
 *
 * | the construct has | `instanceOf(construct, 'id')`                  |
 * |-------------------|------------------------------------------------|
 * | `forEach`         | `${vexil_feature_flag.name[each.key].id}`      |
 * | `count`           | `${vexil_feature_flag.name[count.index].id}`   |
 * | neither           | undefined: it is one object                    |
 */
export function instanceOf(declared: Declared, attribute: string): string | undefined {
  const index = indexOf(declared)
  // The name is read when it is written, since it can still change until then.
  return index === undefined ? undefined : `\${${declared.fqn}[${index}].${attribute}}`
}

/** The repetition that gives another resource as many objects. */
export function repetitionOf({
  forEach,
  count,
}: Declared): Pick<TerraformMetaArguments, 'forEach' | 'count'> {
  return { ...(forEach === undefined ? {} : { forEach }), ...(count === undefined ? {} : { count }) }
}

/** The id of one object; a construct with several objects has no id that Terraform would accept. */
export function idOf(declared: Declared & { readonly id: string }): string {
  requireOne(declared, 'id')
  return declared.id
}

/** The key of one object as a reference to it, so that Terraform makes the object first. */
export function keyOf(declared: Declared & { readonly key: string }): string {
  requireOne(declared, 'key')
  return declared.key
}

/** The name of one object as a reference to it. */
export function nameOf(declared: Declared & { readonly name: string }): string {
  requireOne(declared, 'name')
  return declared.name
}

function requireOne(declared: Declared, attribute: string): void {
  if (indexOf(declared) === undefined) return
  const how = declared.forEach === undefined ? 'count' : 'forEach'
  throw new Error(
    `"${declared.node.path.replace(/\/Resource$/, '')}" stands for several objects, by its ${how}, and has no ${attribute} of its own; ` +
      `take that of one of them: \`\\\${\${flag.resource.fqn}["KEY"].${attribute}}\``,
  )
}

function indexOf({ forEach, count }: Declared): string | undefined {
  if (forEach !== undefined) return 'each.key'
  return count === undefined ? undefined : 'count.index'
}
