import type { Json } from '../model/json/json.ts'
import type { PolicedObject, PolicyRule, Verdict } from './policy.ts'

type OwnSchemas = Extract<PolicyRule, { readonly policy: 'OwnSchemas' }>

/** What of an object does not fit a schema; the pointer is into the object. */
export interface Misfit {
  readonly pointer: string
  readonly message: string
}

/** The schemas of a team, ready for use, by the names of their files. One that cannot be used is not among them. */
export type SchemaFiles = ReadonlyMap<string, (sent: Json) => readonly Misfit[]>

/** An object, as it is sent to the service, fits the schema that its kind has. */
export function checkOwnSchema(
  { files }: OwnSchemas,
  { kind, sent }: PolicedObject,
  schemas: SchemaFiles,
): Verdict[] {
  const file = files[kind.title]
  if (file === undefined) return []
  if (!sent) return [{ is: 'unknown', what: `whether it fits ${file}` }]
  const misfits = schemas.get(file)?.(sent()) ?? []
  return misfits.map(({ pointer, message }) => ({
    is: 'refused',
    what: `${pointer === '' ? 'it' : JSON.stringify(pointer)} ${message}, by ${file}`,
    ...(pointer === '' ? {} : { pointer }),
  }))
}
