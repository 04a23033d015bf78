import { realpath } from 'node:fs/promises'
import { type CommitFile, type ContentReading, listCommitFolder, readContents } from '../../git/files.ts'
import type { GitFolder } from '../../git/run.ts'
import { FileError } from '../../model/files/read-regular-file.ts'
import { largestFile } from '../../model/limits.ts'
import { type FileTree, type Listed, listedTree, settingsFiles } from '../../yaml/index.ts'

/** The files of a folder at a commit, to be read in place of those on the disk. */
export interface CommitTree {
  readonly tree: FileTree
  /** Folders in it whose files are those of other repositories. */
  readonly submodules: readonly string[]
}

/**
 * The files of a folder at a commit; undefined where git cannot tell. What may hold declarations is read at once, with
 * the links; what they name besides is read when it is asked for.
 */
export async function treeOfCommit(
  place: GitFolder,
  commit: string,
  mark: string,
): Promise<CommitTree | undefined> {
  const folder = await listCommitFolder(place, commit, settingsFiles)
  if (!folder) return undefined
  const reading: ContentReading = { place, mark, mostBytes: largestFile }
  const first = [...folder.files].flatMap(([name, file]) =>
    file.isLink || isLikelyDeclaration(name) ? [file] : [],
  )
  const known = await readContents(reading, first)
  if (!known) return undefined
  const root = await realpath(place.directory)
  const textOf = ({ path }: CommitFile) => known.get(path)?.toString('utf8')
  const names = new Map(
    [...folder.files].map(([name, file]): [string, Listed] => {
      const link = file.isLink ? textOf(file) : undefined
      return [name, link === undefined ? 'file' : { link }]
    }),
  )
  const read = async (name: string, mostBytes: number): Promise<Uint8Array> => {
    const file = folder.files.get(name)
    if (!file) throw absent()
    const content = known.get(file.path) ?? (await readContents(reading, [file]))?.get(file.path)
    if (!content) throw absent()
    if (content.length > mostBytes) throw new FileError('too_large', `has more than ${mostBytes} bytes`)
    return content
  }
  return { tree: listedTree(root, { names, read }), submodules: folder.submodules }
}

/** Whether a file is searched for declarations where nothing says otherwise: not what is installed, or begins with a dot. */
export function isLikelyDeclaration(name: string): boolean {
  return /\.ya?ml$/i.test(name) && !/(?:^|\/)(?:node_modules|\.[^/]*)\//.test(name)
}

function absent(): FileError {
  return new FileError('ENOENT', 'is not to be had of that commit')
}
