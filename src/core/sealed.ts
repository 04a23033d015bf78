import { isEmptyJson, isJsonObject, type JsonObject } from '../model/json/json.ts'
import type { IdentifiedKind } from '../model/kind.ts'
import { oncePer } from '../model/once-per.ts'

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
  return sealedFields(kind, object).find(field => field.name === name)?.members ?? []
}

/** The first member that is declared though it is kept encrypted, as `field/member`. */
export function declaredSealed(
  kind: IdentifiedKind,
  declared: JsonObject,
  live: JsonObject = {},
): string | undefined {
  if (sealable(kind).length === 0) return undefined
  return sealedFields(kind, { ...live, ...declared }).flatMap(({ name, members }) => {
    const value = declared[name]
    const said = isJsonObject(value) ? members.filter(member => !isEmptyJson(value[member])) : []
    return said.map(member => `${name}/${member}`)
  })[0]
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
