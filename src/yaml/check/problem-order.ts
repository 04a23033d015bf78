import type { Json } from '../../model/json/json.ts'
import { writeJson } from '../../model/json/json-text.ts'
import type { Problem } from '../../model/problem.ts'
import { compareTexts } from '../../model/text/compare-texts.ts'
import { escapeText } from '../../model/text/escape-text.ts'

/** Problems in the order in which people go through them: what has no place first, then by file and line. */
export function byPlace(left: Problem, right: Problem): number {
  const [a, b] = [left.source, right.source]
  if (!a || !b) return Number(Boolean(a)) - Number(Boolean(b))
  return compareTexts(a.file, b.file) || a.line - b.line || a.column - b.column
}

/** A warning of how a value is read says nothing new where the value is a problem, whose remedy is the same. */
export function withoutRepeats(problems: readonly Problem[]): Problem[] {
  const broken = new Set(problems.filter(({ code }) => !readings.has(code)).map(placeText))
  return problems.filter(problem => !readings.has(problem.code) || !broken.has(placeText(problem)))
}

const readings = new Set(['respelled-scalar', 'leading-zero'])

function placeText({ source }: Problem): string {
  return source ? `${source.file}:${source.line}:${source.column}` : ''
}

const longest = 60

/** A value as messages show it: JSON on one line, cut where it is long, nothing that could move a cursor. */
export function quote(value: Json | undefined): string {
  return shortened(writeJson(value ?? null))
}

/** A text as messages show it, without quotes: cut where it is long, nothing that could move a cursor. */
export function shortened(text: string): string {
  const short = text.length > longest ? `${text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')}...` : text
  return escapeText(short)
}

/** `a flag`, `an event`. */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
}
