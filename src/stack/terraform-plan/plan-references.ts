import { isNumber } from '../../cty/big-float.ts'
import { type ExactJson, isExactObject } from '../../cty/encoding/json-value.ts'
import { type Body, membersOf } from '../read/stack-file.ts'
import { type PlannedResource, type TerraformPlan, withoutIndexes } from './read-plan.ts'

/** How a resource names what it belongs to: by an attribute, with the id of a resource of a type that has an identity. */
export interface ParentReference {
  readonly attribute: string
  readonly type: string
  readonly identity: string
}

/** The key of the flag that an attribute of a resource names by its id; undefined where the plan does not say which. */
export function flagKeyOf(
  plan: TerraformPlan,
  resource: Pick<PlannedResource, 'address' | 'configured' | 'values'>,
  { attribute, type, identity }: ParentReference,
): string | undefined {
  const { address, configured, values } = resource
  const id = idText(membersOf(values)[attribute])
  const references = referencesIn(membersOf(configured.expressions)[attribute])
  const flags = objectsNamed(plan, address, references, type)
  const among = flags.length > 0 ? flags : plan.known.map(each => each.values)
  const meant = id === undefined ? flags : among.filter(each => idText(each.id) === id)
  const keys = new Set(meant.flatMap(each => (typeof each[identity] === 'string' ? [each[identity]] : [])))
  const [only] = keys
  return keys.size === 1 ? only : undefined
}

/** The values of all objects of a type that an expression refers to, of whatever instance. */
function objectsNamed(
  plan: TerraformPlan,
  address: string,
  references: readonly string[],
  type: string,
): readonly Body[] {
  const [module = ''] = /^(?:module\.[^.]+\.)*/.exec(withoutIndexes(address)) ?? []
  const named = references.flatMap(reference => {
    const [first, second, third = ''] = reference.split(/[.[]/)
    if (first === type) return [`${module}${type}.${second}`]
    return first === 'data' && second === type ? [`${module}data.${type}.${third}`] : []
  })
  const wanted = new Set(named)
  return plan.known.filter(each => wanted.has(withoutIndexes(each.address))).map(({ values }) => values)
}

/** All that an expression refers to, in whatever depth it stands. */
export function referencesIn(json: ExactJson | undefined): readonly string[] {
  if (Array.isArray(json)) return json.flatMap(referencesIn)
  if (json === undefined || !isExactObject(json)) return []
  return Object.entries(json).flatMap(([name, member]) =>
    name === 'references' && Array.isArray(member)
      ? member.filter(each => typeof each === 'string')
      : referencesIn(member),
  )
}

function idText(json: ExactJson | undefined): string | undefined {
  if (typeof json === 'string') return json
  return isNumber(json) ? json.text : undefined
}
