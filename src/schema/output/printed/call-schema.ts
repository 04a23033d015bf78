import type { JsonObject } from '../../../model/json/json.ts'
import { documentHead, documentSchema } from '../document-head.ts'
import { text, texts } from '../text-schema.ts'

/** The schema of what `vexil call --json` prints. */
export function callSchema(): JsonObject {
  return documentSchema('call', {
    ...{ title: 'Vexil call', description: 'What the service answered to one operation.' },
    required: ['format_version', 'exit_code', 'operation', 'status', 'body'],
    properties: {
      ...documentHead,
      operation: { ...text, description: 'As in feature_flag.read.' },
      status: { type: 'integer', description: 'Of HTTP; of a list that was followed to its end, 200.' },
      body: {
        description: 'The answer as it came; with --all, every row. null: it has no body, or no JSON.',
      },
      text: { ...text, description: 'An answer that is no JSON.' },
    },
  })
}

/** The schema of what `vexil call --json` prints without a name. */
export function operationsSchema(): JsonObject {
  return documentSchema('operations', {
    ...{ title: 'Vexil operations', description: 'What can be called: `vexil call` without a name.' },
    required: ['format_version', 'exit_code', 'operations'],
    properties: { ...documentHead, operations: { type: 'array', items: operation } },
  })
}

const operation: JsonObject = {
  type: 'object',
  required: ['operation', 'method', 'path', 'required', 'optional', 'takes_body', 'doc'],
  properties: {
    operation: text,
    method: text,
    path: text,
    required: { ...texts, description: 'Arguments of the path that no setting has.' },
    optional: { ...texts, description: 'Arguments of the query.' },
    takes_body: { type: 'boolean' },
    doc: text,
  },
}
