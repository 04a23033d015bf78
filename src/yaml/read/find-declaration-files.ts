import { realpath } from 'node:fs/promises'
import { basename, dirname, join, posix, relative, resolve, sep } from 'node:path'
import { glob } from 'tinyglobby'
import type { Problem } from '../../model/problem.ts'
import { quote } from '../check/problem-order.ts'
import type { Settings } from '../settings.ts'
import { type Finder, type FoundFile, leadsOut } from './find-files.ts'
import { listedTree } from './listed-tree.ts'
import { type ReadSettings, settingsFiles } from './read-settings.ts'

export interface FoundDeclarations {
  readonly files: readonly FoundFile[]
  /** Folders below that are repositories of their own; searched if this one has no settings. */
  readonly repositories: readonly string[]
  /** Paths that lead out of the repository. */
  readonly outside: readonly Problem[]
  /** Things that should exist and do not yet. */
  readonly missing: readonly Problem[]
}

/** The declaration files of a repository: those in its settings, or all YAML files, without excluded ones. */
export async function findDeclarationFiles(
  finder: Finder,
  { settings, parsed, isMissing }: ReadSettings,
): Promise<FoundDeclarations> {
  const repositories = isMissing ? await findRepositories(finder) : []
  const { patterns, ignored } = declarationPatterns(settings)
  const searches = await Promise.all(patterns.map(pattern => finder.find(pattern, '.', ignored)))
  const files = searches
    .flatMap(search => search.files)
    .filter(({ name }) => !repositories.some(folder => name.startsWith(`${folder}/`)))
  const placeOf = (index: number) => {
    const at = settings.files?.indexOf(patterns[index] ?? '') ?? -1
    return parsed && at >= 0 ? { source: parsed.locate(`/files/${at}`) } : undefined
  }
  const outside = searches.flatMap((search, index) =>
    search.outside.map(name => ({ ...leadsOut(quote(name)), ...(placeOf(index) ?? firstLine(name)) })),
  )
  const missing = searches.flatMap((search, index) => {
    const matchesNothing = areNamed(settings) && search.files.length === 0 && search.outside.length === 0
    return matchesNothing ? [{ ...noSuchFile(patterns[index] ?? ''), ...placeOf(index) }] : []
  })
  const isEmpty = files.length + outside.length + missing.length === 0 && !isMissing
  return { files, repositories, outside, missing: isEmpty ? [noFiles] : missing }
}

async function findRepositories(finder: Finder): Promise<string[]> {
  const searches = await Promise.all(settingsFiles.map(name => finder.find(`**/${name}`)))
  return searches.flatMap(({ files }) => files.map(({ name }) => posix.dirname(name)))
}

/** Where to search for declarations, and where not: a pattern of the settings with "!" in front excludes files. */
function declarationPatterns(settings: Settings): {
  readonly patterns: readonly string[]
  readonly ignored: readonly string[]
} {
  const { files = [] } = settings
  const leftOut = files.filter(leavesOut).map(pattern => pattern.slice(1))
  return {
    patterns: areNamed(settings) ? files.filter(pattern => !leavesOut(pattern)) : everyFile,
    ignored: [...neverDeclarations, ...leftOut],
  }
}

/** Whether the settings name the files with declarations, and not only the files without. */
export function areNamed({ files }: Settings): boolean {
  return files !== undefined && (files.length === 0 || !files.every(leavesOut))
}

function leavesOut(pattern: string): boolean {
  return pattern.startsWith('!')
}

const everyFile = ['**/*.{yaml,yml}']

/** Files that never hold declarations, wherever they are. */
const neverDeclarations = [...settingsFiles.map(name => `**/${name}`), '**/node_modules/**']

const noFiles: Problem = {
  code: 'no-declarations',
  severity: 'warning',
  message: 'there is no file of declarations',
  hint: 'write one, such as flags/example.yaml; `vexil init` makes it for you',
}

function noSuchFile(pattern: string): Problem {
  const message = `${quote(pattern)} matches no file`
  return { code: 'no-such-file', severity: 'error', message, hint: 'correct or remove it' }
}

function firstLine(file: string): Pick<Problem, 'source'> {
  return { source: { file, line: 1, column: 1 } }
}

/** Whether a repository would read declarations from a file that does not exist yet. */
export async function wouldRead(directory: string, settings: Settings, file: string): Promise<boolean> {
  const [root, path] = [await realPlace(resolve(directory)), await realPlace(resolve(file))]
  const name = relative(root, path).split(sep).join('/')
  if (name === '' || name === '..' || name.startsWith('../') || resolve(name) === name) return false
  const { patterns, ignored } = declarationPatterns(settings)
  // The search itself runs here, on a folder with nothing but this file in it.
  const { fs } = listedTree(root, { names: new Map([[name, 'file']]), read: async () => new Uint8Array() })
  const found = await glob([...patterns], { cwd: root, ignore: [...ignored], fs })
  return found.includes(name)
}

/** The real path of something, after as many links as exist. */
async function realPlace(path: string): Promise<string> {
  const real = await realpath(path).catch(() => undefined)
  if (real !== undefined || dirname(path) === path) return real ?? path
  return join(await realPlace(dirname(path)), basename(path))
}
