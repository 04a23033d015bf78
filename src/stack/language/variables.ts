import { convert } from '../../cty/convert.ts'
import { type ExactJson, jsonToTyped } from '../../cty/encoding/json-value.ts'
import { invalid, Refusal } from '../../cty/invalid-value.ts'
import { ofText, type Typed } from '../../cty/typed.ts'
import { concealed } from '../../cty/unmarked.ts'
import { Sensitive } from '../../cty/value.ts'
import type { Block } from '../read/stack-file.ts'
import { evaluate } from './evaluate-expression.ts'
import { parseExpression } from './parse-expression.ts'
import { anything, parseTypeConstraint, type TypeConstraint } from './type-constraint.ts'

/** What variables are given: as texts, the way a command line and the environment have them, or as JSON. */
export interface GivenVariables {
  readonly texts: ReadonlyMap<string, { readonly text: string; readonly from: string }>
  readonly json: ReadonlyMap<string, { readonly json: ExactJson; readonly from: string }>
}

/** The value of a variable of a stack: what it is given, else its default. */
export function valueOfVariable(block: Block, given: GivenVariables): Typed {
  const { name } = block
  const constraint = constraintOf(block)
  return settled(block, givenValue(name, given, constraint), {
    constraint,
    missing: 'it has no value',
    // What a person who gives variables meant, where the stack has none of that name.
    how: `give it with --var ${name}=..., or set TF_VAR_${name}`,
    address: `var.${name}`,
  })
}

/** The value of a variable of a module: what it is called with, else its default. `address` is that of the variable. */
export function valueOfInput(block: Block, given: Typed | undefined, address: string): Typed {
  return settled(block, given, {
    constraint: constraintOf(block),
    missing: 'it has to be given',
    how: `give it where the module is called: ${block.name} = ...`,
    address,
  })
}

function constraintOf({ body }: Block): TypeConstraint {
  return typeof body.type === 'string' ? parseTypeConstraint(body.type) : anything
}

interface Settling {
  readonly constraint: TypeConstraint
  /** What is wrong where there is no value, and what to do then. */
  readonly missing: string
  readonly how: string
  readonly address: string
}

function settled(block: Block, given: Typed | undefined, settling: Settling): Typed {
  const { body } = block
  const { missing, how, address } = settling
  const isSensitive = body.sensitive === true
  // A default has to fit also where nobody needs it.
  const fallback = defaultOf(block, settling)
  const value = given === undefined ? fallback : converted(given, block, settling)
  if (value === undefined) throw invalid(missing, how)
  const whole = value.plain === null && body.nullable === false ? (fallback ?? value) : value
  if (whole.plain === null && body.nullable === false) throw invalid('it is null and must not be', how)
  if (!isSensitive || whole.plain instanceof Sensitive) return whole
  return concealed(whole, address)
}

function defaultOf(block: Block, settling: Settling): Typed | undefined {
  const { default: fallback, nullable } = block.body
  if (fallback === undefined) return undefined
  if (fallback === null && nullable === false)
    throw invalid('its default is null, and it must not be', 'leave the default out')
  try {
    return converted(jsonToTyped(fallback), block, settling)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (block.body.sensitive === true) throw invalid('its default does not fit its type')
    throw new Refusal(error.is, `its default does not fit: ${error.message}`, error.remedy)
  }
}

function givenValue(name: string, { texts, json }: GivenVariables, constraint: TypeConstraint) {
  const text = texts.get(name)
  if (text)
    return constraint.isExpression
      ? expressionValue(text.text, text.from)
      : ofText(text.text.normalize('NFC'))
  const written = json.get(name)
  return written && jsonToTyped(written.json)
}

/** A text that is no expression is not shown: it may be a secret. */
function expressionValue(text: string, from: string): Typed {
  try {
    return evaluate(parseExpression(text), nothing)
  } catch {
    throw invalid(`what ${from} gives it is no value of its type`, 'write lists and maps as JSON: ["a", "b"]')
  }
}

function converted(value: Typed, { body }: Block, { constraint: { type, complete }, how }: Settling): Typed {
  try {
    return convert(complete(value), type)
  } catch (error) {
    if (body.sensitive !== true) throw error
    throw invalid('what it is given does not fit its type', how)
  }
}

const nothing = {
  find() {
    throw invalid('it refers to something')
  },
}
