import type { JsonObject } from '../../model/json/json.ts'

/** An object of the service, as it was read. */
export interface ExportedObject {
  readonly kind: string
  readonly identity: string
  readonly id: string
  /** The managed fields. */
  readonly fields: JsonObject
  /** The roles that hold a grant, by name or UUID, with their levels where there are some; undefined when nobody looked. */
  readonly grants?: readonly ExportedGrant[]
  /** Source files, by name. */
  readonly files?: Readonly<Record<string, string>>
}

export interface ExportedGrant {
  readonly role: string
  readonly level?: string
}

/** A file to be written, relative to the repository. */
export interface TextFile {
  readonly path: string
  readonly text: string
  /** Set for a source file that declarations name. */
  readonly isSource?: true
}
