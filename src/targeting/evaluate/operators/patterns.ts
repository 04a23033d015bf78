import type { Json } from '../../../model/json/json.ts'
import type { EvaluationRules } from '../../../services/engines.ts'
import { quoted } from '../../describe/value-words.ts'
import { type Match, undecided } from '../match.ts'
import { compilePattern, searchPattern } from '../pattern/pattern.ts'
import { textBy } from './texts.ts'

type Dialect = EvaluationRules['pattern_dialect']

/**
 * Whether a pattern is found in a property. An invalid one matches neither way: its negation is not "everybody", but in
 * Java. Only what means the same in an engine's dialect as here is worked out.
 */
export function search(
  key: string,
  value: Json,
  known: Json,
  isWanted: boolean,
  rules: EvaluationRules,
): Match {
  const { pattern_dialect: dialect } = rules
  const [text, haystack] = [textBy(value, rules), textBy(known, rules)]
  if (dialect === 'go' && !isWanted && (typeof value !== 'string' || typeof known !== 'string'))
    return undecided('what is no text is left to the service')
  if (dialect !== 'python' && !isReadHere[dialect](text, haystack))
    return undecided(`the pattern ${quoted(text)} is not worked out here for every engine`)
  const isInvalid = invalidIn(dialect)?.test(text)
  const pattern = compilePattern(translated(dialect, text, haystack), dialect !== 'python')
  if (isInvalid || pattern.kind === 'invalid') {
    if (dialect === 'rust') return undecided(`the pattern ${quoted(text)} is left to the service`)
    return dialect === 'java' && !isWanted
  }
  if (pattern.kind !== 'ready')
    return undecided(`the pattern ${quoted(text)} is left to the service: ${pattern.why}`)
  const isFound = searchPattern(pattern.program, haystack)
  return isFound === undefined
    ? undecided(`the property ${quoted(key)} is too long a text to be searched here`)
    : isFound === isWanted
}

/** What is an expression here and none there. */
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

/** What `[:alpha:]` stands for in a set. Java takes it for the letters that it is written with. */
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

/** The expression as it is written here. Before a last line break, `$` stands in Python and Java alone. */
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

/** Whether an expression means here, once it is translated, what it means in a dialect. */
const isReadHere: Readonly<Record<Exclude<Dialect, 'python'>, (pattern: string, text: string) => boolean>> = {
  /** `$` stands before a last line break in Python alone. */
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

/** A class of characters by its name, as one letter. */
function withoutProperties(pattern: string): string {
  return pattern.replace(/\\p\{\w+\}/gi, 'p')
}

function endsInLine(pattern: string, text: string): boolean {
  return pattern.includes('$') && text.endsWith('\n')
}

/**
 * What Python and the others read alike, but for the escapes that are allowed: `\Z`, `{,3}`, flags for ASCII and Latin,
 * and what sets of characters have elsewhere mean something in one of them.
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

/** What SDKs work out that leave all else to the service: plain ASCII, without edges of words or flags. */
function isPlain(pattern: string): boolean {
  return isCommon(pattern) && /^[\x20-\x7e]*$/.test(pattern) && !/\\[bBpP0-9]|\(\?(?!:)/.test(pattern)
}
