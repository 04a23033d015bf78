import {
  type ExactJson,
  impliedTyped,
  isExactObject,
  parseLastOfEach,
} from '../../../../cty/encoding/json-value.ts'
import { invalid } from '../../../../cty/invalid-value.ts'
import { compareTexts } from '../../../../cty/text-order.ts'
import { nothing, ofText } from '../../../../cty/typed.ts'
import { isListValue, isNumberValue, isObjectValue, type Value } from '../../../../cty/value.ts'
import { type FunctionRows, textAt } from '../function-row.ts'

export const jsonFunctions: FunctionRows = {
  jsonencode: {
    least: 1,
    gives: 'string',
    takesNull: true,
    apply: ([{ plain } = nothing]) => ofText(jsonOf(plain)),
  },
  jsondecode: {
    least: 1,
    apply: given => {
      try {
        return impliedTyped(withNormalNames(parseLastOfEach(textAt(given, 0))))
      } catch (error) {
        if (error instanceof SyntaxError) throw invalid('the text is not JSON')
        throw error
      }
    },
  },
}

/** The same value; a name in it that is not in form NFC is an error to Terraform. */
function withNormalNames(json: ExactJson): ExactJson {
  if (Array.isArray(json)) json.forEach(withNormalNames)
  else if (isExactObject(json))
    for (const [name, member] of Object.entries(json)) {
      if (name !== name.normalize('NFC'))
        throw invalid(`the name ${JSON.stringify(name)} is not in the form NFC of Unicode`)
      withNormalNames(member)
    }
  return json
}

/** JSON as Terraform writes it: no white space, members by name, and what HTML would take for a tag as an escape. */
export function jsonOf(value: Value): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return jsonText(value)
  if (isNumberValue(value)) return String(value)
  if (isListValue(value)) return `[${value.map(jsonOf).join(',')}]`
  if (!isObjectValue(value)) throw invalid('the value is not known')
  const members = Object.entries(value).sort(([left], [right]) => compareTexts(left, right))
  return `{${members.map(([name, member]) => `${jsonText(name)}:${jsonOf(member)}`).join(',')}}`
}

function jsonText(text: string): string {
  return JSON.stringify(text).replace(/[<>&\u2028\u2029\u007f]/g, character =>
    character === '\u007f' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
