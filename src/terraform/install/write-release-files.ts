import { chmod, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '../../model/files.ts'
import type { ReleaseFile } from './archive.ts'

/** Writes files below a folder, with their permissions, and answers with their paths. */
export async function writeFiles(folder: string, files: readonly ReleaseFile[]): Promise<readonly string[]> {
  const written: string[] = []
  for (const { path, bytes, isExecutable } of files) {
    const target = join(folder, path)
    await makeFolder(dirname(target))
    await writeFile(target, bytes)
    // The mode that `writeFile` takes does not count for a file that is there already.
    await chmod(target, isExecutable ? 0o755 : 0o644)
    written.push(target)
  }
  return written
}
