import type { Problem } from '../../model/problem.ts'
import type { Json } from '../../model/text/json.ts'
import { writeJson } from '../../model/text/json-text.ts'
import { compareTexts } from '../../model/text/names.ts'
import { escapeText } from '../../model/text/printable.ts'

/** Problems in the order for people: first those without a place, then by file and line. */
export function byPlace(left: Problem, right: Problem): number {
  const [a, b] = [left.source, right.source]
  if (!a || !b) return Number(Boolean(a)) - Number(Boolean(b))
  return compareTexts(a.file, b.file) || a.line - b.line || a.column - b.column
}

/** Removes duplicates: environments and layers may have the same problem. */
export function once<Each>(all: readonly Each[]): Each[] {
  return all.length < 2 ? all.slice() : [...new Map(all.map(one => [JSON.stringify(one), one])).values()]
}

/** Drops a warning about how a value is read if the value has another problem with the same remedy. */
export function withoutRepeats(problems: readonly Problem[]): Problem[] {
  const broken = new Set(problems.filter(({ code }) => !beside.has(code)).map(placeText))
  return problems.filter(problem => !readings.has(problem.code) || !broken.has(placeText(problem)))
}

const readings = new Set(['respelled-scalar', 'leading-zero'])
/** Who evaluates a value otherwise has another remedy. */
const beside = new Set([...readings, 'engines-differ'])

function placeText({ source }: Problem): string {
  return source ? `${source.file}:${source.line}:${source.column}` : ''
}

const longest = 60

/** A value for messages: JSON on one line, shortened if it is long, without cursor control characters. */
export function quote(value: Json | undefined): string {
  return shortened(writeJson(value ?? null))
}

/** A text for messages, without quotes: shortened if it is long, without cursor control characters. */
export function shortened(text: string): string {
  const short = text.length > longest ? `${text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')}...` : text
  return escapeText(short)
}

/** `a flag`, `an event`. */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
}
