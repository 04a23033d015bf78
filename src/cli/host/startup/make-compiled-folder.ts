import { readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { makeFolder } from '../../../model/files/make-folder.ts'

/** Each takes 1 to 5 MB. */
const mostOthers = 3

/**
 * Makes a folder for what is compiled, which only this user may use. Of those of other installations and engines the
 * latest are left: whoever comes back to one that was removed compiles once more.
 */
export async function makeCompiledFolder(folder: string): Promise<void> {
  await makeFolder(folder, 0o700)
  const above = dirname(folder)
  const names = (await readdir(above)).filter(name => isOurs(name) && name !== basename(folder))
  const others = await Promise.all(names.map(name => madeAt(join(above, name))))
  const old = others.sort((left, right) => right.ms - left.ms).slice(mostOthers)
  await Promise.all(old.map(({ path }) => rm(path, { recursive: true, force: true })))
}

function isOurs(name: string): boolean {
  return /^v\d+\.\d+\.\d+\S*-[0-9a-f]{8}$/.test(name)
}

async function madeAt(path: string): Promise<{ readonly path: string; readonly ms: number }> {
  // Another command may remove it at the same time.
  const ms = await stat(path).then(
    ({ birthtimeMs, mtimeMs }) => Math.max(birthtimeMs, mtimeMs),
    () => 0,
  )
  return { path, ms }
}
