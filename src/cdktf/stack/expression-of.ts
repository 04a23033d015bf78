import { isNumber } from './language/big-float.ts'
import { type ExactJson, isExactObject, jsonToValue } from './language/json-value.ts'
import { parseTemplate } from './language/parse.ts'
import { invalid } from './language/refusal.ts'
import type { Expression } from './language/syntax.ts'

/** The expression that a value of a configuration is: its texts are templates, and so are the names of its members. */
export function expressionOf(json: ExactJson): Expression {
  if (isPlain(json)) return { is: 'literal', value: jsonToValue(json) }
  if (typeof json === 'string') return parseTemplate(json)
  if (Array.isArray(json)) return { is: 'tuple', elements: json.map(expressionOf) }
  if (!isExactObject(json)) return { is: 'literal', value: json }
  return {
    is: 'object',
    members: Object.entries(json).map(([name, member]) => [parseTemplate(name), expressionOf(member)]),
  }
}

/** Whether nothing in a value is to be worked out. Marks that an engine has left behind are refused on the way. */
function isPlain(json: ExactJson): boolean {
  if (typeof json === 'string') return isPlainText(json)
  if (Array.isArray(json)) return json.map(isPlain).every(plain => plain)
  if (isNumber(json)) {
    if (json.mantissa < 0n && json.toNumber() < smallestNumber) throw lostNumber(json.toNumber().toString())
    return true
  }
  if (!isExactObject(json)) return true
  return Object.entries(json)
    .map(([name, member]) => isPlainText(name) && isPlain(member))
    .every(plain => plain)
}

/** The engines mark what they are to fill in; numbers by being absurdly small. */
const smallestNumber = -1e280
const markedNumber = /-\d(?:\.\d+)?e\+(?:2[89]\d|30\d)(?!\d)/
const markedText = /[$#&]\{TfToken\[/

function isPlainText(text: string): boolean {
  if (!text.includes('{') && !text.includes('e+')) return true
  const [number] = markedNumber.exec(text) ?? []
  if (number !== undefined) throw lostNumber(number)
  if (markedText.test(text)) {
    throw invalid(
      'it has a mark ${TfToken[...]} that the engine was to fill in and did not',
      'give the value as it is, without changing its text, or build the text with Fn.format',
    )
  }
  return !text.includes('${') && !text.includes('%{')
}

function lostNumber(text: string) {
  return invalid(
    `it has ${text}, a number that stands for one known later and was made text too early`,
    'write Token.asString(number) in the text',
  )
}
