import { invalid } from '../../cty/invalid-value.ts'
import { namePattern } from './lex.ts'
import { spaceAtEnd, spaceAtStart } from './template-parts.ts'

/** A text of several lines, and the place behind its last word. */
export interface Heredoc {
  readonly template: string
  /** Whether what its lines begin with is taken away: it was opened by `<<-`. */
  readonly isIndented: boolean
  readonly end: number
}

/** Where `${...}` or `%{...}` stands in a template. */
export interface FilledIn {
  readonly start: number
  readonly end: number
}

/** The text that begins behind the first `<` of `<<END`, as Terraform reads it. */
export function heredocAt(text: string, at: number): Heredoc {
  const opening = new RegExp(`<(-?)(${namePattern})[ \\t]*\\r?\\n`, 'uy')
  opening.lastIndex = at
  const [whole, dash, word] = opening.exec(text) ?? []
  if (whole === undefined)
    throw invalid('a text of several lines does not begin with <<WORD and the end of the line')
  const begin = at + whole.length
  for (let start = begin; start < text.length; ) {
    const next = text.indexOf('\n', start) + 1 || text.length
    const line = text.slice(start, next)
    if (line.trim() === word) {
      const end = start + line.trimEnd().length
      return { template: text.slice(begin, start), isIndented: dash === '-', end }
    }
    start = next
  }
  throw invalid(`a text of several lines has no end: no line says ${word}`)
}

/**
 * Takes away what all lines of a template begin with, as Terraform does once the strip markers have done their work:
 *
 * | a line                                             | counts                        |
 * |----------------------------------------------------|-------------------------------|
 * | with text, or with something to fill in behind it  | with the space that it begins |
 * | that is blank                                      | not, and keeps its space      |
 * | that begins with something to fill in              | as one without space          |
 * | whose space a marker has stripped, `  %{~ if ...}` | as one without space          |
 * | behind a line end that a marker has stripped       | not, and keeps its space      |
 */
export function withoutIndentation(template: string, filledIn: readonly FilledIn[]): string {
  const starts: { readonly at: number; readonly space: number }[] = []
  let isLineStart = true
  for (const { at, text = '' } of piecesOf(template, filledIn)) {
    const rest = text.replace(spaceAtStart, '')
    const isBlank = rest === '' && text.endsWith('\n')
    if (isLineStart && !isBlank) starts.push({ at, space: text.length - rest.length })
    isLineStart = text.endsWith('\n')
  }
  const least = starts.reduce((so, { space }) => Math.min(so, space), Number.POSITIVE_INFINITY)
  const from = [0, ...starts.map(({ at }) => at + least)]
  const to = [...starts.map(({ at }) => at), template.length]
  return from.map((start, at) => template.slice(start, to[at])).join('')
}

interface Piece {
  readonly at: number
  /** Undefined where something is filled in. */
  readonly text?: string
}

/** Line by line what stands between that which is filled in, as its markers leave it. */
function piecesOf(template: string, filledIn: readonly FilledIn[]): readonly Piece[] {
  const starts = [0, ...filledIn.map(({ end }) => end)]
  return starts.flatMap((start, index) => {
    const next = filledIn[index]
    const isStrippedBefore = start > 0 && template.charAt(start - 2) === '~'
    const isStrippedBehind = next !== undefined && template.charAt(next.start + 2) === '~'
    const lines = linesOf(template.slice(start, next?.start))
    let at = start
    const pieces = lines.map((line, number): Piece => {
      const piece = { at, text: line }
      at += line.length
      const text = isStrippedBefore && number === 0 ? line.replace(spaceAtStart, '') : line
      return isStrippedBehind && number === lines.length - 1
        ? { ...piece, text: text.replace(spaceAtEnd, '') }
        : { ...piece, text }
    })
    return next === undefined ? pieces : [...pieces, { at: next.start }]
  })
}

/** Each with its end. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}
