import { type Document, isMap, isScalar, LineCounter, type Node, parseDocument, visit } from 'yaml'
import { numberFrom } from '../../hcl/json.ts'
import { readJson } from '../../model/json/json-text.ts'
import type { Problem, Source } from '../../model/problem.ts'
import { type SchemaProblem, validateWorld } from '../../schema/validate-against.ts'
import type { WorldFile } from './world-file.ts'
import { worldProblems } from './world-problems.ts'

/** A world file that cannot be used. The message has one line per problem. */
export class WorldFileError extends Error {
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(problems.map(lineOf).join('\n'))
    this.name = 'WorldFileError'
    this.problems = problems
  }
}

/** Reads a world file, YAML or JSON. Throws a WorldFileError with every problem and its place. */
export function parseWorld(content: string, file = 'world.yaml'): WorldFile {
  const reading = read(content, file)
  if (reading.problems.length > 0) throw new WorldFileError(reading.problems)
  const violations = validateWorld(reading.value)
  if (violations.length > 0)
    throw new WorldFileError(violations.map(violation => violationProblem(violation, reading.locate)))
  // The schema is satisfied, and the type is the same as the schema.
  const world = reading.value as WorldFile
  const problems = worldProblems(world, reading.locate)
  if (problems.length > 0) throw new WorldFileError(problems)
  return world
}

type Locate = (pointer: string) => Source

interface Reading {
  readonly value: unknown
  readonly problems: readonly Problem[]
  readonly locate: Locate
}

function read(content: string, file: string): Reading {
  // Large generated worlds are JSON, and the JSON parser is many times faster.
  if (content.trimStart().startsWith('{')) {
    try {
      return { value: readJson(content), problems: [], locate: locateInYaml(content, file) }
    } catch {
      // YAML flow style may start with a brace too.
    }
  }
  return readYaml(content, file)
}

function readYaml(content: string, file: string): Reading {
  const lines = new LineCounter()
  // The library adds the whole line to each of its messages.
  const document = parseDocument(content, { lineCounter: lines, prettyErrors: false })
  const locate: Locate = pointer => locateNode(document.contents, lines, file, pointer)
  const problems = document.errors
    .slice(0, mostSyntaxProblems)
    .map(error => syntaxProblem(error, place(file, lines, error.pos[0])))
  if (problems.length > 0) return { value: undefined, problems, locate }
  keepDigits(document)
  try {
    return { value: document.toJS({ maxAliasCount: 100 }), problems: [], locate }
  } catch {
    const source = place(file, lines, 0)
    const message = 'the aliases of this file expand to too much'
    return { value: undefined, problems: [{ code: 'aliases', severity: 'error', message, source }], locate }
  }
}

/** Most of them are consequences of the first. */
const mostSyntaxProblems = 20

/** The library rounds numbers that no double can hold; the text still exists. */
function keepDigits(document: Document.Parsed): void {
  visit(document, {
    Scalar(_, scalar) {
      const isDecimal = typeof scalar.value === 'number' && /^[-+]?[\d.]/.test(scalar.source ?? '')
      if (isDecimal && !/^[-+]?0[ox]/.test(scalar.source ?? ''))
        scalar.value = numberFrom(scalar.source ?? '')
    },
  })
}

function syntaxProblem({ message }: Error, source: Source): Problem {
  const [first = ''] = message.split('\n', 1)
  return { code: 'syntax', severity: 'error', message: first.slice(0, 200).toLowerCase(), source }
}

/** Parses a file again for its places, once, and only if there is a problem to locate. */
function locateInYaml(content: string, file: string): Locate {
  const lines = new LineCounter()
  let document: Document.Parsed | undefined
  return pointer => {
    document ??= parseDocument(content, { lineCounter: lines, uniqueKeys: false })
    return locateNode(document.contents, lines, file, pointer)
  }
}

function violationProblem(violation: SchemaProblem, locate: Locate): Problem {
  const where = violation.pointer === '' ? 'the world' : `"${violation.pointer.slice(1)}"`
  if (violation.keyword === 'additionalProperties') {
    const member = String(violation.params.additionalProperty)
    return {
      code: 'unknown-key',
      severity: 'error',
      message: `"${member}" is not a member of ${where}`,
      source: locate(`${violation.pointer}/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`),
    }
  }
  return {
    code: violation.keyword === 'required' ? 'missing-key' : 'wrong-value',
    severity: 'error',
    message: `${where} ${violation.message}`,
    source: locate(violation.pointer),
  }
}

function lineOf({ source, message }: Problem): string {
  return source ? `${source.file}:${source.line}:${source.column} ${message}` : message
}

/** The place of the deepest existing node on the path of a JSON pointer. */
function locateNode(root: Node | null, lines: LineCounter, file: string, pointer: string): Source {
  let node: unknown = root
  let offset = root?.range?.[0] ?? 0
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    const next = child(node, name)
    if (!next) break
    offset = next.offset ?? offset
    node = next.node
  }
  return place(file, lines, offset)
}

function child(
  node: unknown,
  name: string,
): { readonly node: unknown; readonly offset?: number } | undefined {
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === name)
    if (!pair) return undefined
    const offset = isScalar(pair.key) ? pair.key.range?.[0] : undefined
    return { node: pair.value, ...(offset === undefined ? {} : { offset }) }
  }
  if (typeof node !== 'object' || node === null || !('items' in node) || !Array.isArray(node.items))
    return undefined
  const element: unknown = node.items[Number(name)]
  const range =
    typeof element === 'object' && element !== null && 'range' in element ? element.range : undefined
  const offset: unknown = Array.isArray(range) ? range[0] : undefined
  return { node: element, ...(typeof offset === 'number' ? { offset } : {}) }
}

function place(file: string, lines: LineCounter, offset: number): Source {
  const { line, col } = lines.linePos(offset)
  return { file, line: Math.max(line, 1), column: Math.max(col, 1) }
}
