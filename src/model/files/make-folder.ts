import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf } from './error-code.ts'

/**
 * Makes a folder and those above it; answers with the outermost one that had to be made. One that is there already is left as it is.
 * `mode` says who may do what in those that are made.
 * Node's own `recursive` never comes back where a file system answers "no such folder" to every attempt, as `/proc` does.
 */
export async function makeFolder(path: string, mode?: number): Promise<string | undefined> {
  if (await makeOne(path, mode)) return path
  if (await isFolder(path)) return undefined
  const above = dirname(path)
  const outermost = above === path ? undefined : await makeFolder(above, mode)
  if (await makeOne(path, mode, isFinal)) return outermost ?? path
  // Somebody else has made it in the meantime, or something else is there: a file, or a link that leads nowhere.
  if ((await stat(path)).isDirectory()) return outermost
  throw Object.assign(new Error(`"${path}" is no folder`), { code: 'ENOTDIR' })
}

const isFinal = true

/** False where it is there already, or what is above it is missing. */
async function makeOne(path: string, mode: number | undefined, isLast = false): Promise<boolean> {
  try {
    await mkdir(path, { mode })
    return true
  } catch (error) {
    const code = codeOf(error, '')
    if (code === 'EEXIST' || (code === 'ENOENT' && !isLast)) return false
    // A root that cannot be written says so even of folders that are there.
    if (
      (code === 'EROFS' || code === 'EACCES' || code === 'EPERM' || code === 'EISDIR') &&
      (await isFolder(path))
    )
      return false
    throw error
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    found => found.isDirectory(),
    () => false,
  )
}
