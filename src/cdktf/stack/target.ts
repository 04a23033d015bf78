import type { ResourceInstance } from './evaluate-stack.ts'
import type { Findings } from './findings.ts'
import type { ProviderSettings, ServicePlace } from './providers.ts'

/** Where a stack is applied to, as its provider block says; what it leaves out, the surroundings say. */
export interface StackConnection extends ServicePlace {
  readonly parallelism?: number
}

export interface ChosenTarget {
  readonly connection: StackConnection
  readonly chosen: readonly ResourceInstance[]
  /** What is declared for another provider's configuration and yet lives in the same place. */
  readonly leftAlone: readonly ResourceInstance[]
}

/**
 * The one place that a run is for. A stack whose resources live in several has to be told which of its provider's
 * configurations is meant; undefined where that was not said, or not well.
 */
export function chooseTarget(
  instances: readonly ResourceInstance[],
  providers: readonly ProviderSettings[],
  wanted: string | undefined,
  findings: Findings,
): ChosenTarget | undefined {
  const name = wanted === undefined || /^vexil(\.|$)/.test(wanted) ? wanted : `vexil.${wanted}`
  const provider = providers.find(each => each.name === (name ?? 'vexil'))
  if (name !== undefined && !provider) {
    const known = providers.map(each => each.name).join(', ')
    findings.add(
      { address: 'provider' },
      {
        code: 'unknown-provider',
        message: `the stack has no provider "${wanted}"`,
        hint: `there are ${known}`,
      },
    )
    return undefined
  }
  const chosen = name === undefined ? instances : instances.filter(each => each.provider.name === name)
  const connection = commonPlace(chosen)
  if (!connection) {
    refuseSeveral(chosen, findings)
    return undefined
  }
  const others = instances.filter(each => !chosen.includes(each))
  return {
    connection: { ...settingsOf(chosen[0]?.provider ?? provider), ...connection },
    chosen,
    leftAlone: others.filter(({ place }) => commonPlace([...chosen, { place }]) !== undefined),
  }
}

type Placed = Pick<ResourceInstance, 'place'> & Partial<Pick<ResourceInstance, 'kind'>>

/** The place that all have in common. One that names no project is not where another one names its own. */
function commonPlace(instances: readonly Placed[]): ServicePlace | undefined {
  const [first] = instances
  const said = (read: (place: ServicePlace) => string | undefined, among = instances) =>
    new Set(among.map(({ place }) => read(place)))
  const ofProjects = instances.filter(({ kind, place }) => (kind?.scope ?? scopeOf(place)) === 'project')
  const ofOrganizations = instances.filter(each => !ofProjects.includes(each))
  const isOne =
    said(place => JSON.stringify([place.baseUrl, place.apiKey, place.profile])).size <= 1 &&
    said(place => place.project, ofProjects).size <= 1 &&
    said(place => place.organization, ofOrganizations).size <= 1
  if (!isOne) return undefined
  return { ...first?.place, ...ofProjects[0]?.place, ...ofOrganizations[0]?.place }
}

function scopeOf(place: ServicePlace): 'project' | 'organization' {
  return place.organization === undefined ? 'project' : 'organization'
}

function refuseSeveral(chosen: readonly ResourceInstance[], findings: Findings): void {
  const names = [...new Set(chosen.map(({ provider }) => provider.name))]
  const places = [...new Set(chosen.map(each => `${each.provider.name} (${placeWords(each)})`))]
  const first = chosen[0]
  findings.add(
    { address: 'provider', path: first?.block.path },
    {
      code: 'several-targets',
      message: `the stack is for several places: ${places.join(', ')}`,
      hint:
        names.length > 1
          ? `choose one with --provider: ${names.join(', ')}`
          : 'give each project a provider of its own, with an alias, and choose one with --provider',
    },
  )
}

function placeWords({ kind, place }: ResourceInstance): string {
  const owner = kind.scope === 'project' ? place.project : place.organization
  const words = owner === undefined ? `no ${kind.scope} named` : `${kind.scope} ${owner}`
  return place.baseUrl === undefined ? words : `${words}, ${place.baseUrl}`
}

function settingsOf(provider: ProviderSettings | undefined): StackConnection {
  if (!provider) return {}
  const { name: _name, defaultTags: _tags, ...settings } = provider
  return settings
}
