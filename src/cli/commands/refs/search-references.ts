import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { CodeScanner } from '../../../code/code-scanner.ts'
import { type SearchedCode, searchCode } from '../../../code/search-code.ts'
import { typedNames } from '../../../code/typed/go.ts'
import type { RepositoryOptions } from '../../../yaml/index.ts'
import { CommandError } from '../../host/exit-code.ts'
import type { Host } from '../../host/host.ts'
import { typedFlags } from '../keys/typed-flags.ts'
import { findCode } from './code-folders.ts'
import type { DeclaredFlag } from './declared-flags.ts'

/** Where flags are declared: no reference is there. Files are named from the folder of the repository. */
export interface DeclaringFiles {
  readonly options: Pick<RepositoryOptions, 'directory'>
  readonly files: readonly string[]
}

export interface SearchedReferences {
  readonly found: SearchedCode
  readonly notes: readonly string[]
}

/** Searches code for the names of declared flags: below some paths or, where none is named, in the whole work tree. */
export async function searchReferences(
  host: Host,
  { options: { directory }, files }: DeclaringFiles,
  declared: readonly DeclaredFlag[],
  named: readonly string[] | undefined,
): Promise<SearchedReferences> {
  const { folders, notes } = await findCode(host, directory, named)
  const found = await searchCode(folders, scannerFor(declared), {
    leftOut: await realPaths(files.map(file => resolve(directory, file))),
    pause: () => host.runtime.sleep(0, host.stop),
  })
  return { found, notes }
}

/** Ends a command where no file was searched: every flag would seem to be used nowhere. */
export function requireSearched({ searched }: SearchedCode): void {
  if (searched === 0)
    throw new CommandError('there is no file of code to search; name the folders that have it with --in')
}

/** Looks for the names that `vexil keys` makes too; of a flag that is to be nowhere it makes none. */
function scannerFor(declared: readonly DeclaredFlag[]): CodeScanner {
  return new CodeScanner(
    declared.map(({ key }) => key),
    typedNames(typedFlags(declared)),
  )
}

async function realPaths(paths: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set(await Promise.all(paths.map(path => realpath(path).catch(() => path))))
}
