import type { Declarations, Desired } from '../../core/desired.ts'
import type { Services } from '../../model/connection.ts'
import { objectAddress, type Scope } from '../../model/kind.ts'
import { hasErrors, type Source } from '../../model/problem.ts'
import type { WrittenPolicies } from '../../policies/written-policies.ts'
import type { StackModule } from '../module-tree.ts'
import { testPath } from '../places.ts'
import { type Block, once } from '../stack-file.ts'
import { type StackProblems, subjectOf } from '../stack-problems.ts'
import {
  checkDeclared,
  checkPolicies,
  checkSettingsPolicies,
  type Declared,
  type SettingsPolicies,
} from './check-declared.ts'
import { desiredOf, type IgnoredAttributes, identityOf, ignoredAttributes, parentOf } from './desired-of.ts'
import type { EvaluatedStack } from './evaluate-stack.ts'
import { checkMoves, importedId, importIds } from './imports.ts'
import type { ProviderSettings, ServiceTarget } from './providers.ts'
import type { ResourceInstance } from './resources.ts'

export interface DeclarationsOptions {
  /** The selected configuration of the provider, if there are several. */
  readonly provider: string | undefined
  readonly roleNames: ReadonlyMap<string, string>
  /** The services that the stack may be applied to, by the profile in its provider block, if any. */
  readonly servicesFor: (profile: string | undefined) => Services
  /** The policies of its app; undefined if there are none. */
  readonly policies?: WrittenPolicies | undefined
  readonly ofSettings?: SettingsPolicies | undefined
}

export interface StackDeclarations {
  readonly declarations: Declarations
  readonly connection: StackConnection
}

/** The declarations of an evaluated stack for its single target. */
export function toDeclarations(
  module: StackModule,
  stack: EvaluatedStack,
  options: DeclarationsOptions,
  problems: StackProblems,
): StackDeclarations | undefined {
  const { provider, roleNames, servicesFor, policies, ofSettings } = options
  const target = chooseTarget(stack.instances, stack.providers, provider, problems)
  if (!target) return undefined
  const addresses = new Set(stack.instances.map(({ address }) => address))
  const ids = importIds(module.file, stack.scope, addresses, problems)
  checkMoves(module, addresses, problems)
  const ignored = new Map<Block, IgnoredAttributes>()
  const declared = target.chosen.flatMap((instance): Declared[] => {
    const place = subjectOf(instance.address, instance.block)
    const { renamed } = instance
    const imported = renamed ? undefined : ids.get(instance.address)
    const id =
      imported === undefined ? renamed?.id : problems.attempt(place, 'import', () => idOf(instance, imported))
    const desired = desiredOf(instance, {
      attempt: (field, work) => problems.attempt(place, field, work),
      roleNames,
      source: problems.sourceOf(instance.block),
      sourceOfTest: index => sourceOfTest(instance.block, index, problems),
      ignored: block => once(ignored, block, () => ignoredAttributes(block)),
      id,
    })
    return desired ? [{ instance, desired, isImported: (imported ?? renamed) !== undefined }] : []
  })
  const desired = checkDeclared(declared, servicesFor(target.connection.profile), problems)
  if (policies) checkPolicies(policies, declared, problems, ofSettings?.today)
  if (ofSettings) checkSettingsPolicies(ofSettings, declared, problems)
  if (declared.length < target.chosen.length && !hasErrors(problems.all))
    throw new Error('an object was left out without a reason')
  const skipped = target.skipped.flatMap(nameOnly)
  return {
    declarations: {
      desired,
      // Each grant is its own resource, so other grants of the same flag are not managed.
      ownedGrants: [],
      roleNames,
      ...(skipped.length > 0 ? { skipped } : {}),
    },
    connection: target.connection,
  }
}

function sourceOfTest(block: Block, index: number, problems: StackProblems): Source | undefined {
  const { path } = block
  const own = path === undefined ? undefined : problems.sourceOf({ path: testPath(path, index) })
  return own ?? problems.sourceOf(block)
}

function idOf(instance: ResourceInstance, imported: string): string | undefined {
  const parent = instance.kind.lifecycle.parent ? parentOf(instance) : null
  return importedId(instance, identityOf(instance), parent, imported)
}

/** Only the identity of the object, so that it is not changed. */
function nameOnly(instance: ResourceInstance): Desired[] {
  const { kind } = instance
  if (kind.lifecycle.parent) return []
  const identity = identityOf(instance)
  return [
    { address: objectAddress(kind.name, identity), kind: kind.name, identity, ensure: 'present', fields: {} },
  ]
}

/** The target in the provider block of a stack; the environment of the run supplies missing parts. */
export interface StackConnection extends ServiceTarget {
  readonly parallelism?: number
}

export interface ChosenTarget {
  readonly connection: StackConnection
  readonly chosen: readonly ResourceInstance[]
  /** Objects with the same target that are declared for another configuration of the provider. */
  readonly skipped: readonly ResourceInstance[]
}

/**
 * Selects the single target of a run. If the resources of a stack have several targets, the provider option
 * has to select the configuration. Undefined if the option is missing or wrong.
 */
function chooseTarget(
  instances: readonly ResourceInstance[],
  providers: readonly ProviderSettings[],
  wanted: string | undefined,
  problems: StackProblems,
): ChosenTarget | undefined {
  const provider =
    wanted === undefined
      ? providers.find(({ alias }) => alias === undefined)
      : (providers.find(({ name }) => name === wanted) ?? providers.find(({ alias }) => alias === wanted))
  if (wanted !== undefined && !provider) {
    const known = providers.map(each => each.name).join(', ')
    problems.add(
      { address: 'provider' },
      {
        code: 'unknown-provider',
        message: `the stack does not have the provider "${wanted}"`,
        hint: `there are ${known}`,
      },
    )
    return undefined
  }
  const isChosen = (each: ResourceInstance) => wanted === undefined || each.provider.name === provider?.name
  const chosen = instances.filter(isChosen)
  const isBeside = besides(chosen)
  if (!chosen.every(isBeside)) {
    refuseSeveral(chosen, problems)
    return undefined
  }
  return {
    connection: { ...settingsOf(chosen[0]?.provider ?? provider), ...placeOfAll(chosen) },
    chosen,
    skipped: instances.filter(each => !isChosen(each) && isBeside(each)),
  }
}

/**
 * Whether an object lives in the place of the first instance of its scope: the same project or organization.
 * An object that names none is in another place than one that does.
 */
function besides(instances: readonly ResourceInstance[]): (other: ResourceInstance) => boolean {
  const [first] = instances
  const firstOf = firstOfScope(instances)
  return other => {
    const fellow = firstOf[other.kind.scope]
    return (
      (!first || serviceText(other) === serviceText(first)) && (!fellow || ownerOf(other) === ownerOf(fellow))
    )
  }
}

/** The common target of some instances. */
function placeOfAll(instances: readonly ResourceInstance[]): ServiceTarget {
  const { project, organization } = firstOfScope(instances)
  return { ...instances[0]?.place, ...project?.place, ...organization?.place }
}

function firstOfScope(instances: readonly ResourceInstance[]) {
  const first = (scope: Scope) => instances.find(({ kind }) => kind.scope === scope)
  return { project: first('project'), organization: first('organization') }
}

function serviceText({ place }: ResourceInstance): string {
  return JSON.stringify([place.baseUrl, place.apiKey, place.profile])
}

function ownerOf({ kind, place }: ResourceInstance): string | undefined {
  return place[kind.scope]
}

function refuseSeveral(chosen: readonly ResourceInstance[], problems: StackProblems): void {
  const names = [...new Set(chosen.map(({ provider }) => provider.name))]
  const places = [...new Set(chosen.map(each => `${each.provider.name} (${placeLine(each)})`))]
  const first = chosen[0]
  problems.add(subjectOf('provider', first?.block ?? {}), {
    code: 'several-targets',
    message: `the stack is for several projects: ${places.join(', ')}`,
    hint:
      names.length > 1
        ? `select one with --provider: ${names.join(', ')}`
        : 'configure a provider with an alias for each project, and select one with --provider',
  })
}

function placeLine(instance: ResourceInstance): string {
  const { kind, place } = instance
  const owner = ownerOf(instance)
  const words = owner === undefined ? `no ${kind.scope} given` : `${kind.scope} ${owner}`
  return place.baseUrl === undefined ? words : `${words}, ${place.baseUrl}`
}

function settingsOf(provider: ProviderSettings | undefined): StackConnection {
  if (!provider) return {}
  const { name: _name, alias: _alias, defaultTags: _tags, allow: _allow, ...settings } = provider
  return settings
}
