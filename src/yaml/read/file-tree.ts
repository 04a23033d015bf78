import { type Dirent, readdir as list } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import type { GlobOptions } from 'tinyglobby'
import { readRegularFile } from '../../model/files.ts'

/** What is asked of an entry of a folder. */
export type FileEntry = Pick<Dirent, 'name' | 'isFile' | 'isDirectory' | 'isSymbolicLink'>

/** Where the files of a repository are: on the disk, or in a commit. Its paths are those of the disk in either case. */
export interface FileTree {
  /** What searches by a pattern look at. */
  readonly fs: NonNullable<GlobOptions['fs']>
  /** Where something is, links followed. Throws where nothing is. */
  realpath(path: string): Promise<string>
  /** Throws where no folder is. */
  entriesOf(folder: string): Promise<readonly FileEntry[]>
  /** Throws where nothing is. */
  isFolder(path: string): Promise<boolean>
  /** Throws a `FileError`: where no file is, or one of more bytes. */
  read(path: string, mostBytes: number): Promise<Uint8Array>
}

/**
 * A pipe or a device in place of a file would be passed over, and what it should declare be missing without a word.
 * It is found like a file; who reads it then says what it is.
 */
const fs = { readdir: readdirWithPipes as typeof list }

/** The files on the disk, as they are now. */
export const diskTree: FileTree = {
  fs,
  realpath: path => realpath(path),
  entriesOf: folder => readdir(folder, { withFileTypes: true }),
  isFolder: async path => (await stat(path)).isDirectory(),
  read: readRegularFile,
}

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
