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
  showPath,
  type Type,
  Unknown,
  type Value,
  valueText,
} from '../../hcl/values.ts'
import { messageOf } from '../../model/text/message-of.ts'
import {
  type Attribute,
  type Attributes,
  type Block,
  type CallContext,
  type Diagnostic,
  diagnosticsFrom,
  errorDiagnostic,
  hasError,
  isComputed,
  isNestedAttribute,
  type Resource,
  typeOfAttribute,
  typeOfBlock,
} from '../provider.ts'
import type { Draft, Message } from './messages.ts'
import {
  asRead,
  diagnosticsToWire,
  identityIn,
  isSameWire,
  lookUp,
  nullUnknowns,
  pathToWire,
  plannedIdentity,
  readObject,
  readPresent,
  unknownPaths,
  writeObject,
} from './to-wire.ts'

/** Asks the resource for its plan, and returns the plan only if Terraform will accept it. */
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
    const notes = prior ? await resource.planRemoval?.({ state: prior, private: prior_private }, context) : []
    return {
      planned_state,
      planned_private: prior_private,
      planned_identity: prior_identity,
      diagnostics: diagnosticsToWire(notes),
    }
  }
  const config = readPresent(block, request.config)
  // For a replacement, Terraform asks a second time, without a prior state and with the data of the destroyed
  // object. The destruction receives only the data returned here.
  const kept = request.prior_private
  const change = { prior, proposed, config, priorPrivate: kept }
  const answer = await resource.plan(change, context)
  const diagnostics = answer.diagnostics ?? []
  if (hasError(diagnostics)) return { diagnostics: diagnosticsToWire(diagnostics) }
  // Encoded first, because a value that does not fit the schema cannot be compared.
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

/** The three values for checking a plan, or the three values of one attribute. */
export interface PlannedValues {
  readonly prior: Value
  readonly config: Value
  readonly planned: Value
}

/**
 * Checks a plan with Terraform's rules. The planned value of an attribute may be
 *
 * | configuration         | planned                                              |
 * |-----------------------|------------------------------------------------------|
 * | sets it               | the same value, or the prior one where there is one  |
 * | leaves it, computed   | anything                                             |
 * | leaves it, otherwise  | null                                                 |
 *
 * The same holds inside nested attributes, whose number must equal the configured number.
 */
export function checkPlan(block: Block, values: PlannedValues): readonly AttributeProblem[] {
  return new PlanCheck(block).members(block.attributes, values, [])
}

class PlanCheck {
  private readonly root: Block

  constructor(root: Block) {
    this.root = root
  }

  members(attributes: Attributes, values: PlannedValues, path: AttributePath): readonly AttributeProblem[] {
    return Object.entries(attributes).flatMap(([name, attribute]) =>
      this.attribute(attribute, step(values, name), [...path, name]),
    )
  }

  private attribute(
    attribute: Attribute,
    values: PlannedValues,
    path: AttributePath,
  ): readonly AttributeProblem[] {
    const { prior, config, planned } = values
    const type = typeOfAttribute(attribute)
    if (isSameValue(type, planned, config)) return []
    if (config === null && isComputed(attribute)) return []
    if (config !== null && prior !== null && isSameValue(type, planned, prior)) return []
    if (isNestedAttribute(attribute) && isListValue(config) && isListValue(planned)) {
      return this.elements(attribute.attributes, { ...values, config, planned }, path)
    }
    return [{ path, reason: this.difference(type, values, path) }]
  }

  private elements(
    attributes: Attributes,
    values: PlannedValues & { readonly config: ListValue; readonly planned: ListValue },
    path: AttributePath,
  ): readonly AttributeProblem[] {
    const { config, planned } = values
    if (config.length !== planned.length) {
      const reason = `planned ${planned.length} elements, but the configuration has ${config.length}`
      return [{ path, reason }]
    }
    return config.flatMap((_, index) =>
      this.members(attributes, step(values, String(index)), [...path, index]),
    )
  }

  private difference(type: Type, { prior, config, planned }: PlannedValues, path: AttributePath): string {
    const shown = (value: Value) => shownValue(this.root, path, type, value)
    const state = prior === null ? '' : ` and the state ${shown(prior)}`
    if (config === null)
      return `planned ${shown(planned)} for an attribute that is neither configured nor computed`
    return `planned ${shown(planned)}, but the configuration has ${shown(config)}${state}`
  }
}

function step({ prior, config, planned }: PlannedValues, name: string): PlannedValues {
  return { prior: elementAt(prior, name), config: elementAt(config, name), planned: elementAt(planned, name) }
}

/** A rule of Terraform that the provider broke. It is found here, so that the message is clear. */
export interface AttributeProblem {
  readonly path: AttributePath
  readonly reason: string
}

function attributeDiagnostic(summary: string, { path, reason }: AttributeProblem): Diagnostic {
  const place = path.length === 0 ? '' : `${showPath(path)}: `
  return errorDiagnostic(
    summary,
    `${place}${reason}; this is a bug in the provider, please report it`,
    path.length === 0 ? undefined : path,
  )
}

/** A value in a message: shortened, and hidden if sensitive. */
function shownValue(block: Block, path: AttributePath, type: Type, value: Value): string {
  if (isSensitive(block, path)) return 'a sensitive value'
  const text = valueText(type, value)
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text
}

const longestText = 120

function isSensitive({ attributes }: { readonly attributes: Attributes }, path: AttributePath): boolean {
  const [name, ...rest] = path.filter(step => typeof step === 'string')
  const attribute = name === undefined ? undefined : attributes[name]
  if (attribute === undefined) return false
  return attribute.sensitive === true || (isNestedAttribute(attribute) && isSensitive(attribute, rest))
}

type Response = Draft<'ApplyResourceChangeResponse'>

/**
 * Applies a change and records the live result in the state, also after an error.
 *
 * | outcome                                 | state                             | and Terraform         |
 * |-----------------------------------------|-----------------------------------|-----------------------|
 * | as planned                              | as the resource returns it        |                       |
 * | not as planned                          | as the resource returns it, error | taints a new object   |
 * | error with a state                      | that state                        | taints a new object   |
 * | error without a state, create           | none                              | creates it next time  |
 * | error without a state, update or delete | as before                         | tries again next time |
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
    // The plan of a new object had no identity, or an unknown one.
    new_identity: identityIn(resource, fitting, change.prior ? request.planned_identity : undefined),
    diagnostics: diagnosticsToWire([...diagnostics, ...broken]),
  }
}

function disagreements(block: Block, planned: ObjectValue | null, state: ObjectValue | null) {
  return checkApply(block, planned, state).map(problem =>
    attributeDiagnostic('the provider returned another state than it planned', problem),
  )
}

/** Keeps the parts of a state that fit the schema, because the object exists and its id must not be lost. */
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
    errorDiagnostic('the provider returned a state that does not fit its schema', reason, [name]),
  )
  return { fitting, misfits }
}

function whyUnfit(name: string, type: Type | undefined, value: Value): string | undefined {
  if (type === undefined) return `${name}: the schema has no such attribute`
  try {
    encodeValue(['object', { [name]: type }], { [name]: value })
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

function openAsNull(block: Block, state: ObjectValue): ObjectValue {
  const [, types] = typeOfBlock(block)
  return mapMembers(types, (type, name) => nullUnknowns(type, memberOf(state, name)))
}

/** By Terraform's rules: known values are as planned, none is unknown, and a removal returns nothing. */
export function checkApply(
  block: Block,
  planned: ObjectValue | null,
  state: ObjectValue | null,
): readonly AttributeProblem[] {
  if (planned === null) return state === null ? [] : [{ path: [], reason: 'still exists after the removal' }]
  if (state === null) return [{ path: [], reason: 'does not exist after the write' }]
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
  // Unknown values already have their own problem.
  if (planned instanceof Unknown || actual instanceof Unknown) return []
  const shown = (value: Value) => shownValue(root, path, type, value)
  // Usually nothing differs, and formatting a value visits all of it.
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

/** Whether the set contains each known planned element. Unknown elements may have any value. */
function isSetWithin(of: Type, planned: ListValue, actual: ListValue): boolean {
  const there = new Set(actual.map(element => valueText(of, element)))
  const [open, known] = [
    planned.filter(element => unknownPaths(of, element, []).length > 0),
    planned.filter(element => unknownPaths(of, element, []).length === 0),
  ]
  const wanted = new Set(known.map(element => valueText(of, element)))
  return there.size <= wanted.size + open.length && [...wanted].every(text => there.has(text))
}
