import { Lexer } from 'yaml'
import { isJsonArray, isJsonObject, isSameJson, type Json } from '../../../model/json/json.ts'
import type { Problem } from '../../../model/problem.ts'
import { parseYaml } from '../../parse/parse-yaml.ts'
import { lineBreakOf } from '../splice.ts'
import { indentBlocks } from './indent-blocks.ts'
import { orderMembers } from './order-members.ts'

export type FormattedText = { readonly text: string } | { readonly problem: Problem }

/**
 * The text of a file of declarations as it is to be written: members in their order, blocks indented by two columns, a line break
 * at the end. Conditions, variants and objects keep their order, texts their quotes, lines their comments. What it says is the
 * same: a text that would say something else is none.
 */
export function formatText(file: string, text: string): FormattedText {
  const before = parseYaml(text, file)
  if (before.value === undefined) return { problem: notRead(file) }
  const ended = text === '' || text.endsWith('\n') ? text : text + lineBreakOf(text)
  const formatted = indentBlocks(orderMembers(ended))
  const after = parseYaml(formatted, file)
  const isSame =
    after.value !== undefined &&
    isSameButMembers(before.value, after.value) &&
    commentsIn(text) === commentsIn(formatted)
  return isSame ? { text: formatted } : { problem: notFormatted(file) }
}

/** How deep in a file the members of objects and of their overrides are. */
const orderedDepths: ReadonlySet<number> = new Set([2, 4])

/** Whether two values are the same with all their orders, but for that of members. */
function isSameButMembers(left: Json, right: Json, depth = 0): boolean {
  if (isJsonArray(left) && isJsonArray(right))
    return (
      left.length === right.length &&
      left.every((element, index) => isSameButMembers(element, right[index] ?? null, depth + 1))
    )
  if (!isJsonObject(left) || !isJsonObject(right)) return isSameJson(left, right)
  const [names, others] = [Object.keys(left), Object.keys(right)]
  const isInOrder = orderedDepths.has(depth) || names.every((name, index) => others[index] === name)
  return (
    isInOrder &&
    names.length === others.length &&
    names.every(
      name =>
        Object.hasOwn(right, name) && isSameButMembers(left[name] ?? null, right[name] ?? null, depth + 1),
    )
  )
}

function commentsIn(text: string): string {
  return [...new Lexer().lex(text)]
    .filter(lexeme => lexeme.startsWith('#'))
    .sort()
    .join('\n')
}

function notRead(file: string): Problem {
  return {
    code: 'not-formatted',
    severity: 'error',
    message: 'this file cannot be read, so it is not formatted',
    hint: 'mend it first; `vexil validate` shows its problems',
    source: { file, line: 1, column: 1 },
  }
}

function notFormatted(file: string): Problem {
  return {
    code: 'not-formatted',
    severity: 'error',
    message: 'this file cannot be formatted without changing what it says',
    hint: 'indent it by hand, by two columns a level',
    source: { file, line: 1, column: 1 },
  }
}
