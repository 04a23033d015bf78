import type { JsonObject } from '../../model/json/json.ts'
import { text } from './text-schema.ts'

/** Where something is declared. */
export const source: JsonObject = {
  type: 'object',
  required: ['file', 'line', 'column'],
  properties: { file: text, line: { type: 'integer' }, column: { type: 'integer' } },
}
