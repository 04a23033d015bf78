import type { JsonObject } from '../../../model/json/json.ts'
import { documentHead, documentSchema } from '../document-head.ts'
import { faultSchema } from '../failure-schema.ts'
import { text } from '../text-schema.ts'
import { answer, others } from './answer-schema.ts'

/** The schema of what `vexil evaluate --json` prints. */
export function evaluationSchema(): JsonObject {
  return documentSchema('evaluation', {
    ...{ title: 'Vexil evaluation', description: 'What somebody gets of the declared flags.' },
    required: ['format_version', 'exit_code', 'flags', 'errors'],
    properties: {
      ...documentHead,
      flags: { type: 'array', items: evaluatedFlag },
      errors: { type: 'array', items: faultSchema },
    },
  })
}

const evaluatedFlag: JsonObject = {
  type: 'object',
  required: ['flag', 'verdict', ...Object.keys(answer), 'by', 'others'],
  properties: {
    flag: text,
    verdict: {
      enum: ['decided', 'differs', 'undecided'],
      description:
        'differs: those who evaluate give different values. undecided: it depends on what is not known here.',
    },
    ...answer,
    by: { ...text, description: 'Who gives the value.' },
    others,
    live: {
      type: 'object',
      description: 'What the live flag gives, with --live.',
      required: ['is'],
      properties: { is: { enum: ['same', 'differs', 'not_known', 'missing'] }, ...answer },
    },
  },
}
