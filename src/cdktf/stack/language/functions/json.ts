import { isNumber } from '../big-float.ts'
import { parseJsonValue } from '../json-value.ts'
import { invalid } from '../refusal.ts'
import { isSequence, Sensitive, Unknown, type Value } from '../value.ts'
import { type FunctionRows, textAt } from './function-row.ts'

export const jsonFunctions: FunctionRows = {
  jsonencode: { least: 1, gives: 'string', takesNull: true, apply: ([value = null]) => jsonOf(value) },
  jsondecode: {
    least: 1,
    apply: given => {
      try {
        return parseJsonValue(textAt(given, 0))
      } catch (error) {
        if (error instanceof SyntaxError) throw invalid('the text is not JSON')
        throw error
      }
    },
  },
}

/** JSON as Terraform writes it: no white space, members by name, and what HTML would take for a tag as an escape. */
export function jsonOf(value: Value): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return jsonText(value)
  if (isNumber(value)) return value.text
  if (value instanceof Unknown || value instanceof Sensitive) throw invalid('the value is not known')
  if (isSequence(value)) return `[${value.elements.map(jsonOf).join(',')}]`
  return `{${[...value.members].map(([name, member]) => `${jsonText(name)}:${jsonOf(member)}`).join(',')}}`
}

function jsonText(text: string): string {
  return JSON.stringify(text).replace(/[<>&\u2028\u2029\u007f]/g, character =>
    character === '\u007f' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
