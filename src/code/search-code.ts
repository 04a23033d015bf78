import { realpathSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { CodeReader, type Unsearched } from './files/code-file.ts'
import type { FoundReference, UnknownCall } from './reference.ts'
import type { CodeScanner } from './scan/code-scanner.ts'
import { madeOfKeys } from './typed/made-by.ts'

/** Files to search: a folder, and paths below it with `/`. */
export interface CodeFolder {
  readonly folder: string
  readonly paths: readonly string[]
}

export interface SearchOptions {
  /** Real paths of files that declare flags: what stands there is no reference. */
  readonly leftOut: ReadonlySet<string>
  /** Waited for every now and then, so that others get their turn. */
  readonly pause: () => Promise<void>
}

type InFile<Found> = Found & { readonly path: string }

/** What was found, by path and then by line; paths are absolute. */
export interface SearchedCode {
  readonly references: readonly InFile<FoundReference>[]
  readonly unknown: readonly InFile<UnknownCall>[]
  /** How many files were searched. */
  readonly searched: number
  readonly unsearched: readonly { readonly path: string; readonly why: Exclude<Unsearched, 'gone'> }[]
}

const filesBetweenPauses = 500

/** Searches files of code, each once, whichever folders it is in. */
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

/** Whether a file was made of flags, and asks for none: such keys, or JSON of Vexil and of Terraform, as a saved plan is. */
function isMadeOfFlags(bytes: Buffer): boolean {
  const head = bytes.toString('latin1', 0, 200)
  return head.includes(madeOfKeys) || /^\s*\{\s*"format_version"/.test(head)
}

/** The files by their paths, sorted; undefined in place of the folder where a link leads out of it. */
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
      // The folder of a file that git has listed may have become a link since, or be gone.
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
