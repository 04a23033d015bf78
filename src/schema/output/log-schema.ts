import type { JsonObject } from '../../model/json/json.ts'
import { documentSchema } from './document-head.ts'
import { faultMembers } from './failure-schema.ts'
import { text } from './text-schema.ts'

const position: JsonObject = { type: 'integer', minimum: 1 }
const milliseconds: JsonObject = { type: 'number', minimum: 0 }

/** What a line of standard error may say beside its time, level and message, with `--log-format json`. */
export const logMembers = {
  code: { ...text, description: 'The stable name of a problem or a failure, as in errors.' },
  hint: { ...text, description: 'What to do about it.' },
  file: { ...text, description: 'The file that it is about, as seen from where the command runs.' },
  line: position,
  column: position,
  address: faultMembers.address,
  environment: text,
  status: { type: 'integer', description: 'The status of an answer.' },
  request: faultMembers.request,
  from: { ...text, description: '`app`, where the app of a stack said it.' },
  method: { ...text, description: 'Of a request, with VEXIL_DEBUG.' },
  path: text,
  query: { type: 'array', items: text, description: 'The names of the parameters, without their values.' },
  duration_ms: { ...milliseconds, description: 'How long the request took, with its answer.' },
  bytes: { type: 'integer', minimum: 0, description: 'How long the body of the answer was, as it came.' },
  attempt: { ...position, description: 'Which sending of the same request it was.' },
  retry_in_ms: { ...milliseconds, description: 'When it is sent again; absent where it is not.' },
  request_id: { ...text, description: 'How the service names the request, where it does.' },
  error: { ...text, description: 'Why there is no answer, or none that can be used.' },
} as const satisfies Readonly<Record<string, unknown>>

export const logLevels = ['debug', 'info', 'warn', 'error'] as const

/** The schema of one line of standard error. */
export function logSchema(): JsonObject {
  return documentSchema('log', {
    ...{ title: 'Vexil log', description: 'One line of standard error with --log-format json.' },
    required: ['time', 'level', 'message'],
    additionalProperties: false,
    properties: {
      time: { type: 'string', format: 'date-time', description: 'In UTC.' },
      level: { enum: [...logLevels] },
      message: { type: 'string', minLength: 1, description: 'What standard error says to people.' },
      // The members of problems are JSON as well.
      ...(logMembers as JsonObject),
    },
  })
}
