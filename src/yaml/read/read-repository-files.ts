import { posix } from 'node:path'
import pMap from 'p-map'
import { isJsonArray, isJsonObject } from '../../model/json/json.ts'
import { pointerOf } from '../../model/json/pointer.ts'
import type { Problem } from '../../model/problem.ts'
import { compareTexts } from '../../model/text/compare-texts.ts'
import { quote } from '../check/problem-order.ts'
import { type ParsedYaml, type ParseYaml, parseYaml } from '../parse/parse-yaml.ts'
import { type Finder, type FoundFile, leadsOut } from './find-files.ts'
import { judge, type Verdict } from './foreign-file.ts'

/** How many files are open at once. */
const concurrency = 16

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
 * Reads files and what they include, each once, even if several paths lead to it or files include one another.
 * `areNamed`: the settings name the first ones as declarations, as an inclusion does.
 */
export async function readFiles(
  start: readonly FoundFile[],
  finder: Finder,
  { areNamed, unwritten, parse = parseYaml }: ReadingOptions,
): Promise<ReadFiles> {
  const read: ReadOne[] = []
  const seen = new Set<string>()
  let next = unseen(start, seen)
  for (let isFirst = true; next.length > 0; isFirst = false) {
    const wave = await pMap(
      next,
      file =>
        readOne(file, finder, { isNamed: areNamed || !isFirst, text: unwritten?.get(file.name), parse }),
      { concurrency },
    )
    read.push(...wave)
    next = unseen(
      wave.flatMap(one => one.included),
      seen,
    )
  }
  return {
    parsed: read.flatMap(one => one.parsed ?? []).sort((left, right) => compareTexts(left.file, right.file)),
    foreign: read.flatMap(one => one.foreign ?? []),
    problems: read.flatMap(one => one.problems),
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
  readonly included: readonly FoundFile[]
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
  if ('problem' in read) return { problems: [read.problem], included: [] }
  const parsed = parse(read.text, file.name)
  const verdict = isNamed ? 'declarations' : judge(parsed)
  if (verdict !== 'declarations') return { foreign: { parsed, verdict }, problems: [], included: [] }
  const patterns = (isJsonObject(parsed.value) && parsed.value.include) || null
  const results = await Promise.all(
    (isJsonArray(patterns) ? patterns : []).map(async (pattern, index) => {
      if (typeof pattern !== 'string' || pattern === '') return { problems: [], included: [] }
      const { files, outside } = await finder.find(pattern, posix.dirname(file.name))
      const found = [...files, ...outside].length > 0 ? [] : [noSuchFile(pattern)]
      const problems = [...outside.map(name => leadsOut(quote(name))), ...found]
      const source = parsed.locate(pointerOf('include', index))
      return { problems: problems.map((problem): Problem => ({ ...problem, source })), included: files }
    }),
  )
  return {
    parsed,
    problems: results.flatMap(({ problems }) => problems),
    included: results.flatMap(({ included }) => included),
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
