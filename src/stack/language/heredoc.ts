import { invalid, unsupported } from '../../cty/invalid-value.ts'

/** A text of several lines, and the place behind its last word. */
export interface Heredoc {
  readonly template: string
  readonly end: number
}

/** The text that begins behind the first `<` of `<<END`, as Terraform reads it. */
export function heredocAt(text: string, at: number): Heredoc {
  const opening = /<(-?)([\p{ID_Start}][\p{ID_Continue}-]*)[ \t]*\r?\n/uy
  opening.lastIndex = at
  const [whole, dash, word] = opening.exec(text) ?? []
  if (whole === undefined)
    throw invalid('a text of several lines does not begin with <<WORD and the end of the line')
  const lines: string[] = []
  for (let start = at + whole.length; start < text.length; ) {
    const next = text.indexOf('\n', start) + 1 || text.length
    const line = text.slice(start, next)
    if (line.trim() === word) {
      const template = (dash === '-' ? flush(lines) : lines).join('')
      return { template, end: start + line.trimEnd().length }
    }
    lines.push(line)
    start = next
  }
  throw invalid(`a text of several lines has no end: no line says ${word}`)
}

/** Takes away what all lines begin with; lines that are blank do not count. */
function flush(lines: readonly string[]): readonly string[] {
  if (lines.some(isOpen))
    throw unsupported('<<- around something to fill in that goes over several lines', 'write it with <<')
  const widths = lines.filter(line => line.trim() !== '').map(line => line.length - line.trimStart().length)
  const least = Math.min(...widths)
  return widths.length === 0 ? lines : lines.map(line => (line.trim() === '' ? line : line.slice(least)))
}

/** Whether something to fill in begins in a line and does not end there. */
function isOpen(line: string): boolean {
  const opened = line.replace(/[$%]{2}\{/g, '').match(/\{/g)?.length ?? 0
  return /[$%]\{/.test(line) && opened > (line.match(/\}/g)?.length ?? 0)
}
