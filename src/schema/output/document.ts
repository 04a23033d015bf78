import type { JsonObject } from '../../model/json/json.ts'
import { dialect, type Members, object, schemaBase } from '../json-schema.ts'

/** The schema of a document that a command prints: its title and description, then its members. */
export function documentSchema(name: string, about: JsonObject, members: Members): JsonObject {
  const head = { $schema: dialect, $id: `${schemaBase}/${name}.schema.json`, ...about }
  return object({ ...documentHead, ...members }, head)
}

const documentHead = {
  format_version: { type: 'string', description: 'Major and minor.' },
  exit_code: { type: 'integer', description: 'What the command ends with.' },
}

/** A text. */
export const text: JsonObject = { type: 'string' }

/** A text, or null for none. */
export const textOrNull: JsonObject = { type: ['string', 'null'] }

/** Texts, in an order that their document describes. */
export const texts: JsonObject = { type: 'array', items: text }

/** A time, as RFC 3339 writes it. */
export const time: JsonObject = { type: 'string', format: 'date-time' }

/** How many of something. */
export const count: JsonObject = { type: 'integer', minimum: 0 }

/** Where something is declared. */
export const source: JsonObject = object({
  file: text,
  line: { type: 'integer' },
  column: { type: 'integer' },
})

/** The schema of the `--json` output of a failed command; on a line of its own after other lines. */
export function failureSchema(): JsonObject {
  return documentSchema(
    'errors',
    {
      title: 'Vexil errors',
      description: 'Why a command failed. Standard error says the same for people.',
    },
    { errors: { type: 'array', minItems: 1, items: faultSchema } },
  )
}

const position: JsonObject = { type: 'integer', minimum: 1 }

/** The members of an element of `errors`. */
export const faultMembers = {
  code: {
    type: 'string',
    description:
      'A stable name: `usage`, `refused`, `stale`, `skipped`, `declined`, `interrupted`, `service`, `failed`, or that of a problem in a file, such as `unknown-key`.',
  },
  message: { type: 'string', description: 'One line: what is wrong.' },
  'hint?': { type: 'string', description: 'What to do about it.' },
  'source?': object({ file: text, line: position, column: position }),
  'address?': { type: 'string', description: 'The object that it is about.' },
  'status?': { type: 'integer', description: 'The status of the answer, where the service refused.' },
  'request?': { type: 'string', description: 'Method and path of that request.' },
}

/** One element of `errors`. */
export const faultSchema: JsonObject = object(faultMembers)
