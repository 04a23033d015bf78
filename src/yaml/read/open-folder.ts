import type * as fs from 'node:fs'
import { realpath } from 'node:fs/promises'
import { basename, dirname, join, posix, relative, resolve, sep } from 'node:path'
import { escapePath, glob } from 'tinyglobby'
import { variables as serviceVariables } from '../../api/settings.ts'
import type { SdkVersions } from '../../model/connection.ts'
import { codeOf, FileError } from '../../model/files.ts'
import { mostEntriesWithoutSettings } from '../../model/limits.ts'
import { hasErrors, type Problem } from '../../model/problem.ts'
import { isJsonObject, type Json, type JsonObject } from '../../model/text/json.ts'
import { pointerOf, segmentsOf } from '../../model/text/pointer.ts'
import type { SchemaFiles } from '../../policies/check-policy.ts'
import { parsePolicy } from '../../policies/written-policies.ts'
import { checkSettings, chooseEnvironment, noSettings } from '../check/check-settings.ts'
import { byPlace, quote } from '../check/problem-order.ts'
import { failureProblem, interpolate, type Variables } from '../resolve/interpolate.ts'
import { type Environment, type Settings, toSettings } from '../settings.ts'
import { noSuchFile, withEnvironmentsFile } from './environments-file.ts'
import {
  createFinder,
  diskTree,
  type FileEntry,
  type FileTree,
  type Finder,
  type FoundFile,
  leadsOut,
} from './find-files.ts'
import { type ParsedYaml, type ParseYaml, parseYaml } from './parse-yaml.ts'

export interface RepositoryOptions {
  /** The folder with the settings file. Files outside it are never read. */
  readonly directory: string
  /** The requested environment. All environments are checked in any case. */
  readonly environment?: string
  /** The environment to use if there are several and none is requested. */
  readonly fallback?: string
  /** The service, which overrides the settings. */
  readonly profile?: string
  /** The current day, as in 2026-11-21; without it, expiry dates and policies are not checked. */
  readonly today?: string
  /** Makes errors of policies warnings, for commands that neither check nor apply declarations. */
  readonly policiesWarn?: boolean
  /** The time of the tests of flags, in milliseconds since 1970; without it they are not run. */
  readonly testedAt?: number
  /** The SDKs for tests, which override those of the settings. */
  readonly testedWith?: SdkVersions | undefined
  /** The variables for `${env:NAME}`. */
  readonly env: Variables
  /** Texts of files that are not written yet, by name: they replace those on the disk. */
  readonly unwritten?: ReadonlyMap<string, string>
  /** Where the files are; the disk if absent. */
  readonly tree?: FileTree
  /** The parser for declaration files; without a cache if absent. */
  readonly parse?: ParseYaml
}

/** The settings of a repository for one environment. */
export interface LoadedSettings {
  readonly settings: Settings
  /** The name of their file; undefined if there is none. */
  readonly settingsFile?: string
  /** Undefined if no environment could be selected; the problems contain the reason. */
  readonly environment: Environment | undefined
  /** All problems of the settings, whatever the declarations contain. */
  readonly settingsProblems: readonly Problem[]
  /** The texts of the files that were read, to show the lines of problems. */
  readonly texts: ReadonlyMap<string, string>
}

/** Reads the settings of a repository without its declarations. */
export async function loadSettings(options: RepositoryOptions): Promise<LoadedSettings> {
  const finder = await openFolder(options)
  if ('problem' in finder) return settingsOfNoFolder(finder.problem)
  const read = await readSettings(finder, options.env, options.environment)
  // Without file patterns in the settings, a file cannot be a problem of the settings.
  const { outside } = read.settings.files ? await findDeclarationFiles(finder, read) : { outside: [] }
  const { unsettled, ...settled } = resolveSettings(read, outside, options)
  return { ...settled, settingsProblems: [...unsettled, ...settled.settingsProblems] }
}

export interface ResolvedSettings extends LoadedSettings {
  /** Why no environment could be selected; not yet among the problems. */
  readonly unsettled: readonly Problem[]
}

/** `outside` has the paths in the patterns of the settings that lead out of the repository. */
export function resolveSettings(
  { settings, parsed, problems, texts = new Map() }: ReadSettings,
  outside: readonly Problem[],
  { environment, fallback }: Pick<RepositoryOptions, 'environment' | 'fallback'>,
): ResolvedSettings {
  const choice = chooseEnvironment(settings, environment, fallback)
  return {
    settings,
    ...(parsed ? { settingsFile: parsed.file } : {}),
    environment: 'environment' in choice ? choice.environment : undefined,
    settingsProblems: [...problems, ...outside].sort(byPlace),
    // If the settings have problems, environments may be missing because of them.
    unsettled: 'problem' in choice && !hasErrors(problems) ? [choice.problem] : [],
    texts: new Map([...texts, ...(parsed ? [[parsed.file, parsed.text] as const] : [])]),
  }
}

/** The settings if the folder does not exist or cannot be read. */
export function settingsOfNoFolder(problem: Problem): ResolvedSettings {
  return {
    settings: toSettings({}),
    environment: undefined,
    settingsProblems: [problem],
    unsettled: [],
    texts: new Map(),
  }
}

/** The finder of a folder, if the folder exists. */
export async function openFolder({
  directory,
  tree = diskTree,
}: Pick<RepositoryOptions, 'directory' | 'tree'>): Promise<Finder | { readonly problem: Problem }> {
  try {
    const entries = await tree.entriesOf(await tree.realpath(directory))
    const hasSettings = entries.some(({ name }) => settingsFiles.some(file => file === name))
    return await createFinder(directory, tree, hasSettings ? undefined : mostEntriesWithoutSettings)
  } catch (error) {
    if (error instanceof FileError && error.code === 'too_many')
      return { problem: noSettings(directory, `, and it ${error.message}`) }
    const message = `the folder ${quote(directory)} cannot be read (${codeOf(error, 'unknown reason')})`
    return {
      problem: {
        code: 'unreadable-folder',
        severity: 'error',
        message,
        hint: 'check the name of the folder',
      },
    }
  }
}

/** The names of the settings file: the standard name, and the other file extension. */
export const settingsFiles = ['vexil.yaml', 'vexil.yml'] as const

interface ReadSettings {
  readonly settings: Settings
  /** Undefined if the repository has no settings file, which is allowed, or if it is unreadable. */
  readonly parsed?: ParsedYaml
  /** Set if there is no settings file; then flags and environment variables contain all settings. */
  readonly isMissing?: true
  /** Whether a variable is not set, perhaps one of another environment. */
  readonly isUnfilled?: boolean
  readonly problems: readonly Problem[]
  /** The texts of other files that the settings use, by name. */
  readonly texts?: ReadonlyMap<string, string>
}

/** Reads the settings; if they have problems, the usable part. Variables of other environments may be unset. */
export async function readSettings(
  finder: Finder,
  variables: Variables,
  chosen: string | undefined,
): Promise<ReadSettings> {
  const searches = await Promise.all(settingsFiles.map(name => finder.findOne(name)))
  const outside = searches.flatMap(search => search.outside)
  const [file] = searches.flatMap(search => search.files)
  const nothing = toSettings({})
  if (outside[0] !== undefined)
    return {
      settings: nothing,
      problems: [{ ...leadsOut('this is a link that'), source: { file: outside[0], line: 1, column: 1 } }],
    }
  if (!file) return { settings: nothing, isMissing: true, problems: [] }
  const read = await finder.read(file)
  if ('problem' in read) return { settings: nothing, problems: [read.problem] }
  const own = parseYaml(read.text, file.name)
  if (own.value === undefined) return { settings: nothing, parsed: own, problems: own.problems }
  const { parsed, texts, problems: ofEnvironments } = await withEnvironmentsFile(finder, own)
  const { value, failures } = interpolate(parsed.value ?? null, variables, serviceVariables.apiKey)
  const unfilled = failures.filter(({ pointer }) => concernsEnvironment(pointer, chosen))
  const settings = isJsonObject(value) ? value : {}
  const schemas = await readOwnSchemas(finder, parsed, settings)
  // This loads a reader of versions, which few repositories need.
  const sdks = [own.text, ...texts.values()].some(text => /\bsdks\b/.test(text))
    ? await import('../check/check-sdks.ts')
    : undefined
  const problems: Problem[] = [
    ...parsed.problems,
    ...ofEnvironments,
    ...unfilled.map(failure => failureProblem(failure, parsed)),
    ...checkSettings(parsed, value ?? {}, new Set(failures.map(({ pointer }) => pointer))),
    ...(sdks?.checkSdks(parsed, settings) ?? []),
    ...schemas.problems,
  ]
  return {
    settings: toSettings(settings, schemas.schemas, sdks?.sdkVersions),
    parsed,
    isUnfilled: failures.length > 0,
    problems,
    texts: new Map([...texts, ...schemas.texts]),
  }
}

function concernsEnvironment(pointer: string, chosen: string | undefined): boolean {
  const [first, name] = segmentsOf(pointer)
  return first !== 'environments' || chosen === undefined || name === chosen
}

/** The schemas that policies in the settings use, and their problems. */
export interface OwnSchemas {
  readonly schemas: SchemaFiles
  readonly problems: readonly Problem[]
  /** The texts of the schema files. */
  readonly texts: ReadonlyMap<string, string>
}

/** Reads each file once, from the settings' folder and below. An invalid schema has problems in its lines. */
async function readOwnSchemas(finder: Finder, settings: ParsedYaml, value: JsonObject): Promise<OwnSchemas> {
  const named = namedFiles(value)
  if (named.length === 0) return { schemas: new Map(), problems: [], texts: new Map() }
  // This loads a compiler of schemas, which few repositories need.
  const { PayloadSchemas } = await import('../../rules/payload-schema.ts')
  const schemas = new Map<string, ReturnType<SchemaFiles['get']> & object>()
  const texts = new Map<string, string>()
  const problems: Problem[] = []
  for (const { file, pointer } of named) {
    if (texts.has(file)) continue
    const search = await finder.findOne(file)
    const [found] = search.files
    const source = settings.locate(pointer)
    if (!found) {
      problems.push({ ...(search.outside.length > 0 ? leadsOut(quote(file)) : noSuchFile(file)), source })
      continue
    }
    const read = await finder.read(found)
    if ('problem' in read) {
      problems.push(read.problem)
      continue
    }
    texts.set(file, read.text)
    const parsed = parseYaml(read.text, file)
    problems.push(...parsed.problems)
    if (hasErrors(parsed.problems) || parsed.value === undefined) continue
    if (!isJsonObject(parsed.value)) {
      problems.push({ ...ownSchema, message: 'a JSON Schema must be a map', source: parsed.locate('') })
      continue
    }
    const compiled = new PayloadSchemas().compile(parsed.value)
    if ('check' in compiled) schemas.set(file, compiled.check)
    else
      problems.push(
        ...compiled.problems.map(({ pointer: place, ...rest }) => ({
          ...ownSchema,
          ...rest,
          source: parsed.locate(place),
        })),
      )
  }
  return { schemas, problems, texts }
}

const ownSchema = { code: 'own-schema', severity: 'error' } as const

interface NamedFile {
  readonly file: string
  readonly pointer: string
}

function namedFiles({ policies = null, environments = null }: JsonObject): readonly NamedFile[] {
  const own = isJsonObject(environments) ? Object.entries(environments) : []
  return [
    ...filesIn(policies, pointerOf('policies')),
    ...own.flatMap(([name, environment]) =>
      isJsonObject(environment)
        ? filesIn(environment.policies ?? null, pointerOf('environments', name, 'policies'))
        : [],
    ),
  ]
}

function filesIn(policies: Json, pointer: string): readonly NamedFile[] {
  const schemas = isJsonObject(policies) ? policies.schemas : undefined
  if (schemas === undefined || schemas === null) return []
  return Object.entries(parsePolicy('schemas', schemas).options).flatMap(([section, file]) =>
    typeof file === 'string' && file !== ''
      ? [{ file, pointer: pointer + pointerOf('schemas', section) }]
      : [],
  )
}

export interface FoundDeclarations {
  readonly files: readonly FoundFile[]
  /** Subfolders that are repositories themselves; searched if this folder has no settings. */
  readonly repositories: readonly string[]
  /** Paths that lead out of the repository. */
  readonly outside: readonly Problem[]
  /** Missing things that should exist. */
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
    return matchesNothing ? [{ ...matchesNoFile(patterns[index] ?? ''), ...placeOf(index) }] : []
  })
  const isEmpty = files.length + outside.length + missing.length === 0 && !isMissing
  return { files, repositories, outside, missing: isEmpty ? [noFiles] : missing }
}

async function findRepositories(finder: Finder): Promise<string[]> {
  const searches = await Promise.all(settingsFiles.map(name => finder.find(`**/${name}`)))
  return searches.flatMap(({ files }) => files.map(({ name }) => posix.dirname(name)))
}

/** The patterns of files with and without declarations: a pattern that starts with "!" excludes files. */
function declarationPatterns(settings: Settings): {
  readonly patterns: readonly string[]
  readonly ignored: readonly string[]
} {
  const { files = [], environmentsFrom } = settings
  const leftOut = files.filter(leavesOut).map(pattern => pattern.slice(1))
  if (environmentsFrom !== undefined) leftOut.push(escapePath(posix.normalize(environmentsFrom)))
  return {
    patterns: areNamed(settings) ? files.filter(pattern => !leavesOut(pattern)) : everyFile,
    ignored: [...neverDeclarations, ...leftOut],
  }
}

/** Whether the settings name the files with declarations, not only excluded files. */
export function areNamed({ files }: Settings): boolean {
  return files !== undefined && (files.length === 0 || !files.every(leavesOut))
}

function leavesOut(pattern: string): boolean {
  return pattern.startsWith('!')
}

const everyFile = ['**/*.{yaml,yml}']

/** Files that never contain declarations, in any folder. */
const neverDeclarations = [...settingsFiles.map(name => `**/${name}`), '**/node_modules/**']

const noFiles: Problem = {
  code: 'no-declarations',
  severity: 'warning',
  message: 'there are no files of declarations',
  hint: 'write a file such as flags/example.yaml; `vexil init` creates it for you',
}

function matchesNoFile(pattern: string): Problem {
  const message = `${quote(pattern)} does not match any file`
  return { code: 'no-such-file', severity: 'error', message, hint: 'correct or remove the pattern' }
}

function firstLine(file: string): Pick<Problem, 'source'> {
  return { source: { file, line: 1, column: 1 } }
}

/** Whether declarations would be read from a file that does not exist yet. */
export async function wouldRead(directory: string, settings: Settings, file: string): Promise<boolean> {
  const [root, path] = [await realPlace(resolve(directory)), await realPlace(resolve(file))]
  const name = relative(root, path).split(sep).join('/')
  if (name === '' || name === '..' || name.startsWith('../') || resolve(name) === name) return false
  const { patterns, ignored } = declarationPatterns(settings)
  // The actual search runs here, on a folder that contains only this file.
  const { fs } = listedTree(root, { names: new Map([[name, 'file']]), read: async () => new Uint8Array() })
  const found = await glob([...patterns], { cwd: root, ignore: [...ignored], fs })
  return found.includes(name)
}

/** The real path, with all existing links resolved. */
async function realPlace(path: string): Promise<string> {
  const real = await realpath(path).catch(() => undefined)
  if (real !== undefined || dirname(path) === path) return real ?? path
  return join(await realPlace(dirname(path)), basename(path))
}

/** The entry of a name: a file, or a link with its target. */
export type Listed = 'file' | { readonly link: string }

/** Files of a repository that are listed and read from another place than the disk. */
export interface ListedFiles {
  /** By their names relative to the repository, with "/". */
  readonly names: ReadonlyMap<string, Listed>
  /** Throws a `FileError`. */
  read(name: string, mostBytes: number): Promise<Uint8Array>
}

/** The limit of links in a row, as on most systems. */
const mostLinks = 40

/** Presents listed files as files on the disk below `root`, which is a real path. Nothing exists above it. */
export function listedTree(root: string, { names, read }: ListedFiles): FileTree {
  const folders = foldersOf(names)
  const pathInRoot = (path: string) => relative(root, path).split(sep).join('/')
  const missing = (path: string) =>
    Object.assign(new Error(`${path} does not exist`), { code: 'ENOENT' as const })

  const isBeside = (name: string) => name === '..' || name.startsWith('../') || resolve(name) === name
  /** A path outside the root is returned unchanged, so that the caller can detect it. */
  const realPath = (path: string): string => {
    let real = root
    let rest = [path]
    for (let links = 0; rest.length > 0; ) {
      const [segment = '', ...others] = rest
      // A link may lead out of the root and back again, and so may the given path.
      const next = resolve(real, segment)
      const name = pathInRoot(next)
      if (segment.includes('/') || segment.includes(sep) || isBeside(name)) {
        const whole = pathInRoot(resolve(next, ...others))
        if (isBeside(whole)) return resolve(next, ...others)
        real = root
        rest = whole.split('/').filter(Boolean)
        continue
      }
      const listed = names.get(name)
      if (typeof listed === 'object') {
        links += 1
        if (links > mostLinks) throw missing(path)
        rest =
          resolve(listed.link) === listed.link
            ? [listed.link, ...others]
            : [...partsOf(listed.link), ...others]
        continue
      }
      if (listed === undefined && !folders.has(name)) throw missing(path)
      real = next
      rest = others
    }
    return real
  }
  const isFolder = (path: string) => folders.has(pathInRoot(realPath(path)))
  const entriesOf = (folder: string) => {
    const entries = folders.get(pathInRoot(realPath(folder)))
    if (!entries) throw missing(folder)
    return entries
  }
  return {
    // The search uses only these overloads; the declared types contain all of them.
    fs: {
      readdir: answering((path: string) => entriesOf(path)) as unknown as typeof fs.readdir,
      realpath: answering((path: string) => realPath(path)) as unknown as typeof fs.realpath,
      stat: answering((path: string) => statOf(isFolder(path))) as unknown as typeof fs.stat,
    },
    realpath: async path => realPath(path),
    entriesOf: async folder => entriesOf(folder),
    isFolder: async path => isFolder(path),
    async read(path, mostBytes) {
      const name = pathInRoot(path)
      if (folders.has(name)) throw new FileError('EISDIR', 'is a folder')
      if (names.get(name) !== 'file') throw new FileError('ENOENT', 'cannot be read (ENOENT)')
      return read(name, mostBytes)
    },
  }
}

function partsOf(link: string): string[] {
  return link.split('/').filter(part => part !== '' && part !== '.')
}

/** The content of each folder, by name; "" is the root. */
function foldersOf(names: ListedFiles['names']): ReadonlyMap<string, readonly FileEntry[]> {
  const folders = new Map<string, FileEntry[]>([['', []]])
  const add = (name: string, listed: Listed | 'folder') => {
    const above = name.slice(0, Math.max(name.lastIndexOf('/'), 0))
    const entry = entryOf(name.slice(above === '' ? 0 : above.length + 1), listed)
    const known = folders.get(above)
    if (known) known.push(entry)
    else {
      folders.set(above, [entry])
      add(above, 'folder')
    }
  }
  for (const [name, listed] of names) add(name, listed)
  return folders
}

function entryOf(name: string, listed: Listed | 'folder'): FileEntry {
  return {
    name,
    isFile: () => listed === 'file',
    isDirectory: () => listed === 'folder',
    isSymbolicLink: () => typeof listed === 'object',
  }
}

function statOf(isFolder: boolean): Pick<fs.Stats, 'isFile' | 'isDirectory'> {
  return { isFile: () => !isFolder, isDirectory: () => isFolder }
}

/** A function of `node:fs` that calls back later. A synchronous call would break the search. */
function answering<Answer>(answer: (path: string) => Answer) {
  return (path: string, ...rest: readonly unknown[]): void => {
    // The last argument of each of these functions is that callback.
    const done = rest.at(-1) as (error: unknown, answer?: Answer) => void
    queueMicrotask(() => {
      let found: Answer
      try {
        found = answer(path)
      } catch (error) {
        done(error)
        return
      }
      done(null, found)
    })
  }
}
