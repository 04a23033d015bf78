import { isEmptyJson, isJsonObject, type JsonObject } from '../model/json/json.ts'
import type { IdentifiedKind } from '../model/kind.ts'
import { oncePer } from '../model/runtime/once-per.ts'

/** A record without what the service keeps encrypted: null stands there, whether the key may read it or not. */
export function withoutSealed(kind: IdentifiedKind, record: JsonObject): JsonObject {
  const hidden = sealedFields(kind, record).flatMap(({ name, members }) => {
    const value = record[name]
    if (!isJsonObject(value)) return []
    return [[name, { ...value, ...Object.fromEntries(members.map(member => [member, null])) }] as const]
  })
  return hidden.length === 0 ? record : { ...record, ...Object.fromEntries(hidden) }
}

/** The members of a field that become sealed with an object, or are it already. */
export function sealedMembers(kind: IdentifiedKind, name: string, object: JsonObject): readonly string[] {
  const sealed = sealable(kind).find(field => field.name === name)
  return sealed && object[sealed.by] === true ? sealed.members : []
}

/** The first member that is declared though it is kept encrypted, as `field/member`. */
export function declaredSealed(
  kind: IdentifiedKind,
  declared: JsonObject,
  live: JsonObject = {},
): string | undefined {
  for (const { name, members, by } of sealable(kind)) {
    const value = declared[name]
    if ((by in declared ? declared[by] : live[by]) !== true || !isJsonObject(value)) continue
    const said = members.find(member => !isEmptyJson(value[member]))
    if (said !== undefined) return `${name}/${said}`
  }
  return undefined
}

function sealedFields(kind: IdentifiedKind, object: JsonObject): readonly SealedField[] {
  return sealable(kind).filter(({ by }) => object[by] === true)
}

interface SealedField {
  readonly name: string
  readonly members: readonly string[]
  readonly by: string
}

const sealable = oncePer(({ fields }: Pick<IdentifiedKind, 'fields'>): readonly SealedField[] =>
  Object.entries(fields).flatMap(([name, { sealed }]) => (sealed ? [{ name, ...sealed }] : [])),
)
