import {
  isJsonArray,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
} from '../../../model/json/json.ts'
import { type DeclarableKind, targetingField } from '../../../model/kind.ts'
import { canonicalFilters } from '../../../targeting/index.ts'
import type { Change } from '../../change.ts'
import type { DeclaredAudience, Desired } from '../../desired.ts'

/**
 * The audiences in whose properties a change differs from what is live, as far as conditions can be told apart: as many
 * are live as are declared.
 *
 * | in the live condition                                      | the audience has changed |
 * |------------------------------------------------------------|--------------------------|
 * | there is no such property as one that it has               | yes                      |
 * | there is one more, before those that the condition itself says | yes                  |
 * | anything else                                              | no                       |
 */
export function changedAudiences(
  kind: DeclarableKind,
  { audiences = [] }: Pick<Desired, 'audiences'>,
  before: JsonObject | null,
  after: JsonObject,
): Pick<Change, 'audiences'> {
  const field = targetingField(kind)
  const becomes = field === undefined ? undefined : after[field]
  if (audiences.length === 0 || field === undefined || before === null || becomes === undefined) return {}
  const [live, declared] = [conditionsOf(before[field] ?? null), conditionsOf(becomes)]
  if (live.length !== declared.length) return {}
  const names = audiences.flatMap(used =>
    changedParts(used, propertiesOf(live[used.condition]), propertiesOf(declared[used.condition])),
  )
  return names.length === 0 ? {} : { audiences: [...new Set(names)].sort() }
}

function changedParts(
  { parts }: DeclaredAudience,
  live: readonly Json[],
  declared: readonly Json[],
): readonly string[] {
  const isIn = (properties: readonly Json[], one: Json) => properties.some(each => isSameJson(each, one))
  let from = 0
  const changed = parts.flatMap(({ audience, properties }) => {
    const own = declared.slice(from, from + properties)
    from += properties
    return own.every(one => isIn(live, one)) ? [] : [audience]
  })
  if (changed.length > 0) return changed
  const ofCondition = declared.slice(from)
  const end = live.findIndex(one => isIn(ofCondition, one))
  const ofAudience = end === -1 && ofCondition.length > 0 ? [] : live.slice(0, end === -1 ? undefined : end)
  const isLost = ofAudience.some(one => !isIn(declared, one))
  return isLost ? parts.slice(-1).map(({ audience }) => audience) : []
}

function conditionsOf(filters: Json): readonly Json[] {
  const canonical = canonicalFilters(filters)
  const groups = isJsonObject(canonical) ? (canonical.groups ?? null) : null
  return isJsonArray(groups) ? groups : []
}

function propertiesOf(condition: Json | undefined): readonly Json[] {
  const properties = isJsonObject(condition) ? (condition.properties ?? null) : null
  return isJsonArray(properties) ? properties : []
}
