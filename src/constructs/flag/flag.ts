import { Construct } from 'constructs'
import { featureFlag } from '../../kinds/index.ts'
import type { Services } from '../../model/connection.ts'
import { checkOpen } from '../../rules/check-object.ts'
import { allowed, json, jsonMembers, number, ownerId, type Reader, texts, truth } from '../argument.ts'
import {
  checkOnServices,
  fieldMessages,
  type Messages,
  requirePayloads,
  requireRight,
  requireRightFields,
  sensitiveValues,
  writeSensitive,
} from '../check-fields.ts'
import { inThisEngine, placeNow } from '../engine/engine.ts'
import { FeatureFlag, type FeatureFlagConfig } from '../generated/feature-flag/index.ts'
import {
  about,
  allOrNothing,
  idOf,
  keyOf,
  making,
  nameAfter,
  requireNotSynthesized,
  watchSynthesis,
} from '../make-construct.ts'
import { addTags } from '../policies/policy-aspect.ts'
import {
  type DeclaredProps,
  declaredArguments,
  type FieldProps,
  fieldArguments,
  fieldConfig,
  inOrder,
  metaArguments,
  type Readers,
  readArguments,
  writeLiveEdits,
} from '../read-arguments.ts'
import { type ProjectLookup, type Role, roles } from '../references.ts'
import { FlagGrants, type IFlag, ImportedFlag } from './flag-grants.ts'
import {
  type FlagTest,
  flagTest,
  flagTests,
  type GivenTest,
  strayConditions,
  writeTests,
} from './flag-test.ts'
import {
  type DeclaredFilters,
  type DeclaredTargeting,
  declaredTargeting,
  releaseOf,
  requireAsGiven,
  setTargeting,
  type Targeting,
  type TargetingConfig,
  targetingProblems,
} from './targeting.ts'
import { groupTypeIndex, variants } from './variants.ts'
import { conditions, type When } from './when.ts'

/** Terraform's own properties of a flag, passed to the generated construct unchanged. */
const added = ['allow', 'adopt', 'projectId'] as const
type Added = Pick<FeatureFlagConfig, (typeof added)[number]>
type FlagFields = FieldProps<typeof featureFlag, FeatureFlagConfig, keyof Targeting | keyof Added>

/** The properties of a flag. A field without a property is not managed. */
export interface FlagProps extends FlagFields, Added, Targeting, DeclaredProps {
  /** Roles that may edit the flag: short for `flag.grants.edit(role)` for each. */
  readonly editors?: readonly Role[]
  /**
   * Hides all payloads of the flag, and the values that its conditions compare, in everything that Vexil
   * shows and records of a stack; or the payloads of these variants, `"true"` in a flag without variants.
   * Plans of Terraform still show them.
   */
  readonly sensitive?: boolean | readonly string[]
  /** Who should get what from the flag: `vexil test` and `vexil validate` check this without the service. */
  readonly tests?: readonly FlagTest[]
}

const allow: Reader<FlagProps['allow']> = allowed(featureFlag)

export const flagArguments: Readers<FlagProps> = {
  ...declaredArguments(featureFlag),
  ...inOrder({
    ...fieldArguments<FlagFields>(featureFlag),
    allow,
    adopt: truth,
    earlyExit: truth,
    editors: roles,
    filters: jsonMembers,
    groupTypeIndex,
    payload: json,
    payloads: jsonMembers,
    projectId: ownerId('project'),
    release: conditions,
    rolloutPercentage: number,
    sensitive: sensitiveValues,
    tests: flagTests,
    variants,
  }),
}

/**
 * A feature flag. In Terraform it is named after its key, so that it stays the same flag when the code that declares it
 * moves to another construct. What is wrong with it is thrown here, all at once, with its key.
 *
 * ```ts
 * const checkout = new Flag(this, 'Checkout', {
 *   key: 'checkout_v2',
 *   name: 'New checkout',
 *   active: true,
 *   variants: Variants.even('control', 'test'),
 *   release: [When.person('country').is('DE').at(25), When.everyone().at(5)],
 *   tags: ['team-pay'],
 * })
 * checkout.grants.edit(Role.fromId('01900000-0000-0000-0000-0000000000aa', 'support'))
 * ```
 */
export class Flag extends Construct implements IFlag {
  /** Its resource type in Terraform, for tests such as `toHaveResource(Flag, { ... })`. */
  public static readonly tfResourceType = FeatureFlag.tfResourceType
  /** The key that code asks for. */
  public readonly key: string
  /** The generated construct. Use it for settings that have no property here. */
  public readonly resource: FeatureFlag
  /** Who may edit the flag. */
  public readonly grants: FlagGrants
  /** Its declared properties, including later additions. */
  private declared: FlagProps
  private targeting: DeclaredTargeting | undefined
  private tests: readonly GivenTest[]

  /** A flag that is declared elsewhere, by its key. A plan looks it up, and never changes it. */
  public static fromKey(scope: Construct, id: string, key: string, lookup: ProjectLookup = {}): IFlag {
    return new ImportedFlag(scope, id, { key }, lookup)
  }

  /** An object that is declared elsewhere, by its id in the service. */
  public static fromId(
    scope: Construct,
    id: string,
    flagId: number | string,
    lookup: ProjectLookup = {},
  ): IFlag {
    return new ImportedFlag(scope, id, { id: flagId }, lookup)
  }

  public constructor(scope: Construct, id: string, props: FlagProps) {
    super(inThisEngine(scope, id), id)
    const { declared, resource } = making('flag', props?.key, this, () => {
      const declared = readArguments(props, flagArguments, 'a flag')
      return { declared, resource: this.declare(declared) }
    })
    this.declared = declared
    this.key = declared.key
    this.resource = resource
    this.tests = (declared.tests ?? []).map(test => ({ test }))
    this.writeTests()
    this.node.addValidation({ validate: () => [...strayConditions(this.tests, this.release)] })
    const { key, provider, editors = [] } = declared
    this.grants = new FlagGrants({ scope: this, resource, key, projectId: resource.projectIdInput, provider })
    allOrNothing(this, () => {
      for (const role of editors) this.grants.edit(role)
    })
  }

  /**
   * The id of the flag in the service; known only in a plan. A construct that declares several flags with
   * `forEach` or `count` has no id.
   */
  public get id(): string {
    return idOf(this.resource)
  }

  /** The key as a reference, so that Terraform creates this flag first. */
  public get keyReference(): string {
    return keyOf(this.resource)
  }

  /**
   * Adds conditions after those of the flag, in order. They are checked immediately, together with all others
   * of the flag.
   * Conditions cannot be added to a generated construct that was changed by hand.
   *
   * ```ts
   * checkout.addRelease(When.person('country').is('AT').at(10)).tag('beta')
   * ```
   */
  public addRelease(...added: When[]): this {
    about('flag', this.key, this, () => {
      const more = conditions(added, 'addRelease')
      requireNotSynthesized(this, 'addRelease')
      requireAsGiven(this.resource, this.targeting?.attributes)
      if (more.length === 0) return
      const { rolloutPercentage: _share, ...others } = this.declared
      const declared = { ...others, release: [...this.release, ...more] }
      const targeting = rightTargeting(declared)
      if (targeting) setTargeting(this.resource, targeting.attributes)
      this.declared = declared
      this.targeting = targeting
      this.writeTests()
    })
    return this
  }

  /**
   * Adds tests after those of the flag; each is reported at the line of this call. Terraform ignores them,
   * and `vexil test --stack` runs them.
   *
   * ```ts
   * checkout.addTest({ person: ada, expect: 'one_page', because: staff })
   * ```
   */
  public addTest(...added: FlagTest[]): this {
    about('flag', this.key, this, () => {
      const place = placeNow(this)
      const more = added.map((test, index) => ({ test: flagTest(test, `addTest[${index}]`), place }))
      requireNotSynthesized(this, 'addTest')
      this.tests = [...this.tests, ...more]
      this.writeTests()
    })
    return this
  }

  /** Adds tags, each once, behind those that the flag has. A flag whose tags were left to others is declared to have these. */
  public tag(...tags: string[]): this {
    about('flag', this.key, this, () => {
      requireRightFields(featureFlag, { tags: texts(tags, 'tags') })
      requireNotSynthesized(this, 'tag')
      addTags(this.resource, tags)
    })
    return this
  }

  private get release(): readonly When[] {
    return releaseOf(this.declared) ?? []
  }

  private writeTests(): void {
    writeTests(this.resource, this.tests, this.release)
  }

  private declare(props: FlagProps): FeatureFlag {
    const { key, projectId, logicalId } = props
    requireRight(featureFlag, props)
    this.targeting = rightTargeting(props)
    requirePayloads(props.sensitive, this.targeting?.filters)
    const resource = new FeatureFlag(this, 'Resource', configOf(props, this.targeting?.attributes))
    writeLiveEdits(resource, props.liveEdits)
    writeSensitive(resource, props.sensitive)
    checkOnServices(this, resource, services => onServices(this.declared, this.targeting?.filters, services))
    watchSynthesis(this)
    nameAfter(resource, { parts: [key], place: projectId, logicalId })
    return resource
  }
}

/** The targeting of a flag. Problems on every service are thrown together, at the declaration. */
function rightTargeting(props: FlagProps): DeclaredTargeting | undefined {
  const targeting = declaredTargeting(props)
  const { errors } = targeting ? targetingProblems(targeting.filters) : { errors: [] }
  if (errors.length > 0) throw new Error(errors.join('; '))
  return targeting
}

function onServices(props: FlagProps, filters: DeclaredFilters | undefined, services: Services): Messages {
  const ofFields = fieldMessages(featureFlag, props, services)
  const ofFilters = filters === undefined ? undefined : targetingProblems(filters, services)
  const warnings = [...openWarnings(props, filters), ...(ofFilters?.warnings ?? []), ...ofFields.warnings]
  return { ...ofFields, warnings }
}

/** Warns that a new flag is on and released to everybody, unless declared otherwise. */
function openWarnings({ active }: FlagProps, filters: DeclaredFilters | undefined): string[] {
  const inputs = {
    ...(active === undefined ? {} : { active }),
    ...(filters === undefined ? {} : { filters }),
  }
  return checkOpen(featureFlag, inputs).map(({ message, hint }) =>
    `${message}: ${hint}`.replaceAll('"filters"', '"release"'),
  )
}

function configOf(props: FlagProps, targeting: TargetingConfig | undefined): FeatureFlagConfig {
  return {
    ...fieldConfig<FeatureFlagConfig>(featureFlag, props, added),
    ...targeting,
    ...metaArguments(props),
  }
}
