import { type Accepts, type Holds, type Node, PatternError } from './node.ts'
import { parsePattern } from './parse-pattern.ts'

/**
 * Regular expressions of conditions come from whoever may edit a flag, and one like `(a+)+$` can keep a backtracking
 * engine busy for years. Here all ways through an expression are followed at once, so that the time a search takes
 * is at most the size of the expression times the length of the text, and both are bounded.
 */
export type Pattern =
  | { readonly kind: 'ready'; readonly program: readonly Step[] }
  /** `invalid`: no regular expression. `unsupported`: one that cannot be searched here. */
  | { readonly kind: 'invalid' | 'unsupported'; readonly why: string }

type Step =
  | { readonly do: 'accept'; readonly accepts: Accepts }
  | { readonly do: 'assert'; readonly holds: Holds }
  | { readonly do: 'fork'; readonly to: readonly number[] }
  | { readonly do: 'done' }

const longestPattern = 1000
const longestText = 10_000
const mostSteps = 2000

/** A program that would be too large. */
class TooLarge extends Error {}

export function compilePattern(text: string, hasProperties = false): Pattern {
  if (text.length > longestPattern)
    return { kind: 'unsupported', why: `it is longer than ${longestPattern} characters` }
  try {
    const parsed = parsePattern(text, hasProperties)
    if ('whyOpen' in parsed) return { kind: 'unsupported', why: parsed.whyOpen }
    const program: Step[] = []
    emit(parsed.node, program)
    return { kind: 'ready', program: [...program, { do: 'done' }] }
  } catch (error) {
    if (error instanceof PatternError) return { kind: 'invalid', why: error.message }
    if (error instanceof TooLarge) return { kind: 'unsupported', why: 'its counts multiply to too much' }
    throw error
  }
}

/** Whether the expression matches anywhere in the text; undefined when the text is too long to tell. */
export function searchPattern(program: readonly Step[], text: string): boolean | undefined {
  if (text.length > longestText) return undefined
  const codes = Array.from(text, symbol => symbol.codePointAt(0) ?? 0)
  let waiting: number[] = []
  for (let at = 0; at <= codes.length; at++) {
    const reached = follow(program, [0, ...waiting], codes, at)
    if (reached === 'done') return true
    const code = codes[at]
    if (code === undefined) return false
    waiting = reached.filter(step => accepts(program[step], code)).map(step => step + 1)
  }
  return false
}

/** Every step that waits for a symbol, reachable from `starts` without taking one. */
function follow(
  program: readonly Step[],
  starts: readonly number[],
  codes: readonly number[],
  at: number,
): number[] | 'done' {
  const seen = new Uint8Array(program.length)
  const open = [...starts]
  const waiting: number[] = []
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    const step = program[index]
    if (!step || seen[index] === 1) continue
    seen[index] = 1
    if (step.do === 'done') return 'done'
    if (step.do === 'accept') waiting.push(index)
    else if (step.do === 'fork') open.push(...step.to)
    else if (step.holds(codes, at)) open.push(index + 1)
  }
  return waiting
}

function accepts(step: Step | undefined, code: number): boolean {
  return step?.do === 'accept' && step.accepts(code)
}

function emit(node: Node, program: Step[]): void {
  // Counted repetitions multiply: a few letters can ask for millions of steps.
  if (program.length > mostSteps) throw new TooLarge()
  switch (node.type) {
    case 'one':
      program.push({ do: 'accept', accepts: node.accepts })
      return
    case 'assert':
      program.push({ do: 'assert', holds: node.holds })
      return
    case 'all':
      for (const part of node.parts) emit(part, program)
      return
    case 'any':
      emitOptions(node.options, program)
      return
    case 'repeat':
      emitRepeat(node.part, node.min, node.max, program)
      return
    default:
      node satisfies never
  }
}

function emitOptions(options: readonly Node[], program: Step[]): void {
  const fork = program.push({ do: 'fork', to: [] }) - 1
  const starts: number[] = []
  const exits: number[] = []
  for (const option of options) {
    starts.push(program.length)
    emit(option, program)
    exits.push(program.push({ do: 'fork', to: [] }) - 1)
  }
  program[fork] = { do: 'fork', to: starts }
  for (const exit of exits) program[exit] = { do: 'fork', to: [program.length] }
}

function emitRepeat(part: Node, min: number, max: number, program: Step[]): void {
  // An empty part repeated a billion times emits nothing and would never meet the bound on steps.
  if (min > mostSteps || (Number.isFinite(max) && max > mostSteps)) throw new TooLarge()
  for (let count = 0; count < min; count++) emit(part, program)
  if (max === Number.POSITIVE_INFINITY) {
    const fork = program.push({ do: 'fork', to: [] }) - 1
    emit(part, program)
    program.push({ do: 'fork', to: [fork] })
    program[fork] = { do: 'fork', to: [fork + 1, program.length] }
    return
  }
  const forks: number[] = []
  for (let count = min; count < max; count++) {
    forks.push(program.push({ do: 'fork', to: [] }) - 1)
    emit(part, program)
  }
  for (const fork of forks) program[fork] = { do: 'fork', to: [fork + 1, program.length] }
}
