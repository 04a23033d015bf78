import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, relative, resolve } from 'node:path'
import { type CodeFolder, isCode, walkFolder } from '../../../code/search-code.ts'
import { findTopFolder, listFiles } from '../../../git/files.ts'
import { codeOf } from '../../../model/files/error-code.ts'
import { CommandError, exitCode } from '../../host/exit-code.ts'
import type { Host } from '../../host/host.ts'

export interface FoundFolders {
  readonly folders: readonly CodeFolder[]
  readonly notes: readonly string[]
}

/**
 * The files in which code is looked for: those below the named paths or, where none is named, of the work tree that the
 * repository belongs to, or of its own folder where there is no git.
 */
export async function findCode(
  { directory, env }: Pick<Host, 'directory' | 'env'>,
  repository: string,
  named: readonly string[] | undefined,
): Promise<FoundFolders> {
  const paths = named?.map(path => resolve(directory, path)) ?? [await workTreeOf(repository, env)]
  const found = await Promise.all(paths.map((path, index) => filesAt(path, named?.[index] ?? path, env)))
  return {
    folders: found.map(({ files }) => files),
    notes: [...new Set(found.flatMap(({ notes }) => notes))],
  }
}

/** The top of the work tree, by the way that led to the repository: git tells where it really is, behind links. */
async function workTreeOf(repository: string, env: Host['env']): Promise<string> {
  const top = await findTopFolder({ directory: repository, env })
  if (top === undefined) return repository
  const [real, place] = await Promise.all([realpath(top), realpath(repository)])
  const above = resolve(repository, relative(place, real))
  const isThere = (await realpath(above).catch(() => undefined)) === real
  return isThere ? above : top
}

async function filesAt(
  path: string,
  shown: string,
  env: Host['env'],
): Promise<{ readonly files: CodeFolder; readonly notes: readonly string[] }> {
  const found = await stat(path).catch(error => {
    const why =
      codeOf(error, '') === 'ENOENT' ? 'is not there' : `cannot be read (${codeOf(error, 'unknown')})`
    throw new CommandError(`"${shown}" ${why}`, exitCode.usage)
  })
  // Whoever names a file wants it searched, whatever it is called.
  if (found.isFile()) {
    const real = await realpath(path)
    return { files: { folder: dirname(real), paths: [basename(real)] }, notes: [] }
  }
  const listed = await listFiles({ directory: path, env })
  const paths = listed.paths ?? (await walk(path, shown))
  const notes = 'note' in listed && listed.note !== undefined ? [listed.note] : []
  return { files: { folder: path, paths: paths.filter(isCode) }, notes }
}

async function walk(path: string, shown: string): Promise<readonly string[]> {
  try {
    return await walkFolder(path)
  } catch (error) {
    throw new CommandError(`"${shown}" cannot be searched (${codeOf(error, 'unknown reason')})`)
  }
}
