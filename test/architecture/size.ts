import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { SyntaxKind } from 'typescript/unstable/ast'
import { createScanner } from 'typescript/unstable/ast/scanner'

/** Measures the repository. The table "Budgets" of docs/architecture.md has one row for each figure. */

export const root = resolve(import.meta.dirname, '../..')
const src = join(root, 'src')

/** The rooms, each with its folders and files in src. A file is in the room with the longest matching path. */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  'index, library': ['index.ts', 'library'],
  'model, kinds, services': ['model', 'kinds', 'services'],
  targeting: ['targeting'],
  'rules, policies': ['rules', 'policies'],
  schema: ['schema'],
  api: ['api'],
  core: ['core'],
  yaml: ['yaml'],
  hcl: ['hcl'],
  stack: ['stack'],
  constructs: ['constructs'],
  terraform: ['terraform'],
  sandbox: ['sandbox'],
  report: ['report'],
  fleet: ['fleet'],
  'git, code': ['git', 'code'],
  'testing, generate': ['testing', 'generate'],
  cli: ['cli'],
}

const planner = 'core/plan/plan.ts'
/** Files whose functions the planner calls through its input: they implement `Lineage` and read values of the base. */
const handedToPlanner = ['cli/past/declared-before.ts', 'cli/past/compared-past.ts']

/** What `npm run generate` writes, byte for byte. */
const isGenerated = (path: string) =>
  path.startsWith('constructs/generated/') || /\.generated\.(js|d\.ts)$/.test(path)

interface Source {
  readonly path: string
  readonly text: string
  readonly lines: number
}

export interface RoomSize {
  readonly lines: number
  readonly files: number
  readonly tokens: number
}

export interface Sizes {
  readonly rooms: Readonly<Record<string, RoomSize>>
  readonly figures: Readonly<Record<string, number>>
}

export function measureSizes(): Sizes {
  const sources = readFiles(src).filter(({ path }) => !isGenerated(path) && !path.endsWith('.md'))
  const perRoom = Object.fromEntries(
    Object.keys(rooms).map(room => [room, sizeOf(sources.filter(({ path }) => roomOf(path) === room))]),
  )
  const folders = new Set(sources.flatMap(({ path }) => parentsOf(path)))
  const small = sources.filter(({ lines }) => lines < 25)
  const importers = countImporters(sources)
  const reached = reachOf([planner, ...handedToPlanner], sources)
  const input = sources.find(({ path }) => path === planner)?.text ?? ''
  const pages = ['README.md', 'CHANGELOG.md', ...markdownBelow('docs'), ...markdownBelow('src')].map(read)
  return {
    rooms: { ...perRoom, 'all of src': sizeOf(sources) },
    figures: {
      'folders in src': folders.size,
      'files deeper than two folders below src': sources.filter(({ path }) => path.split('/').length > 3)
        .length,
      'files under 25 lines': small.length,
      'files under 25 lines with one importer': small.filter(({ path }) => importers.get(path) === 1).length,
      'files that the planner reaches': reached.length,
      'lines that the planner reaches': sum(reached.map(({ lines }) => lines)),
      'members of the input of the planner': membersOf(input, 'PlanInput').length,
      'lines of test code and test data': sum(readFiles(join(root, 'test')).map(({ lines }) => lines)),
      'words of README, docs and CHANGELOG': sum(pages.map(countWords)),
      'words of the longest entry of the changelog': Math.max(...changelogEntries().map(countWords)),
    },
  }
}

/** The share of lines of src that are comments only, in percent. */
export function commentShare(): number {
  const sources = readFiles(src).filter(({ path }) => path.endsWith('.ts') && !isGenerated(path))
  return (100 * sum(sources.map(({ text }) => commentLines(text)))) / sum(sources.map(({ lines }) => lines))
}

export function roomOf(path: string): string | undefined {
  const matches = Object.entries(rooms).flatMap(([room, paths]) =>
    paths.filter(each => path === each || path.startsWith(`${each}/`)).map(each => ({ room, each })),
  )
  return matches.sort((left, right) => right.each.length - left.each.length)[0]?.room
}

/** Tokens as TypeScript's scanner cuts them. Comments and white space are none; a template counts each of its parts. */
export function countTokens(text: string): number {
  const scanner = createScanner(true, undefined, text)
  const braces: ('block' | 'template')[] = []
  let count = 0
  let before = SyntaxKind.Unknown
  for (let token = scanner.scan(); token !== SyntaxKind.EndOfFile; token = scanner.scan()) {
    const isSlash = token === SyntaxKind.SlashToken || token === SyntaxKind.SlashEqualsToken
    if (isSlash && !endsValue(before)) token = scanner.reScanSlashToken()
    if (token === SyntaxKind.TemplateHead) braces.push('template')
    if (token === SyntaxKind.OpenBraceToken) braces.push('block')
    if (token === SyntaxKind.CloseBraceToken && braces.pop() === 'template') {
      token = scanner.reScanTemplateToken(false)
      if (token === SyntaxKind.TemplateMiddle) braces.push('template')
    }
    before = token
    count += 1
  }
  return count
}

/** A slash after one of these divides; after anything else it begins a regular expression. */
function endsValue(token: SyntaxKind): boolean {
  return [
    SyntaxKind.Identifier,
    SyntaxKind.NumericLiteral,
    SyntaxKind.StringLiteral,
    SyntaxKind.NoSubstitutionTemplateLiteral,
    SyntaxKind.TemplateTail,
    SyntaxKind.CloseParenToken,
    SyntaxKind.CloseBracketToken,
    SyntaxKind.CloseBraceToken,
    SyntaxKind.ThisKeyword,
  ].includes(token)
}

/** The members that an interface declares, by name. */
export function membersOf(text: string, name: string): string[] {
  const body = new RegExp(`interface ${name} \\{\\n([\\s\\S]*?)\\n\\}`).exec(text)?.[1]
  return Array.from((body ?? '').matchAll(/^ {2}(?:readonly )?(\w+)[?:(]/gm), match => match[1] as string)
}

/** The paths, from src on, that a file imports for more than their types. */
export function valueImports({ path, text }: Pick<Source, 'path' | 'text'>): string[] {
  const all = text.matchAll(/^(?:import|export)\s+(?!type\s)([^'"]*?)(?:from\s+)?'(\.[^']+)'/gm)
  const values = [...all].filter(([, names = '']) => {
    const listed = /^\{([\s\S]*)\}/
      .exec(names)?.[1]
      ?.split(',')
      .map(each => each.trim())
      .filter(Boolean)
    return listed === undefined || listed.length === 0 || listed.some(each => !each.startsWith('type '))
  })
  const later = text.matchAll(/import\(()'(\.[^']+)'\)/g)
  return [...values, ...later].map(match => resolveImport(path, match[2] as string))
}

function reachOf(starts: readonly string[], sources: readonly Source[]): Source[] {
  const byPath = new Map(sources.map(source => [source.path, source]))
  const reached = new Set<Source>()
  const waiting = [...starts]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const source = byPath.get(path)
    if (source === undefined || reached.has(source)) continue
    reached.add(source)
    waiting.push(...valueImports(source))
  }
  return [...reached]
}

/** By path, how many files import it, types included. */
function countImporters(sources: readonly Source[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { path, text } of sources) {
    const imported = Array.from(text.matchAll(/(?:from|import|import\()\s*'(\.[^']+)'/g), match =>
      resolveImport(path, match[1] as string),
    )
    for (const each of new Set(imported)) counts.set(each, (counts.get(each) ?? 0) + 1)
  }
  return counts
}

function resolveImport(from: string, specifier: string): string {
  return relative(src, resolve(src, dirname(from), specifier))
}

function sizeOf(sources: readonly Source[]): RoomSize {
  return {
    lines: sum(sources.map(({ lines }) => lines)),
    files: sources.length,
    tokens: sum(sources.map(({ text }) => countTokens(text))),
  }
}

function commentLines(text: string): number {
  const blocks = Array.from(text.matchAll(/^[ \t]*\/\*[\s\S]*?\*\//gm), match => match[0].split('\n').length)
  return sum(blocks) + Array.from(text.matchAll(/^[ \t]*\/\/.*$/gm)).length
}

/** The bullets of the changelog, each with the lines that continue it. */
function changelogEntries(): string[] {
  return read('CHANGELOG.md')
    .split(/^(?=- )/m)
    .slice(1)
}

function markdownBelow(folder: string): string[] {
  const found = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return found.filter(path => path.endsWith('.md')).map(path => join(folder, path))
}

function readFiles(folder: string): Source[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => {
      const path = join(entry.parentPath, entry.name)
      const text = readFileSync(path, 'utf8')
      return { path: relative(folder, path), text, lines: text.split('\n').length - 1 }
    })
}

function parentsOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

function countWords(text: string): number {
  return text.split(/\s+/).filter(Boolean).length
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
