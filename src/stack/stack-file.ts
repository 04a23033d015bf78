import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, posix, relative, resolve, sep } from 'node:path'
import { globSync } from 'tinyglobby'
import {
  convert,
  type ExactJson,
  type Files,
  impliedTyped,
  invalid,
  isExactObject,
  isListValue,
  Refusal,
  unsupported,
} from '../hcl/index.ts'
import { codeOf } from '../model/files.ts'
import { largestFile, mebibytes } from '../model/limits.ts'
import type { Source } from '../model/problem.ts'
import { nounOf } from '../model/text/json-shape.ts'
import { meantHint } from '../model/text/names.ts'
import { isOurSource, usualLocalName } from '../schema/terraform/terraform-names.ts'

export type Body = Readonly<Record<string, ExactJson>>

/** One declaration of a configuration. */
export interface Block {
  readonly is: 'variable' | 'local' | 'output' | 'resource' | 'data' | 'provider' | 'check' | 'module'
  /** `vexil_feature_flag.checkout`, `data.vexil_feature_flag.legacy`, `var.share`, `provider.vexil.eu`, `module.shop`. */
  readonly address: string
  /** For a resource or a data source, its type; for a provider, its local name. */
  readonly type: string
  readonly name: string
  /** The construct that wrote it. */
  readonly path?: string
  /** The live edit setting in its comment. */
  readonly liveEdits?: ExactJson
  /** The hidden values in its comment. */
  readonly sensitive?: ExactJson
  /** The tests of who gets a flag in its comment. */
  readonly tests?: ExactJson
  /** Its place, with its full address, if it is in a module. */
  readonly source?: Source
  readonly origin?: string
  readonly body: Body
}

/** The owner of a file: the stack itself, or a module. */
export interface FileOf {
  /** The prefix of its addresses: `module.shop.`; empty for the stack. */
  readonly prefix: string
  /** The place of a block of a module. */
  readonly sourceOf?: (body: ExactJson) => Source
  /** The name of our provider in the module's other files too; that of this file if left out. */
  readonly localName?: string
}

/** A synthesized stack, or the configuration of a module, split into blocks. */
export interface StackFile {
  /** Its name for our provider. */
  readonly localName: string
  /** Where Terraform keeps this stack's state, for other stacks to find it. */
  readonly statePath?: string
  readonly blocks: readonly Block[]
  readonly imports: readonly Body[]
  readonly moved: readonly Body[]
  readonly removed: readonly Body[]
}

/** The address of a provider's configuration by name and alias: `provider.vexil`, `provider.flags.eu`. */
export function providerAddress(localName: string, alias?: string): string {
  return alias === undefined ? `provider.${localName}` : `provider.${localName}.${alias}`
}

/** The bodies of a block, written as an object or as a list of objects; comments are omitted. */
export function bodiesIn(json: ExactJson | undefined): readonly Body[] {
  return rawBodiesIn(json).map(withoutComment)
}

/** A body with its comments. */
export type RawBody = { [name: string]: ExactJson }

export function rawBodiesIn(json: ExactJson | undefined): readonly RawBody[] {
  if (Array.isArray(json)) return json.flatMap(rawBodiesIn)
  // An object that is not an array has members.
  return json === undefined || !isExactObject(json) ? [] : [json as RawBody]
}

interface NotBody {
  readonly json: ExactJson
  /** The path of names. */
  readonly names: readonly string[]
  readonly message: string
}

/** Values that are no bodies, below a number of labels. Null is no block, except in a list. */
export function notBodiesIn(
  json: ExactJson | undefined,
  labels: number,
  names: readonly string[],
): readonly NotBody[] {
  if (json === undefined || (json === null && labels === 0)) return []
  const parts = isListValue(json) ? json : [json ?? {}]
  const members = parts.flatMap(part => (isExactObject(part) ? Object.entries(part) : []))
  const strange = parts
    .filter(part => !isExactObject(part))
    .map(part => ({
      ...{ json: part, names },
      message: `a block is an object or a list of objects, and this is ${nounOf(part)}`,
    }))
  if (labels === 0 || strange.length > 0) return strange
  if (members.length === 0) return [{ json, names, message: 'a block has to have a name' }]
  return members.flatMap(([name, each]) =>
    name === '//'
      ? [{ json, names, message: 'a comment is in a block, and "//" would be a name here' }]
      : notBodiesIn(each, labels - 1, [...names, name]),
  )
}

export function withoutComment(json: { readonly [name: string]: ExactJson }): Body {
  const { '//': _comment, ...body } = json
  return body
}

/** A switch in a block, which is not evaluated. Throws a refusal for anything but true and false. */
export function switchIn(body: Body, name: string, fallback: boolean): boolean {
  const { [name]: written } = body
  if (written === undefined) return fallback
  const { plain } = convert(impliedTyped(written), 'bool')
  if (typeof plain !== 'boolean') throw invalid(`"${name}" has to be true or false`)
  return plain
}

/** Refuses members that are never read. */
export function requireMembers(body: Body, known: readonly string[]): void {
  const stray = Object.keys(body).find(name => !known.includes(name))
  if (stray !== undefined)
    throw invalid(
      `there is no ${JSON.stringify(stray)} here`,
      meantHint(stray, known, `there are ${known.join(', ')}`),
    )
}

export function blockMembers(json: ExactJson | undefined): Body {
  return isExactObject(json) ? json : {}
}

/**
 * The local name of our provider in a module or in the stack, from `required_providers` in any of its files.
 * A name is valid only within its module.
 */
export function localNameIn(files: readonly ExactJson[]): string {
  const names = ourNamesIn(files.flatMap(file => bodiesIn(blockMembers(file).terraform)))
  // No engine accepts two names; one of them is refused.
  return names.includes(usualLocalName) ? usualLocalName : (names[0] ?? usualLocalName)
}

/** All names that blocks `terraform` give our provider. */
export function ourNamesIn(terraform: readonly Body[]): readonly string[] {
  return terraform
    .flatMap(body => bodiesIn(body.required_providers))
    .flatMap(Object.entries<ExactJson>)
    .flatMap(([name, written]) => (isOurSource(blockMembers(written).source) ? [name] : []))
}

/** Returns the earlier result for a key, or makes it now. After a failure the next call tries again. */
export function once<Key, Result>(made: Map<Key, Result>, key: Key, make: () => Result): Result {
  const before = made.get(key)
  if (before !== undefined) return before
  const result = make()
  made.set(key, result)
  return result
}

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
