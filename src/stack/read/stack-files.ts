import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, posix, relative, resolve, sep } from 'node:path'
import { globSync } from 'tinyglobby'
import { type Files, invalid, Refusal, unsupported } from '../../hcl/index.ts'
import { codeOf } from '../../model/files.ts'
import { largestFile, mebibytes } from '../../model/limits.ts'

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

  /** The names of what lies in a folder; undefined where there is none. */
  list(folder: string): readonly string[] | undefined {
    const real = this.#realPath(folder)
    return real !== undefined && statSync(real).isDirectory() ? readdirSync(real).toSorted() : undefined
  }

  find(folder: string, written: string): readonly string[] {
    // The library takes each name that begins so for the folder above.
    if (written.split('/').some(name => name.startsWith('..'))) throw outside(written)
    // As Terraform does it, which reads the folder as a part of the pattern.
    const pattern = posix.normalize(written).replace(/^\/+|\/+$/g, '')
    if (/[*?[{\\]/.test(folder))
      throw unsupported(`the folder ${shown(folder)}`, 'take a name without signs of patterns')
    requirePattern(pattern)
    const real = this.#realPath(folder)
    if (real === undefined) return []
    if (!statSync(real).isDirectory())
      throw unsupported(`a pattern in ${shown(folder)}, which is a file`, 'name a folder')
    // The library takes a folder that throws for an empty one.
    const refused: Refusal[] = []
    // Under a file there is nothing: the library would say that the file itself is what `**` means.
    const found = globSync(pattern.replace(/\/\*\*$/, '/**/*'), {
      cwd: real,
      dot: true,
      expandDirectories: false,
      followSymbolicLinks: false,
      // The library uses no other form of it.
      fs: {
        readdirSync: ((way: string) => this.#entries(way, real, refused)) as unknown as typeof readdirSync,
      },
    })
    if (refused[0]) throw refused[0]
    // Terraform's own library counts bytes where a `*` is followed by something.
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

  /** What stands in a folder; a link counts as what it leads to, and one to nothing as a file. */
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
      // Of an entry nobody asks more.
      return {
        name: entry.name,
        isFile: () => !isDirectory,
        isDirectory: () => isDirectory,
        isSymbolicLink: (): boolean => false,
      }
    })
  }

  /** Refuses a folder outside, and one that is also one of those on the way to it. */
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

/** Refuses patterns that the library would read otherwise than Terraform does. */
function requirePattern(pattern: string): void {
  if (readOtherwise.some(each => each.test(pattern)))
    throw unsupported(
      `the pattern ${shown(pattern)}`,
      'take *, ?, [...], [^...] and {...} with none in it, and ** between slashes',
    )
  // Terraform refuses it only where it comes to that part.
  if (!pattern.split('/').every(name => wholePattern.test(name)))
    throw unsupported(`${shown(pattern)}, which is no pattern`, 'close [ and { before the next slash')
}

const readOtherwise = [
  /^!|[@+!?*]\(|\[!/,
  // Of alternatives: some in others, an empty one, a single one, or a range.
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
