import type { JsonObject } from '../../model/json/json.ts'
import { dialect, schemaBase } from '../json-schema.ts'
import { described, integer, type Members, object, ordinal, text } from '../shape.ts'

/** The first members of a published schema. */
export function headOf(name: string, description: string, title = `Vexil ${name.replaceAll('-', ' ')}`) {
  return { $schema: dialect, $id: `${schemaBase}/${name}.schema.json`, title, description }
}

/** The schema of a document that a command prints. */
export function documentSchema(
  name: string,
  description: string,
  members: Members,
  more: JsonObject = {},
): JsonObject {
  return object({ ...documentHead, ...members }, { ...headOf(name, description), ...more })
}

const documentHead = {
  format_version: described(text, 'Major and minor.'),
  exit_code: described(integer, 'What the command ends with.'),
}

/** Where something is declared. */
export const source = object({ file: text, line: integer, column: integer })

/** The members of an element of `errors`. */
export const faultMembers = {
  code: described(
    text,
    'A stable name: `usage`, `refused`, `stale`, `skipped`, `declined`, `interrupted`, `service`, `failed`, or that of a problem in a file, such as `unknown-key`.',
  ),
  message: described(text, 'One line: what is wrong.'),
  'hint?': described(text, 'What to do about it.'),
  'source?': object({ file: text, line: ordinal, column: ordinal }),
  'address?': described(text, 'The object that it is about.'),
  'status?': described(integer, 'The status of the answer, where the service refused.'),
  'request?': described(text, 'Method and path of that request.'),
}

/** One element of `errors`. */
export const faultSchema = object(faultMembers)

/** The schema of the `--json` output of a failed command; on a line of its own after other lines. */
export function failureSchema(): JsonObject {
  const description = 'Why a command failed. Standard error has the same for people.'
  return documentSchema('errors', description, { errors: { type: 'array', minItems: 1, items: faultSchema } })
}
