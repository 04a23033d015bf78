import { escapeText } from '../model/text/escape-text.ts'
import type { Document, ToldProblem } from './document.ts'
import type { Format } from './format.ts'
import { problemLine, worstOf } from './text/problem-text.ts'

/** Tells GitHub Actions where to show problems of files. Of everything else it says nothing. */
export const annotations: Format = {
  render: document => worstOf(problemsOf(document)).map(told => ({ text: annotationOf(told) })),
}

function problemsOf(document: Document): readonly ToldProblem[] {
  return 'problems' in document ? document.problems : []
}

function annotationOf({ problem: { severity, source, ...problem }, path = '' }: ToldProblem): string {
  const place = source ? ` file=${escapedProperty(path)},line=${source.line},col=${source.column}` : ''
  return `::${severity}${place}::${escaped(escapeText(problemLine({ severity: 'error', ...problem })))}\n`
}

// A line end inside of an annotation would start another one.
function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapedProperty(text: string): string {
  return escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
