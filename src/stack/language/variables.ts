import { convert } from '../../cty/convert.ts'
import { type ExactJson, jsonToTyped } from '../../cty/encoding/json-value.ts'
import { invalid } from '../../cty/invalid-value.ts'
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
  const { name, body } = block
  const constraint = constraintOf(block)
  const how = howToGive(name)
  return settled(block, rawValue(name, body.default, given, constraint), {
    constraint,
    how,
    address: `var.${name}`,
  })
}

/** The value of a variable of a module: what it is called with, else its default. `address` is that of the variable. */
export function valueOfInput(block: Block, given: Typed | undefined, address: string): Typed {
  const { name, body } = block
  const constraint = constraintOf(block)
  const how = `give it where the module is called: ${name} = ...`
  const fallback = body.default === undefined ? undefined : jsonToTyped(body.default)
  const value = given ?? fallback
  if (value === undefined) throw invalid('it has to be given', how)
  return settled(block, value, { constraint, how, address })
}

function constraintOf({ body }: Block): TypeConstraint {
  return typeof body.type === 'string' ? parseTypeConstraint(body.type) : anything
}

interface Settling {
  readonly constraint: TypeConstraint
  readonly how: string
  readonly address: string
}

function settled({ body }: Block, raw: Typed, { constraint, how, address }: Settling): Typed {
  const isSensitive = body.sensitive === true
  const value = converted(raw, constraint, isSensitive, how)
  const whole =
    value.plain === null && body.nullable === false && body.default !== undefined
      ? convert(constraint.complete(jsonToTyped(body.default)), constraint.type)
      : value
  if (whole.plain === null && body.nullable === false) throw invalid('it is null and must not be', how)
  if (!isSensitive || whole.plain instanceof Sensitive) return whole
  return concealed(whole, address)
}

/** What a person who gives variables meant, where the stack has none of that name. */
function howToGive(name: string): string {
  return `give it with --var ${name}=..., or set TF_VAR_${name}`
}

function rawValue(
  name: string,
  fallback: ExactJson | undefined,
  { texts, json }: GivenVariables,
  constraint: TypeConstraint,
): Typed {
  const text = texts.get(name)
  if (text)
    return constraint.isExpression
      ? expressionValue(text.text, text.from)
      : ofText(text.text.normalize('NFC'))
  const written = json.get(name)
  if (written) return jsonToTyped(written.json)
  if (fallback === undefined) throw invalid('it has no value', howToGive(name))
  return jsonToTyped(fallback)
}

/** A text that is no expression is not shown: it may be a secret. */
function expressionValue(text: string, from: string): Typed {
  try {
    return evaluate(parseExpression(text), nothing)
  } catch {
    throw invalid(`what ${from} gives it is no value of its type`, 'write lists and maps as JSON: ["a", "b"]')
  }
}

function converted(
  value: Typed,
  { type, complete }: TypeConstraint,
  isSensitive: boolean,
  how: string,
): Typed {
  try {
    return convert(complete(value), type)
  } catch (error) {
    if (!isSensitive) throw error
    throw invalid('what it is given does not fit its type', how)
  }
}

const nothing = {
  find() {
    throw invalid('it refers to something')
  },
}
