import type { Json } from '../../model/json/json.ts'
import type { Problem, Source } from '../../model/problem.ts'
import { lineStartsOf, positionAt } from '../../model/text/text-position.ts'
import { compose, type Node, offsetAt, outlineOf, type ParseProblem, textAt } from './compose.ts'
import { readPlainly } from './read-plainly.ts'

/** The result of reading one YAML text. */
export interface ParsedYaml {
  readonly file: string
  readonly text: string
  /** Undefined when the text cannot be used; null when there is nothing in it. */
  readonly value: Json | undefined
  readonly problems: readonly Problem[]
  /** The place of a value, or of the key in front of it. */
  locate(pointer: string, at?: 'key' | 'value'): Source
  /** The text of a scalar as it was written; undefined if the value is no scalar, or there is none. */
  textAt(pointer: string): string | undefined
}

/** Reads a text, or returns an earlier result for the same text. */
export type ParseYaml = (text: string, file: string) => ParsedYaml

/**
 * Reads YAML 1.2 (so `no` is text) with merge keys. Every error in it becomes a problem; no content of a file
 * makes this throw, run forever or change an object's prototype.
 */
export function parseYaml(text: string, file: string): ParsedYaml {
  const { value, problems, outline, root } = readText(text)
  let lineStarts: readonly number[] | undefined
  const sourceAt = (offset: number): Source => {
    lineStarts ??= lineStartsOf(text)
    const { line, column } = positionAt(lineStarts, offset)
    return { file, line, column }
  }
  const offsetOf = (pointer: string, at: 'key' | 'value') => {
    const node = root()
    return node ? offsetAt(node, pointer, at) : 0
  }
  return {
    file,
    text,
    value,
    problems: problems.map(({ offset, ...problem }) => ({ ...problem, source: sourceAt(offset) })),
    locate: (pointer, at = 'value') => {
      const known = at === 'key' ? outline.get(pointer) : undefined
      return sourceAt(known ?? offsetOf(pointer, at))
    },
    textAt: pointer => {
      const node = root()
      return node && textAt(node, text, pointer)
    },
  }
}

interface Reading {
  readonly value: Json | undefined
  readonly problems: readonly ParseProblem[]
  /** The offsets of the keys of the first two levels, by pointer. */
  readonly outline: ReadonlyMap<string, number>
  readonly root: () => Node | undefined
}

function readText(text: string): Reading {
  if (holdsTooMuch(text))
    return { value: undefined, problems: [tooMuch], outline: new Map(), root: () => undefined }
  const plain = readPlainly(text)
  if (plain) return { ...plain, problems: [], root: composedAgain(text) }
  const { value, problems, root } = compose(text)
  return {
    value,
    problems,
    outline: outlineOf(root),
    root: root ? composedAgain(text, root) : () => undefined,
  }
}

/**
 * Nodes that may be dropped and composed again: they take ten times the text. Most files only need the places
 * of their objects, which the outline has.
 */
function composedAgain(text: string, first?: Node): () => Node | undefined {
  let kept = first && new WeakRef(first)
  return () => {
    const node = kept?.deref() ?? compose(text).root
    kept = node && new WeakRef(node)
    return node
  }
}

/** More lines and commas than this would take seconds and gigabytes to read: 100,000 flags have fewer. */
const mostBreaks = 2_000_000

const tooMuch: ParseProblem = {
  code: 'too-many-values',
  severity: 'error',
  message: 'there are more than two million lines and commas in this file',
  hint: 'split it into several files',
  offset: 0,
}

/** Whether a text is refused for its size, whatever its content. */
function holdsTooMuch(text: string): boolean {
  // Each needs at least one character.
  if (text.length <= mostBreaks) return false
  let count = 0
  for (const mark of ['\n', ',']) {
    for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) count += 1
  }
  return count > mostBreaks
}
