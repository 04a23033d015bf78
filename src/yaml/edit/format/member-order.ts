import { isJsonObject, type Json, type JsonObject } from '../../../model/json/json.ts'
import { type DeclarableKind, targetingField } from '../../../model/kind.ts'
import { declarationSchema } from '../../../schema/input/declaration-schema.ts'
import { shortMembers } from '../../../targeting/short/short-form.ts'
import { fieldOrder } from '../../field-order.ts'

/** Which object it is and where, before what it is; how it is treated and what differs, after that. */
const [first, last] = [
  ['<<', 'ensure', 'skip', 'id', 'only'],
  [
    'role_access',
    'ignore',
    'source',
    'protect',
    'sensitive',
    'permanent',
    'allow',
    'live_edits',
    'environments',
    'tests',
  ],
]

/**
 * The members of a declaration of a kind in the order in which they are written: fields in their order, the short form
 * where `filters` would be. A member that is not among them goes before those that come last. What has no name of its own
 * begins with what it is known by, and is in the order of its schema.
 */
export function memberOrder(kind: DeclarableKind): (name: string) => number {
  const { items } = sectionSchema(kind)
  if (items !== undefined) {
    const names = ['<<', ...membersIn(items)]
    return name => (names.includes(name) ? names.indexOf(name) : names.length)
  }
  const targeting = targetingField(kind)
  const fields = fieldOrder(kind).flatMap(name => (name === targeting ? [name, ...shortMembers] : [name]))
  const placed = new Set([...first, ...fields, ...last])
  const others = schemaMembers(kind).filter(name => !placed.has(name))
  const before = [...first, ...fields, ...others]
  const ranks = new Map<string, number>([
    ...before.map((name, index) => [name, index] as const),
    ...last.map((name, index) => [name, before.length + 1 + index] as const),
  ])
  return name => ranks.get(name) ?? before.length
}

function schemaMembers(kind: DeclarableKind): string[] {
  return membersIn(sectionSchema(kind).additionalProperties)
}

function sectionSchema({ section }: DeclarableKind): JsonObject {
  const { properties } = declarationSchema()
  const schema = isJsonObject(properties) ? properties[section] : undefined
  return isJsonObject(schema) ? schema : {}
}

function membersIn(object: Json | undefined): string[] {
  const members = isJsonObject(object) ? object.properties : undefined
  return isJsonObject(members) ? Object.keys(members) : []
}
