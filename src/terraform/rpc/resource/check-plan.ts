import {
  type AttributePath,
  elementAt,
  isListValue,
  isSameValue,
  type ListValue,
  type Type,
  type Value,
} from '../../../hcl/values.ts'

import {
  type Attribute,
  type Attributes,
  type Block,
  isComputed,
  isNestedAttribute,
  typeOfAttribute,
} from '../../schema/schema.ts'
import { type AttributeProblem, shownValue } from './attribute-problem.ts'

/** The three values that a plan is judged by, or one attribute of each. */
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
 * and the same holds inside nested attributes, whose number is that of the configuration.
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
