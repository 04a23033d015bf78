import { oncePerText } from '../../model/runtime.ts'
import type { EvaluationRules } from '../../services/engines.ts'
import { quoted } from '../value-words.ts'
import { type Compared, type Match, textBy, undecided } from './compared-values.ts'
import { type Accepts, type Holds, type Node, PatternError, parsePattern } from './parse-pattern.ts'

type Dialect = EvaluationRules['pattern_dialect']

/**
 * Whether a property contains a match of a pattern. An invalid pattern never matches: its negation does not
 * match everybody, except in Java. A pattern is evaluated only if it means the same in the engine's dialect
 * as here.
 */
export function search({ key, value, known, rules }: Compared, isWanted: boolean): Match {
  const { pattern_dialect: dialect } = rules
  const [text, haystack] = [textBy(value, rules), textBy(known, rules)]
  if (dialect === 'go' && !isWanted && (typeof value !== 'string' || typeof known !== 'string'))
    return undecided('only the service searches values that are not text')
  if (dialect !== 'python' && !isReadHere[dialect](text, haystack))
    return undecided(`the pattern ${quoted(text)} cannot be evaluated here for every engine`)
  const isInvalid = invalidIn(dialect)?.test(text)
  const pattern = compilePattern(translated(dialect, text, haystack), dialect !== 'python')
  if (isInvalid || pattern.kind === 'invalid') {
    if (dialect === 'rust') return undecided(`only the service evaluates the pattern ${quoted(text)}`)
    return dialect === 'java' && !isWanted
  }
  if (pattern.kind !== 'ready')
    return undecided(`only the service evaluates the pattern ${quoted(text)}: ${pattern.why}`)
  const isFound = searchPattern(pattern.program, haystack)
  return isFound === undefined
    ? undecided(`the property ${quoted(key)} is too long to search`)
    : isFound === isWanted
}

/** Syntax that is valid here but invalid in the dialect. */
function invalidIn(dialect: Dialect): RegExp | undefined {
  switch (dialect) {
    case 'go':
      return /\(\?(?!P?<\w|[ims-]*[:)])|\\[1-9Zu]/
    case 'java':
      return /\(\?P/
    default:
      return undefined
  }
}

/** The meaning of `[:alpha:]` in a set. Java reads only the literal letters. */
const classNames: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  digit: '0-9',
  lower: 'a-z',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
}

/** In the syntax used here. Only in Python and Java, `$` also matches before a last line break. */
function translated(dialect: Dialect, pattern: string, text: string): string {
  if (dialect === 'python' || dialect === 'rust') return pattern
  const isLatin = dialect === 'go' || dialect === 'java'
  const end = dialect !== 'java' && text.endsWith('\n') ? '\\Z' : '$'
  const own = pattern.replace(/\\[^z]|\\z|\[:(\w+):\]|\$|\(\?<(?=[A-Za-z])/g, (found, name) => {
    if (found === '\\z') return '\\Z'
    if (found === '$') return end
    if (found === '(?<') return '(?P<'
    return name === undefined ? found : dialect === 'java' ? `:${name}` : (classNames[name] ?? found)
  })
  return isLatin ? `(?a)${own}` : own
}

/** Whether a translated expression means the same here as in the dialect. */
const isReadHere: Readonly<Record<Exclude<Dialect, 'python'>, (pattern: string, text: string) => boolean>> = {
  /** Only in Python, `$` also matches before a last line break. */
  rust: (pattern, text) =>
    isCommon(pattern) && !/\\p/i.test(pattern) && !(pattern.includes('$') && text.endsWith('\n')),
  portable: (pattern, text) => isPlain(pattern) && /^[\x00-\x0c\x0e-\x7f]*$/.test(text),
  plain: (pattern, text) => isPlain(pattern) && !(/[*+?{|]/.test(pattern) && endsInLine(pattern, text)),
  crate: pattern =>
    !/\\[0-9bBhkgGOe<>]|\(\?(?![ims-]*:)|\(\)|[*+?}][*+{]/.test(withoutProperties(pattern)) &&
    isCommon(pattern, 'Az'),
  go: pattern => !/\\[CQE]/.test(pattern) && isCommon(pattern, 'AzZ'),
  java: (pattern, text) =>
    !/\\[QEGRXkZu]|[*+?}]\+|\[[^\]]*\[(?!:)/.test(withoutProperties(pattern)) &&
    isCommon(pattern, 'Az') &&
    !/[\r\x85\u2028\u2029]/.test(text),
}

/** Replaces each named character class by one letter. */
function withoutProperties(pattern: string): string {
  return pattern.replace(/\\p\{\w+\}/gi, 'p')
}

function endsInLine(pattern: string, text: string): boolean {
  return pattern.includes('$') && text.endsWith('\n')
}

/**
 * Whether Python and the others read the pattern equally, except for the allowed escapes. `\Z`, `{,3}`, flags
 * for ASCII and Latin, and the set syntax of other dialects have a meaning in only some of them.
 */
function isCommon(pattern: string, allowed = ''): boolean {
  const escapes = /\\([ZzAhHRKGX])/.exec(pattern)?.[1]
  const sets = allowed === '' ? /\[\^?\[/ : /\[\^?\[(?!:\w+:\])/
  return (
    (escapes === undefined || allowed.includes(escapes)) &&
    !sets.test(pattern) &&
    !/\{,|\(\?[aLuUR-]*[aLuUR]|&&|--|~~|\|\|\]/.test(pattern)
  )
}

/** Patterns that some SDKs evaluate without the service: plain ASCII, without word borders or flags. */
function isPlain(pattern: string): boolean {
  return isCommon(pattern) && /^[\x20-\x7e]*$/.test(pattern) && !/\\[bBpP0-9]|\(\?(?!:)/.test(pattern)
}

/**
 * Regular expressions of conditions come from anyone who may edit a flag. One like `(a+)+$` can keep a
 * backtracking engine busy for years. So this search follows all paths through an expression at once. It
 * takes at most the size of the expression times the length of the text, and both are limited.
 */
export type Pattern =
  | { readonly kind: 'ready'; readonly program: readonly Step[] }
  /** `invalid`: not a regular expression. `unsupported`: an expression that cannot be searched here. */
  | { readonly kind: 'invalid' | 'unsupported'; readonly why: string }

type Step =
  | { readonly do: 'accept'; readonly accepts: Accepts }
  | { readonly do: 'assert'; readonly holds: Holds }
  | { readonly do: 'fork'; readonly to: readonly number[] }
  | { readonly do: 'done' }

const longestPattern = 1000
const longestText = 10_000
const mostSteps = 2000

class TooLarge extends Error {}

export function compilePattern(text: string, hasProperties = false): Pattern {
  return hasProperties ? compiledWithProperties(text) : compiled(text)
}

// A condition is evaluated for each person and engine.
const compiled = oncePerText(text => compile(text, false))
const compiledWithProperties = oncePerText(text => compile(text, true))

function compile(text: string, hasProperties: boolean): Pattern {
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
    if (error instanceof TooLarge)
      return { kind: 'unsupported', why: 'its repetitions multiply to too many steps' }
    throw error
  }
}

/** Whether the expression matches anywhere in the text; undefined if the text is too long. */
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

/** All steps that wait for a symbol and are reachable from `starts` without reading one. */
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
  // Nested counted repetitions multiply: a few letters can mean millions of steps.
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
  // An empty part repeated a billion times adds no steps, so it would never reach the limit.
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
