import { declarableKinds } from '../../../kinds/index.ts'
import type { JsonObject } from '../../../model/json/json.ts'
import { documentHead, documentSchema } from '../document-head.ts'
import { faultMembers, faultSchema } from '../failure-schema.ts'
import { source } from '../source-schema.ts'
import { text, texts } from '../text-schema.ts'

/** The schema of what `vexil validate --json` prints. */
export function validationSchema(): JsonObject {
  return documentSchema('validation', {
    ...{ title: 'Vexil validation', description: 'The problems of every file.' },
    required: ['format_version', 'exit_code', 'files', 'problems', 'errors'],
    properties: {
      ...documentHead,
      files: { ...texts, description: 'The files that were read.' },
      problems: { type: 'array', items: problem },
      errors: { type: 'array', description: 'Those that are errors.', items: faultSchema },
      objects: {
        type: 'array',
        description: 'With --show: objects as they are declared for one environment.',
        items: shownObject,
      },
    },
  })
}

const problem: JsonObject = {
  type: 'object',
  required: ['code', 'severity', 'message'],
  properties: {
    ...faultMembers,
    severity: { enum: ['error', 'warning'] },
    conditional: {
      const: true,
      description: 'A warning that a plan turns into an error, unless the live object is like this already.',
    },
  },
}

const shownObject: JsonObject = {
  type: 'object',
  required: ['address', 'kind', 'section', 'name', 'source', 'value', 'leaves'],
  properties: {
    address: text,
    kind: { enum: declarableKinds.map(({ name }) => name) },
    section: { ...text, description: 'The section of the file, in which it goes by `name`.' },
    name: text,
    environment: text,
    source,
    value: { type: 'object', description: 'As it is written, with the overrides of the environment.' },
    leaves: {
      type: 'array',
      description: 'Each single value, and where it stands.',
      items: {
        type: 'object',
        required: ['pointer', 'value', 'source', 'by'],
        properties: {
          pointer: {
            ...text,
            description:
              'A JSON pointer into the value; what an audience says stands below the place of its name.',
          },
          value: { description: 'What comes out of the environment is shown as its reference.' },
          source,
          by: { enum: ['declaration', 'override', 'default', 'audience'] },
          audience: { ...text, description: 'The audience that says it.' },
        },
      },
    },
  },
}
