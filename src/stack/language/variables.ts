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

/** The value of a variable: what it is given, else its default. */
export function valueOfVariable({ name, body }: Block, given: GivenVariables): Typed {
  const constraint = typeof body.type === 'string' ? parseTypeConstraint(body.type) : anything
  const value = converted(
    name,
    rawValue(name, body.default, given, constraint),
    constraint,
    body.sensitive === true,
  )
  const settled =
    value.plain === null && body.nullable === false && body.default !== undefined
      ? convert(constraint.complete(jsonToTyped(body.default)), constraint.type)
      : value
  if (settled.plain === null && body.nullable === false)
    throw invalid('it is null and must not be', howToGive(name))
  if (body.sensitive !== true || settled.plain instanceof Sensitive) return settled
  return concealed(settled, `var.${name}`)
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
  name: string,
  value: Typed,
  { type, complete }: TypeConstraint,
  isSensitive: boolean,
): Typed {
  try {
    return convert(complete(value), type)
  } catch (error) {
    if (!isSensitive) throw error
    throw invalid('what it is given does not fit its type', howToGive(name))
  }
}

const nothing = {
  find() {
    throw invalid('it refers to something')
  },
}
