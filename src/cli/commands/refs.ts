import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, relative, resolve } from 'node:path'
import { CodeScanner } from '../../code/code-scanner.ts'
import { type CodeFolder, isCode, type SearchedCode, searchCode, walkFolder } from '../../code/search-code.ts'
import type { TypedFlag } from '../../code/typed-flag.ts'
import { typedNames } from '../../code/typed-languages.ts'
import type { Desired } from '../../core/desired.ts'
import { findTopFolder, listFiles } from '../../git/files.ts'
import { declarableKind, featureFlag } from '../../kinds/index.ts'
import { codeOf } from '../../model/files.ts'
import { hasTargeting, targetingField } from '../../model/kind.ts'
import { isJsonArray, isJsonObject, isSameJson, type Json, type JsonObject } from '../../model/text/json.ts'
import { compareTexts, didYouMean } from '../../model/text/names.ts'
import type { ReferencesDocument } from '../../report/document.ts'
import { payloadValue } from '../../targeting/canonical-filters.ts'
import type { FileDeclarations, ObjectDeclaration } from '../../yaml/declaration.ts'
import type { RepositoryOptions } from '../../yaml/index.ts'
import type { Flags } from '../command-options.ts'
import { CommandError, type ExitCode, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { print } from '../host/output.ts'
import { resolveAddresses } from '../plan/target-filter.ts'
import { refuseProblems } from '../repository/problems.ts'
import { openDeclared, readsStack } from '../repository/repository.ts'

/**
 * `vexil refs [FLAG ...]`: shows where code uses declared flags. `--unused` and `--undeclared` show only
 * mismatches, and end in 6 if there are any.
 */
export async function runRefs(host: Host, named: readonly string[], flags: Flags): Promise<ExitCode> {
  const { flags: declared, ...declaring } = await readFlags(host, flags)
  const wanted = wantedFlags(declared, named)
  const { found, notes } = await searchReferences(host, declaring, declared, flags.in)
  requireSearched(found)
  const document = documentOf(host, { declared, wanted, found, notes, isPart: named.length > 0 }, flags)
  await print(host, flags, document)
  return document.exitCode
}

interface Findings {
  readonly declared: readonly DeclaredFlag[]
  readonly wanted: readonly DeclaredFlag[]
  readonly found: SearchedCode
  readonly notes: readonly string[]
  /** Whether only some flags were selected. */
  readonly isPart: boolean
}

function documentOf(
  host: Host,
  { declared, wanted, found, notes, isPart }: Findings,
  { unused = false, undeclared = false }: Flags,
): ReferencesDocument & { readonly exitCode: ExitCode } {
  const pathOf = (path: string) => relative(host.directory, path)
  const byKey = new Map<string, ReferencesDocument['flags'][number]['references'][number][]>()
  for (const { key, path, ...reference } of found.references) {
    const of = byKey.get(key)
    const place = { path: pathOf(path), ...reference }
    if (of) of.push(place)
    else byKey.set(key, [place])
  }
  const all = wanted.map(({ key, isAbsent }) => ({
    key,
    declared: isAbsent ? ('absent' as const) : ('present' as const),
    references: byKey.get(key) ?? [],
  }))
  // A flag that is declared absent should have no references.
  const without = all.filter(one => one.references.length === 0 && one.declared === 'present')
  const calls = undeclared ? undeclaredCalls(declared, wanted, found, isPart) : []
  const isFound = (unused && without.length > 0) || calls.length > 0
  return {
    is: 'references',
    exitCode: isFound ? exitCode.drift : exitCode.done,
    shows: unused || undeclared ? 'differences' : 'references',
    flags: unused ? without : undeclared ? [] : all,
    unused: without.length,
    undeclared: calls.map(({ path, ...call }) => ({ path: pathOf(path), ...call })),
    searched: found.searched,
    unsearched: found.unsearched.map(({ path, why }) => ({ path: pathOf(path), why })),
    notes,
  }
}

/** SDK calls for flags that are undeclared or declared absent. */
function undeclaredCalls(
  declared: readonly DeclaredFlag[],
  wanted: readonly DeclaredFlag[],
  { references, unknown }: SearchedCode,
  isPart: boolean,
) {
  const keys = declared.map(({ key }) => key)
  const meant = new Map<string, string | null>()
  for (const { key } of unknown) if (!meant.has(key)) meant.set(key, didYouMean(key, keys) ?? null)
  const names = new Set(wanted.map(({ key }) => key))
  const absent = new Set(wanted.filter(({ isAbsent }) => isAbsent).map(({ key }) => key))
  const ofAbsent = references.flatMap(({ kind, call, ...place }) =>
    absent.has(place.key) && call !== undefined
      ? [{ ...place, call, declared: 'absent' as const, meant: null }]
      : [],
  )
  const ofNone = unknown.map(call => ({
    ...call,
    declared: 'nowhere' as const,
    meant: meant.get(call.key) ?? null,
  }))
  return [
    ...ofAbsent,
    ...ofNone.filter(call => !isPart || (call.meant !== null && names.has(call.meant))),
  ].sort(
    (one, other) => compareTexts(one.path, other.path) || one.line - other.line || one.column - other.column,
  )
}

export interface FlagsToFind extends DeclaringFiles {
  readonly flags: readonly DeclaredFlag[]
}

/** The flags that files or stacks declare for any environment. Shows all errors; throws if there are any. */
export async function readFlags(host: Host, flags: Flags): Promise<FlagsToFind> {
  if (readsStack(flags)) return readStackFlags(host, flags)
  const { declared, files, options } = await openDeclared(host, flags)
  return { options, flags: declaredFlags(declared), files }
}

/** The flags of a stack. Lookups in the service get placeholders. */
async function readStackFlags(host: Host, flags: Flags): Promise<FlagsToFind> {
  const directory = resolve(host.directory, flags.chdir ?? '.')
  const { readStack } = await import('../repository/stack-source.ts')
  const { declarations, lookUps, problems, texts } = await readStack(host, flags, { directory })
  refuseProblems(host, problems, { directory, texts })
  const { desired } = declarations
  const lookedUp = desired.find(({ identity }) => lookUps.some(each => each.standInIn(identity)))
  if (lookedUp) {
    const words = 'the key of a flag comes from a lookup in the service, which this command does not ask'
    throw new CommandError(`${words}; read a plan of the stack with --plan-json`)
  }
  // The program that defines a flag contains its key, which is not a reference.
  const sources = desired.flatMap(({ source }) => (source ? [source.file] : []))
  const files = new Set([...texts.keys(), ...sources])
  return { options: { directory }, flags: flagsOfStacks(desired), files: [...files] }
}

export interface DeclaredFlag {
  readonly key: string
  readonly address: string
  /** Whether it is declared absent everywhere. */
  readonly isAbsent: boolean
  /** Its declared values: for all environments, and then for each that differs. */
  readonly values: readonly DeclaredValues[]
}

export interface WrittenFlag extends DeclaredFlag {
  /** Several if environments are declared separately, each with `only`. */
  readonly declarations: readonly ObjectDeclaration[]
}

/** Fields of a flag as they are declared in one place. */
export interface DeclaredValues {
  readonly fields: JsonObject
  readonly payloadSchema?: JsonObject | null
}

/** The flags that are declared for any environment, by their keys. */
export function declaredFlags(files: readonly FileDeclarations[]): readonly WrittenFlag[] {
  const objects = files.flatMap(file =>
    file.objects.map(object => ({ ...object, kind: object.kind.name, object })),
  )
  return flagsByKey(objects).map(({ key, address, all }) => {
    const declarations = all.map(({ object }) => object)
    const values = declarations.flatMap(({ base, environments }) => [base, ...environments.values()])
    return { key, address, isAbsent: declarations.every(isAbsent), declarations, values }
  })
}

/** The flags that stacks declare, by their keys. */
function flagsOfStacks(desired: readonly Desired[]): readonly DeclaredFlag[] {
  return flagsByKey(desired).map(({ key, address, all }) => {
    return { key, address, isAbsent: all.every(({ ensure }) => ensure === 'absent'), values: all }
  })
}

function flagsByKey<
  Declared extends { readonly kind: string; readonly identity: string; readonly address: string },
>(objects: readonly Declared[]) {
  const flags = new Map<string, [Declared, ...Declared[]]>()
  for (const one of objects.filter(({ kind }) => hasTargeting(declarableKind(kind)))) {
    const [first, ...others] = flags.get(one.identity) ?? []
    flags.set(one.identity, first ? [first, ...others, one] : [one])
  }
  return [...flags]
    .sort(([one], [other]) => compareTexts(one, other))
    .map(([key, all]) => ({ key, address: all[0].address, all }))
}

/** Whether a flag is declared absent. Environments inherit from the shared values. */
function isAbsent({ base, environments }: ObjectDeclaration): boolean {
  const overrides = [...environments.values()].filter(({ skip }) => skip !== true)
  return base.ensure === 'absent' && overrides.every(({ ensure }) => ensure !== 'present')
}

/** The flags named by keys, addresses and globs; all flags if none is named. */
export function wantedFlags(
  declared: readonly DeclaredFlag[],
  named: readonly string[],
): readonly DeclaredFlag[] {
  if (named.length === 0) return declared
  const addresses = declared.map(({ address }) => address)
  const wanted = new Set(named.flatMap(name => resolveAddresses(name, addresses)))
  return declared.filter(({ address }) => wanted.has(address))
}

/** The files that declare flags, which contain no references. Paths are relative to the repository. */
export interface DeclaringFiles {
  readonly options: Pick<RepositoryOptions, 'directory'>
  readonly files: readonly string[]
}

export interface SearchedReferences {
  readonly found: SearchedCode
  readonly notes: readonly string[]
}

/** Searches code for declared flags: in some paths, or in the whole work tree. */
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

/** Throws if no file was searched, because every flag would look unused. */
export function requireSearched({ searched }: SearchedCode): void {
  if (searched === 0)
    throw new CommandError('there are no code files to search; name their folders with --in')
}

/** Finds keys, and names that `vexil keys` generates. */
function scannerFor(declared: readonly DeclaredFlag[]): CodeScanner {
  return new CodeScanner(
    declared.map(({ key }) => key),
    typedNames(typedFlags(declared)),
  )
}

async function realPaths(paths: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set(await Promise.all(paths.map(path => realpath(path).catch(() => path))))
}

export interface FoundFolders {
  readonly folders: readonly CodeFolder[]
  readonly notes: readonly string[]
}

/**
 * The files to search: below the named paths, or in the work tree of the repository, or in its folder if
 * there is no git.
 */
export async function findCode(
  { directory, env }: Pick<Host, 'directory' | 'env'>,
  repository: string,
  named: readonly string[] | undefined,
): Promise<FoundFolders> {
  const paths = named?.map(path => resolve(directory, path)) ?? [await workTreeOf(repository, env)]
  const found = await Promise.all(paths.map((path, index) => filesAt(path, named?.[index] ?? path, env)))
  return {
    folders: found.map(({ files }) => files),
    notes: [...new Set(found.flatMap(({ notes }) => notes))],
  }
}

/** The top folder of the work tree. Links in the user's path are kept; git would resolve them. */
async function workTreeOf(repository: string, env: Host['env']): Promise<string> {
  const top = await findTopFolder({ directory: repository, env })
  if (top === undefined) return repository
  const [real, place] = await Promise.all([realpath(top), realpath(repository)])
  const above = resolve(repository, relative(place, real))
  const isThere = (await realpath(above).catch(() => undefined)) === real
  return isThere ? above : top
}

async function filesAt(
  path: string,
  shown: string,
  env: Host['env'],
): Promise<{ readonly files: CodeFolder; readonly notes: readonly string[] }> {
  const found = await stat(path).catch(error => {
    const why =
      codeOf(error, '') === 'ENOENT' ? 'is not there' : `cannot be read (${codeOf(error, 'unknown')})`
    throw new CommandError(`"${shown}" ${why}`, exitCode.usage)
  })
  // A file that is named explicitly is always searched.
  if (found.isFile()) {
    const real = await realpath(path)
    return { files: { folder: dirname(real), paths: [basename(real)] }, notes: [] }
  }
  const listed = await listFiles({ directory: path, env })
  const paths = listed.paths ?? (await walk(path, shown))
  const notes = 'note' in listed && listed.note !== undefined ? [listed.note] : []
  return { files: { folder: path, paths: paths.filter(isCode) }, notes }
}

async function walk(path: string, shown: string): Promise<readonly string[]> {
  try {
    return await walkFolder(path)
  } catch (error) {
    throw new CommandError(`"${shown}" cannot be searched (${codeOf(error, 'unknown reason')})`)
  }
}

/** The flags for typed keys, with their values in all environments. Leaves out flags absent everywhere. */
export function typedFlags(flags: readonly DeclaredFlag[]): readonly TypedFlag[] {
  return flags.filter(({ isAbsent }) => !isAbsent).map(typedFlag)
}

function typedFlag({ key, values }: DeclaredFlag): TypedFlag {
  const filters = values.flatMap(({ fields }) => {
    const value = fields[targeting]
    return isJsonObject(value) ? [value] : []
  })
  const name = values.map(({ fields }) => fields.name).find(each => typeof each === 'string' && each !== '')
  return {
    key,
    ...(typeof name === 'string' ? { name } : {}),
    variants: [...new Set(filters.flatMap(variantsIn))],
    payloads: filters.flatMap(payloadsIn),
    schemas: distinct(values.flatMap(({ payloadSchema }) => (payloadSchema ? [payloadSchema] : []))),
  }
}

const targeting = targetingField(featureFlag) ?? ''

function variantsIn({ multivariate }: JsonObject): string[] {
  const variants = isJsonObject(multivariate) ? multivariate.variants : undefined
  if (variants === undefined || !isJsonArray(variants)) return []
  return variants.flatMap(variant =>
    isJsonObject(variant) && typeof variant.key === 'string' ? [variant.key] : [],
  )
}

function payloadsIn({ payloads }: JsonObject): Json[] {
  return isJsonObject(payloads) ? Object.values(payloads).map(payloadValue) : []
}

function distinct(schemas: readonly JsonObject[]): JsonObject[] {
  return schemas.filter((schema, index) => schemas.findIndex(each => isSameJson(each, schema)) === index)
}
