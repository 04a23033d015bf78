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
import { declarableKind } from '../../kinds/index.ts'
import { type Services, servicesOf } from '../../model/connection.ts'
import { isJsonArray, isJsonObject, isSameJson, type Json } from '../../model/json/json.ts'
import { identityField } from '../../model/kind.ts'
import { hasErrors } from '../../model/problem.ts'
import {
  isOurType,
  parentAttribute,
  typeName,
  usualLocalName,
} from '../../schema/terraform/terraform-names.ts'
import type { SettingsPolicies } from '../declare/check-policies.ts'
import { toDeclarations } from '../declare/to-declarations.ts'
import {
  type Attributes,
  conditionCode,
  type ResourceSchema,
  resourceSchemas,
} from '../evaluate/attributes.ts'
import type { EvaluatedStack } from '../evaluate/evaluate-stack.ts'
import { type ProviderSettings, placeOf, placeText } from '../evaluate/providers.ts'
import type { ResourceInstance } from '../evaluate/resources.ts'
import { StackProblems } from '../evaluate/stack-problems.ts'
import type { LoadedStack } from '../load-stack.ts'
import type { StackModule } from '../read/module-tree.ts'
import { blockMembers } from '../read/stack-file.ts'
import { howToShow } from './not-a-plan.ts'
import { flagKeyOf } from './plan-references.ts'
import { typedOf } from './plan-values.ts'
import type { PlannedChange } from './planned-change.ts'
import { exactText } from './planned-objects.ts'
import { PlannedProviders } from './planned-providers.ts'
import { missingIn, type PlannedResource, readTerraformPlan, type TerraformPlan } from './read-plan.ts'
import { formerName, renamedIn } from './renamed-in-plan.ts'

export interface TerraformPlanOptions {
  /** The file written by `terraform show -json`, absolute. */
  readonly path: string
  /** The base of the paths in problems. */
  readonly directory: string
  /** The chosen configuration of the provider: `eu`, `vexil.eu`, or `vexil` for the one without an alias. */
  readonly provider?: string
  /** The UUIDs of roles, by name. */
  readonly roles?: Readonly<Record<string, string>>
  /** The services that it may be applied to, by the profile in its provider block, if any. */
  readonly servicesFor?: (profile: string | undefined) => Services
  /** The policies of the settings; none if left out. */
  readonly policies?: SettingsPolicies
}

/**
 * The declarations of a Terraform plan: our resources as they are planned. Terraform has
 * evaluated everything. Values that are known only after the apply are refused with their address.
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
      throw invalid('a plan has values alone')
    },
  }
  readonly #plan: TerraformPlan
  readonly #problems: StackProblems
  readonly #providers: PlannedProviders
  readonly #changes: ReadonlyMap<string, PlannedChange>

  constructor(plan: TerraformPlan, problems: StackProblems) {
    this.#plan = plan
    this.#problems = problems
    this.#providers = new PlannedProviders(plan, problems)
    this.#changes = new Map(plan.changes.map(change => [change.address, change]))
    const resources = plan.resources.filter(({ type }) => isOurType(type))
    this.instances = resources.flatMap(resource => this.#instanceOf(resource) ?? [])
    const file = {
      localName: usualLocalName,
      blocks: [],
      imports: resources.flatMap(({ address, importing }) =>
        importing === undefined ? [] : [{ to: address, id: withoutTemplates(importing) }],
      ),
      moved: [],
      removed: [],
    }
    // A plan names everything by its full address, so all of it can be treated as the root module.
    this.module = { address: '', path: '.', file, calls: new Map() }
    this.#tellOthers()
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
          'the configuration in the plan lacks it',
          'write its block into the configuration, as -generate-config-out proposes it, and plan again',
        ),
      )
      return undefined
    }
    if (!schema) {
      this.#problems.refuse(place, '', invalid(`the provider has no ${type}`))
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
      const whole = this.#withParent(
        resource,
        schema,
        { ...attributes, ...kept.configured },
        placeText(where),
      )
      const lifecycle = { ignore_changes: kept.places }
      const block = { is: 'resource', address, type, name, body: { lifecycle } } as const
      const change = this.#changes.get(address)
      const renamed = change && renamedIn(change, kind)
      return { kind, block, address, attributes: whole, provider, place: where, renamed }
    })
  }

  /** The configured attributes; all others are planned only because they are live already. */
  #attributesOf(
    { address, values, unknown, sensitive, configured = {} }: PlannedResource,
    { attributes }: ResourceSchema,
  ) {
    const given: Record<string, Attributes[string]> = {}
    let isWhole = true
    for (const [name, { type, isSettable }] of attributes) {
      const expression = blockMembers(configured.expressions)[name]
      if (!isSettable || expression === undefined) continue
      const planned = {
        value: blockMembers(values)[name],
        unknown: blockMembers(unknown)[name],
        sensitive: blockMembers(sensitive)[name],
      }
      // An attribute set to null is left to the service, which fills it in.
      if (planned.unknown === true && blockMembers(expression).constant_value === null) continue
      const value = this.#problems.attempt({ address }, name, () => {
        // An engine writes null if there is no value.
        if (planned.value === undefined && planned.unknown === undefined)
          throw unsupported('planned_values of the plan lacks it', howToShow)
        return convert(typedOf(planned, `${address}.${name}`), type)
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
    { address, sensitive, configured = {} }: PlannedResource,
    { attributes }: ResourceSchema,
    planned: Attributes,
  ) {
    const change = this.#changes.get(address)
    const kept = ['release', 'variants'].flatMap(name => {
      const { constant_value: constant } = blockMembers(blockMembers(configured.expressions)[name])
      const type = attributes.get(name)?.type
      const isAsBefore =
        exactText(blockMembers(change?.before)[name]) === exactText(blockMembers(change?.after)[name])
      const isHidden = exactText(blockMembers(sensitive)[name]).includes('true')
      if (!Array.isArray(constant) || type === undefined || isAsBefore || isHidden) return []
      // In a JSON configuration, a list with references is a constant too, with its templates as texts.
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

  /** Replaces the flag's id of a grant in the plan by the flag's key. */
  #withParent(
    resource: PlannedResource,
    { kind }: ResourceSchema,
    attributes: Attributes,
    place: string,
  ): Attributes {
    const [attribute, { parent }] = [parentAttribute(kind), kind.lifecycle]
    if (attribute === undefined || !parent) return attributes
    const { name } = declarableKind(parent.kind)
    const key = flagKeyOf(this.#plan, resource, {
      attribute,
      type: typeName(name),
      identity: identityField(declarableKind(name)),
    })
    if (key === undefined)
      throw unsupported(
        `${attribute}: the plan does not say which flag it is of`,
        'refer to one flag by its name, or apply the flags first, so that the plan knows their ids',
      )
    return {
      ...attributes,
      [attribute]: new Unknown(`${resource.address}.${attribute}`, { key: key.trim(), place }),
    }
  }

  #tellOthers(): void {
    for (const { address, severity, message } of this.#plan.failedChecks)
      this.#problems.add({ address }, { code: conditionCode, severity, message: `${address}: ${message}` })
    const others = this.#plan.resources.filter(({ type }) => !isOurType(type)).map(({ address }) => address)
    for (const address of others)
      this.#problems.add(
        { address },
        {
          code: 'terraform-plan',
          severity: 'warning',
          message: `${address}: it is of another provider, and Vexil leaves it to Terraform`,
        },
      )
    for (const address of this.#plan.deleted)
      this.#problems.add(
        { address },
        {
          code: 'terraform-plan',
          severity: 'warning',
          message: `${address}: the plan deletes it, and Vexil leaves alone what is declared no more`,
        },
      )
    this.#tellReplaced()
    this.#requireValues()
    this.#tellPartial()
  }

  /** Warns of an object with another name that is replaced: the plan deletes it, and Vexil does not. */
  #tellReplaced(): void {
    for (const change of this.#plan.changes) {
      const { address, type, actions } = change
      const kind = resourceSchemas.get(type)?.kind
      const replaced = kind && actions.includes('delete') ? formerName(change, kind) : undefined
      if (replaced === undefined) continue
      this.#problems.add(
        { address },
        {
          code: 'terraform-plan',
          severity: 'warning',
          message: `${address}: the plan deletes ${JSON.stringify(replaced)} for it, and Vexil leaves alone what is declared no more`,
        },
      )
    }
  }

  /** Refuses changes without values: the object would no longer be declared. */
  #requireValues(): void {
    const planned = new Set(this.#plan.resources.map(({ address }) => address))
    for (const { address, type, actions } of this.#plan.changes) {
      const stays = actions.some(action => action !== 'delete' && action !== 'forget')
      if (stays && isOurType(type) && !planned.has(address))
        this.#problems.refuse({ address }, '', unsupported('planned_values of the plan lacks it', howToShow))
    }
  }

  #tellPartial(): void {
    const missing = missingIn(this.#plan)
    if (missing === undefined) return
    this.#problems.add(
      { address: '' },
      {
        code: 'terraform-plan',
        severity: 'warning',
        message: `the plan ${missing}, as one with -target, -exclude or -refresh-only, and Vexil leaves alone what it does not say`,
      },
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
