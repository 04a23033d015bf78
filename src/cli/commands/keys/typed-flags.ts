import type { TypedFlag } from '../../../code/typed/language.ts'
import { featureFlag } from '../../../kinds/index.ts'
import {
  isJsonArray,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
} from '../../../model/json/json.ts'
import { targetingField } from '../../../model/kind.ts'
import { payloadValue } from '../../../targeting/payload.ts'
import type { DeclaredFlag } from '../refs/declared-flags.ts'

/** What code may meet of each declared flag, over all environments; those that are to be nowhere have no key. */
export function typedFlags(flags: readonly DeclaredFlag[]): readonly TypedFlag[] {
  return flags.filter(({ isAbsent }) => !isAbsent).map(typedFlag)
}

function typedFlag({ key, said }: DeclaredFlag): TypedFlag {
  const filters = said.flatMap(({ fields }) => {
    const value = fields[targeting]
    return isJsonObject(value) ? [value] : []
  })
  const name = said.map(({ fields }) => fields.name).find(each => typeof each === 'string' && each !== '')
  return {
    key,
    ...(typeof name === 'string' ? { name } : {}),
    variants: [...new Set(filters.flatMap(variantsIn))],
    payloads: filters.flatMap(payloadsIn),
    schemas: distinct(said.flatMap(({ payloadSchema }) => (payloadSchema ? [payloadSchema] : []))),
  }
}

const targeting = targetingField(featureFlag) ?? ''

function variantsIn({ multivariate }: JsonObject): string[] {
  const variants = isJsonObject(multivariate) ? multivariate.variants : undefined
  if (variants === undefined || !isJsonArray(variants)) return []
  return variants.flatMap(variant =>
    isJsonObject(variant) && typeof variant.key === 'string' ? [variant.key] : [],
  )
}

function payloadsIn({ payloads }: JsonObject): Json[] {
  return isJsonObject(payloads) ? Object.values(payloads).map(payloadValue) : []
}

function distinct(schemas: readonly JsonObject[]): JsonObject[] {
  return schemas.filter((schema, index) => schemas.findIndex(each => isSameJson(each, schema)) === index)
}
