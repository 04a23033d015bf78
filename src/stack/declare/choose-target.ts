import type { Scope } from '../../model/kind.ts'
import type { ProviderSettings, ServiceTarget } from '../evaluate/providers.ts'
import type { ResourceInstance } from '../evaluate/resources.ts'
import { type StackProblems, subjectOf } from '../evaluate/stack-problems.ts'

/** The target of a stack according to its provider block; the surroundings supply what is missing. */
export interface StackConnection extends ServiceTarget {
  readonly parallelism?: number
}

export interface ChosenTarget {
  readonly connection: StackConnection
  readonly chosen: readonly ResourceInstance[]
  /** Objects in the same place that are declared for another configuration of the provider. */
  readonly skipped: readonly ResourceInstance[]
}

/**
 * Chooses the one place for a run. If the resources of a stack live in several places, the provider option
 * has to name the configuration. Undefined if it is missing or wrong.
 */
export function chooseTarget(
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
        message: `the stack has no provider "${wanted}"`,
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

/** The common place of some instances. */
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
    message: `the stack is for several places: ${places.join(', ')}`,
    hint:
      names.length > 1
        ? `choose one with --provider: ${names.join(', ')}`
        : 'give each project a provider of its own, with an alias, and choose one with --provider',
  })
}

function placeLine(instance: ResourceInstance): string {
  const { kind, place } = instance
  const owner = ownerOf(instance)
  const words = owner === undefined ? `no ${kind.scope} named` : `${kind.scope} ${owner}`
  return place.baseUrl === undefined ? words : `${words}, ${place.baseUrl}`
}

function settingsOf(provider: ProviderSettings | undefined): StackConnection {
  if (!provider) return {}
  const { name: _name, alias: _alias, defaultTags: _tags, allow: _allow, ...settings } = provider
  return settings
}
