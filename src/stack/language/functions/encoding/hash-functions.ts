import { createHash } from 'node:crypto'
import { invalid } from '../../../../cty/invalid-value.ts'
import { ofText } from '../../../../cty/typed.ts'
import { isUuid } from '../../../../model/text/uuid.ts'
import { type FunctionRow, type FunctionRows, textAt } from '../function-row.ts'

/** The hashes that there are, of texts as UTF-8 and of files: by the name of their function, which others are built of. */
export const hashes = {
  md5: { algorithm: 'md5', encoding: 'hex' },
  sha1: { algorithm: 'sha1', encoding: 'hex' },
  sha256: { algorithm: 'sha256', encoding: 'hex' },
  sha512: { algorithm: 'sha512', encoding: 'hex' },
  base64sha256: { algorithm: 'sha256', encoding: 'base64' },
  base64sha512: { algorithm: 'sha512', encoding: 'base64' },
} as const

export type HashName = keyof typeof hashes

export function hashOf(name: HashName, bytes: string | Uint8Array): string {
  const { algorithm, encoding } = hashes[name]
  return createHash(algorithm).update(bytes).digest(encoding)
}

// The table has these names and no others.
const hashNames = Object.keys(hashes) as readonly HashName[]

export const hashFunctions: FunctionRows = {
  ...Object.fromEntries(
    hashNames.map((name): [string, FunctionRow] => [
      name,
      { least: 1, gives: 'string', apply: given => ofText(hashOf(name, textAt(given, 0))) },
    ]),
  ),
  uuidv5: { least: 2, gives: 'string', apply: given => ofText(uuidv5(textAt(given, 0), textAt(given, 1))) },
}

const namespaces: ReadonlyMap<string, string> = new Map([
  ['dns', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'],
  ['url', '6ba7b811-9dad-11d1-80b4-00c04fd430c8'],
  ['oid', '6ba7b812-9dad-11d1-80b4-00c04fd430c8'],
  ['x500', '6ba7b814-9dad-11d1-80b4-00c04fd430c8'],
])

/** A name in a namespace as a UUID of version 5 (RFC 9562, section 5.5). */
function uuidv5(namespace: string, name: string): string {
  const uuid = namespaces.get(namespace) ?? namespace
  if (!isUuid(uuid)) throw invalid('its namespace is neither a UUID nor "dns", "url", "oid" or "x500"')
  const hash = createHash('sha1')
    .update(Buffer.from(uuid.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest()
  const bytes = hash.subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
