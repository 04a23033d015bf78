import type { KindName } from '../../kinds/index.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { getAt, segmentsOf } from '../../model/json/pointer.ts'
import { type SchemaProblem, validateBody } from '../../schema/validate-against.ts'
import { invalid, type Refusal } from './refusal.ts'

/** Refuses a body that does not fit the interface; like the service, it tells of the first problem only. */
export function checkBody(kind: KindName, endpoint: string, body: JsonObject): void {
  const [first] = validateBody(kind, endpoint, body)
  if (first) throw refusalOf(first, body)
  if (holdsNullCharacter(body))
    throw invalid(null, 'Null characters are not allowed.', 'null_characters_not_allowed')
}

function refusalOf(violation: SchemaProblem, body: JsonObject): Refusal {
  const path = segmentsOf(violation.pointer)
  const attr = path.length === 0 ? null : path.join('__')
  const value = getAt(body, violation.pointer)
  switch (violation.keyword) {
    case 'type':
      if (value === null) return invalid(attr, 'This field may not be null.', 'null')
      if (expects(violation, 'object'))
        return invalid(
          attr,
          `Expected a dictionary of items but got type "${typeName(value)}".`,
          'not_a_dict',
        )
      if (expects(violation, 'array'))
        return invalid(attr, `Expected a list of items but got type "${typeName(value)}".`, 'not_a_list')
      return invalid(attr, `A valid ${expected(violation)} is required.`)
    case 'enum':
      return invalid(attr, `${JSON.stringify(value)} is not a valid choice.`, 'invalid_choice')
    default:
      return invalid(attr, `Must be valid: ${violation.message}.`)
  }
}

function expects(violation: SchemaProblem, type: string): boolean {
  return expected(violation).split(' or ').includes(type)
}

function expected({ params }: SchemaProblem): string {
  const types: unknown = params.type
  return Array.isArray(types) ? types.filter(type => type !== 'null').join(' or ') : String(types)
}

function typeName(value: Json | undefined): string {
  if (isJsonArray(value)) return 'list'
  return typeof value
}

/** No text of the service's database can hold one. */
function holdsNullCharacter(value: Json): boolean {
  if (typeof value === 'string') return value.includes('\0')
  if (isJsonArray(value)) return value.some(holdsNullCharacter)
  if (!isJsonObject(value)) return false
  return Object.entries(value).some(([name, member]) => name.includes('\0') || holdsNullCharacter(member))
}
