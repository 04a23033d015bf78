import { encodeValue } from '../../hcl/msgpack.ts'
import {
  type AttributePath,
  elementAt,
  hasSameKeys,
  isListValue,
  isSameValue,
  keysOf,
  type ListValue,
  mapMembers,
  memberOf,
  type ObjectValue,
  type Type,
  Unknown,
  type Value,
  valueText,
} from '../../hcl/values.ts'
import {
  type Block,
  type CallContext,
  diagnosticsFrom,
  errorDiagnostic,
  hasError,
  type Resource,
  typeOfBlock,
} from '../provider.ts'
import type { Draft, Message } from '../wire/messages.ts'
import { type AttributeProblem, attributeDiagnostic, shownValue } from './plan-resource.ts'
import { identityIn } from './stored-state.ts'
import { diagnosticsToWire, lookUp, nullUnknowns, readObject, unknownPaths, writeObject } from './to-wire.ts'

type Response = Draft<'ApplyResourceChangeResponse'>

/**
 * Applies a change, and puts what is live afterwards into the state whatever happens.
 *
 * | outcome                          | state                              | and Terraform          |
 * |----------------------------------|------------------------------------|------------------------|
 * | as planned                       | as the resource returns it         |                        |
 * | otherwise than planned           | as the resource returns it, error  | taints what is new     |
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
    // The plan of a new object had an unknown identity, or none.
    new_identity: identityIn(resource, fitting, change.prior ? request.planned_identity : undefined),
    diagnostics: diagnosticsToWire([...diagnostics, ...broken]),
  }
}

function disagreements(block: Block, planned: ObjectValue | null, state: ObjectValue | null) {
  return checkApply(block, planned, state).map(problem =>
    attributeDiagnostic('the provider left another state than it planned', problem),
  )
}

/** Keeps the parts of a state that fit the schema: the object exists, and its id must not be lost. */
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

/**
 * Checks the result of an apply as Terraform will: known values are as planned, nothing is unknown any more,
 * and a removal leaves nothing.
 */
export function checkApply(
  block: Block,
  planned: ObjectValue | null,
  state: ObjectValue | null,
): readonly AttributeProblem[] {
  if (planned === null)
    return state === null ? [] : [{ path: [], reason: 'still there after it was removed' }]
  if (state === null) return [{ path: [], reason: 'not there after it was written' }]
  const type = typeOfBlock(block)
  const open = unknownPaths(type, state, []).map(path => ({ path, reason: 'unknown after the apply' }))
  return [...open, ...contradictions(type, planned, state, [], block)]
}

function contradictions(
  type: Type,
  planned: Value,
  actual: Value,
  path: AttributePath,
  root: Block,
): readonly AttributeProblem[] {
  // Unknown values are reported already.
  if (planned instanceof Unknown || actual instanceof Unknown) return []
  const shown = (value: Value) => shownValue(root, path, type, value)
  // Usually nothing differs, and formatting a value walks through all of it.
  const differs = () => [{ path, reason: `planned ${shown(planned)}, but now ${shown(actual)}` }]
  if (planned === null || actual === null || typeof type === 'string')
    return isSameValue(type, planned, actual) ? [] : differs()
  const each = (of: Type, key: string, at: AttributePath) =>
    contradictions(of, elementAt(planned, key), elementAt(actual, key), at, root)
  switch (type[0]) {
    case 'object':
      return Object.entries(type[1]).flatMap(([name, of]) => each(of, name, [...path, name]))
    case 'tuple':
      return type[1].flatMap((of, index) => each(of, String(index), [...path, index]))
    case 'map':
      if (!hasSameKeys(planned, actual)) return differs()
      return keysOf(planned).flatMap(key => each(type[1], key, [...path, { key }]))
    case 'list':
      if (!hasSameKeys(planned, actual)) return differs()
      return keysOf(planned).flatMap(key => each(type[1], key, [...path, Number(key)]))
    case 'set':
      return isListValue(planned) && isListValue(actual) && isSetWithin(type[1], planned, actual)
        ? []
        : differs()
    default:
      return type satisfies never
  }
}

/** Each known planned element has to be there; the others may have any value. */
function isSetWithin(of: Type, planned: ListValue, actual: ListValue): boolean {
  const there = new Set(actual.map(element => valueText(of, element)))
  const [open, known] = [
    planned.filter(element => unknownPaths(of, element, []).length > 0),
    planned.filter(element => unknownPaths(of, element, []).length === 0),
  ]
  const wanted = new Set(known.map(element => valueText(of, element)))
  return there.size <= wanted.size + open.length && [...wanted].every(text => there.has(text))
}
