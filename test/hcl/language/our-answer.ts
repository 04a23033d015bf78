import { evaluate } from '../../../src/hcl/language/evaluate.ts'
import type { Engine, Expression, Scope } from '../../../src/hcl/language/expression.ts'
import { parseTemplate } from '../../../src/hcl/language/parse-expression.ts'
import { parseExactJson } from '../../../src/hcl/values/convert.ts'
import { BigFloat, compare, fromDouble, truncate } from '../../../src/hcl/values/number.ts'
import { Refusal, undeclared } from '../../../src/hcl/values/type.ts'
import { type Typed, withoutMarks } from '../../../src/hcl/values/typed.ts'
import {
  compareTexts,
  isListValue,
  isNumberValue,
  isObjectValue,
  type NumberValue,
  Sensitive,
  type Value,
} from '../../../src/hcl/values/value.ts'
import type { JsonObject } from '../../../src/model/text/json.ts'
import { declaredVariable, valueOfInput, valueOfVariable } from '../../../src/stack/evaluate/stack-scope.ts'
import type { Block, Body } from '../../../src/stack/stack-file.ts'
import type { Answer, InputAnswer } from './terraform-answers.ts'

const emptyScope: Scope = {
  find(names) {
    throw undeclared(`nothing is called ${names.join('.')}`)
  },
}

/** An answer in the form of Terraform's; a refusal that is only ours has its words. */
export type OurAnswer = Answer | { readonly unsupported: string }

/** What we make of an expression, where nobody knows the engine or it is known. */
export function ourAnswer(expression: string, engine?: Engine): OurAnswer {
  return answerIn(expression, { ...emptyScope, engine })
}

/** The same where there is more than constants. */
export function answerIn(expression: string, scope: Scope): OurAnswer {
  return answered(() => evaluate(parseTemplate(`\${${expression}}`), scope))
}

/** What a variable comes to that is given nothing, as the JSON of its block. */
export function variableAnswer(json: string): Answer {
  // A block is an object.
  const body = parseExactJson(json) as Body
  const answer = answered(() => {
    const block: Block = { is: 'variable', address: 'var.v', type: '', name: 'v', body }
    return valueOfVariable(declaredVariable(block), { texts: new Map(), json: new Map() })
  })
  if (typeof answer === 'object' && 'unsupported' in answer) throw new Error(answer.unsupported)
  return answer
}

/** What a variable of a module comes to with what it is given, and which parts of it are sensitive. */
export function inputAnswer(json: string): InputAnswer {
  const { variable, given } = JSON.parse(json) as { readonly given?: string; readonly variable: JsonObject }
  // A block is an object.
  const body = parseExactJson(JSON.stringify(variable)) as Body
  let sensitive: unknown
  const answer = answered(() => {
    const block: Block = { is: 'variable', address: 'module.m.var.v', type: '', name: 'v', body }
    const expression = given === undefined ? undefined : parseTemplate(`\${${given}}`)
    const value = valueOfInput(
      declaredVariable(block),
      expression && evaluate(expression, emptyScope),
      'module.m.var.v',
    )
    sensitive = sensitiveParts(value.plain)
    return withoutMarks(value)
  })
  if (typeof answer === 'object' && 'unsupported' in answer) throw new Error(answer.unsupported)
  return answer === 'refused' ? answer : { ...answer, sensitive }
}

/** As a state of Terraform has it: of objects only the members of which something is. */
function sensitiveParts(value: Value): unknown {
  if (value instanceof Sensitive) return true
  if (isListValue(value)) return value.map(sensitiveParts)
  if (!isObjectValue(value)) return false
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, sensitiveParts(member)] as const)
      .filter(([, part]) => part !== false),
  )
}

/** The same for an expression that stands elsewhere than in a template. */
export function answerTo(read: () => Expression): OurAnswer {
  return answered(() => evaluate(read(), emptyScope))
}

function answered(work: () => Typed): OurAnswer {
  try {
    const { type, plain } = work()
    return { type, json: jsonOf(plain) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.is === 'unsupported' ? { unsupported: error.message } : 'refused'
  }
}

function jsonOf(value: Value): string {
  if (isNumberValue(value)) return stateText(value)
  if (isListValue(value)) return `[${value.map(jsonOf).join(',')}]`
  if (!isObjectValue(value)) return JSON.stringify(value)
  const members = Object.entries(value).sort(([left], [right]) => compareTexts(left, right))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${jsonOf(member)}`).join(',')}}`
}

/**
 * A number as it comes out of the state, where Terraform's answers come from: a whole one with all its digits up to 64
 * bits, and without the sign of zero; one with a fraction as a double, where it is one, or as text.
 */
function stateText(value: NumberValue): string {
  if (!(value instanceof BigFloat)) return String(value)
  if (value.isWhole && BigInt.asIntN(64, truncate(value)) === truncate(value)) return String(truncate(value))
  if (value.isWhole) return value.text
  const double = fromDouble(value.toNumber())
  return compare(double, value) === 0 ? double.text : value.text
}
