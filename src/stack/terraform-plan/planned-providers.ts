import { convert, type ExactJson, unsupported } from '../../hcl/index.ts'
import { isOurSource, usualLocalName } from '../../schema/terraform/terraform-names.ts'
import { type Attributes, providerSchema } from '../evaluate/attributes.ts'
import { noSettings, type ProviderSettings, providerSettings } from '../evaluate/providers.ts'
import type { StackProblems } from '../evaluate/stack-problems.ts'
import { type Body, blockMembers } from '../read/stack-file.ts'
import { referencesIn, type TerraformPlan, textOf, typedOf } from './read-plan.ts'

/**
 * The configurations of our provider in a plan, by the keys in its resources. Terraform writes a key for each
 * module whose name for the provider differs from its caller's. It writes no expressions if the module uses
 * the caller's configuration; an empty block looks the same.
 */
export class PlannedProviders {
  /** Those with settings; if there are none, one without. */
  readonly all: readonly ProviderSettings[]
  readonly #plan: TerraformPlan
  readonly #problems: StackProblems
  readonly #settings: ReadonlyMap<string, ProviderSettings | undefined>

  constructor(plan: TerraformPlan, problems: StackProblems) {
    this.#plan = plan
    this.#problems = problems
    const configured = [...ourProvidersIn(plan)].filter(([, each]) => each.expressions !== undefined)
    this.#settings = new Map(configured.map(([key, body]) => [key, this.#settingsOf(key, body)]))
    const known = [...this.#settings.values()].filter(each => each !== undefined)
    this.all = known.length > 0 ? known : [noSettings(usualLocalName)]
  }

  /** The configuration that something uses; undefined if it could not be read, which is reported. */
  of(key: string, address: string): ProviderSettings | undefined {
    if (this.#settings.has(key)) return this.#settings.get(key)
    return this.#problems.attempt({ address }, 'provider', () => this.#silent(key))
  }

  /** A configuration without expressions in the plan. */
  #silent(key: string): ProviderSettings | undefined {
    const [name = '', module] = [
      key.slice(key.lastIndexOf(':') + 1),
      key.slice(0, Math.max(0, key.lastIndexOf(':'))),
    ]
    const above = [...ourProvidersIn(this.#plan)].filter(
      ([each, { alias, module_address: place = '' }]) =>
        alias === undefined &&
        this.#settings.has(each) &&
        (place === '' || place === module || module.startsWith(`${place}.`)),
    )
    const [first] = above
    if (!first) {
      if (name.includes('.') && this.#settings.size > 0)
        throw unsupported(
          `the plan has no configuration ${name} of the provider`,
          'plan the configuration again',
        )
      return noSettings(name)
    }
    // The stack has one name for the provider, so it has no block of its own under this other name.
    if (module === '' && above.length === 1) return this.#settings.get(first[0])
    const [given = ''] = above.map(([, each]) => each.name)
    throw unsupported(
      `the plan does not say which configuration of the provider ${module} takes`,
      `pass it one where it is called, providers = { ${name} = ${String(given)} }, and leave an empty provider block out`,
    )
  }

  #settingsOf(key: string, { name, alias, expressions }: Body): ProviderSettings | undefined {
    const place = { address: `provider.${key}` }
    const values: Record<string, Attributes[string]> = {}
    for (const [attribute, expression] of Object.entries(blockMembers(expressions))) {
      const type = providerSchema.get(attribute)?.type
      if (type === undefined) continue
      const value = this.#problems.attempt(
        place,
        attribute,
        () => convert(this.#constant(expression), type).plain,
      )
      if (value === undefined) return undefined
      values[attribute] = value
    }
    const names = { localName: textOf(name) || usualLocalName, alias: textOf(alias) }
    return this.#problems.attempt(place, '', () => providerSettings(names, values))
  }

  /** A plan has no values for a provider's configuration, so only constants and variables can be read. */
  #constant(expression: ExactJson) {
    const { constant_value: constant } = blockMembers(expression)
    if (constant !== undefined) return typedOf(constant, 'it')
    const references = referencesIn(expression)
    const [, name = ''] = /^var\.([^.[]+)$/.exec(references.join(' ')) ?? []
    const variable = this.#plan.variables[name]
    if (variable === undefined)
      throw unsupported(
        `the plan does not say what ${references.join(', ') || 'it'} comes to`,
        'give the provider a constant or a variable there',
      )
    return typedOf(variable, `var.${name}`)
  }
}

/** The configurations of our provider under any local name. A copy from another source needs our name. */
export function ourProvidersIn({ providers }: TerraformPlan): ReadonlyMap<string, Body> {
  return new Map(
    [...providers].filter(
      ([, { name, full_name: source }]) => isOurSource(source) || name === usualLocalName,
    ),
  )
}
