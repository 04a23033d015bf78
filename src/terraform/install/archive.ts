import { createHash } from 'node:crypto'
import { type Zippable, zipSync } from 'fflate'

/** A file of a release: where it goes, what is in it, whether it can be executed. */
export interface ReleaseFile {
  readonly path: string
  readonly bytes: Uint8Array
  readonly isExecutable: boolean
}

/** Unix, for the attributes of an entry. */
const unix = 3

/** The same bytes for the same files, whenever they are packed: registries and lock files compare checksums. */
const packedAt = new Date(1980, 0, 1)

/**
 * A zip with the permissions in it: without the executable bit Terraform fails at plan, and not before. Its entries stand
 * in the order of their names, whatever the order of the files.
 */
export function zipOf(files: readonly ReleaseFile[]): Uint8Array {
  const entries: Zippable = {}
  const sorted = [...files].sort((one, other) => (one.path < other.path ? -1 : 1))
  for (const { path, bytes, isExecutable } of sorted) {
    const mode = isExecutable ? 0o100755 : 0o100644
    entries[path] = [bytes, { level: 6, os: unix, attrs: (mode << 16) >>> 0, mtime: packedAt }]
  }
  return zipSync(entries)
}

/** Lines as `sha256sum` writes and checks them. */
export function checksumsOf(files: readonly Pick<ReleaseFile, 'path' | 'bytes'>[]): string {
  const lines = files.map(
    ({ path, bytes }) => `${createHash('sha256').update(bytes).digest('hex')}  ${path}\n`,
  )
  return lines.sort().join('')
}
