import { parseEvents } from 'js-yaml'
import type { Json } from '../../model/json/json.ts'
import type { Problem, Source } from '../../model/problem.ts'
import { lineStartsOf, positionAt } from '../../model/text/text-position.ts'
import type { ParseProblem } from './inspect-events.ts'
import { Positions } from './positions.ts'
import { holdsTooMuch, maxDepth, readEvents } from './read-events.ts'
import { readPlainly } from './read-plainly.ts'

/** One YAML text, read. */
export interface ParsedYaml {
  readonly file: string
  readonly text: string
  /** Undefined when the text cannot be used; null when there is nothing in it. */
  readonly value: Json | undefined
  readonly problems: readonly Problem[]
  /** Where a value, or the key in front of it, was written. */
  locate(pointer: string, at?: 'key' | 'value'): Source
  /** The text of a scalar as it was written; undefined where something else stands, or nothing. */
  textAt(pointer: string): string | undefined
}

/** Reads a text, or answers with what was read of the same text before. */
export type ParseYaml = (text: string, file: string) => ParsedYaml

/**
 * Reads YAML 1.2 (so `no` is text) with merge keys. Every error in it becomes a problem; nothing that a file holds makes
 * this throw, hang or change an object's prototype.
 */
export function parseYaml(text: string, file: string): ParsedYaml {
  const { value, problems, outline, locate } = readText(text)
  let lineStarts: readonly number[] | undefined
  const sourceAt = (offset: number): Source => {
    lineStarts ??= lineStartsOf(text)
    const { line, column } = positionAt(lineStarts, offset)
    return { file, line, column }
  }
  return {
    file,
    text,
    value,
    problems: problems.map(({ offset, ...problem }) => ({ ...problem, source: sourceAt(offset) })),
    locate: (pointer, at = 'value') => {
      const known = at === 'key' ? outline.get(pointer) : undefined
      return sourceAt(known ?? locate().offsetOf(pointer, at))
    },
    textAt: pointer => locate().textAt(pointer),
  }
}

/**
 * Positions that may be forgotten and are found again: what the parser saw takes ten times the text, and most files are
 * asked for the places of their objects only, which the outline has.
 */
function lazyPositions(text: string, first?: Positions): () => Positions {
  const isReadable = !first?.isEmpty
  let kept = first && new WeakRef(first)
  return () => {
    const known = kept?.deref()
    if (known) return known
    const again = new Positions(text, isReadable ? parseEvents(text, { maxDepth }) : [])
    kept = new WeakRef(again)
    return again
  }
}

interface Reading {
  readonly value: Json | undefined
  readonly problems: readonly ParseProblem[]
  /** The offsets of the keys of the first two levels, by pointer. */
  readonly outline: ReadonlyMap<string, number>
  readonly locate: () => Positions
}

function readText(text: string): Reading {
  const plain = holdsTooMuch(text) ? undefined : readPlainly(text)
  if (plain) return { ...plain, problems: [], locate: lazyPositions(text) }
  const { events, ...read } = readEvents(text)
  const positions = new Positions(text, events)
  return { ...read, outline: positions.outline(), locate: lazyPositions(text, positions) }
}
