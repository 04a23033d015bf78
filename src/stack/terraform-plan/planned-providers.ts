import type { Change, Plan } from '../../core/change.ts'
import { ownersInTags } from '../../core/ownership.ts'
import { convert, type ExactJson, unsupported } from '../../hcl/index.ts'
import { isOurSource, isOurType, usualLocalName } from '../../schema/terraform/terraform-names.ts'
import { type Attributes, providerSchema } from '../evaluate/attributes.ts'
import { noSettings, type ProviderSettings, providerSettings } from '../evaluate/providers.ts'
import type { StackProblems } from '../evaluate/stack-problems.ts'
import { type Body, blockMembers } from '../read/stack-file.ts'
import { referencesIn } from './plan-references.ts'
import { typedOf } from './plan-values.ts'
import { textOf } from './planned-change.ts'
import { readPlanned } from './planned-objects.ts'
import type { TerraformPlan } from './read-plan.ts'

/**
 * The configurations of our provider in a plan, by the keys that its resources name them by. Terraform writes one key
 * for each module that calls the provider otherwise than its caller, and gives it no expressions where the module takes
 * the configuration of that; an empty block looks the same.
 */
export class PlannedProviders {
  /** Those that say something; one that says nothing where there is none. */
  readonly all: readonly ProviderSettings[]
  readonly #plan: TerraformPlan
  readonly #problems: StackProblems
  readonly #settings: ReadonlyMap<string, ProviderSettings | undefined>

  constructor(plan: TerraformPlan, problems: StackProblems) {
    this.#plan = plan
    this.#problems = problems
    const saying = [...ourProvidersIn(plan)].filter(([, each]) => each.expressions !== undefined)
    this.#settings = new Map(saying.map(([key, body]) => [key, this.#settingsOf(key, body)]))
    const known = [...this.#settings.values()].filter(each => each !== undefined)
    this.all = known.length > 0 ? known : [noSettings(usualLocalName)]
  }

  /** The configuration that something takes; undefined where it could not be read, which is told. */
  of(key: string, address: string): ProviderSettings | undefined {
    if (this.#settings.has(key)) return this.#settings.get(key)
    return this.#problems.attempt({ address }, 'provider', () => this.#silent(key))
  }

  /** One that the plan gives no expressions. */
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
    // The stack has one name for the provider, so that no block of its own stands for it under this one.
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

  /** A plan has no values of what a provider is configured with, so only constants and variables are told. */
  #constant(expression: ExactJson) {
    const { constant_value: constant } = blockMembers(expression)
    if (constant !== undefined)
      return typedOf({ value: constant, unknown: undefined, sensitive: undefined }, 'it')
    const references = referencesIn(expression)
    const [, name = ''] = /^var\.([^.[]+)$/.exec(references.join(' ')) ?? []
    const variable = this.#plan.variables[name]
    if (variable === undefined)
      throw unsupported(
        `the plan does not say what ${references.join(', ') || 'it'} comes to`,
        'give the provider a constant or a variable there',
      )
    return typedOf({ value: variable, unknown: undefined, sensitive: undefined }, `var.${name}`)
  }
}

/** Those of our provider, whatever its configuration calls it. A copy of it from another source is told by its name. */
export function ourProvidersIn({ providers }: TerraformPlan): ReadonlyMap<string, Body> {
  return new Map(
    [...providers].filter(
      ([, { name, full_name: source }]) => isOurSource(source) || name === usualLocalName,
    ),
  )
}

/**
 * Who answers for what a plan tells, by address: whom the tags of a resource name, such as `owner:payments`. A grant is
 * its flag's. What has no owner is left out.
 */
export function ownersIn(
  plan: TerraformPlan,
  { changes, drift }: Pick<Plan, 'drift'> & { readonly changes: readonly Change[] },
): Plan['owners'] {
  const parents = new Map(changes.map(({ address, parent }) => [address, parent?.$ref]))
  const known = ownersByAddress(plan)
  const told = [...new Set([...changes, ...drift].map(({ address }) => address))].sort()
  const owned = told.flatMap((address): [string, readonly string[]][] => {
    const owners = known.get(parents.get(address) ?? address) ?? []
    return owners.length === 0 ? [] : [[address, owners]]
  })
  return owned.length === 0 ? undefined : Object.fromEntries(owned)
}

function ownersByAddress(plan: TerraformPlan): ReadonlyMap<string, readonly string[]> {
  const owners = new Map<string, readonly string[]>()
  for (const planned of [...plan.drifted, ...plan.changes]) {
    const read = isOurType(planned.type) ? readPlanned(planned, plan) : undefined
    for (const values of [read?.before, read?.after])
      if (read && values?.names) owners.set(values.names.address, ownersInTags(read.kind, values.fields))
  }
  return owners
}
