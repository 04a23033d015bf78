import type { Json } from '../../../model/json/json.ts'
import type { EvaluationRules } from '../../../services/engines.ts'
import { quoted } from '../../describe/value-words.ts'
import { type Match, undecided } from '../match.ts'
import { compilePattern, searchPattern } from '../pattern/pattern.ts'
import { textOf } from './texts.ts'

/**
 * Whether a pattern is found in a property. An invalid one matches neither way: its negation is not "everybody".
 * Where an engine has another dialect than Python, only what means the same in both is worked out.
 */
export function search(
  key: string,
  value: Json,
  known: Json,
  isWanted: boolean,
  { pattern_dialect }: EvaluationRules,
): Match {
  const [text, haystack] = [textOf(value), textOf(known)]
  if (pattern_dialect !== 'python' && !isCommon(text, haystack))
    return undecided(`the pattern ${quoted(text)} means different things to different engines`)
  if (pattern_dialect === 'portable' && !isPortable(text, haystack))
    return undecided(`the pattern ${quoted(text)} is left to the service`)
  const pattern = compilePattern(text)
  if (pattern.kind !== 'ready')
    return pattern.kind === 'invalid' && pattern_dialect === 'python'
      ? false
      : undecided(`the pattern ${quoted(text)} is left to the service: ${pattern.why}`)
  const isFound = searchPattern(pattern.program, haystack)
  return isFound === undefined
    ? undecided(`the property ${quoted(key)} is too long a text to be searched here`)
    : isFound === isWanted
}

/**
 * What Python and Rust read alike. `$` stands before a last line break in Python alone; `\Z`, `{,3}`, flags for ASCII
 * and Latin, and what sets of characters have in Rust mean something in one of the two.
 */
function isCommon(pattern: string, text: string): boolean {
  if (pattern.includes('$') && text.endsWith('\n')) return false
  return !/\\[ZzAhHRKGpPX]|\{,|\(\?[aLuUR-]*[aLuUR]|\[\^?\[|&&|--|~~|\|\|\]/.test(pattern)
}

/** What `posthog-node` works out by itself: plain ASCII on both sides, without edges of words or flags. */
function isPortable(pattern: string, text: string): boolean {
  return (
    /^[\x20-\x7e]*$/.test(pattern) &&
    /^[\x00-\x0c\x0e-\x7f]*$/.test(text) &&
    !/\\[bB]|\(\?(?!:)/.test(pattern)
  )
}
