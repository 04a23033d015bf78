import { posix } from 'node:path'
import pMap from 'p-map'
import { isDynamicPattern } from 'tinyglobby'
import { isJsonArray, isJsonObject } from '../../model/json/json.ts'
import type { Problem } from '../../model/problem.ts'
import { compareTexts } from '../../model/text/compare-texts.ts'
import { quote } from '../check/problem-order.ts'
import { type ParsedYaml, type ParseYaml, parseYaml } from '../parse/parse-yaml.ts'
import { type Finder, type FoundFile, leadsOut } from './find-files.ts'
import { judge, type Verdict } from './foreign-file.ts'

/** How many files are open at once. */
const concurrency = 16
/** How many files may include one another in a row. */
const longestChain = 100

export interface ReadFiles {
  /** In the order of their names. */
  readonly parsed: readonly ParsedYaml[]
  /** Files without declarations that nothing names. */
  readonly foreign: readonly ForeignFile[]
  readonly problems: readonly Problem[]
}

export interface ForeignFile {
  readonly parsed: ParsedYaml
  readonly verdict: Exclude<Verdict, 'declarations'>
}

interface ReadingOptions {
  readonly areNamed: boolean
  /** Texts that replace those on the disk, by the names of their files. */
  readonly unwritten?: ReadonlyMap<string, string> | undefined
  readonly parse?: ParseYaml | undefined
}

/**
 * Reads files and what they include, each once, even if several paths lead to it. `areNamed`: the settings
 * name the first ones as declarations, as an inclusion does.
 */
export async function readFiles(
  start: readonly FoundFile[],
  finder: Finder,
  { areNamed, unwritten, parse = parseYaml }: ReadingOptions,
): Promise<ReadFiles> {
  const read = new Map<string, ParsedYaml>()
  const foreign = new Map<string, ForeignFile>()
  const problems: Problem[] = []
  const inclusions: Inclusion[] = []
  const seen = new Set<string>()
  let next = unseen(start, seen)
  for (let depth = 0; next.length > 0 && depth < longestChain; depth += 1) {
    const isFirst = depth === 0
    const wave = await pMap(
      next,
      file =>
        readOne(file, finder, { isNamed: areNamed || !isFirst, text: unwritten?.get(file.name), parse }),
      { concurrency },
    )
    for (const one of wave) {
      if (one.foreign) foreign.set(one.foreign.parsed.file, one.foreign)
      else if (one.parsed) read.set(one.parsed.file, one.parsed)
      problems.push(...one.problems)
      inclusions.push(...one.inclusions)
    }
    next = unseen(
      wave.flatMap(one => one.inclusions.map(({ to }) => to)),
      seen,
    )
  }
  const tooLong = next.map(({ name }) => chainTooLong(name))
  return {
    parsed: [...read.values()].sort((left, right) => compareTexts(left.file, right.file)),
    foreign: [...foreign.values()],
    problems: [...problems, ...tooLong, ...findLoops(inclusions)],
  }
}

function unseen(files: readonly FoundFile[], seen: Set<string>): FoundFile[] {
  return files.filter(({ path }) => {
    const isNew = !seen.has(path)
    seen.add(path)
    return isNew
  })
}

interface ReadOne {
  readonly parsed?: ParsedYaml
  readonly foreign?: ForeignFile
  readonly problems: readonly Problem[]
  readonly inclusions: readonly Inclusion[]
}

async function readOne(
  file: FoundFile,
  finder: Finder,
  {
    isNamed,
    text,
    parse,
  }: { readonly isNamed: boolean; readonly text: string | undefined; parse: ParseYaml },
): Promise<ReadOne> {
  const read = text === undefined ? await finder.read(file) : { text }
  if ('problem' in read) return { problems: [read.problem], inclusions: [] }
  const parsed = parse(read.text, file.name)
  const verdict = isNamed ? 'declarations' : judge(parsed)
  if (verdict !== 'declarations') return { foreign: { parsed, verdict }, problems: [], inclusions: [] }
  const included = isJsonObject(parsed.value) ? parsed.value.include : undefined
  const patterns = isJsonArray(included) ? included : []
  const results = await Promise.all(
    patterns.map((pattern, index) =>
      typeof pattern === 'string' && pattern !== ''
        ? include(file, parsed, pattern, `/include/${index}`, finder)
        : { problems: [], inclusions: [] },
    ),
  )
  return {
    parsed,
    problems: results.flatMap(({ problems }) => problems),
    inclusions: results.flatMap(({ inclusions }) => inclusions),
  }
}

async function include(
  from: FoundFile,
  parsed: ParsedYaml,
  pattern: string,
  pointer: string,
  finder: Finder,
): Promise<ReadOne> {
  const { files, outside } = await finder.find(pattern, posix.dirname(from.name))
  const placed = (problem: Problem): Problem => ({ ...problem, source: parsed.locate(pointer) })
  const escapes = outside.map(name => placed(leadsOut(quote(name))))
  const isNothing = files.length === 0 && outside.length === 0
  const nothing = isNothing ? [placed(noSuchFile(pattern))] : []
  // A glob may match its own file; that includes nothing.
  const others = files.filter(({ path }) => path !== from.path || !isDynamicPattern(pattern))
  return {
    problems: [...escapes, ...nothing],
    inclusions: others.map(to => ({ from, to, parsed, pointer })),
  }
}

function noSuchFile(pattern: string): Problem {
  return {
    code: 'no-such-file',
    severity: 'error',
    message: `${quote(pattern)} names no file`,
    hint: 'a path is relative to the file that has it',
  }
}

function chainTooLong(file: string): Problem {
  return {
    code: 'include-chain',
    severity: 'error',
    message: `this file is included through more than ${longestChain} others`,
    hint: 'include it closer to the top',
    source: { file, line: 1, column: 1 },
  }
}

/** One file that another one includes. */
interface Inclusion {
  readonly from: FoundFile
  readonly to: FoundFile
  readonly parsed: ParsedYaml
  readonly pointer: string
}

/** Inclusions that lead back to their start. Each loop is reported once, at the entry that closes it. */
function findLoops(inclusions: readonly Inclusion[]): Problem[] {
  const outgoing = new Map<string, Inclusion[]>()
  for (const inclusion of [...inclusions].sort(byPlace)) {
    const same = outgoing.get(inclusion.from.path)
    if (same) same.push(inclusion)
    else outgoing.set(inclusion.from.path, [inclusion])
  }
  const problems: Problem[] = []
  const done = new Set<string>()
  const visit = (file: string, chain: readonly Inclusion[]): void => {
    for (const inclusion of outgoing.get(file) ?? []) {
      const target = inclusion.to.path
      const start = target === file ? chain.length : chain.findIndex(({ from }) => from.path === target)
      if (start !== -1) problems.push(loop([...chain.slice(start), inclusion]))
      else if (!done.has(target)) visit(target, [...chain, inclusion])
    }
    done.add(file)
  }
  for (const file of outgoing.keys()) if (!done.has(file)) visit(file, [])
  return problems
}

function loop(chain: readonly Inclusion[]): Problem {
  const last = chain.at(-1)
  const names = [...chain.map(({ from }) => from.name), last?.to.name]
  return {
    code: 'include-loop',
    severity: 'error',
    message: `files include one another: ${names.join(' -> ')}`,
    hint: 'remove one of the entries',
    ...(last ? { source: last.parsed.locate(last.pointer) } : {}),
  }
}

function byPlace(left: Inclusion, right: Inclusion): number {
  return compareTexts(left.from.name, right.from.name)
}
