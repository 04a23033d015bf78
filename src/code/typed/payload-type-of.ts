import { type PayloadType, typeOfAll, typeOfValues } from './payload-type.ts'
import { typeOfSchema } from './type-of-schema.ts'
import type { TypedFlag } from './typed-flag.ts'

/** The type of a flag's payloads: what its schema says, else what its declared payloads are; undefined where it has none. */
export function payloadTypeOf({ schemas, payloads }: TypedFlag): PayloadType | undefined {
  if (schemas.length > 0) return typeOfAll(schemas.map(typeOfSchema))
  return payloads.length === 0 ? undefined : typeOfValues(payloads)
}
