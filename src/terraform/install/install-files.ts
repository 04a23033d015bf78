import { readdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ReleaseFile } from './archive.ts'
import { besideCacheName, cacheName } from './launcher.ts'
import { writeFiles } from './write-release-files.ts'

/**
 * Puts a provider into its plugin folder. The compiled code goes beside that folder, where it is no part of the
 * checksum that lock files hold: it is another one each time it is made. Tells whether the same version of another
 * content was there.
 */
export async function installFiles(folder: string, files: readonly ReleaseFile[]): Promise<boolean> {
  const kept = files.filter(({ path }) => path !== cacheName)
  const isOther = await holdsOther(folder, kept)
  const cache = besideCacheName(folder)
  // First of all: the engine knows a source by its length alone, and would take what was compiled of another one.
  await rm(join(dirname(folder), cache), { force: true })
  await rm(folder, { recursive: true, force: true })
  await writeFiles(folder, kept)
  const compiled = files.filter(({ path }) => path === cacheName)
  await writeFiles(
    dirname(folder),
    compiled.map(file => ({ ...file, path: cache })),
  )
  return isOther
}

async function holdsOther(folder: string, files: readonly ReleaseFile[]): Promise<boolean> {
  const names = await readdir(folder).catch(() => [])
  if (names.length === 0) return false
  if (names.length !== files.length) return true
  for (const { path, bytes } of files) {
    const there = await readFile(join(folder, path)).catch(() => undefined)
    if (!there?.equals(bytes)) return true
  }
  return false
}
