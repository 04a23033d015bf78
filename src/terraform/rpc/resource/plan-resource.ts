import { hasError } from '../../diagnostic.ts'
import type { CallContext, Resource } from '../../provider.ts'
import type { Draft, Message } from '../../wire/messages.ts'
import { diagnosticsToWire, pathToWire } from '../diagnostic-to-wire.ts'
import { asRead, isSameWire, readObject, readPresent, writeObject } from '../dynamic-value.ts'
import { attributeDiagnostic } from './attribute-problem.ts'
import { checkPlan } from './check-plan.ts'
import { plannedIdentity } from './identity.ts'

/** Asks the resource for its plan, and answers with it only where Terraform will take it. */
export async function planResource(
  resource: Resource,
  request: Message<'PlanResourceChangeRequest'>,
  context: CallContext,
): Promise<Draft<'PlanResourceChangeResponse'>> {
  const { block } = resource.schema
  const prior = readObject(block, request.prior_state)
  const isAsBefore = isSameWire(request.proposed_new_state, request.prior_state)
  const proposed = isAsBefore ? prior : readObject(block, request.proposed_new_state)
  if (!proposed) {
    const { proposed_new_state: planned_state, prior_private, prior_identity } = request
    const said = prior ? await resource.planRemoval?.({ state: prior, private: prior_private }, context) : []
    return {
      planned_state,
      planned_private: prior_private,
      planned_identity: prior_identity,
      diagnostics: diagnosticsToWire(said),
    }
  }
  const config = readPresent(block, request.config)
  // Planning a replacement, Terraform asks a second time, without a prior state and with what belongs to the object that
  // goes; what is answered here is all that the destruction of that object will be told.
  const kept = request.prior_private
  const change = { prior, proposed, config, priorPrivate: kept }
  const answer = await resource.plan(change, context)
  const diagnostics = answer.diagnostics ?? []
  if (hasError(diagnostics)) return { diagnostics: diagnosticsToWire(diagnostics) }
  // Encoded first: what does not fit the schema cannot be compared by it.
  const planned_state =
    asRead(answer.planned, prior, request.prior_state) ?? writeObject(block, answer.planned)
  const broken = checkPlan(block, { prior, config, planned: answer.planned }).map(problem =>
    attributeDiagnostic('the provider planned a value that Terraform does not allow', problem),
  )
  if (broken.length > 0) return { diagnostics: diagnosticsToWire([...diagnostics, ...broken]) }
  return {
    planned_state,
    planned_private: answer.private ?? kept,
    planned_identity: plannedIdentity(resource, prior, answer.planned, request.prior_identity),
    requires_replace: answer.requiresReplace?.map(pathToWire),
    diagnostics: diagnosticsToWire(diagnostics),
  }
}
