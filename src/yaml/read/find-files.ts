import { type Dirent, readdir as list } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join, posix, relative, sep } from 'node:path'
import { escapePath, glob, isDynamicPattern } from 'tinyglobby'

/** A file of a repository. */
export interface FoundFile {
  /** Where it really is, links followed: the same for two names of one file. */
  readonly path: string
  /** As people know it: relative to the repository, with "/". */
  readonly name: string
}

export interface Search {
  readonly files: readonly FoundFile[]
  /** Names that lead out of the repository. They are never opened. */
  readonly outside: readonly string[]
}

/** Finds files inside one folder, and never outside of it, whatever a pattern or a link says. */
export interface Finder {
  /** The files that a path or glob means; it is relative to `folder`, which is relative to the repository. */
  find(pattern: string, folder?: string, ignore?: readonly string[]): Promise<Search>
  /** The file at a path, in which no character is a wildcard. */
  findOne(path: string, folder?: string): Promise<Search>
}

const nowhere = ['**/node_modules/**']

export async function createFinder(directory: string): Promise<Finder> {
  const root = await realpath(directory)
  const linksOut = (await findLinksOut(root, root)).map(link => `${escapePath(link)}/**`)
  const search = async (names: readonly string[]): Promise<Search> => {
    const found = await Promise.all(names.map(name => locate(root, name)))
    return {
      files: found.filter(file => file !== undefined && file !== 'outside'),
      outside: names.filter((_, index) => found[index] === 'outside'),
    }
  }
  const findOne = async (path: string, folder = '.'): Promise<Search> => {
    const inside = posix.join(folder, path)
    return staysInside(path, inside) ? search([inside]) : { files: [], outside: [path] }
  }
  const find = async (pattern: string, folder = '.', ignore: readonly string[] = []): Promise<Search> => {
    if (!isDynamicPattern(pattern)) return findOne(pattern, folder)
    const inside = posix.join(escapePath(folder), pattern)
    if (!staysInside(pattern, inside)) return { files: [], outside: [pattern] }
    const names = await glob(inside, { cwd: root, ignore: [...nowhere, ...linksOut, ...ignore], fs })
    return search(names.sort())
  }
  return { find, findOne }
}

/**
 * A pipe or a device in place of a file would be passed over, and what it should declare be missing without a word.
 * It is found like a file; who reads it then says what it is.
 */
const fs = { readdir: readdirWithPipes as typeof list }

// The one form in which the search calls it; the declared type holds all of them.
function readdirWithPipes(
  path: string,
  options: { withFileTypes: true },
  done: (error: NodeJS.ErrnoException | null, entries: Dirent[]) => void,
): void {
  list(path, options, (error, entries) => done(error, error ? [] : entries.map(asFile)))
}

function asFile(entry: Dirent): Dirent {
  if (entry.isFile() || entry.isDirectory() || entry.isSymbolicLink()) return entry
  return Object.create(entry, { isFile: { value: () => true } })
}

/** Whether a path or pattern, as written and as seen from the repository, cannot climb out of it. */
function staysInside(written: string, inside: string): boolean {
  const portable = written.replaceAll('\\', '/')
  if (posix.isAbsolute(portable) || /^[A-Za-z]:/.test(portable)) return false
  const segments = portable.split('/')
  const firstWildcard = segments.findIndex(segment => isDynamicPattern(segment))
  // Behind a wildcard nobody can say where ".." leads, and braces can hide one.
  if (firstWildcard !== -1 && segments.slice(firstWildcard).some(segment => segment.includes('..')))
    return false
  const climbs = [posix.normalize(inside), posix.normalize(inside.replaceAll('\\', '/'))]
  return climbs.every(path => path !== '..' && !path.startsWith('../'))
}

async function locate(root: string, name: string): Promise<FoundFile | 'outside' | undefined> {
  try {
    const path = await realpath(join(root, name))
    return isInside(root, path) ? { path, name } : 'outside'
  } catch {
    return undefined
  }
}

function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)
}

/** Links to folders outside: following one could mean to search the whole disk. */
async function findLinksOut(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const found = await Promise.all(
    entries.map(async entry => {
      const path = join(folder, entry.name)
      if (entry.isSymbolicLink()) {
        return (await isFolderOutside(root, path)) ? [relative(root, path).split(sep).join('/')] : []
      }
      const isSearched = entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.')
      return isSearched ? findLinksOut(root, path) : []
    }),
  )
  return found.flat()
}

async function isFolderOutside(root: string, link: string): Promise<boolean> {
  try {
    const target = await realpath(link)
    return !isInside(root, target) && (await stat(target)).isDirectory()
  } catch {
    // It leads nowhere, so there is nothing to search.
    return false
  }
}
