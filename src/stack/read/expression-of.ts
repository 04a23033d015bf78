import { brokenMarkIn, isMarkedNumber, markedNumberIn } from '../../constructs/engine/engine-marks.ts'
import {
  type ExactJson,
  type Expression,
  impliedTyped,
  invalid,
  isExactObject,
  isNumber,
  parseTemplate,
} from '../../hcl/index.ts'
import { isTemplate } from '../../hcl/literal-template.ts'
import { once } from './stack-file.ts'

/** A value of a configuration as an expression: its texts and member names are templates. */
export function expressionOf(json: ExactJson): Expression {
  if (isPlain(json)) return { is: 'literal', value: impliedTyped(json) }
  if (typeof json === 'string') return parseTemplate(json)
  if (Array.isArray(json)) return { is: 'tuple', elements: json.map(expressionOf) }
  if (!isExactObject(json)) return { is: 'literal', value: impliedTyped(json) }
  return {
    is: 'object',
    members: Object.entries(json).map(([name, member]) => [parseTemplate(name), expressionOf(member)]),
  }
}

/** The expressions of one stack, each parsed once, for its references and for the values of all instances. */
export class Expressions {
  readonly #parsed = new Map<ExactJson, Expression>()

  of(json: ExactJson): Expression {
    return once(this.#parsed, json, () => expressionOf(json))
  }
}

/** Whether a value has nothing to evaluate. Marks that an engine has left behind are refused on the way. */
function isPlain(json: ExactJson): boolean {
  if (typeof json === 'string') return isPlainText(json)
  if (Array.isArray(json)) return json.map(isPlain).every(plain => plain)
  if (isNumber(json)) {
    if (isMarkedNumber(json.toNumber())) throw lostNumber(String(json.toNumber()))
    return true
  }
  if (!isExactObject(json)) return true
  return Object.entries(json)
    .map(([name, member]) => isPlainText(name) && isPlain(member))
    .every(plain => plain)
}

function isPlainText(text: string): boolean {
  const number = markedNumberIn(text)
  if (number !== undefined) throw lostNumber(number)
  if (brokenMarkIn(text) !== undefined) {
    throw invalid(
      'it has a mark ${TfToken[...]} that the engine was to fill in and did not',
      'give the value as it is, without changing its text, or build the text with Fn.format',
    )
  }
  return !isTemplate(text)
}

function lostNumber(text: string) {
  return invalid(
    `it has ${text}, a number that stands for one known later and was made text too early`,
    'write Token.asString(number) in the text',
  )
}
