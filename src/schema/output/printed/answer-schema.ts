import type { JsonObject } from '../../../model/json/json.ts'
import { evaluationReasons } from '../../../targeting/index.ts'
import { text, textOrNull } from '../text-schema.ts'

/** The members of what somebody gets of a flag. */
export const answer: JsonObject = {
  value: {
    type: ['boolean', 'string', 'null'],
    description: 'false, true or the key of the variant; null where it is undecided.',
  },
  variant: { ...textOrNull, description: 'The key of the variant.' },
  payload: { description: 'What code receives beside it; null: none.' },
  reason: { enum: [...evaluationReasons] },
  condition: {
    type: ['object', 'null'],
    description: 'The condition that matched or came nearest.',
    required: ['number', 'summary'],
    properties: { number: { type: 'integer', minimum: 1 }, summary: text },
  },
  undecided: { ...textOrNull, description: 'Why no value can be told.' },
}

/** Those who evaluate a flag otherwise. */
export const others: JsonObject = {
  type: 'array',
  description: 'Those who do not say the same.',
  items: {
    type: 'object',
    required: ['by'],
    properties: { by: text, value: { type: ['boolean', 'string'] }, undecided: text },
  },
}
