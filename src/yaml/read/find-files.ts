import { type Dirent, readdir as list } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join, posix, relative, sep } from 'node:path'
import { escapePath, type GlobOptions, glob, isDynamicPattern } from 'tinyglobby'
import { FileError, readRegularFile, textFrom } from '../../model/files.ts'
import { largestFile } from '../../model/limits.ts'
import type { Problem } from '../../model/problem.ts'

export interface FoundFile {
  /** Its real path without links: equal for two names of the same file. */
  readonly path: string
  /** Its path for people: relative to the repository, with "/". */
  readonly name: string
}

export interface Search {
  readonly files: readonly FoundFile[]
  /** Names that lead out of the repository. These files are never opened. */
  readonly outside: readonly string[]
}

/** Finds files in one folder, and never outside it, whatever a pattern or a link contains. */
export interface Finder {
  /** The files that a path or glob means; it is relative to `folder`, which is relative to the repository. */
  find(pattern: string, folder?: string, ignore?: readonly string[]): Promise<Search>
  /** The file at a path without wildcards. */
  findOne(path: string, folder?: string): Promise<Search>
  /** The text of a file that was found. */
  read(file: FoundFile): Promise<ReadText>
}

const nowhere = ['**/node_modules/**']

/** Throws if the folder does not exist, and a `FileError` if it has too many entries. */
export async function createFinder(
  directory: string,
  tree: FileTree = diskTree,
  mostEntries = Number.POSITIVE_INFINITY,
): Promise<Finder> {
  const root = await tree.realpath(directory)
  let seen = 0
  const counted: FileTree = {
    ...tree,
    async entriesOf(folder) {
      const entries = seen > mostEntries ? [] : await tree.entriesOf(folder)
      seen += entries.length
      return entries
    },
  }
  const linksOut = (await findLinksOut(counted, root, root)).map(link => `${escapePath(link)}/**`)
  if (seen > mostEntries) throw new FileError('too_many', `has more than ${mostEntries} entries`)
  const search = async (names: readonly string[]): Promise<Search> => {
    const found = await Promise.all(names.map(name => locate(tree, root, name)))
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
    const names = await glob(inside, { cwd: root, ignore: [...nowhere, ...linksOut, ...ignore], fs: tree.fs })
    return search(names.sort())
  }
  return { find, findOne, read: file => readText(tree, file) }
}

/** Whether a path or pattern, as written and relative to the repository, stays inside it. */
function staysInside(written: string, inside: string): boolean {
  const portable = written.replaceAll('\\', '/')
  if (posix.isAbsolute(portable) || /^[A-Za-z]:/.test(portable)) return false
  const segments = portable.split('/')
  const firstWildcard = segments.findIndex(segment => isDynamicPattern(segment))
  // After a wildcard the target of ".." is unknown, and braces can hide a "..".
  if (firstWildcard !== -1 && segments.slice(firstWildcard).some(segment => segment.includes('..')))
    return false
  const climbs = [posix.normalize(inside), posix.normalize(inside.replaceAll('\\', '/'))]
  return climbs.every(path => path !== '..' && !path.startsWith('../'))
}

async function locate(
  tree: FileTree,
  root: string,
  name: string,
): Promise<FoundFile | 'outside' | undefined> {
  try {
    const path = await tree.realpath(join(root, name))
    return isInside(root, path) ? { path, name } : 'outside'
  } catch {
    return undefined
  }
}

function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)
}

/** Links to folders outside the repository: following one could search the whole disk. */
async function findLinksOut(tree: FileTree, root: string, folder: string): Promise<string[]> {
  const entries = await tree.entriesOf(folder)
  const found = await Promise.all(
    entries.map(async entry => {
      const path = join(folder, entry.name)
      if (entry.isSymbolicLink()) {
        const leadsOut = await isFolderOutside(tree, root, path)
        return leadsOut ? [relative(root, path).split(sep).join('/')] : []
      }
      const isSearched = entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.')
      return isSearched ? findLinksOut(tree, root, path) : []
    }),
  )
  return found.flat()
}

async function isFolderOutside(tree: FileTree, root: string, link: string): Promise<boolean> {
  try {
    const target = await tree.realpath(link)
    return !isInside(root, target) && (await tree.isFolder(target))
  } catch {
    // The link has no target, so there is nothing to search.
    return false
  }
}

/** The problem of a path that leads out of the repository. */
export function leadsOut(shown: string): Problem {
  return {
    code: 'outside-repository',
    severity: 'error',
    message: `${shown} leads out of the repository`,
    hint: 'copy the file into the repository',
  }
}

/** The parts of a folder entry that are used. */
export type FileEntry = Pick<Dirent, 'name' | 'isFile' | 'isDirectory' | 'isSymbolicLink'>

/** The place of a repository's files: on the disk, or in a commit. Its paths are those of the disk in either case. */
export interface FileTree {
  /** The file system for searches by a pattern. */
  readonly fs: NonNullable<GlobOptions['fs']>
  /** The real path without links. Throws if it does not exist. */
  realpath(path: string): Promise<string>
  /** Throws if the folder does not exist. */
  entriesOf(folder: string): Promise<readonly FileEntry[]>
  /** Throws if the path does not exist. */
  isFolder(path: string): Promise<boolean>
  /** Throws a `FileError` if the file does not exist or is larger than `mostBytes`. */
  read(path: string, mostBytes: number): Promise<Uint8Array>
}

/**
 * If pipes and devices were skipped, their declarations would be missing without an error. So they are found
 * like files, and the reader reports what they are.
 */
const fs = { readdir: readdirWithPipes as typeof list }

export const diskTree: FileTree = {
  fs,
  realpath: path => realpath(path),
  entriesOf: folder => readdir(folder, { withFileTypes: true }),
  isFolder: async path => (await stat(path)).isDirectory(),
  read: readRegularFile,
}

// The search uses only this overload; the declared type contains all of them.
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

type ReadText = { readonly text: string } | { readonly problem: Problem }

/** Reads a file as text. `path` is its real path, `name` its name for people. Checks the size before reading. */
async function readText(
  tree: FileTree,
  { path, name: file }: { readonly path: string; readonly name: string },
): Promise<ReadText> {
  try {
    return { text: textFrom(await tree.read(path, largestFile)) }
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    const { code, reason, remedy } = error
    if (code === 'EISDIR' || code === 'not_a_file')
      return problem(file, 'unreadable-file', 'this is not a file', 'write the path of a file')
    if (code === 'too_large') return problem(file, 'file-too-large', `this file ${reason}`, 'split the file')
    const name = code === 'not_utf8' ? 'not-utf8' : 'unreadable-file'
    return problem(file, name, `this file ${reason}`, remedy ?? 'check the name and permissions of the file')
  }
}

function problem(file: string, code: string, message: string, hint: string): ReadText {
  return { problem: { code, severity: 'error', message, hint, source: { file, line: 1, column: 1 } } }
}
