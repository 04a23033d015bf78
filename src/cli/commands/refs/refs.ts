import { relative } from 'node:path'
import type { SearchedCode } from '../../../code/search-code.ts'
import { compareTexts } from '../../../model/text/compare-texts.ts'
import { didYouMean } from '../../../model/text/did-you-mean.ts'
import type { ReferencesDocument } from '../../../report/document.ts'
import { type ExitCode, exitCode } from '../../host/exit-code.ts'
import type { Host } from '../../host/host.ts'
import { type OutputFlags, print } from '../../host/output/output.ts'
import { type DeclaredFlag, wantedFlags } from './declared-flags.ts'
import { type CodeFlags, readFlags } from './read-flags.ts'
import { requireSearched, searchReferences } from './search-references.ts'

export interface RefsFlags extends CodeFlags, OutputFlags {
  /** Files and folders to search. */
  readonly in?: readonly string[]
  readonly unused?: boolean
  readonly undeclared?: boolean
}

/**
 * `vexil refs [FLAG ...]`: where code names the declared flags. With `--unused` and `--undeclared` only what does not go
 * together is told, and ends in 6.
 */
export async function runRefs(host: Host, named: readonly string[], flags: RefsFlags): Promise<ExitCode> {
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
  /** Whether only some flags are asked for. */
  readonly isPart: boolean
}

function documentOf(
  host: Host,
  { declared, wanted, found, notes, isPart }: Findings,
  { unused = false, undeclared = false }: RefsFlags,
): ReferencesDocument & { readonly exitCode: ExitCode } {
  const pathOf = (path: string) => relative(host.directory, path)
  const byKey = new Map<string, ReferencesDocument['flags'][number]['references'][number][]>()
  for (const { key, path, ...reference } of found.references) {
    const of = byKey.get(key)
    const told = { path: pathOf(path), ...reference }
    if (of) of.push(told)
    else byKey.set(key, [told])
  }
  const all = wanted.map(({ key, isAbsent }) => ({
    key,
    declared: isAbsent ? ('absent' as const) : ('present' as const),
    references: byKey.get(key) ?? [],
  }))
  // Whoever declares a flag absent wants it to be used nowhere.
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

/** Calls of SDKs for flags that there are not, or are not to be; what was asked for limits them to those that it may mean. */
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
