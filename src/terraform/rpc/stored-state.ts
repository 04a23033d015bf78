import { readStrictJson } from '../../hcl/strict-json.ts'
import {
  isObjectValue,
  isWhollyKnown,
  mapMembers,
  type ObjectType,
  type ObjectValue,
  stateValue,
  typeJson,
} from '../../hcl/values.ts'
import type { Json } from '../../model/json/json.ts'
import { oncePer } from '../../model/runtime.ts'
import {
  type CallContext,
  DiagnosticError,
  errorDiagnostic,
  hasError,
  type IdentityAttribute,
  type Resource,
  type ResourceIdentity,
  type Schema,
  typeOfBlock,
} from '../provider.ts'
import type { Draft, Message } from '../wire/messages.ts'
import { diagnosticsToWire, readValue, writeKnown, writeValue } from './to-wire.ts'

type Wire = Draft<'ResourceIdentityData'>

/**
 * The identity of an object for an answer. Terraform stores the identity of the last answer, and none if it
 * has none, so an answer without a better one returns the identity of the request.
 */
export function identityIn(
  { identity }: Resource,
  values: ObjectValue | null,
  asked?: Message<'ResourceIdentityData'>,
): Wire | undefined {
  const found = values === null ? undefined : identity?.of(values)
  if (!identity || !found || !isWhollyKnown(found)) return values === null ? undefined : asked
  return { identity_data: writeValue(typeOf(identity), found) }
}

/**
 * The same for a planned object. A new one with an unknown identity gets none: Terraform would accept it, and
 * then fail to show its plan as JSON.
 */
export function plannedIdentity(
  resource: Resource,
  prior: ObjectValue | null,
  planned: ObjectValue,
  asked: Message<'ResourceIdentityData'> | undefined,
): Wire | undefined {
  if (prior !== null) return identityIn(resource, prior) ?? identityIn(resource, planned, asked)
  return identityIn(resource, planned)
}

/** The identity in an import; undefined if the import names an id. */
export function askedIdentity(
  { identity }: Resource,
  asked: Message<'ResourceIdentityData'> | undefined,
): ObjectValue | undefined {
  const value = identity && readValue(typeOf(identity), asked?.identity_data)
  return value && isObjectValue(value) ? value : undefined
}

/** An identity as Terraform stores it. Only one version exists, so any other is refused. */
export function upgradeIdentity(
  { identity }: Resource,
  version: number,
  raw: Message<'RawState'> | undefined,
): Wire {
  if (!identity) throw new DiagnosticError(errorDiagnostic('objects of this type have no identity'))
  requireVersion('identity', version, identity.version)
  const type = typeOf(identity)
  return { identity_data: writeValue(type, stateValue(type, parseRawState(raw))) }
}

export function identityToWire({ version, attributes }: ResourceIdentity): Draft<'ResourceIdentitySchema'> {
  return {
    version,
    identity_attributes: Object.entries(attributes).map(
      ([name, { type, description, required = false }]) => ({
        name,
        type: Buffer.from(typeJson(type)),
        required_for_import: required,
        optional_for_import: !required,
        description,
      }),
    ),
  }
}

const typeOf = oncePer(
  ({ attributes }: ResourceIdentity): ObjectType => [
    'object',
    mapMembers(attributes, ({ type }: IdentityAttribute) => type),
  ],
)

/** Takes over the state of another type's resource, as a `moved` block asks. */
export async function moveResource(
  resource: Resource,
  request: Message<'MoveResourceStateRequest'>,
  context: CallContext,
): Promise<Draft<'MoveResourceStateResponse'>> {
  const { source_provider_address: provider, source_type_name: type, target_type_name: target } = request
  const { schema, move } = resource
  const source = {
    provider,
    type,
    version: Number(request.source_schema_version),
    state: parseRawState(request.source_state),
  }
  const answer = await move?.(source, context)
  if (!answer) {
    throw new DiagnosticError(
      errorDiagnostic(
        `a "${type}" of ${provider} cannot be moved to "${target}"`,
        'remove it from the state and import it instead',
      ),
    )
  }
  const { state, private: kept, diagnostics = [] } = answer
  if (hasError(diagnostics)) return { diagnostics: diagnosticsToWire(diagnostics) }
  return {
    target_state: writeKnown(schema.block, state),
    target_private: kept,
    target_identity: identityIn(resource, state),
    diagnostics: diagnosticsToWire(diagnostics),
  }
}

/** A state as a value. Terraform asks before every read; only one version exists, so any other is refused. */
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
function requireVersion(what: string, version: number, known: number): void {
  if (version === known) return
  throw new DiagnosticError(
    errorDiagnostic(
      `the ${what} was written by another version of the provider`,
      `it has version ${version}, this provider knows ${known}; use that version, or remove the object from the state and import it again`,
    ),
  )
}

/** A state as the file has it, numbers as they were written. */
function parseRawState(raw: Message<'RawState'> | undefined): Json {
  return raw && raw.json.length > 0 ? readStrictJson(Buffer.from(raw.json).toString()) : null
}
