import { createHash } from 'node:crypto'
import type { ReleaseFile } from './archive.ts'

/*
 * The two checksums of `.terraform.lock.hcl`: `h1` is of the files of a package, wherever they are and however they are
 * packed; `zh` is of an archive. Terraform computes `h1` itself where it sees the files; it is Go's `dirhash.Hash1`.
 */

/** The checksum of files by their names and contents; their order and their permissions are no part of it. */
export function packageHash(files: readonly Pick<ReleaseFile, 'path' | 'bytes'>[]): string {
  const sorted = [...files].sort((one, other) =>
    Buffer.compare(Buffer.from(one.path), Buffer.from(other.path)),
  )
  const lines = sorted.map(({ path, bytes }) => `${sha256(bytes, 'hex')}  ${path}\n`)
  return `h1:${sha256(lines.join(''), 'base64')}`
}

function sha256(bytes: Uint8Array | string, encoding: 'hex' | 'base64'): string {
  return createHash('sha256').update(bytes).digest(encoding)
}
