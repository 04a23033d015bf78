import { isOfTest } from '../../core/tests/failed-tests.ts'
import { isJsonArray, isJsonObject, type Json } from '../../model/json/json.ts'
import { readJsonIfAny } from '../../model/json/json-text.ts'
import type { Problem } from '../../model/problem.ts'
import { standIn } from '../../model/safety/redacted-part.ts'
import type { Host } from '../host/host.ts'

/**
 * A problem of a file that may hold what is hidden: nothing of the line, and nothing in quotes that the file has as a
 * value. Whoever may read the file finds it by line and column.
 */
export function withoutQuotes(problem: Problem, text: string): Problem {
  const { code, message, hint, hidden } = problem
  if (hidden !== undefined) return shownProblem({ ...problem, message: hidden })
  if (quotesNames.has(code) || isOfTest(code)) return problem
  const shown = (words: string) =>
    words.replace(quotes, quoted => (mayBeValue(quoted, text) ? standIn() : quoted))
  const { hint: _, ...others } = problem
  // A hint may write down the value as it is to be, without quotes.
  const isSafe = hint !== undefined && (hint.startsWith('did you mean') || !namesValue(hint, text))
  return { ...others, message: shown(message), ...(isSafe ? { hint: shown(hint) } : {}) }
}

/** A problem with the one message that is shown. */
export function shownProblem({ hidden: _, ...problem }: Problem): Problem {
  return problem
}

/** Whether a file may hold what is hidden: all do where the settings or the command line hide something. */
export function mayHide({ redaction }: Host, text: string): boolean {
  if (redaction.parts.length > 0) return true
  if (!mayDeclareSensitive.test(text)) return false
  // Messages of Terraform are a line of JSON each.
  const json = text.startsWith('{') ? (readJsonIfAny(text) ?? readJsonIfAny(lineOf(text))) : undefined
  return !isJsonObject(json ?? null) || !isOfTerraform(json) || hidesInComment(json)
}

/** Blanks of one line only: each line is tried by itself, however many empty ones are before it. */
const mayDeclareSensitive = /(?:^|[{,])[^\S\r\n\u2028\u2029]*["']?sensitive["']?\s*:/m

/** A diff of declarations that says where they change, with nothing of what they say. */
export function diffWithoutLines(diff: string): string {
  const [from, to, ...lines] = diff.split(/(?<=\n)/)
  // Each line of a text has its sign in front of it, so none of them looks like the beginning of a hunk.
  const shown = lines.map(line => (/^[ +-]/.test(line) ? `${line[0]}${standIn()}\n` : line))
  return [from, to, ...shown].join('')
}

/**
 * Problems that quote the name of a member, an operator, a variant or a file, which are never hidden, though a value may
 * be the same. Those of tests are put into words without what is.
 */
const quotesNames: ReadonlySet<string> = new Set([
  ...['missing-key', 'missing-value', 'missing-variants', 'no-such-file'],
  ...['duplicate-variant', 'payload-without-variant', 'unknown-payload'],
])

const quotes = /"(?:[^"\\]|\\.)*"/g

function namesValue(hint: string, text: string): boolean {
  const words = hint.match(/[^\s"'`[\]{}(),;:]{4,}/g) ?? []
  return words.some(word => mayBeValue(`"${word}"`, text))
}

/** What is cut off or escaped is not found again, and counts as a value; a name before a colon is none. */
function mayBeValue(quoted: string, text: string): boolean {
  const inside = quoted.slice(1, -1)
  if (/[…\\]/.test(inside)) return true
  const escaped = inside.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
  return text.includes(inside) && !new RegExp(`(?:^|[\\s{,])["']?${escaped}["']?\\s*:`, 'm').test(text)
}

function lineOf(text: string): string {
  return text.slice(0, Math.max(0, text.indexOf('\n')))
}

/**
 * Whether it is a stack, a plan, or a message of Terraform. There, variables and outputs are `sensitive` for Terraform, and
 * Vexil refuses their values.
 */
function isOfTerraform(json: Json | undefined): boolean {
  const members = ['@level', 'format_version', 'module', 'provider', 'resource', 'terraform', 'variable']
  return isJsonObject(json) && members.some(member => Object.hasOwn(json, member))
}

/** Whether a construct says, in the comment that Terraform passes over, what of its values is hidden. */
function hidesInComment(json: Json | undefined): boolean {
  if (isJsonArray(json)) return json.some(hidesInComment)
  if (!isJsonObject(json)) return false
  const comment = json['//']
  const ours = isJsonObject(comment) ? comment.vexil : undefined
  if (isJsonObject(ours) && (ours.sensitive ?? false) !== false) return true
  return Object.values(json).some(hidesInComment)
}
