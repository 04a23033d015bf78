import { knownJson } from '../../cty/encoding/json-value.ts'
import { Refusal } from '../../cty/invalid-value.ts'
import { findSensitive, findUnknown } from '../../cty/marks.ts'
import { object, type Typed, unknownOf } from '../../cty/typed.ts'
import { Unknown } from '../../cty/unknown.ts'
import type { Value } from '../../cty/value.ts'
import type { Json } from '../../model/json/json.ts'
import { type Instance, instancesOf, together } from '../evaluate/instances.ts'
import { metaArguments } from '../evaluate/meta-arguments.ts'
import type { ModuleInstance } from '../evaluate/module-instance.ts'
import type { ResourceOptions, Resources } from '../evaluate/resource-evaluation.ts'
import { subjectOf } from '../evaluate/stack-problems.ts'
import { evaluate } from '../language/evaluate-expression.ts'
import { Expressions } from '../language/expression-of.ts'
import type { Block } from '../read/stack-file.ts'
import { nameOf } from './official-provider.ts'
import type { StateResource } from './read-state.ts'

/** Why a value is not known that refers to one which was refused, and told. */
export const notWorkedOut = 'what it refers to could not be worked out'

/**
 * Works out what a configuration says of resources of any provider, without their schemas. What only Terraform knows is
 * left out of them, with the place that it comes from.
 */
export class ConfiguredResources implements Resources {
  readonly found: StateResource[] = []
  readonly #options: ResourceOptions
  readonly #expressions = new Expressions()

  constructor(options: ResourceOptions) {
    this.#options = options
  }

  resource(block: Block, module: ModuleInstance): Typed | undefined {
    const { problems, means } = this.#options
    const place = subjectOf(module.addressOf(block), block)
    const field = block.body.count === undefined ? 'for_each' : 'count'
    const { scope } = means(module)
    const instances = problems.attempt(place, field, () => instancesOf(block, scope, this.#expressions))
    if (!instances) return undefined
    return together(
      block,
      instances,
      instances.map(instance => this.#instance(block, module, instance)),
    )
  }

  /** Only Terraform asks for it. */
  data(block: Block, module: ModuleInstance): Typed {
    return unknownOf('dynamic', module.addressOf(block))
  }

  #instance(block: Block, module: ModuleInstance, { suffix, local }: Instance): Typed {
    const { type, name, body } = block
    const address = `${module.addressOf(block)}${suffix}`
    const { scope } = this.#options.means(module, local)
    const attributes: Record<string, Json> = {}
    const names: Record<string, string> = {}
    const unknown: Record<string, string> = {}
    const members: (readonly [string, Typed])[] = []
    for (const [attribute, written] of Object.entries(body)) {
      if (metaArguments.has(attribute)) continue
      const value = this.#valueOf(() => evaluate(this.#expressions.of(written), scope))
      members.push([
        attribute,
        value.is === 'refused' ? unknownOf('dynamic', `${address}.${attribute}`) : value.typed,
      ])
      const { plain } = value.is === 'refused' ? { plain: null } : value.typed
      const why = value.is === 'refused' ? value.reason : whyHidden(plain)
      if (plain instanceof Unknown && plain.flag) names[attribute] = plain.flag.key
      else if (why !== undefined) unknown[attribute] = why
      else attributes[attribute] = knownJson(plain)
    }
    this.found.push({ address, type, name, attributes, configured: { names, unknown } })
    const own = nameOf(type, attributes)
    const reference = own === undefined ? undefined : { key: own, place: type }
    return object([...members, ['id', unknownOf('string', `${address}.id`, reference)]])
  }

  #valueOf(
    work: () => Typed,
  ):
    | { readonly is: 'worked_out'; readonly typed: Typed }
    | { readonly is: 'refused'; readonly reason: string } {
    try {
      return { is: 'worked_out', typed: work() }
    } catch (error) {
      if (error instanceof Refusal)
        return { is: 'refused', reason: error.is === 'consequence' ? notWorkedOut : error.message }
      throw error
    }
  }
}

function whyHidden(plain: Value): string | undefined {
  const sensitive = findSensitive(plain)
  if (sensitive) return `it comes from ${sensitive.origin}, which is sensitive`
  const unknown = findUnknown(plain)
  return unknown && `it comes from ${unknown.origin}, which only Terraform knows`
}
