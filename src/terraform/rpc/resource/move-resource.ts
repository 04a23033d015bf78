import { DiagnosticError, errorDiagnostic, hasError } from '../../diagnostic.ts'
import type { CallContext, Resource } from '../../provider.ts'
import type { Draft, Message } from '../../wire/messages.ts'
import { diagnosticsToWire } from '../diagnostic-to-wire.ts'
import { writeKnown } from '../dynamic-value.ts'
import { identityIn } from './identity.ts'
import { parseRawState } from './upgrade-state.ts'

/** Takes over the state of a resource of another type, which a `moved` block names. */
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
