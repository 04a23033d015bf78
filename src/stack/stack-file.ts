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
  /** Its position, with its full address, if it is in a module. */
  readonly source?: Source
  readonly origin?: string
  readonly body: Body
}

/** The owner of a file: the stack itself, or a module. */
export interface FileOf {
  /** The prefix of its addresses: `module.shop.`; empty for the stack. */
  readonly prefix: string
  /** The position of a block of a module. */
  readonly sourceOf?: (body: ExactJson) => Source
  /** The local name of our provider in the module; if absent, that in this file. */
  readonly localName?: string
}

/** A synthesized stack, or the configuration of a module, split into blocks. */
export interface StackFile {
  /** Its local name for our provider. */
  readonly localName: string
  /** Where Terraform stores this stack's state, so that other stacks find it. */
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

/** The bodies of a block, which is an object or a list of objects; without comments. */
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
  readonly names: readonly string[]
  readonly message: string
}

/** Values that cannot be bodies, below a number of labels. Null is allowed, except in a list. */
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
      message: `a block must be an object or a list of objects, not ${nounOf(part)}`,
    }))
  if (labels === 0 || strange.length > 0) return strange
  if (members.length === 0) return [{ json, names, message: 'a block must have a name' }]
  return members.flatMap(([name, each]) =>
    name === '//'
      ? [{ json, names, message: 'a comment belongs in a block: here "//" would be a name' }]
      : notBodiesIn(each, labels - 1, [...names, name]),
  )
}

export function withoutComment(json: { readonly [name: string]: ExactJson }): Body {
  const { '//': _comment, ...body } = json
  return body
}

/** A boolean in a block, which is not evaluated. Throws a refusal for other values. */
export function switchIn(body: Body, name: string, fallback: boolean): boolean {
  const { [name]: written } = body
  if (written === undefined) return fallback
  const { plain } = convert(impliedTyped(written), 'bool')
  if (typeof plain !== 'boolean') throw invalid(`"${name}" must be true or false`)
  return plain
}

/** Refuses members that Vexil never reads. */
export function requireMembers(body: Body, known: readonly string[]): void {
  const stray = Object.keys(body).find(name => !known.includes(name))
  if (stray !== undefined)
    throw invalid(
      `${JSON.stringify(stray)} is not a known name here`,
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
  // Engines do not accept two names; one of them is refused.
  return names.includes(usualLocalName) ? usualLocalName : (names[0] ?? usualLocalName)
}

/** All names of our provider in `terraform` blocks. */
export function ourNamesIn(terraform: readonly Body[]): readonly string[] {
  return terraform
    .flatMap(body => bodiesIn(body.required_providers))
    .flatMap(Object.entries<ExactJson>)
    .flatMap(([name, written]) => (isOurSource(blockMembers(written).source) ? [name] : []))
}

/** Returns the earlier result for a key, or computes it. After a failure, the next call tries again. */
export function once<Key, Result>(made: Map<Key, Result>, key: Key, make: () => Result): Result {
  const before = made.get(key)
  if (before !== undefined) return before
  const result = make()
  made.set(key, result)
  return result
}

/**
 * The files in a stack's folder, in which Terraform would run. Files elsewhere are refused, even behind a
 * symbolic link, so that the folder alone defines the stack.
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
    if (!found.isFile()) throw invalid(`${shown(path)} is not a file`)
    if (found.size > largestFile)
      throw unsupported(
        `${shown(path)} has ${mebibytes(found.size)}, which is over the limit of ${mebibytes(largestFile)}`,
        'remove large files from the stack',
      )
    return readFileSync(real)
  }

  exists(path: string): boolean {
    const real = this.#realPath(path)
    if (real === undefined) return false
    if (statSync(real).isFile()) return true
    throw invalid(`${shown(path)} is not a file`)
  }

  /** The names in a folder; undefined if it does not exist. */
  list(folder: string): readonly string[] | undefined {
    const real = this.#realPath(folder)
    return real !== undefined && statSync(real).isDirectory() ? readdirSync(real).toSorted() : undefined
  }

  find(folder: string, written: string): readonly string[] {
    // The library treats each name with this beginning as the parent folder.
    if (written.split('/').some(name => name.startsWith('..'))) throw outside(written)
    // Terraform normalizes the folder together with the pattern.
    const pattern = posix.normalize(written).replace(/^\/+|\/+$/g, '')
    if (/[*?[{\\]/.test(folder))
      throw unsupported(
        `the folder ${shown(folder)} has characters of patterns in its name`,
        'use a name without characters of patterns',
      )
    requirePattern(pattern)
    const real = this.#realPath(folder)
    if (real === undefined) return []
    if (!statSync(real).isDirectory())
      throw unsupported(`the pattern is in ${shown(folder)}, which is a file`, 'write a folder')
    // The library treats a folder that throws as empty.
    const refused: Refusal[] = []
    // A file has no entries, and the library would match the file itself with `**`.
    const found = globSync(pattern.replace(/\/\*\*$/, '/**/*'), {
      cwd: real,
      dot: true,
      expandDirectories: false,
      followSymbolicLinks: false,
      // The library uses only this overload.
      fs: {
        readdirSync: ((way: string) => this.#entries(way, real, refused)) as unknown as typeof readdirSync,
      },
    })
    if (refused[0]) throw refused[0]
    // Terraform's own library counts bytes if something follows a `*`.
    const odd = found.find(name => /[^\0-\x7f]/.test(name))
    if (odd !== undefined && /\*[^*/]/.test(pattern))
      throw unsupported(
        `Terraform may not match the name ${shown(odd)} with ${shown(pattern)}`,
        'use names of ASCII letters, or a pattern that ends with *',
      )
    for (const name of found) {
      const path = this.#shownAs(join(real, name))
      if (this.#realPath(path) === undefined) throw missingFile(path)
    }
    return found
  }

  /** The entries of a folder. A link counts as its target, and a broken link as a file. */
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
      // Other members of an entry are not used.
      return {
        name: entry.name,
        isFile: () => !isDirectory,
        isDirectory: () => isDirectory,
        isSymbolicLink: (): boolean => false,
      }
    })
  }

  /** Refuses a folder outside the stack, and a folder that contains itself through a link. */
  #refuseCircle(folder: string, base: string): void {
    const way = resolve(folder)
    const path = this.#shownAs(way)
    const real = this.#realPath(path)
    if (real === way) return
    for (let above = dirname(way); isInside(above, base); above = dirname(above))
      if (realpathSync(above) === real)
        throw invalid(
          `${shown(path)} is a link to a folder that contains it`,
          'use a pattern that excludes the link',
        )
  }

  #shownAs(path: string): string {
    return relative(realpathSync(this.folder), path)
  }

  /** The final target of a path; undefined if it does not exist. */
  #realPath(path: string): string | undefined {
    if (path.includes('\0')) throw invalid('a path contains a zero character')
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
/** The hint for a file outside the folder of the stack. */
export const asset = 'let the app copy the file: new TerraformAsset(...)'

/** Refuses patterns that the library and Terraform interpret differently. */
function requirePattern(pattern: string): void {
  if (readOtherwise.some(each => each.test(pattern)))
    throw unsupported(
      `Vexil does not support the pattern ${shown(pattern)}`,
      'use *, ?, [...], [^...] and {...} without nesting, and ** between slashes',
    )
  // Terraform refuses the pattern only when it reaches that part.
  if (!pattern.split('/').every(name => wholePattern.test(name)))
    throw unsupported(`${shown(pattern)} is not a valid pattern`, 'close [ and { before the next slash')
}

const readOtherwise = [
  /^!|[@+!?*]\(|\[!/,
  // Nested, empty or single alternatives, or a range.
  /\{[^}]*\{|[{,][,}]|\{[^,}]*\}|\{[^}]*(?:\[|\.\.)/,
  // Groups, class names, and a class that begins or ends with a range.
  /[()]|\[:|\[\^?-|-\]/,
  // `**` next to letters, or twice.
  /\*\*[^/]|[^/]\*\*|\*\*\/\*\*/,
]

const wholePattern = /^(?:\\.|\[(?:\\.|[^\]\\])+\]|\{(?:\\.|[^}\\])*\}|[^\\[{])*$/su

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

function missingFile(path: string) {
  return invalid(`the file ${shown(path)} does not exist in the folder of the stack`, asset)
}

function outside(path: string) {
  return unsupported(`${shown(path)} is outside the folder of the stack`, asset)
}

function shown(path: string): string {
  return JSON.stringify(path.length > 100 ? `${path.slice(0, 100)}...` : path)
}
