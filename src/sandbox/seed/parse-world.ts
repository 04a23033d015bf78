import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from 'yaml'
import { numberFrom } from '../../hcl/json.ts'
import { readJsonIfAny } from '../../model/json/json-text.ts'
import { pointerInto, segmentsOf } from '../../model/json/pointer.ts'
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
  const { value, locate } = read(content, file)
  refuse(validateWorld(value).map(violation => violationProblem(violation, locate)))
  // The schema is satisfied, and the type is the same as the schema.
  const world = value as WorldFile
  refuse(worldProblems(world, locate))
  return world
}

function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new WorldFileError(problems)
}

type Locate = (pointer: string) => Source

interface Reading {
  readonly value: unknown
  readonly locate: Locate
}

function read(content: string, file: string): Reading {
  // Large generated worlds are JSON, and the JSON parser is many times faster.
  const value = content.trimStart().startsWith('{') ? readJsonIfAny(content) : undefined
  // YAML flow style may start with a brace too.
  if (value === undefined) return readYaml(content, file)
  // Parsed again for its places, and only if there is a problem to locate.
  return { value, locate: pointer => readYaml(content, file).locate(pointer) }
}

function readYaml(content: string, file: string): Reading {
  const lines = new LineCounter()
  // The library adds the whole line to each of its messages.
  const document = parseDocument(content, { lineCounter: lines, prettyErrors: false })
  const errors = document.errors.slice(0, mostSyntaxProblems)
  refuse(errors.map(error => syntaxProblem(error, place(file, lines, error.pos[0]))))
  keepDigits(document)
  const locate: Locate = pointer => place(file, lines, offsetOf(document.contents, pointer))
  try {
    return { value: document.toJS({ maxAliasCount: 100 }), locate }
  } catch {
    const message = 'the aliases of this file expand to too much'
    throw new WorldFileError([{ code: 'aliases', severity: 'error', message, source: locate('') }])
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

function violationProblem(violation: SchemaProblem, locate: Locate): Problem {
  const where = violation.pointer === '' ? 'the world' : `"${violation.pointer.slice(1)}"`
  if (violation.keyword === 'additionalProperties') {
    const member = String(violation.params.additionalProperty)
    return {
      code: 'unknown-key',
      severity: 'error',
      message: `"${member}" is not a member of ${where}`,
      source: locate(pointerInto(violation.pointer, member)),
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

/** Where the deepest existing node on the path of a JSON pointer begins, or its key. */
function offsetOf(root: Node | null, pointer: string): number {
  let offset = root?.range?.[0] ?? 0
  let node: unknown = root
  for (const name of segmentsOf(pointer)) {
    const pair = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && String(key.value) === name)
      : undefined
    const element = isSeq(node) ? node.items[Number(name)] : undefined
    const begin = pair?.key ?? element
    if (isNode(begin)) offset = begin.range?.[0] ?? offset
    node = pair?.value ?? element
  }
  return offset
}

function place(file: string, lines: LineCounter, offset: number): Source {
  const { line, col } = lines.linePos(offset)
  return { file, line: Math.max(line, 1), column: Math.max(col, 1) }
}
