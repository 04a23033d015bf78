import type { JsonObject } from '../../../model/json/json.ts'
import { type DeclarableKind, targetingField } from '../../../model/kind.ts'
import { type GroupTypeNumbers, withGroupTypesNamed } from '../../../targeting/index.ts'

/** The fields of an object as words tell them: with the names of the types of groups and the cohorts that its filters number. */
export function withNamedGroupTypes(
  kind: DeclarableKind,
  fields: JsonObject,
  groupTypes: GroupTypeNumbers = {},
  cohorts: GroupTypeNumbers = {},
): JsonObject {
  const field = targetingField(kind)
  const filters = field === undefined ? undefined : fields[field]
  if (field === undefined || filters === undefined) return fields
  return { ...fields, [field]: withGroupTypesNamed(filters, groupTypes, cohorts) }
}
