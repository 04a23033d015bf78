import type * as fs from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import { FileError } from '../../model/files.ts'
import type { FileEntry, FileTree } from './find-files.ts'

/** The entry of a name: a file, or a link with its target. */
export type Listed = 'file' | { readonly link: string }

/** The files of a repository that are listed, and read, somewhere else than on the disk. */
export interface ListedFiles {
  /** By their names relative to the repository, with "/". */
  readonly names: ReadonlyMap<string, Listed>
  /** Throws a `FileError`. */
  read(name: string, mostBytes: number): Promise<Uint8Array>
}

/** The limit of links in a row, as on most systems. */
const mostLinks = 40

/** Listed files as if they were on the disk below `root`, which is a real path. Nothing is above it. */
export function listedTree(root: string, { names, read }: ListedFiles): FileTree {
  const folders = foldersOf(names)
  const nameOf = (path: string) => relative(root, path).split(sep).join('/')
  const missing = (path: string) =>
    Object.assign(new Error(`there is no ${path}`), { code: 'ENOENT' as const })

  const isBeside = (name: string) => name === '..' || name.startsWith('../') || resolve(name) === name
  /** A path that is not below the root is returned unchanged, so that the caller sees that it leads out. */
  const realPath = (path: string): string => {
    let real = root
    let rest = [path]
    for (let links = 0; rest.length > 0; ) {
      const [segment = '', ...others] = rest
      // A link may lead out and in again, and so may the given path.
      const next = resolve(real, segment)
      const name = nameOf(next)
      if (segment.includes('/') || segment.includes(sep) || isBeside(name)) {
        const whole = nameOf(resolve(next, ...others))
        if (isBeside(whole)) return resolve(next, ...others)
        real = root
        rest = whole.split('/').filter(Boolean)
        continue
      }
      const listed = names.get(name)
      if (typeof listed === 'object') {
        links += 1
        if (links > mostLinks) throw missing(path)
        rest =
          resolve(listed.link) === listed.link
            ? [listed.link, ...others]
            : [...partsOf(listed.link), ...others]
        continue
      }
      if (listed === undefined && !folders.has(name)) throw missing(path)
      real = next
      rest = others
    }
    return real
  }
  const isFolder = (path: string) => folders.has(nameOf(realPath(path)))
  const entriesOf = (folder: string) => {
    const entries = folders.get(nameOf(realPath(folder)))
    if (!entries) throw missing(folder)
    return entries
  }
  return {
    // The search uses only these forms; the declared types hold all of them.
    fs: {
      readdir: answering((path: string) => entriesOf(path)) as unknown as typeof fs.readdir,
      realpath: answering((path: string) => realPath(path)) as unknown as typeof fs.realpath,
      stat: answering((path: string) => statOf(isFolder(path))) as unknown as typeof fs.stat,
    },
    realpath: async path => realPath(path),
    entriesOf: async folder => entriesOf(folder),
    isFolder: async path => isFolder(path),
    async read(path, mostBytes) {
      const name = nameOf(path)
      if (folders.has(name)) throw new FileError('EISDIR', 'is a folder')
      if (names.get(name) !== 'file') throw new FileError('ENOENT', 'cannot be read (ENOENT)')
      return read(name, mostBytes)
    },
  }
}

function partsOf(link: string): string[] {
  return link.split('/').filter(part => part !== '' && part !== '.')
}

/** The content of each folder, by its name; "" is the root. */
function foldersOf(names: ListedFiles['names']): ReadonlyMap<string, readonly FileEntry[]> {
  const folders = new Map<string, FileEntry[]>([['', []]])
  const add = (name: string, listed: Listed | 'folder') => {
    const above = name.slice(0, Math.max(name.lastIndexOf('/'), 0))
    const entry = entryOf(name.slice(above === '' ? 0 : above.length + 1), listed)
    const known = folders.get(above)
    if (known) known.push(entry)
    else {
      folders.set(above, [entry])
      add(above, 'folder')
    }
  }
  for (const [name, listed] of names) add(name, listed)
  return folders
}

function entryOf(name: string, listed: Listed | 'folder'): FileEntry {
  return {
    name,
    isFile: () => listed === 'file',
    isDirectory: () => listed === 'folder',
    isSymbolicLink: () => typeof listed === 'object',
  }
}

function statOf(isFolder: boolean): Pick<fs.Stats, 'isFile' | 'isDirectory'> {
  return { isFile: () => !isFolder, isDirectory: () => isFolder }
}

/** A function of `node:fs` that calls its last argument with the answer. Never at once: the search needs that. */
function answering<Answer>(answer: (path: string) => Answer) {
  return (path: string, ...rest: readonly unknown[]): void => {
    // The last argument of each of these functions is that callback.
    const done = rest.at(-1) as (error: unknown, answer?: Answer) => void
    queueMicrotask(() => {
      let found: Answer
      try {
        found = answer(path)
      } catch (error) {
        done(error)
        return
      }
      done(null, found)
    })
  }
}
