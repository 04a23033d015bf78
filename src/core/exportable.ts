import type { JsonObject } from '../model/json/json.ts'

/** One living object with everything that a declaration of it could say. Documents have it, so it needs no client. */
export interface Exportable {
  readonly kind: string
  readonly identity: string
  readonly id: string
  /** The managed fields as read, without the identity. */
  readonly fields: JsonObject
  /** The roles that hold a grant on it; undefined where the service offers none or they were not asked for. */
  readonly grants?: readonly { readonly id: string; readonly name?: string; readonly level?: string }[]
  readonly files?: Readonly<Record<string, string>>
}
