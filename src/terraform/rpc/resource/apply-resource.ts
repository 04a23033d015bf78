import { encodeValue } from '../../../hcl/msgpack.ts'
import { mapMembers, memberOf, type ObjectValue, type Type, type Value } from '../../../hcl/values.ts'
import { diagnosticsFrom, errorDiagnostic, hasError } from '../../diagnostic.ts'
import type { CallContext, Resource } from '../../provider.ts'
import { type Block, typeOfBlock } from '../../schema/schema.ts'
import type { Draft, Message } from '../../wire/messages.ts'
import { diagnosticsToWire } from '../diagnostic-to-wire.ts'
import { readObject, writeObject } from '../dynamic-value.ts'
import { lookUp } from '../look-up.ts'
import { attributeDiagnostic } from './attribute-problem.ts'
import { checkApply } from './check-apply.ts'
import { identityIn } from './identity.ts'
import { nullUnknowns } from './unknown-paths.ts'

type Response = Draft<'ApplyResourceChangeResponse'>

/**
 * Has a change made, and sees to it that what is there afterwards gets into the state whatever happens.
 *
 * | outcome                          | state                              | and Terraform          |
 * |----------------------------------|------------------------------------|------------------------|
 * | as planned                       | what the resource says             |                        |
 * | otherwise than planned           | what the resource says, an error   | taints what is new     |
 * | an error beside a state          | that state                         | taints what is new     |
 * | an error and no state, creating  | none                               | creates it next time   |
 * | an error and no state, otherwise | as before                          | tries again next time  |
 */
export async function applyResource(
  resources: Readonly<Record<string, Resource>>,
  request: Message<'ApplyResourceChangeRequest'>,
  context: CallContext,
): Promise<Response> {
  const { prior_state, planned_private } = request
  try {
    const resource = lookUp(resources, request.type_name, 'resource')
    return await makeChange(resource, request, context)
  } catch (error) {
    const diagnostics = diagnosticsToWire(diagnosticsFrom(error))
    return { new_state: prior_state, private: planned_private, diagnostics }
  }
}

async function makeChange(
  resource: Resource,
  request: Message<'ApplyResourceChangeRequest'>,
  context: CallContext,
): Promise<Response> {
  const { block } = resource.schema
  const planned = readObject(block, request.planned_state)
  const change = {
    prior: readObject(block, request.prior_state),
    planned,
    config: readObject(block, request.config),
    plannedPrivate: request.planned_private,
  }
  const { state, private: kept, diagnostics = [] } = await resource.apply(change, context)
  if (state === null && hasError(diagnostics)) {
    return {
      new_state: request.prior_state,
      private: request.planned_private,
      new_identity: identityIn(resource, change.prior, request.planned_identity),
      diagnostics: diagnosticsToWire(diagnostics),
    }
  }
  const { fitting, misfits } = fitState(block, planned, state)
  const broken =
    hasError(diagnostics) || misfits.length > 0 ? misfits : disagreements(block, planned, fitting)
  return {
    new_state: writeObject(block, fitting && openAsNull(block, fitting)),
    private: fitting === null ? undefined : (kept ?? request.planned_private),
    // That of a new object was planned as unknown, if at all.
    new_identity: identityIn(resource, fitting, change.prior ? request.planned_identity : undefined),
    diagnostics: diagnosticsToWire([...diagnostics, ...broken]),
  }
}

function disagreements(block: Block, planned: ObjectValue | null, state: ObjectValue | null) {
  return checkApply(block, planned, state).map(problem =>
    attributeDiagnostic('the provider left another state than it planned', problem),
  )
}

/** A state that does not fit its schema keeps what does: the object exists, and its id must not be lost. */
function fitState(block: Block, planned: ObjectValue | null, state: ObjectValue | null) {
  if (!state) return { fitting: null, misfits: [] }
  const [, types] = typeOfBlock(block)
  const wrong = Object.keys(state).flatMap(name => {
    const reason = whyUnfit(name, types[name], memberOf(state, name))
    return reason === undefined ? [] : [[name, reason] as const]
  })
  const unfit = new Map(wrong)
  const fitting = mapMembers(types, (_, name) => memberOf(unfit.has(name) ? (planned ?? {}) : state, name))
  const misfits = wrong.map(([name, reason]) =>
    errorDiagnostic('the provider left a state that does not fit its schema', reason, [name]),
  )
  return { fitting, misfits }
}

function whyUnfit(name: string, type: Type | undefined, value: Value): string | undefined {
  if (type === undefined) return `${name}: no such attribute in the schema`
  try {
    encodeValue(['object', { [name]: type }], { [name]: value })
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function openAsNull(block: Block, state: ObjectValue): ObjectValue {
  const [, types] = typeOfBlock(block)
  return mapMembers(types, (type, name) => nullUnknowns(type, memberOf(state, name)))
}
