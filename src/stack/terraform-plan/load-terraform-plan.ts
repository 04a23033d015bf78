import { relative } from 'node:path'
import {
  consequence,
  convert,
  impliedTyped,
  invalid,
  knownJson,
  nothing,
  Unknown,
  unsupported,
} from '../../hcl/index.ts'
import { withoutTemplates } from '../../hcl/literal-template.ts'
import { type Services, servicesOf } from '../../model/connection.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import { hasErrors } from '../../model/problem.ts'
import { isJsonArray, isJsonObject, isSameJson, type Json } from '../../model/text/json.ts'
import { isOurType, parentAttribute, usualLocalName } from '../../schema/terraform/terraform-names.ts'
import {
  type Attributes,
  conditionCode,
  type ResourceSchema,
  resourceSchemas,
} from '../evaluate/attributes.ts'
import type { SettingsPolicies } from '../evaluate/check-declared.ts'
import type { EvaluatedStack } from '../evaluate/evaluate-stack.ts'
import { type ProviderSettings, placeOf, placeText } from '../evaluate/providers.ts'
import type { ResourceInstance } from '../evaluate/resources.ts'
import { toDeclarations } from '../evaluate/to-declarations.ts'
import type { LoadedStack } from '../load-stacks.ts'
import type { StackModule } from '../module-tree.ts'
import { blockMembers } from '../stack-file.ts'
import { StackProblems } from '../stack-problems.ts'
import { formerName, PlannedProviders, parentKeyOf, renamedIn } from './planned-objects.ts'
import {
  exactText,
  howToShow,
  type PlannedResource,
  readTerraformPlan,
  type TerraformPlan,
  typedOf,
} from './read-plan.ts'

export interface TerraformPlanOptions {
  /** The file written by `terraform show -json`, absolute. */
  readonly path: string
  /** The base of the paths in problems. */
  readonly directory: string
  /** The chosen configuration of the provider: `eu`, `vexil.eu`, or `vexil` for the one without an alias. */
  readonly provider?: string
  /** The UUIDs of roles, by name. */
  readonly roles?: Readonly<Record<string, string>>
  /** The services that the stack may be applied to, by the profile in its provider block, if any. */
  readonly servicesFor?: (profile: string | undefined) => Services
  readonly policies?: SettingsPolicies
}

/**
 * The declarations of a Terraform plan: our planned resources. Terraform has evaluated everything. Values
 * that are known only after the apply are refused, with their address.
 */
export async function loadTerraformPlan(options: TerraformPlanOptions): Promise<LoadedStack> {
  const { path, directory, provider, roles = {}, servicesFor = profile => servicesOf([profile]) } = options
  const shown = relative(directory, path)
  const { plan, text, problems: unreadable } = await readTerraformPlan(path, shown)
  const source = { file: shown, line: 1, column: 1 }
  const problems = new StackProblems(() => undefined, source)
  const roleNames = new Map(Object.entries(roles).map(([name, id]) => [id.toLowerCase(), name]))
  const read = plan && new PlanReader(plan, problems)
  const how = { provider, roleNames, servicesFor, ofSettings: options.policies }
  const made = read && toDeclarations(read.module, read, how, problems)
  const all = [...unreadable, ...problems.all]
  const isWhole = made !== undefined && !hasErrors(all)
  return {
    declarations: isWhole ? made.declarations : { desired: [], ownedGrants: [] },
    connection: made?.connection ?? {},
    problems: all,
    file: shown,
    texts: new Map([[shown, text]]),
    annotations: [],
    lookUps: [],
  }
}

class PlanReader implements EvaluatedStack {
  readonly outputs = new Map()
  readonly workedOut = new Map()
  readonly instances: readonly ResourceInstance[]
  readonly module: StackModule
  readonly scope = {
    find(): never {
      throw invalid('a plan contains only values')
    },
  }
  readonly #plan: TerraformPlan
  readonly #problems: StackProblems
  readonly #providers: PlannedProviders

  constructor(plan: TerraformPlan, problems: StackProblems) {
    this.#plan = plan
    this.#problems = problems
    this.#providers = new PlannedProviders(plan, problems)
    const resources = plan.resources.filter(({ type }) => isOurType(type))
    this.instances = resources.flatMap(resource => this.#instanceOf(resource) ?? [])
    const file = {
      localName: usualLocalName,
      blocks: [],
      imports: resources.flatMap(({ address, change: { importing } }) =>
        importing === undefined ? [] : [{ to: address, id: withoutTemplates(importing) }],
      ),
      moved: [],
      removed: [],
    }
    // A plan contains full addresses, so all of it can be treated as the root module.
    this.module = { address: '', path: '.', file, calls: new Map() }
    this.#reportOthers()
  }

  get providers(): readonly ProviderSettings[] {
    return this.#providers.all
  }

  #instanceOf(resource: PlannedResource): ResourceInstance | undefined {
    const schema = resourceSchemas.get(resource.type)
    const { address, type, name, configured } = resource
    const place = { address }
    if (!configured) {
      this.#problems.refuse(
        place,
        '',
        unsupported(
          'the configuration in the plan does not contain it',
          'add its block to the configuration, as generated by -generate-config-out, and plan again',
        ),
      )
      return undefined
    }
    if (!schema) {
      this.#problems.refuse(place, '', invalid(`the provider does not have ${type}`))
      return undefined
    }
    const key =
      typeof configured.provider_config_key === 'string' ? configured.provider_config_key : usualLocalName
    const provider = this.#providers.of(key, address)
    if (!provider) return undefined
    const { kind } = schema
    return this.#problems.attempt(place, '', () => {
      const attributes = this.#attributesOf(resource, schema)
      const owner = attributes[kind.scope === 'project' ? 'project_id' : 'organization_id']
      const own = typeof owner === 'string' && owner !== '' ? owner : undefined
      const where = placeOf(kind, provider, own)
      const kept = this.#keptPlaces(resource, schema, attributes)
      const written = { ...attributes, ...kept.configured }
      const whole = this.#withParent(resource, kind, written, placeText(where))
      const lifecycle = { ignore_changes: kept.places }
      const block = { is: 'resource', address, type, name, body: { lifecycle } } as const
      const renamed = renamedIn(resource.change, kind)
      return { kind, block, address, attributes: whole, provider, place: where, renamed }
    })
  }

  /** The configured attributes. Others are in the plan only because they are already live. */
  #attributesOf(
    { address, values, change, configured = {} }: PlannedResource,
    { attributes }: ResourceSchema,
  ) {
    const given: Record<string, Attributes[string]> = {}
    let isWhole = true
    for (const [name, { type, isSettable }] of attributes) {
      const expression = blockMembers(configured.expressions)[name]
      if (!isSettable || expression === undefined) continue
      const unknown = blockMembers(change.unknown)[name]
      const sensitive = blockMembers(change.sensitiveAfter)[name]
      // The service sets an attribute that is null.
      if (unknown === true && blockMembers(expression).constant_value === null) continue
      const value = this.#problems.attempt({ address }, name, () => {
        // An engine writes null for a missing value.
        if (values[name] === undefined && unknown === undefined)
          throw unsupported('planned_values of the plan does not contain it', howToShow)
        return convert(typedOf(values[name], `${address}.${name}`, { unknown, sensitive }), type)
      })
      if (value === undefined) isWhole = false
      else given[name] = (value ?? nothing).plain
    }
    if (!isWhole) throw consequence()
    return given
  }

  /**
   * The parts of conditions and variants that `ignore_changes` kept; no plan names them. They show if a
   * constant list is configured, and a changed list has other values. Then the constants are declared.
   */
  #keptPlaces(
    { change, configured = {} }: PlannedResource,
    { attributes }: ResourceSchema,
    planned: Attributes,
  ) {
    const kept = ['release', 'variants'].flatMap(name => {
      const { constant_value: constant } = blockMembers(blockMembers(configured.expressions)[name])
      const type = attributes.get(name)?.type
      const isAsBefore =
        exactText(blockMembers(change.before)[name]) === exactText(blockMembers(change.after)[name])
      const isHidden = exactText(blockMembers(change.sensitiveAfter)[name]).includes('true')
      if (!Array.isArray(constant) || type === undefined || isAsBefore || isHidden) return []
      // In a JSON configuration, a list with references is also a constant, with its templates as texts.
      if (/[$%]\{/.test(exactText(constant))) return []
      const { plain: value } = convert(impliedTyped(constant), type) ?? nothing
      const places = differences(knownJson(value), knownJson(planned[name] ?? null), name)
      return places.length > 0 ? [{ name, value, places }] : []
    })
    return {
      configured: Object.fromEntries(kept.map(({ name, value }) => [name, value])),
      places: kept.flatMap(({ places }) => places),
    }
  }

  /** Replaces the flag's id in a planned grant by the flag's key. */
  #withParent(
    resource: PlannedResource,
    kind: DeclarableKind,
    attributes: Attributes,
    place: string,
  ): Attributes {
    const attribute = parentAttribute(kind)
    if (attribute === undefined) return attributes
    const key = parentKeyOf(this.#plan, resource, kind)
    if (key === undefined)
      throw unsupported(
        `${attribute}: the plan does not contain the flag of this object`,
        'refer to one flag by its name, or apply the flags first, so that the plan contains their ids',
      )
    return {
      ...attributes,
      [attribute]: new Unknown(`${resource.address}.${attribute}`, { key: key.trim(), place }),
    }
  }

  /** Failed checks, and planned changes that Vexil does not make. */
  #reportOthers(): void {
    const { failedChecks, resources, changes, missing } = this.#plan
    const warn = (address: string, message: string) =>
      this.#problems.add(
        { address },
        {
          code: 'terraform-plan',
          severity: 'warning',
          message: address === '' ? message : `${address}: ${message}`,
        },
      )
    for (const { address, severity, message } of failedChecks)
      this.#problems.add({ address }, { code: conditionCode, severity, message: `${address}: ${message}` })
    for (const { address, type } of resources)
      if (!isOurType(type)) warn(address, 'it belongs to another provider, so Vexil ignores it')
    const isLeft = 'but Vexil does not change objects that are no longer declared'
    const planned = new Set(resources.map(({ address }) => address))
    for (const change of changes) {
      const { address, type, actions } = change
      if (actions.join() === 'delete') warn(address, `the plan deletes it, ${isLeft}`)
      const kind = resourceSchemas.get(type)?.kind
      const replaced = kind && actions.length > 1 && actions.includes('delete') && formerName(change, kind)
      if (replaced) warn(address, `the plan deletes ${JSON.stringify(replaced)} to replace it, ${isLeft}`)
      // Without values, the object would no longer be declared.
      const stays = actions.some(action => action !== 'delete' && action !== 'forget')
      if (stays && isOurType(type) && !planned.has(address))
        this.#problems.refuse(
          { address },
          '',
          unsupported('planned_values of the plan does not contain it', howToShow),
        )
    }
    if (missing !== undefined)
      warn(
        '',
        `the plan ${missing}, as with -target, -exclude or -refresh-only; Vexil does not change the missing objects`,
      )
  }
}

/** The places at which two values differ, in the form of `ignore_changes`. */
function differences(one: Json, other: Json, place: string): readonly string[] {
  if (isJsonArray(one) && isJsonArray(other) && one.length === other.length)
    return one.flatMap((element, index) => differences(element, other[index] ?? null, `${place}[${index}]`))
  if (isJsonObject(one) && isJsonObject(other))
    return Object.keys(one).flatMap(name =>
      differences(one[name] ?? null, other[name] ?? null, `${place}.${name}`),
    )
  return isSameJson(one, other) ? [] : [place]
}
