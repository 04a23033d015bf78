import { isJsonObject } from '../../model/json/json.ts'
import type { ObjectDeclaration } from '../declaration.ts'

/** Whether anything says what payloads are to be. */
export function hasPayloadSchemas(objects: readonly ObjectDeclaration[]): boolean {
  return objects.some(({ base, environments }) =>
    [base, ...environments.values()].some(({ payloadSchema }) => isJsonObject(payloadSchema)),
  )
}
