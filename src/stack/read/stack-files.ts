import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, posix, relative, resolve, sep } from 'node:path'
import { globSync } from 'tinyglobby'
import { type Files, invalid, Refusal, unsupported } from '../../hcl/index.ts'
import { codeOf } from '../../model/files.ts'
import { largestFile, mebibytes } from '../../model/limits.ts'

/**
 * The files in a stack's folder, in which Terraform would run. Files elsewhere are refused, even behind a
 * symbolic link: the contents of the folder define the stack.
 */
export class StackFiles implements Files {
  readonly folder: string

  constructor(folder: string) {
    this.folder = resolve(folder)
  }

  read(path: string): Uint8Array {
    const real = this.#realPath(path)
    if (real === undefined) throw missingFile(path)
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

  /** The names in a folder; undefined if it does not exist. */
  list(folder: string): readonly string[] | undefined {
    const real = this.#realPath(folder)
    return real !== undefined && statSync(real).isDirectory() ? readdirSync(real).toSorted() : undefined
  }

  find(folder: string, written: string): readonly string[] {
    // The library takes each name with this beginning for the parent folder.
    if (written.split('/').some(name => name.startsWith('..'))) throw outside(written)
    // Terraform normalizes the folder together with the pattern.
    const pattern = posix.normalize(written).replace(/^\/+|\/+$/g, '')
    if (/[*?[{\\]/.test(folder))
      throw unsupported(`the folder ${shown(folder)}`, 'take a name without signs of patterns')
    requirePattern(pattern)
    const real = this.#realPath(folder)
    if (real === undefined) return []
    if (!statSync(real).isDirectory())
      throw unsupported(`a pattern in ${shown(folder)}, which is a file`, 'name a folder')
    // The library treats a folder that throws as empty.
    const refused: Refusal[] = []
    // A file has no contents: the library would match the file itself with `**`.
    const found = globSync(pattern.replace(/\/\*\*$/, '/**/*'), {
      cwd: real,
      dot: true,
      expandDirectories: false,
      followSymbolicLinks: false,
      // The library uses only this form of it.
      fs: {
        readdirSync: ((way: string) => this.#entries(way, real, refused)) as unknown as typeof readdirSync,
      },
    })
    if (refused[0]) throw refused[0]
    // Terraform's own library counts bytes if something follows a `*`.
    const odd = found.find(name => /[^\0-\x7f]/.test(name))
    if (odd !== undefined && /\*[^*/]/.test(pattern))
      throw unsupported(
        `the name ${shown(odd)}, which Terraform may not find by ${shown(pattern)}`,
        'take names of ASCII letters, or a pattern that has nothing behind *',
      )
    for (const name of found) {
      const path = this.#shownAs(join(real, name))
      if (this.#realPath(path) === undefined) throw missingFile(path)
    }
    return found
  }

  /** The entries of a folder. A link counts as its target, and a broken one as a file. */
  #entries(folder: string, base: string, refused: Refusal[]): readonly object[] {
    try {
      this.#refuseCircle(folder, base)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refused.push(error)
      return []
    }
    return readdirSync(folder, { withFileTypes: true }).map(entry => {
      if (!entry.isSymbolicLink()) return entry
      const isDirectory =
        statSync(join(folder, entry.name), { throwIfNoEntry: false })?.isDirectory() ?? false
      // No other members of an entry are used.
      return {
        name: entry.name,
        isFile: () => !isDirectory,
        isDirectory: () => isDirectory,
        isSymbolicLink: (): boolean => false,
      }
    })
  }

  /** Refuses a folder outside, and one that contains itself through a link. */
  #refuseCircle(folder: string, base: string): void {
    const way = resolve(folder)
    const path = this.#shownAs(way)
    const real = this.#realPath(path)
    if (real === way) return
    for (let above = dirname(way); isInside(above, base); above = dirname(above))
      if (realpathSync(above) === real)
        throw invalid(
          `${shown(path)} leads back to a folder that it lies in`,
          'take a pattern that leaves it out',
        )
  }

  #shownAs(path: string): string {
    return relative(realpathSync(this.folder), path)
  }

  /** The final target of a path; undefined if it does not exist. */
  #realPath(path: string): string | undefined {
    if (path.includes('\0')) throw invalid('a path has a zero character')
    const wanted = resolve(this.folder, path)
    try {
      const [root, real] = [realpathSync(this.folder), realpathSync(wanted)]
      if (!isInside(real, root)) throw outside(path)
      return real
    } catch (error) {
      if (!missing.has(codeOf(error, ''))) throw error
      // A missing file is reported differently from a forbidden one.
      if (!isInside(wanted, this.folder)) throw outside(path)
      return undefined
    }
  }
}

const missing: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP'])
/** The remedy for a file that is not in the folder of the stack. */
export const asset = 'let the app put it there: new TerraformAsset(...)'

/** Refuses patterns that the library and Terraform read differently. */
function requirePattern(pattern: string): void {
  if (readOtherwise.some(each => each.test(pattern)))
    throw unsupported(
      `the pattern ${shown(pattern)}`,
      'take *, ?, [...], [^...] and {...} with none in it, and ** between slashes',
    )
  // Terraform refuses it only when it reaches that part.
  if (!pattern.split('/').every(name => wholePattern.test(name)))
    throw unsupported(`${shown(pattern)}, which is no pattern`, 'close [ and { before the next slash')
}

const readOtherwise = [
  /^!|[@+!?*]\(|\[!/,
  // Alternatives inside others, an empty one, a single one, or a range.
  /\{[^}]*\{|[{,][,}]|\{[^,}]*\}|\{[^}]*(?:\[|\.\.)/,
  // Groups, names of classes, and a class that begins or ends with a range.
  /[()]|\[:|\[\^?-|-\]/,
  // `**` beside letters, or twice.
  /\*\*[^/]|[^/]\*\*|\*\*\/\*\*/,
]

const wholePattern = /^(?:\\.|\[(?:\\.|[^\]\\])+\]|\{(?:\\.|[^}\\])*\}|[^\\[{])*$/su

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

function missingFile(path: string) {
  return invalid(`there is no file ${shown(path)} in the folder of the stack`, asset)
}

function outside(path: string) {
  return unsupported(`${shown(path)} is outside of the folder of the stack`, asset)
}

function shown(path: string): string {
  return JSON.stringify(path.length > 100 ? `${path.slice(0, 100)}...` : path)
}
