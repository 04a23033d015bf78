import { isNumber } from '../../../../src/cdktf/stack/language/big-float.ts'
import { evaluate, type Scope } from '../../../../src/cdktf/stack/language/evaluate.ts'
import { parseTemplate } from '../../../../src/cdktf/stack/language/parse.ts'
import { invalid, Refusal } from '../../../../src/cdktf/stack/language/refusal.ts'
import type { Type } from '../../../../src/cdktf/stack/language/type.ts'
import { isMembers, isSequence, typeOf, type Value } from '../../../../src/cdktf/stack/language/value.ts'
import type { Answer } from './terraform-answers.ts'

const emptyScope: Scope = {
  find(names) {
    throw invalid(`nothing is called ${names.join('.')}`)
  },
}

/** What we make of an expression, in the form of Terraform's answers; a refusal that is only ours has its words. */
export function ourAnswer(expression: string): Answer | { readonly unsupported: string } {
  try {
    const value = evaluate(parseTemplate(`\${${expression}}`), emptyScope)
    return { type: typeJson(typeOf(value)), json: jsonOf(value) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.is === 'invalid' ? 'refused' : { unsupported: error.message }
  }
}

function typeJson(type: Type): unknown {
  if (type === 'any') return 'dynamic'
  if (typeof type === 'string') return type
  switch (type.is) {
    case 'tuple':
      return ['tuple', type.elements.map(typeJson)]
    case 'object':
      return [
        'object',
        Object.fromEntries(Object.entries(type.members).map(([name, of]) => [name, typeJson(of)])),
      ]
    default:
      return [type.is, typeJson(type.of)]
  }
}

function jsonOf(value: Value): string {
  if (isNumber(value)) return value.text
  if (isSequence(value)) return `[${value.elements.map(jsonOf).join(',')}]`
  if (isMembers(value))
    return `{${[...value.members].map(([name, member]) => `${JSON.stringify(name)}:${jsonOf(member)}`).join(',')}}`
  return JSON.stringify(value)
}
