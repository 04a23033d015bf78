import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { globSync } from 'tinyglobby'
import { invalid, unsupported } from '../../cty/invalid-value.ts'
import { codeOf } from '../../model/error-code.ts'
import { largestFile, mebibytes } from '../../model/limits.ts'
import type { Files } from '../language/functions/places/files.ts'

/**
 * The files in the folder of a stack, which is where Terraform would be run. What is elsewhere is refused, also behind
 * a symbolic link: a stack says what it is by what lies in its folder.
 */
export class StackFiles implements Files {
  readonly folder: string

  constructor(folder: string) {
    this.folder = resolve(folder)
  }

  read(path: string): Uint8Array {
    const real = this.#realPath(path)
    if (real === undefined) throw invalid(`there is no file ${shown(path)} in the folder of the stack`, asset)
    const found = statSync(real)
    if (!found.isFile()) throw invalid(`${shown(path)} is no file`)
    if (found.size > largestFile)
      throw unsupported(
        `${shown(path)} has ${mebibytes(found.size)}, more than the ${mebibytes(largestFile)} that are read`,
        'leave large files out of the stack',
      )
    return readFileSync(real)
  }

  exists(path: string): boolean {
    const real = this.#realPath(path)
    if (real === undefined) return false
    if (statSync(real).isFile()) return true
    throw invalid(`${shown(path)} is no file`)
  }

  /** The names of what lies in a folder; undefined where there is none. */
  list(folder: string): readonly string[] | undefined {
    const real = this.#realPath(folder)
    return real !== undefined && statSync(real).isDirectory() ? readdirSync(real).toSorted() : undefined
  }

  find(folder: string, pattern: string): readonly string[] {
    if (pattern.split('/').includes('..')) throw outside(pattern)
    if (/^!|[@+!?*]\(/.test(pattern))
      throw unsupported(`the pattern ${shown(pattern)}`, 'take *, **, ?, [...] and {...}')
    const real = this.#realPath(folder)
    if (real === undefined || !statSync(real).isDirectory()) return []
    return globSync(pattern, {
      cwd: real,
      dot: true,
      expandDirectories: false,
      followSymbolicLinks: false,
      // The library uses no other form of it.
      fs: { readdirSync: this.#withLinks as unknown as typeof readdirSync },
    })
  }

  /** What stands in a folder: a link to a file counts as that file, and one to a folder is not followed. */
  readonly #withLinks = (folder: string): readonly object[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
      if (!entry.isSymbolicLink()) return [entry]
      const real = this.#realPath(join(folder, entry.name))
      if (real === undefined || !statSync(real).isFile()) return []
      // Of an entry nobody asks more.
      return [{ name: entry.name, isFile: () => true, isDirectory: () => false, isSymbolicLink: () => false }]
    })

  /** Where a path leads in the end; undefined where there is nothing. */
  #realPath(path: string): string | undefined {
    if (path.includes('\0')) throw invalid('a path has a zero character')
    const wanted = resolve(this.folder, path)
    try {
      const [root, real] = [realpathSync(this.folder), realpathSync(wanted)]
      if (!isInside(real, root)) throw outside(path)
      return real
    } catch (error) {
      if (!missing.has(codeOf(error, ''))) throw error
      // What is not there is told apart from what nobody may look for.
      if (!isInside(wanted, this.folder)) throw outside(path)
      return undefined
    }
  }
}

const missing: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP'])
/** What to do about a file that is not in the folder of the stack. */
export const asset = 'let the app put it there: new TerraformAsset(...)'

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

function outside(path: string) {
  return unsupported(`${shown(path)} is outside of the folder of the stack`, asset)
}

function shown(path: string): string {
  return JSON.stringify(path.length > 100 ? `${path.slice(0, 100)}...` : path)
}
