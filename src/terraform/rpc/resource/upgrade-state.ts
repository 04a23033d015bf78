import { stateValue } from '../../../cty/encoding/json-state.ts'
import { isObjectValue, type ObjectValue } from '../../../cty/value.ts'
import type { Json } from '../../../model/json/json.ts'
import { readStrictJson } from '../../../model/json/strict-json.ts'
import { DiagnosticError, errorDiagnostic } from '../../diagnostic.ts'
import type { CallContext, Resource } from '../../provider.ts'
import { typeOfBlock } from '../../schema/schema.ts'
import type { Message } from '../../wire/messages.ts'

/** A state as the schema has it now. Terraform asks before every read, also where nothing has changed. */
export async function upgradeState(
  { schema, upgrade }: Resource,
  version: number,
  raw: Message<'RawState'> | undefined,
  context: CallContext,
): Promise<ObjectValue | null> {
  const state = parseRawState(raw)
  if (version > schema.version) {
    throw new DiagnosticError(
      errorDiagnostic(
        'the state was written by a newer version of the provider',
        `it has version ${version}, this provider knows ${schema.version}; upgrade the provider`,
      ),
    )
  }
  if (state === null) return null
  if (version < schema.version && upgrade) return upgrade(version, state, context)
  const value = stateValue(typeOfBlock(schema.block), state)
  return isObjectValue(value) ? value : null
}

/** A state as it stands in the file, numbers as they were written. */
export function parseRawState(raw: Message<'RawState'> | undefined): Json {
  if (raw && raw.json.length > 0) return readStrictJson(Buffer.from(raw.json).toString())
  if (raw && Object.keys(raw.flatmap).length > 0) {
    throw new DiagnosticError(
      errorDiagnostic(
        'the state was written by Terraform 0.11 or older',
        'apply once with Terraform 0.12 to bring it to the present form',
      ),
    )
  }
  return null
}
