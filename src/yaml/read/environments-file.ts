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
  const only = (...problems: Problem[]) => ({ parsed, problems, texts: new Map<string, string>() })
  const settings = parsed.value ?? null
  if (!isJsonObject(settings)) return only()
  const { environments_from: file, environments: own = {} } = settings
  if (typeof file !== 'string' || !isJsonObject(own)) return only()
  const search = await finder.findOne(file)
  const [found] = search.files
  if (!found) {
    const why = search.outside.length > 0 ? leadsOut(quote(file)) : noSuchFile(file)
    return only({ ...why, source: parsed.locate(pointerOf('environments_from')) })
  }
  const read = await finder.read(found)
  if ('problem' in read) return only(read.problem)
  const other = /\.csv$/i.test(file) ? parseCsv(read.text, found.name) : parseYaml(read.text, found.name)
  const texts = new Map([[other.file, other.text]])
  const more = other.value ?? null
  if (hasErrors(other.problems)) return { parsed, problems: other.problems, texts }
  if (!isJsonObject(more) || Object.keys(more).length === 0) {
    const hint = 'write a map of environments by name, or a CSV file with a column "name"'
    const problem = wrong(other.locate(''), 'this file has no environments', hint)
    return { parsed, problems: [...other.problems, problem], texts }
  }
  const placeOf = (pointer: string): readonly [ParsedYaml, string] => {
    const [first, name = '', ...inside] = segmentsOf(pointer)
    const isOther = first === 'environments' && Object.hasOwn(more, name) && !Object.hasOwn(own, name)
    return isOther ? [other, pointerOf(name, ...inside)] : [parsed, pointer]
  }
  const whole: ParsedYaml = {
    ...parsed,
    value: { ...settings, environments: { ...more, ...own } },
    locate(pointer, at) {
      const [where, inside] = placeOf(pointer)
      return where.locate(inside, at)
    },
    textAt(pointer) {
      const [where, inside] = placeOf(pointer)
      return where.textAt(inside)
    },
  }
  const twice = Object.keys(more).filter(name => Object.hasOwn(own, name))
  const repeats = twice.map(name =>
    repeated(
      name,
      other.locate(pointerOf(name), 'key'),
      parsed.locate(pointerOf('environments', name), 'key'),
    ),
  )
  return { parsed: whole, problems: [...other.problems, ...repeats], texts }
}

export function noSuchFile(file: string): Omit<Problem, 'source'> {
  return {
    code: 'no-such-file',
    severity: 'error',
    message: `the file ${quote(file)} does not exist`,
    hint: 'write the path relative to the folder of vexil.yaml',
  }
}

function wrong(source: Source, message: string, hint: string): Problem {
  return { code: 'bad-environments', severity: 'error', message, hint, source }
}

function repeated(name: string, source: Source, { file, line }: Source): Problem {
  return wrong(source, `the environment ${quote(name)} is also in ${file}:${line}`, 'remove one of them')
}

/** A cell by RFC 4180, with or without quotes, and what ends it. */
const cellPattern = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r?\n|$)/y

interface Row {
  readonly cells: string[]
  readonly source: Source
}

/**
 * Reads CSV (RFC 4180) whose first row has the names of settings. A cell that is JSON is that value, another
 * cell is a text, and an empty one is absent. Positions are those of rows.
 */
function parseCsv(text: string, file: string): ParsedYaml {
  const { rows, broken } = rowsOf(text, file)
  const [head = { cells: [], source: { file, line: 1, column: 1 } }, ...lines] = rows
  const columns = head.cells.map(name => name.trim())
  const at = columns.indexOf('name')
  const problems = broken
    ? [wrong(broken, 'this row has a quote that is not closed', 'write "" for a quote')]
    : []
  if (at < 0)
    problems.push(
      wrong(head.source, 'the first row has no column "name"', 'begin with the names of settings'),
    )
  const doubled = columns.find((name, index) => columns.indexOf(name) !== index)
  if (doubled !== undefined)
    problems.push(wrong(head.source, `the column ${quote(doubled)} is there twice`, 'remove one of them'))
  const places = new Map<string, Source>()
  const environments = (problems.length > 0 ? [] : lines).map(({ cells, source }) => {
    const name = cells[at] ?? ''
    const before = places.get(name)
    if (cells.length !== columns.length) {
      const message = `the number of cells is ${cells.length}, but ${columns.length} in the first row`
      problems.push(wrong(source, message, 'write a cell for each column'))
    } else if (name === '') problems.push(wrong(source, 'this row has no name', 'name the environment'))
    else if (before) problems.push(repeated(name, source, before))
    places.set(name, source)
    const given = columns.flatMap((column, index) => {
      const cell = index === at ? '' : (cells[index] ?? '')
      return cell === '' ? [] : [[column, cellValue(cell)] as const]
    })
    return [name, Object.fromEntries(given)] as const
  })
  return {
    file,
    text,
    value: Object.fromEntries(environments),
    problems,
    locate(pointer, place) {
      const [name = '', column] = segmentsOf(pointer)
      // A wrong column is a problem of the first row.
      return (place === 'key' && column !== undefined ? undefined : places.get(name)) ?? head.source
    },
    textAt: () => undefined,
  }
}

function rowsOf(text: string, file: string): { readonly rows: readonly Row[]; readonly broken?: Source } {
  const starts = lineStartsOf(text)
  const rowAt = (offset: number): Row => ({ cells: [], source: { file, ...positionAt(starts, offset) } })
  let row = rowAt(0)
  const rows = [row]
  for (let offset = 0; ; ) {
    cellPattern.lastIndex = offset
    const [whole, quoted, plain = '', end] = cellPattern.exec(text) ?? []
    if (whole === undefined) return { rows, broken: row.source }
    row.cells.push(quoted?.replaceAll('""', '"') ?? plain)
    offset += whole.length
    // An empty line is no row.
    if (end === '') return { rows: rows.filter(({ cells }) => cells.length > 1 || cells[0] !== '') }
    if (end !== ',') {
      row = rowAt(offset)
      rows.push(row)
    }
  }
}

/** A number that JSON would write in another way, such as 007, is a text. */
function cellValue(text: string): Json {
  const value = /^(?:[-\d[{]|true$|false$)/.test(text) ? readJsonIfAny(text) : undefined
  return value === undefined || (typeof value === 'number' && String(value) !== text) ? text : value
}
