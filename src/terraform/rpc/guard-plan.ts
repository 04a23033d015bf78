import { typeOfAttribute, typeOfNestedBlock } from '../schema/implied-type.ts'
import {
  type Attribute,
  type Block,
  isComputed,
  isNestedAttribute,
  type NestedBlock,
} from '../schema/schema.ts'
import type { AttributePath } from '../values/attribute-path.ts'
import { isSameValue } from '../values/compare.ts'
import type { Type } from '../values/type.ts'
import { Unknown } from '../values/unknown.ts'
import { isListValue, isObjectValue, type Value } from '../values/value.ts'
import { elementAt, hasSameKeys, keysOf } from '../values/walk-type.ts'
import { shownValue, type Violation } from './violation.ts'

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
 * and the same holds inside nested attributes and blocks, whose number is that of the configuration. Elements of sets
 * have no identity to be compared by.
 */
export function checkPlan(block: Block, values: PlannedValues): readonly Violation[] {
  return new PlanCheck(block).members(block, values, [])
}

class PlanCheck {
  private readonly root: Block

  constructor(root: Block) {
    this.root = root
  }

  members(block: Block, values: PlannedValues, path: AttributePath): readonly Violation[] {
    return [
      ...Object.entries(block.attributes).flatMap(([name, attribute]) =>
        this.attribute(attribute, step(values, name), [...path, name]),
      ),
      ...Object.entries(block.blocks ?? {}).flatMap(([name, nested]) =>
        this.block(nested, step(values, name), [...path, name]),
      ),
    ]
  }

  private attribute(attribute: Attribute, values: PlannedValues, path: AttributePath): readonly Violation[] {
    const { prior, config, planned } = values
    const type = typeOfAttribute(attribute)
    if (attribute.writeOnly || isSameValue(type, planned, config)) return []
    if (config === null && isComputed(attribute)) return []
    if (config !== null && prior !== null && isSameValue(type, planned, prior)) return []
    if (isNestedAttribute(attribute) && isOpenable(config) && isOpenable(planned)) {
      return this.elements(attribute.nesting, attribute, values, path)
    }
    return [{ path, reason: this.difference(type, values, path) }]
  }

  private block(
    { nesting, block }: NestedBlock,
    values: PlannedValues,
    path: AttributePath,
  ): readonly Violation[] {
    const { config, planned } = values
    const type = typeOfNestedBlock({ nesting, block })
    if (config instanceof Unknown || isSameValue(type, planned, config)) return []
    if (isOpenable(config) && isOpenable(planned)) return this.elements(nesting, block, values, path)
    return [{ path, reason: this.difference(type, values, path) }]
  }

  private elements(
    nesting: NestedBlock['nesting'],
    block: Block,
    values: PlannedValues,
    path: AttributePath,
  ): readonly Violation[] {
    const { config, planned } = values
    if (nesting === 'single' || nesting === 'group') return this.members(block, values, path)
    const [wanted, got] = [keysOf(config), keysOf(planned)]
    if (wanted.length !== got.length) {
      return [{ path, reason: `planned ${got.length} elements where the configuration has ${wanted.length}` }]
    }
    if (nesting === 'map' && !hasSameKeys(config, planned)) {
      return [{ path, reason: 'planned elements under other keys than the configuration' }]
    }
    if (nesting === 'set') return []
    return wanted.flatMap(key =>
      this.members(block, step(values, key), [...path, nesting === 'map' ? { key } : Number(key)]),
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

/** Whether there is something inside to compare. */
function isOpenable(value: Value): boolean {
  return isListValue(value) || isObjectValue(value)
}
