import { isJsonObject } from '../../../model/json/json.ts'
import { type DeclarableKind, managedFields, targetingField } from '../../../model/kind.ts'
import { declarationSchema } from '../../../schema/declaration-schema.ts'
import { shortMembers } from '../../../targeting/short/short-form.ts'

/** Which object it is and where, before what it is; how it is treated and what differs, after that. */
const [first, last] = [
  ['<<', 'ensure', 'skip', 'id', 'only'],
  ['role_access', 'ignore', 'source', 'protect', 'allow', 'environments'],
]

/**
 * The members of a declaration of a kind in the order in which they are written: fields as the kind has them, the short form
 * where `filters` would be. A member that is not among them goes before those that come last.
 */
export function memberOrder(kind: DeclarableKind): (name: string) => number {
  const targeting = targetingField(kind)
  const fields = managedFields(kind).flatMap(name => (name === targeting ? [name, ...shortMembers] : [name]))
  const placed = new Set([...first, ...fields, ...last])
  const others = schemaMembers(kind).filter(name => !placed.has(name))
  const before = [...first, ...fields, ...others]
  const ranks = new Map<string, number>([
    ...before.map((name, index) => [name, index] as const),
    ...last.map((name, index) => [name, before.length + 1 + index] as const),
  ])
  return name => ranks.get(name) ?? before.length
}

function schemaMembers({ section }: DeclarableKind): string[] {
  const { properties } = declarationSchema()
  const schema = isJsonObject(properties) ? properties[section] : undefined
  const objects = isJsonObject(schema) ? schema.additionalProperties : undefined
  const members = isJsonObject(objects) ? objects.properties : undefined
  return isJsonObject(members) ? Object.keys(members) : []
}
