import { hasErrors, type Problem, type Source } from '../../model/problem.ts'
import { isJsonObject, type Json } from '../../model/text/json.ts'
import { readJsonIfAny } from '../../model/text/json-text.ts'
import { pointerOf, segmentsOf } from '../../model/text/pointer.ts'
import { lineStartsOf, positionAt } from '../../model/text/text-position.ts'
import { quote } from '../check/problem-order.ts'
import { type Finder, leadsOut } from './find-files.ts'
import { type ParsedYaml, parseYaml } from './parse-yaml.ts'

/** Settings together with the environments of the file that they name. */
export interface WholeSettings {
  /** Finds the position of each value in the file that has it. */
  readonly parsed: ParsedYaml
  readonly problems: readonly Problem[]
  /** The text of the other file, by name. */
  readonly texts: ReadonlyMap<string, string>
}

/** Reads the file of `environments_from`, if the settings have one. */
export async function withEnvironmentsFile(finder: Finder, parsed: ParsedYaml): Promise<WholeSettings> {
  const settings = parsed.value ?? null
  const file = isJsonObject(settings) ? settings.environments_from : undefined
  const nothing = { parsed, problems: [], texts: new Map<string, string>() }
  if (!isJsonObject(settings) || typeof file !== 'string') return nothing
  const source = parsed.locate(pointerOf('environments_from'))
  const search = await finder.findOne(file)
  const [found] = search.files
  if (!found) {
    const why = search.outside.length > 0 ? leadsOut(quote(file)) : noSuchFile(file)
    return { ...nothing, problems: [{ ...why, source }] }
  }
  const read = await finder.read(found)
  if ('problem' in read) return { ...nothing, problems: [read.problem] }
  const other = /\.csv$/i.test(file) ? parseCsv(read.text, found.name) : parseYaml(read.text, found.name)
  const texts = new Map([[other.file, other.text]])
  const more = other.value ?? null
  if (hasErrors(other.problems)) return { ...nothing, problems: other.problems, texts }
  if (!isJsonObject(more) || Object.keys(more).length === 0)
    return { ...nothing, problems: [...other.problems, noEnvironments(other)], texts }
  const environments = settings.environments ?? {}
  if (!isJsonObject(environments)) return nothing
  const twice = Object.keys(more).filter(name => Object.hasOwn(environments, name))
  const placeOf = (pointer: string): readonly [ParsedYaml, string] => {
    const [first, name = '', ...inside] = segmentsOf(pointer)
    const isOther =
      first === 'environments' && Object.hasOwn(more, name) && !Object.hasOwn(environments, name)
    return isOther ? [other, pointerOf(name, ...inside)] : [parsed, pointer]
  }
  return {
    parsed: {
      ...parsed,
      value: { ...settings, environments: { ...more, ...environments } },
      locate(pointer, at) {
        const [where, inside] = placeOf(pointer)
        return where.locate(inside, at)
      },
      textAt(pointer) {
        const [where, inside] = placeOf(pointer)
        return where.textAt(inside)
      },
    },
    problems: [
      ...other.problems,
      ...twice.map(name => {
        const { file: where, line } = parsed.locate(pointerOf('environments', name), 'key')
        return { ...repeated(name, `${where}:${line}`), source: other.locate(pointerOf(name), 'key') }
      }),
    ],
    texts,
  }
}

export function noSuchFile(file: string): Omit<Problem, 'source'> {
  return {
    code: 'no-such-file',
    severity: 'error',
    message: `the file ${quote(file)} does not exist`,
    hint: 'write the path relative to the folder of vexil.yaml',
  }
}

function noEnvironments(other: ParsedYaml): Problem {
  return {
    code: 'no-environments',
    severity: 'error',
    message: 'this file has no environments',
    hint: 'write a map of environments by name, or a CSV file with a column "name"',
    source: other.locate(''),
  }
}

function repeated(name: string, where: string): Omit<Problem, 'source'> {
  return {
    code: 'duplicate-environment',
    severity: 'error',
    message: `the environment ${quote(name)} is also in ${where}`,
    hint: 'remove one of them',
  }
}

/** A field by RFC 4180, with or without quotes, and what ends it. */
const field = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r?\n|$)/y

interface Cell {
  readonly text: string
  readonly source: Source
}

/**
 * Reads CSV (RFC 4180) whose first row has the names of settings. A cell that is JSON is that value, another
 * cell is a text, and an empty one is absent.
 */
function parseCsv(text: string, file: string): ParsedYaml {
  const starts = lineStartsOf(text)
  const sourceAt = (offset: number): Source => ({ file, ...positionAt(starts, offset) })
  const problems: Problem[] = []
  const report = (source: Source, message: string, hint: string) =>
    problems.push({ code: 'bad-csv', severity: 'error', message, hint, source })
  const rows = rowsOf(text, sourceAt, source =>
    report(source, 'a quote is not closed here', 'write "" for a quote'),
  )
  const [head = [], ...lines] = rows
  const columns = head.map(({ text: name }) => name.trim())
  const at = columns.indexOf('name')
  if (at < 0)
    report(sourceAt(0), 'the first row has no column "name"', 'write the names of the settings there')
  const twice = columns.findIndex((name, index) => columns.indexOf(name) !== index)
  const doubled = head[twice]
  if (doubled)
    report(doubled.source, `the column ${quote(doubled.text)} is there twice`, 'remove one of them')
  const places = new Map<string, Source>()
  const environments = new Map<string, Json>()
  for (const line of at < 0 ? [] : lines) {
    const source = line[0]?.source ?? sourceAt(0)
    const name = line[at]?.text ?? ''
    if (line.length !== columns.length)
      report(
        source,
        `this row has ${line.length} cells, the first one ${columns.length}`,
        'write a cell for each',
      )
    if (name === '') report(source, 'this row has no name', 'write the name of the environment')
    const before = places.get(pointerOf(name))
    if (before) problems.push({ ...repeated(name, `${file}:${before.line}`), source })
    places.set(pointerOf(name), source)
    const own = columns.flatMap((column, index) => {
      const cell = line[index]
      if (index === at || !cell || cell.text === '') return []
      places.set(pointerOf(name, column), cell.source)
      return [[column, cellValue(cell.text)] as const]
    })
    environments.set(name, Object.fromEntries(own))
  }
  return {
    file,
    text,
    value: Object.fromEntries(environments),
    problems,
    locate(pointer, place) {
      const [name = '', column = ''] = segmentsOf(pointer)
      // A wrong column is a problem of the first row.
      const inHead = place === 'key' && column !== '' ? head[columns.indexOf(column)]?.source : undefined
      return inHead ?? places.get(pointerOf(name, column)) ?? places.get(pointerOf(name)) ?? sourceAt(0)
    },
    textAt: () => undefined,
  }
}

function rowsOf(
  text: string,
  sourceAt: (offset: number) => Source,
  refuse: (source: Source) => void,
): readonly (readonly Cell[])[] {
  const rows: Cell[][] = [[]]
  for (let at = 0; ; ) {
    field.lastIndex = at
    const found = field.exec(text)
    if (!found) {
      refuse(sourceAt(at))
      return []
    }
    const [whole, quoted, plain = '', end] = found
    rows.at(-1)?.push({ text: quoted?.replaceAll('""', '"') ?? plain, source: sourceAt(at) })
    at += whole.length
    if (end === '') break
    if (end !== ',') rows.push([])
  }
  // An empty line is no row.
  return rows.filter(([first, ...others]) => others.length > 0 || first?.text !== '')
}

/** A number that JSON would write in another way, such as 007, is a text. */
function cellValue(text: string): Json {
  const value = /^(?:[-\d[{]|true$|false$)/.test(text) ? readJsonIfAny(text) : undefined
  return value === undefined || (typeof value === 'number' && String(value) !== text) ? text : value
}
