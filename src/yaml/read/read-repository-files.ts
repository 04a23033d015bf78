import { posix } from 'node:path'
import pMap from 'p-map'
import { escapePath } from 'tinyglobby'
import { declarableKinds } from '../../kinds/index.ts'
import type { Problem } from '../../model/problem.ts'
import { isJsonArray, isJsonObject } from '../../model/text/json.ts'
import { compareTexts, didYouMean, listNames } from '../../model/text/names.ts'
import { pointerOf } from '../../model/text/pointer.ts'
import { testSections } from '../../schema/test-schema.ts'
import { quote } from '../check/problem-order.ts'
import { isSectionWord, settingNames } from '../check/schema-problem.ts'
import { audienceSection, type ObjectDeclaration, quoteWritten } from '../declaration.ts'
import type { TextOfFile } from '../resolve/resolve.ts'
import { type Finder, type FoundFile, leadsOut } from './find-files.ts'
import { type ParsedYaml, type ParseYaml, parseYaml } from './parse-yaml.ts'

/** The most files that are open at the same time. */
const concurrency = 16

export interface ReadFiles {
  /** Sorted by name. */
  readonly parsed: readonly ParsedYaml[]
  /** Files without declarations that no setting or include names. */
  readonly foreign: readonly ForeignFile[]
  readonly problems: readonly Problem[]
}

export interface ForeignFile {
  readonly parsed: ParsedYaml
  readonly verdict: Exclude<Verdict, 'declarations'>
}

interface ReadingOptions {
  readonly areNamed: boolean
  /** Texts that replace those on the disk, by file name. */
  readonly unwritten?: ReadonlyMap<string, string> | undefined
  readonly parse?: ParseYaml | undefined
}

/**
 * Reads files and their includes, each once, even if several paths lead to a file or files include each
 * other. `areNamed`: the settings name the first files as declarations, as an include does.
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
    message: `${quote(pattern)} does not match any file`,
    hint: 'a path is relative to the file that contains it',
  }
}

/**
 * The treatment of a YAML file that was found, and that nothing names, by its top-level keys:
 *
 * | keys                                                      | beside vexil.yaml | without one |
 * |-----------------------------------------------------------|-------------------|-------------|
 * | a section that only we have, or a slip of one             | checked           | checked     |
 * | those of a well-known tool, or its file name              | skipped, warning  | skipped     |
 * | any section, a slip of one, settings only, or none at all | checked           | checked     |
 * | anything else                                             | one error         | skipped     |
 *
 * So a misspelled section is never overlooked, and the files of other tools never cause many errors.
 */
type Verdict = 'declarations' | { readonly tool: string } | 'unknown'

function judge(parsed: ParsedYaml): Verdict {
  const keys = topKeys(parsed)
  if (keys === undefined) return parsed.value === null ? 'declarations' : 'unknown'
  if (hasNear(keys, ourSections)) return 'declarations'
  const tool = toolOf(parsed.file, keys)
  if (tool !== undefined) return { tool }
  const isOurs =
    keys.some(isSectionWord) ||
    hasNear(keys, allSections) ||
    keys.every(key => settingNames.has(key) || key.startsWith('x-'))
  return isOurs ? 'declarations' : 'unknown'
}

/** The problems of a file without declarations. */
export function foreignProblems(parsed: ParsedYaml, verdict: Exclude<Verdict, 'declarations'>): Problem[] {
  const source = { file: parsed.file, line: 1, column: 1 }
  // A pattern for "files" that excludes only this file.
  const hint = `exclude the file with files: [${quote(`!${escapePath(parsed.file)}`)}] in vexil.yaml, or list only the files of declarations there`
  if (verdict !== 'unknown') {
    const message = `file skipped: it looks like a file of ${verdict.tool}`
    return [{ code: 'foreign-file', severity: 'warning', message, hint, source }]
  }
  // An unreadable file may contain declarations; for a file of another tool, one line is enough.
  if (parsed.value === undefined) return parsed.problems.slice(0, 1)
  const sections = listNames(declarableKinds.map(({ section }) => section))
  const message = `this file has no declarations: ${contentText(parsed)}`
  return [
    {
      code: 'no-section',
      severity: 'error',
      message,
      hint: `write the declarations under ${sections}, or ${hint}`,
      source,
    },
  ]
}

function contentText({ value }: ParsedYaml): string {
  if (!isJsonObject(value))
    return isJsonArray(value) ? 'its content is a list' : 'its content is a single value'
  const names = Object.keys(value)
  const shown = names.slice(0, 3).map(quote)
  const more = names.length - shown.length
  return `unknown sections: ${more > 0 ? `${shown.join(', ')} and ${more} more` : listNames(shown, 'and')}`
}

/** The top-level keys of a file; if it is unreadable, the words at the positions of keys. */
function topKeys({ value, text }: ParsedYaml): string[] | undefined {
  if (isJsonObject(value)) return Object.keys(value)
  if (value !== undefined) return undefined
  return Array.from(text.matchAll(/^["']?([\w-]+)["']?[ \t]*:/gm), match => match[1] ?? '')
}

const allSections = [
  'include',
  audienceSection,
  ...Object.keys(testSections),
  ...declarableKinds.map(({ section }) => section),
]

/** Sections whose names only Vexil uses; `plugins` also occurs in files of many tools. */
const ourSections = allSections.filter(section => section.includes('_'))

function hasNear(keys: readonly string[], sections: readonly string[]): boolean {
  return (
    keys.some(key => sections.includes(key)) ||
    keys.slice(0, mostLookedAt).some(key => didYouMean(key, sections) !== undefined)
  )
}

/** Declaration files have fewer top-level keys than this; files of other tools may have thousands. */
const mostLookedAt = 100

/** YAML files of other tools, by their names or by the keys at their top: all words of one of the texts. */
interface WellKnown {
  readonly tool: string
  readonly file?: RegExp
  readonly keys?: readonly string[]
}

/** The well-known tool that a file certainly belongs to, if any. */
function toolOf(file: string, keys: readonly string[]): string | undefined {
  const name = file.slice(file.lastIndexOf('/') + 1)
  return wellKnown.find(
    known =>
      known.file?.test(name) ||
      known.keys?.some(needed => needed.split(' ').every(key => keys.includes(key))),
  )?.tool
}

const wellKnown: readonly WellKnown[] = [
  {
    tool: 'Docker Compose',
    file: /^(docker-)?compose([.-].+)?\.ya?ml$/,
    keys: ['services volumes', 'services networks', 'services version'],
  },
  {
    tool: 'GitHub Actions',
    keys: ['on jobs', 'runs name'],
  },
  {
    tool: 'GitLab CI',
    keys: ['stages script', 'stages variables'],
  },
  { tool: 'Kubernetes', keys: ['apiVersion kind'] },
  { tool: 'Helm', file: /^(Chart|values([.-].+)?)\.ya?ml$/ },
  { tool: 'pnpm', file: /^pnpm-(lock|workspace)\.yaml$/ },
  { tool: 'OpenAPI', keys: ['openapi', 'swagger', 'asyncapi'] },
  { tool: 'CloudFormation', keys: ['AWSTemplateFormatVersion', 'Resources'] },
  { tool: 'Serverless', file: /^serverless\.ya?ml$/, keys: ['service provider functions'] },
  { tool: 'Azure Pipelines', file: /^azure-pipelines([.-].+)?\.ya?ml$/ },
  { tool: 'Bitbucket Pipelines', file: /^bitbucket-pipelines\.ya?ml$/ },
  { tool: 'Cloud Build', file: /^cloudbuild\.ya?ml$/ },
  { tool: 'MkDocs', file: /^mkdocs\.ya?ml$/, keys: ['site_name'] },
  { tool: 'Jekyll', file: /^_config\.ya?ml$/ },
  { tool: 'Task', file: /^Taskfile(\.dist)?\.ya?ml$/ },
  { tool: 'Atlantis', file: /^atlantis\.ya?ml$/, keys: ['repos workflows'] },
  { tool: 'Buildkite', file: /^buildkite\.ya?ml$/ },
  { tool: 'CodeBuild', file: /^buildspec([.-].+)?\.ya?ml$/ },
  { tool: 'Lefthook', file: /^lefthook\.ya?ml$/ },
  { tool: 'Pulumi', file: /^Pulumi(\..+)?\.ya?ml$/ },
  { tool: 'Buf', file: /^buf(\.gen|\.work)?\.yaml$/ },
  { tool: 'Codecov', file: /^codecov\.ya?ml$/ },
  { tool: 'Prometheus', keys: ['scrape_configs'] },
  { tool: 'Conda', keys: ['channels dependencies'] },
  { tool: 'Dart', file: /^pubspec\.(yaml|lock)$/ },
]

export interface Sources {
  readonly textOfFile: TextOfFile
  readonly problems: readonly Problem[]
  readonly files: readonly string[]
}

/** Reads the files that declarations refer to with `{ file: path }`, relative to the declaring file. */
export async function readSources(objects: readonly ObjectDeclaration[], finder: Finder): Promise<Sources> {
  const named = objects.flatMap(declaration =>
    [declaration.base, ...declaration.environments.values()].flatMap(({ pointer, files = {} }) =>
      Object.entries(files).flatMap(([name, text]) =>
        typeof text === 'object' && text !== null
          ? [{ declaration, path: text.file, pointer: pointer + pointerOf('source', name, 'file') }]
          : [],
      ),
    ),
  )
  const texts = new Map<string, string>()
  const files = new Set<string>()
  const problems = await pMap(
    named,
    async ({ declaration, path, pointer }): Promise<Problem[]> => {
      const shown = quoteWritten(declaration.file, pointer)
      const read = await readInside(declaration, path, shown, finder)
      if ('text' in read) {
        texts.set(keyOf(declaration, path), read.text)
        files.add(read.file)
        return []
      }
      const source = declaration.file.parsed.locate(pointer)
      return [{ ...read, severity: 'error', source, address: declaration.address }]
    },
    { concurrency },
  )
  return {
    textOfFile: (declaration, path) => texts.get(keyOf(declaration, path)),
    problems: problems.flat(),
    files: [...files],
  }
}

type Read = { readonly text: string; readonly file: string } | Pick<Problem, 'code' | 'message' | 'hint'>

async function readInside(
  { file }: ObjectDeclaration,
  path: string,
  shown: string,
  finder: Finder,
): Promise<Read> {
  const { files, outside } = await finder.findOne(path, posix.dirname(file.parsed.file))
  if (outside.length > 0) return leadsOut(shown)
  const [found] = files
  if (!found) {
    const hint = `a path is relative to ${file.parsed.file}`
    return { code: 'no-such-file', message: `the file ${shown} does not exist`, hint }
  }
  const read = await finder.read(found)
  if ('text' in read) return { text: read.text, file: found.name }
  const { code, message, hint } = read.problem
  return { code, message: `${shown}: ${message}`, ...(hint === undefined ? {} : { hint }) }
}

function keyOf({ file }: ObjectDeclaration, path: string): string {
  return `${posix.dirname(file.parsed.file)}\n${path}`
}
