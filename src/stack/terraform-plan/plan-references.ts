import { type ExactJson, isExactObject } from '../../hcl/index.ts'

import { type Body, blockMembers } from '../read/stack-file.ts'
import { idText } from './planned-change.ts'
import { type PlannedResource, type TerraformPlan, withoutIndexes } from './read-plan.ts'

/** How a resource names its parent: by an attribute with the id of a resource of another type. */
export interface ParentReference {
  readonly attribute: string
  readonly type: string
  readonly identity: string
}

/** The key of the flag that a resource's attribute names by id; undefined if the plan does not show it. */
export function flagKeyOf(
  plan: TerraformPlan,
  resource: Pick<PlannedResource, 'address' | 'configured' | 'values'>,
  { attribute, type, identity }: ParentReference,
): string | undefined {
  const { address, configured = {}, values } = resource
  const id = idText(blockMembers(values)[attribute])
  const references = referencesIn(blockMembers(configured.expressions)[attribute])
  const flags = objectsNamed(plan, address, references, type)
  const among = flags.length > 0 ? flags : plan.known.map(each => each.values)
  const meant = id === undefined ? flags : among.filter(each => idText(each.id) === id)
  const keys = new Set(meant.flatMap(each => (typeof each[identity] === 'string' ? [each[identity]] : [])))
  const [only] = keys
  return keys.size === 1 ? only : undefined
}

/**
 * The values of all objects of a type that an expression may refer to, in the module instance of a resource.
 * A plan lists each use of an object in full and then shorter: `flag.a[0].id`, `flag.a[0]`, `flag.a` for one
 * instance, and `flag.a` alone for `flag.a[each.key]`. So equal counts mean that all uses name an instance.
 */
function objectsNamed(
  plan: TerraformPlan,
  address: string,
  references: readonly string[],
  type: string,
): readonly Body[] {
  const module = modulePath.exec(address)?.[0] ?? ''
  const uses = references.flatMap(reference => {
    const [, name, index] = use.exec(reference) ?? []
    return name === `${type}.` || name === `data.${type}.` ? [{ reference, index }] : []
  })
  const wanted = new Set<string>()
  for (const { reference, index } of uses) {
    const name = withoutIndexes(reference)
    const same = uses.filter(other => withoutIndexes(other.reference) === name)
    const areDefinite = same.filter(other => other.index !== undefined).length * 2 === same.length
    if (!areDefinite || index !== undefined) wanted.add(`${module}${areDefinite ? reference : name}`)
  }
  const isWanted = (known: string) =>
    wanted.has(known) ||
    (known.startsWith(module) && wanted.has(`${module}${withoutIndexes(known.slice(module.length))}`))
  return plan.known.filter(each => isWanted(each.address)).map(({ values }) => values)
}

const key = String.raw`\[(?:\d+|"(?:[^"\\]|\\.)*")\]`

/** `module.shop["eu"].module.part[0].` of an address in it. */
const modulePath = new RegExp(String.raw`^(?:module\.[^.[]+(?:${key})?\.)*`)

/** An object without an attribute: its type, and its instance if that is known. */
const use = new RegExp(String.raw`^((?:data\.)?[^.[]+\.)[^.[]+(${key})?$`)

/** All references in an expression, at any depth. */
export function referencesIn(json: ExactJson | undefined): readonly string[] {
  if (Array.isArray(json)) return json.flatMap(referencesIn)
  if (json === undefined || !isExactObject(json)) return []
  return Object.entries(json).flatMap(([name, member]) =>
    name === 'references' && Array.isArray(member)
      ? member.filter(each => typeof each === 'string')
      : referencesIn(member),
  )
}
