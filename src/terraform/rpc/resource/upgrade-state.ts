import { readStrictJson } from '../../../hcl/strict-json.ts'

import { isObjectValue, type ObjectValue, stateValue } from '../../../hcl/values.ts'
import type { Json } from '../../../model/json/json.ts'
import { DiagnosticError, errorDiagnostic } from '../../diagnostic.ts'
import { type Schema, typeOfBlock } from '../../schema/schema.ts'
import type { Message } from '../../wire/messages.ts'

/** A state as a value. Terraform asks before every read; the schema has had one version, so that any other is refused. */
export function upgradeState(
  { version: known, block }: Schema,
  version: number,
  raw: Message<'RawState'> | undefined,
): ObjectValue | null {
  requireVersion('state', version, known)
  const state = parseRawState(raw)
  if (state === null) return null
  const value = stateValue(typeOfBlock(block), state)
  return isObjectValue(value) ? value : null
}

/** Refuses what was written by another version of the provider. */
export function requireVersion(what: string, version: number, known: number): void {
  if (version === known) return
  throw new DiagnosticError(
    errorDiagnostic(
      `the ${what} was written by another version of the provider`,
      `it has version ${version}, this provider knows ${known}; use that version, or remove the object from the state and import it again`,
    ),
  )
}

/** A state as it stands in the file, numbers as they were written. */
export function parseRawState(raw: Message<'RawState'> | undefined): Json {
  return raw && raw.json.length > 0 ? readStrictJson(Buffer.from(raw.json).toString()) : null
}
