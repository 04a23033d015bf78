import { nothing, ofText } from '../../../../cty/typed.ts'
import type { FunctionRows } from '../function-row.ts'
import { encodeYaml } from './yaml-encode.ts'

export const yamlFunctions: FunctionRows = {
  yamlencode: {
    least: 1,
    gives: 'string',
    takesNull: true,
    apply: ([{ plain } = nothing]) => ofText(encodeYaml(plain).normalize('NFC')),
  },
}
