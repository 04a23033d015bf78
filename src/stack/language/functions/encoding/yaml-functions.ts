import { nothing, ofText } from '../../../../cty/typed.ts'
import { type FunctionRows, textAt } from '../function-row.ts'
import { decodeYaml } from './yaml-decode.ts'
import { encodeYaml } from './yaml-encode.ts'

export const yamlFunctions: FunctionRows = {
  yamlencode: {
    least: 1,
    gives: 'string',
    takesNull: true,
    apply: ([{ plain } = nothing]) => ofText(encodeYaml(plain).normalize('NFC')),
  },
  yamldecode: { least: 1, apply: given => decodeYaml(textAt(given, 0)) },
}
