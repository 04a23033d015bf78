import { isJsonArray, type Json } from '../../../model/json/json.ts'
import { getAt, pointerOf, segmentsOf } from '../../../model/json/pointer.ts'
import type { ProblemOf } from '../../../rules/object-problem.ts'
import { quoted } from '../../../targeting/describe/value-words.ts'

/**
 * A problem of filters without what a property compares with. That may be given as sensitive, which no provider is told,
 * and a diagnostic is shown; where it is not, Terraform quotes its lines of the configuration.
 */
export function withoutCompared(
  problem: ProblemOf<'targeting'>,
  filters: Json | undefined,
): ProblemOf<'targeting'> {
  const texts = comparedAt(problem.inside, filters)
  if (texts.length === 0) return problem
  const { message, hint, hidden } = problem
  if (hidden !== undefined) return { ...problem, message: hidden }
  return {
    ...problem,
    message: withoutTexts(message, texts),
    ...(hint === undefined ? {} : { hint: withoutTexts(hint, texts) }),
  }
}

/** The texts that the property of a place compares with, the longest first, so that none is taken for a part of another. */
function comparedAt(inside: string, filters: Json | undefined): readonly string[] {
  const segments = segmentsOf(inside)
  const depth = segments.indexOf('properties') + 2
  if (depth < 2 || filters === undefined) return []
  const value = getAt(filters, pointerOf(...segments.slice(0, depth), 'value'))
  const all = (isJsonArray(value) ? value : [value]).flatMap(each =>
    typeof each === 'string' && each !== '' && !isTruthWord(each) ? [each] : [],
  )
  return all.sort((one, other) => other.length - one.length)
}

/** What is on or off is no secret, and a message says which of the two is written as a text. */
function isTruthWord(text: string): boolean {
  return text === 'true' || text === 'false'
}

/** A message that quotes one of the texts, as where it says why that is no pattern, quotes no part of it either. */
function withoutTexts(message: string, texts: readonly string[]): string {
  const whole = texts.reduce<string>((said, text) => said.replaceAll(quoted(text), 'the value'), message)
  if (whole === message) return message
  return whole.replace(/(["'])(.+?)\1/g, (said, _, part: string) =>
    texts.some(text => text.includes(part)) ? 'a part of it' : said,
  )
}
