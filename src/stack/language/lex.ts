import { invalid } from '../../cty/invalid-value.ts'

/** A word of an expression: a name, a number, or a sign. */
export interface Token {
  readonly is: 'name' | 'number' | 'sign' | 'line-end' | 'end'
  readonly text: string
  readonly end: number
}

/**
 * The word at a place of the text, past white space and comments. Words are asked for one by one, because only who
 * reads them knows where a text in quotes begins and ends.
 */
export function tokenAt(text: string, from: number): Token {
  const start = skipBlank(text, from)
  if (start >= text.length) return { is: 'end', text: '', end: start }
  if (text.charAt(start) === '\n') return { is: 'line-end', text: '\n', end: start + 1 }
  for (const { is, pattern } of patterns) {
    pattern.lastIndex = start
    const [found] = pattern.exec(text) ?? []
    if (found !== undefined) return { is, text: found, end: start + found.length }
  }
  throw invalid(
    `${JSON.stringify(String.fromCodePoint(text.codePointAt(start) ?? 0))} has no meaning in an expression`,
  )
}

/** What a name looks like, as a part of a regular expression for Unicode. */
export const namePattern = '[\\p{ID_Start}_][\\p{ID_Continue}-]*'
const wholeName = new RegExp(`^${namePattern}$`, 'u')

/** Whether something may be called so. */
export function isName(text: string): boolean {
  return wholeName.test(text)
}

const patterns = [
  { is: 'name', pattern: new RegExp(`${namePattern}(?:::${namePattern})*`, 'uy') },
  { is: 'number', pattern: /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y },
  { is: 'sign', pattern: /\|\||&&|==|!=|<=|>=|=>|\.\.\.|[{}()[\],.:?=<>+\-*/%!"~]/y },
] as const

function skipBlank(text: string, from: number): number {
  const blank = /(?:[ \t\r]|#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y
  blank.lastIndex = from
  return from + (blank.exec(text)?.[0].length ?? 0)
}
