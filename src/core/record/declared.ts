import { declarableKind } from '../../kinds/index.ts'
import type { JsonObject } from '../../model/json/json.ts'
import type { Declarations, Desired } from '../desired.ts'
import { digestOf, fieldDigests, sentDigests } from '../fingerprint.ts'

/**
 * What a run was asked for: by address, a short digest of each declared field and file, or that the object is to be
 * absent. Values are not kept; the commit has them, and the digests tell whether it still says the same.
 */
export type DeclaredDigests = Readonly<Record<string, DeclaredObject>>

export type DeclaredObject =
  | { readonly ensure: 'absent' }
  | { readonly fields: Readonly<Record<string, string>>; readonly files?: Readonly<Record<string, string>> }

export function declaredDigests({ desired }: Declarations): DeclaredDigests {
  return Object.fromEntries(desired.map(one => [one.address, digestsOf(one)]))
}

/**
 * The name of a table, which is its digest: runs that were asked for the same share one, so that a record of a run
 * without changes stays small.
 */
export function declaredName(declared: DeclaredDigests): string {
  // Tables of texts, which JSON holds as they are.
  return digestOf(declared as unknown as JsonObject).slice(7, 39)
}

function digestsOf({ kind: name, ensure, fields, files }: Desired): DeclaredObject {
  if (ensure === 'absent') return { ensure }
  const kind = declarableKind(name)
  return {
    fields: sentDigests(kind, fields),
    ...(files ? { files: fieldDigests(files) } : {}),
  }
}
