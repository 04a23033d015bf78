import {
  type AttributePath,
  elementAt,
  isListValue,
  isSameValue,
  type ListValue,
  showPath,
  type Type,
  type Value,
  valueText,
} from '../../hcl/values.ts'
import {
  type Attribute,
  type Attributes,
  type Block,
  type CallContext,
  type Diagnostic,
  errorDiagnostic,
  hasError,
  isComputed,
  isNestedAttribute,
  type Resource,
  typeOfAttribute,
} from '../provider.ts'
import type { Draft, Message } from '../wire/messages.ts'
import { plannedIdentity } from './stored-state.ts'
import {
  asRead,
  diagnosticsToWire,
  isSameWire,
  pathToWire,
  readObject,
  readPresent,
  writeObject,
} from './to-wire.ts'

/** Asks the resource for its plan, and returns it only if Terraform will accept it. */
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
  // For a replacement, Terraform asks a second time, without a prior state and with the data of the object
  // that is destroyed. The destruction receives only what is returned here.
  const kept = request.prior_private
  const change = { prior, proposed, config, priorPrivate: kept }
  const answer = await resource.plan(change, context)
  const diagnostics = answer.diagnostics ?? []
  if (hasError(diagnostics)) return { diagnostics: diagnosticsToWire(diagnostics) }
  // Encoded first: a value that does not fit the schema cannot be compared by it.
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

/** The three values that decide about a plan, or one attribute of each. */
export interface PlannedValues {
  readonly prior: Value
  readonly config: Value
  readonly planned: Value
}

/**
 * Checks a plan as Terraform will. What is planned for an attribute may be
 *
 * | configuration         | planned                                              |
 * |-----------------------|------------------------------------------------------|
 * | sets it               | the same value, or the prior one where there is one  |
 * | leaves it, computed   | anything                                             |
 * | leaves it, otherwise  | null                                                 |
 *
 * The same holds inside nested attributes, which are as many as configured.
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
      const reason = `planned ${planned.length} elements where the configuration has ${config.length}`
      return [{ path, reason }]
    }
    return config.flatMap((_, index) =>
      this.members(attributes, step(values, String(index)), [...path, index]),
    )
  }

  private difference(type: Type, { prior, config, planned }: PlannedValues, path: AttributePath): string {
    const shown = (value: Value) => shownValue(this.root, path, type, value)
    const state = prior === null ? '' : ` and the state ${shown(prior)}`
    if (config === null) return `planned ${shown(planned)} for what is neither configured nor computed`
    return `planned ${shown(planned)} where the configuration says ${shown(config)}${state}`
  }
}

function step({ prior, config, planned }: PlannedValues, name: string): PlannedValues {
  return { prior: elementAt(prior, name), config: elementAt(config, name), planned: elementAt(planned, name) }
}

/** A rule of Terraform's that the provider broke, found here to report it in clear words. */
export interface AttributeProblem {
  readonly path: AttributePath
  readonly reason: string
}

export function attributeDiagnostic(summary: string, { path, reason }: AttributeProblem): Diagnostic {
  const place = path.length === 0 ? '' : `${showPath(path)}: `
  return errorDiagnostic(
    summary,
    `${place}${reason}; this is a bug in the provider, please report it`,
    path.length === 0 ? undefined : path,
  )
}

/** A value in a message: short, and never a sensitive one. */
export function shownValue(block: Block, path: AttributePath, type: Type, value: Value): string {
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
