import { hash } from 'node:crypto'
import { shortDigest } from '../../../core/diff.ts'
import { declarableKinds } from '../../../kinds/index.ts'
import { managedFields } from '../../../model/kind.ts'

/** Short digests, by field. */
export type Digests = Readonly<Record<string, string>>

/** Name and digest of each field in turn, each in the shortest form that it has. */
export type DigestTable = readonly (number | string | Uint8Array)[]

/**
 * Those digests that are asked for, in few bytes.
 *
 * | of a field  | is                                       | else            |
 * |-------------|------------------------------------------|-----------------|
 * | its name    | the code of a field that a kind declares | the name        |
 * | its digest  | the place of a value that many have      | its six bytes   |
 */
export function packDigests(digests: Digests, isAsked: (name: string) => boolean): DigestTable {
  return Object.entries(digests)
    .filter(([name]) => isAsked(name))
    .flatMap(([name, digest]) => [
      codeOf.get(name) ?? name,
      commonDigests.includes(digest) ? commonDigests.indexOf(digest) : digestBytes(digest),
    ])
}

/** The digests of a table; of anything else, and of fields that there are no more, none. */
export function unpackDigests(table: unknown): Digests {
  const digests: Record<string, string> = {}
  if (!Array.isArray(table)) return digests
  for (let at = 0; at + 1 < table.length; at += 2) {
    const name = nameFrom(table[at])
    const digest = digestFrom(table[at + 1])
    if (name !== undefined && digest !== undefined) digests[name] = digest
  }
  return digests
}

/** The six bytes of a short digest. */
export function digestBytes(digest: string): Uint8Array {
  return Buffer.from(digest, 'hex')
}

/** The short digest of its bytes; undefined for anything else. */
export function digestOfBytes(bytes: unknown): string | undefined {
  return bytes instanceof Uint8Array && bytes.length === 6 ? Buffer.from(bytes).toString('hex') : undefined
}

/**
 * A number for a field, made from its name: nobody has to write a list that states of all versions rely on. Two fields
 * with one code would be one in a state, so a test shows that all have their own.
 */
export function fieldCode(name: string): number {
  return Number.parseInt(hash('sha256', name).slice(0, 4), 16)
}

function nameFrom(packed: unknown): string | undefined {
  if (typeof packed === 'number') return nameOf.get(packed)
  return typeof packed === 'string' ? packed : undefined
}

function digestFrom(packed: unknown): string | undefined {
  return typeof packed === 'number' ? commonDigests[packed] : digestOfBytes(packed)
}

/** What many fields have for a value. States hold its place here, so that none may ever move. */
const commonDigests = [null, false, true, '', [], {}].map(shortDigest)

const codeOf = new Map(declarableKinds.flatMap(managedFields).map(name => [name, fieldCode(name)] as const))
const nameOf = new Map([...codeOf].map(([name, code]) => [code, name] as const))
