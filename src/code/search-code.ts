import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import type { Ignore } from 'ignore'
import ignore from 'ignore'
import { codeOf } from '../model/files.ts'
import type { CodeScanner, FoundReference, UnknownCall } from './code-scanner.ts'
import { madeOfKeys } from './typed-flag.ts'

/** Files to search: a folder, and paths below it with `/`. */
export interface CodeFolder {
  readonly folder: string
  readonly paths: readonly string[]
}

export interface SearchOptions {
  /** Real paths of files that declare flags, which are not searched. */
  readonly leftOut: ReadonlySet<string>
  /** Awaited regularly, so that other work can run. */
  readonly pause: () => Promise<void>
}

type InFile<Found> = Found & { readonly path: string }

/** The results, sorted by path and line. Paths are absolute. */
export interface SearchedCode {
  readonly references: readonly InFile<FoundReference>[]
  readonly unknown: readonly InFile<UnknownCall>[]
  readonly searched: number
  readonly unsearched: readonly { readonly path: string; readonly why: Exclude<Unsearched, 'gone'> }[]
}

const filesBetweenPauses = 500

/** Searches code files, each of them once. */
export async function searchCode(
  folders: readonly CodeFolder[],
  scanner: CodeScanner,
  { leftOut, pause }: SearchOptions,
): Promise<SearchedCode> {
  const reader = new CodeReader()
  const references: InFile<FoundReference>[] = []
  const unknown: InFile<UnknownCall>[] = []
  const unsearched: InFile<{ why: Exclude<Unsearched, 'gone'> }>[] = []
  let searched = 0
  let opened = 0
  for (const [path, root] of pathsIn(folders, leftOut)) {
    if (++opened % filesBetweenPauses === 0) await pause()
    const bytes = root === undefined ? 'link' : reader.read(path)
    if (bytes === 'gone') continue
    if (typeof bytes === 'string') {
      unsearched.push({ path, why: bytes })
      continue
    }
    searched++
    if (isMadeOfFlags(bytes)) continue
    const found = scanner.scan(basename(path), bytes)
    for (const reference of found.references) references.push({ ...reference, path })
    for (const call of found.unknown) unknown.push({ ...call, path })
  }
  return { references, unknown, searched, unsearched }
}

/** Whether a file is generated from flags: typed keys, or JSON of Vexil or Terraform. */
function isMadeOfFlags(bytes: Buffer): boolean {
  const head = bytes.toString('latin1', 0, 200)
  return head.includes(madeOfKeys) || /^\s*\{\s*"format_version"/.test(head)
}

/** The sorted paths of files. A folder is undefined if a link leads out of it. */
function pathsIn(
  folders: readonly CodeFolder[],
  leftOut: ReadonlySet<string>,
): readonly (readonly [string, string | undefined])[] {
  const found = new Map<string, string | undefined>()
  const real = new Map<string, string | undefined>()
  for (const { folder, paths } of folders) {
    const root = realpathSync(folder)
    for (const below of paths) {
      const path = join(folder, below)
      const own = dirname(path)
      if (!real.has(own)) real.set(own, realFolder(own))
      const place = real.get(own)
      // The folder of a listed file may be missing, or may be a link now.
      if (place === undefined) continue
      const isInside = place === root || place.startsWith(root.endsWith(sep) ? root : root + sep)
      if (!leftOut.has(join(place, basename(path)))) found.set(path, isInside ? root : undefined)
    }
  }
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1))
}

function realFolder(folder: string): string | undefined {
  try {
    return realpathSync(folder)
  } catch {
    return undefined
  }
}

/** The rules of one `.gitignore`, for paths below its folder. */
interface Rules {
  /** As in `src/`; empty for the root. */
  readonly below: string
  readonly rules: Ignore
}

/** The files below a folder, relative and with `/`, without git. Obeys `.gitignore`; follows no links. */
export async function walkFolder(root: string): Promise<string[]> {
  const found: string[] = []
  await walk(root, '', [], found)
  return found
}

async function walk(root: string, below: string, above: readonly Rules[], found: string[]): Promise<void> {
  const entries = await readdir(join(root, below), { withFileTypes: true })
  const own = entries.some(({ name }) => name === '.gitignore')
    ? [
        {
          below,
          rules: ignore().add(
            (await readFile(join(root, below, '.gitignore'), 'utf8')).replace(/^\ufeff/, ''),
          ),
        },
      ]
    : []
  const rules = [...above, ...own]
  for (const entry of entries) {
    const path = `${below}${entry.name}`
    if (entry.isDirectory()) {
      if (skippedFolders.has(entry.name) || isIgnored(`${path}/`, rules)) continue
      await walk(root, `${path}/`, rules, found)
    } else if (entry.isFile() && !isIgnored(path, rules)) found.push(path)
  }
}

/** Whether a path is ignored. The nearest matching rule decides. */
function isIgnored(path: string, rules: readonly Rules[]): boolean {
  for (const { below, rules: own } of rules.toReversed()) {
    const { ignored, unignored } = own.test(path.slice(below.length))
    if (ignored || unignored) return ignored
  }
  return false
}

const skippedFolders: ReadonlySet<string> = new Set(['.git', '.vexil', 'node_modules'])

/** Whether a file may contain code or configuration, by its path. Prose mentions flags without using them. */
export function isCode(path: string): boolean {
  return (
    !/\.(?:md|markdown|rst|adoc|asciidoc|txt|map)$/i.test(path) &&
    !path.split('/').some(folder => skippedFolders.has(folder))
  )
}

/** The size limit of searched files in bytes; hand-written code is smaller. */
export const largestCodeFile = 2 * 1024 * 1024

/** Why a file is not searched. `gone`: it is listed but does not exist. */
type Unsearched = 'binary' | 'too_large' | 'link' | 'unreadable' | 'gone'

/** Reads code files into one buffer: each file overwrites the one before. */
class CodeReader {
  readonly #memory = Buffer.allocUnsafe(largestCodeFile + 1)

  /**
   * The bytes of a file, or why it is not searched. It does not follow links or wait for pipes. A file with a
   * zero byte in its first 8,000 bytes is binary, as in git.
   */
  read(path: string): Buffer | Unsearched {
    try {
      // Synchronous, because promises would cost more than reading many small files. Windows does not have
      // the last two flags, and normally no links in a work tree of git.
      const file = openSync(
        path,
        constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0),
      )
      try {
        return this.#readOpen(file)
      } finally {
        closeSync(file)
      }
    } catch (error) {
      const code = codeOf(error, '')
      if (code === 'ELOOP' || code === 'EMLINK') return 'link'
      return code === 'ENOENT' || code === 'ENOTDIR' ? 'gone' : 'unreadable'
    }
  }

  #readOpen(file: number): Buffer | Unsearched {
    const found = fstatSync(file)
    // Git lists a submodule as a folder. Its files belong to another repository.
    if (found.isDirectory()) return 'gone'
    if (!found.isFile()) return 'unreadable'
    if (found.size > largestCodeFile) return 'too_large'
    let length = 0
    for (;;) {
      const read = readSync(file, this.#memory, length, this.#memory.length - length, null)
      length += read
      // It grew while it was read.
      if (length > largestCodeFile) return 'too_large'
      // System files report a size of zero, and are read to their end.
      if (read === 0 || length === found.size) break
    }
    const bytes = this.#memory.subarray(0, length)
    const zero = bytes.indexOf(0)
    return zero !== -1 && zero < 8000 ? 'binary' : bytes
  }
}
