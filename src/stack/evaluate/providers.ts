import {
  findUnknown,
  invalid,
  isListValue,
  isNumber,
  notKnown,
  revealed,
  type Value,
} from '../../hcl/index.ts'
import { type GuardRule, isGuardRule } from '../../model/guard-rules.ts'
import { definedMembers } from '../../model/json/defined-members.ts'
import type { DeclarableKind, Kind } from '../../model/kind.ts'
import { checkAllowed } from '../../rules/check-field.ts'
import type { Attributes } from './attributes.ts'

/** The place of resources in a provider's configuration. The surroundings supply what is missing. */
export interface ProviderSettings {
  /** Its name in the stack: `vexil`, `vexil.eu`. */
  readonly name: string
  /** The end of its name; the configuration without one is the default. */
  readonly alias?: string
  readonly baseUrl?: string
  readonly apiKey?: string
  readonly project?: string
  readonly organization?: string
  readonly profile?: string
  readonly parallelism?: number
  readonly defaultTags: readonly string[]
  /** Guards that are switched off for everything of the provider. */
  readonly allow: readonly GuardRule[]
}

/** The names of a configuration: the local name of the provider, and its alias. */
interface ProviderNames {
  readonly localName: string
  /** None if left out or empty. */
  readonly alias?: string
}

/** An empty configuration, as in a stack without a provider block. */
export function noSettings(localName: string): ProviderSettings {
  return { name: localName, defaultTags: [], allow: [] }
}

/** Throws a refusal if the configuration depends on something that only the service knows. */
export function providerSettings(
  { localName, alias = '' }: ProviderNames,
  attributes: Attributes,
): ProviderSettings {
  const text = (attribute: string) => {
    const value = known(attributes, attribute)
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const parallelism = known(attributes, 'parallelism')
  const tags = known(attributes, 'default_tags')
  const given = {
    baseUrl: text('base_url'),
    apiKey: text('api_key'),
    project: text('project_id'),
    organization: text('organization_id'),
    profile: text('profile'),
    parallelism: isNumber(parallelism) ? parallelism.toNumber() : undefined,
  }
  return {
    ...(alias === '' ? { name: localName } : { name: `${localName}.${alias}`, alias }),
    // Missing settings must have no member: `undefined` would count as set.
    ...definedMembers(given),
    defaultTags: isListValue(tags) ? tags.filter(tag => typeof tag === 'string') : [],
    allow: guardsIn(known(attributes, 'allow')),
  }
}

/**
 * The guards that a list switches off for a kind or, without a kind, for everything. Throws a refusal if one
 * of them has no effect there.
 */
export function guardsIn(rules: Value, kind?: DeclarableKind): readonly GuardRule[] {
  const texts = isListValue(rules) ? rules.filter(rule => typeof rule === 'string') : []
  const [wrong] = checkAllowed(texts, kind)
  if (wrong) throw invalid(wrong.message, wrong.hint)
  return texts.filter(isGuardRule)
}

/** The place of an object; places with the same members are the same. */
export interface ServiceTarget {
  readonly baseUrl?: string
  readonly apiKey?: string
  readonly profile?: string
  readonly project?: string
  readonly organization?: string
}

/** The place of a resource, including the project or organization that it names itself. */
export function placeOf(
  { scope }: Pick<Kind, 'scope'>,
  { baseUrl, apiKey, profile, project, organization }: ProviderSettings,
  own: string | undefined,
): ServiceTarget {
  const owner = own ?? (scope === 'project' ? project : organization)
  return definedMembers({ baseUrl, apiKey, profile, [scope]: owner })
}

/** One text for one place. It contains the key, so it is compared and never shown. */
export function placeText(place: ServiceTarget): string {
  return JSON.stringify([place.baseUrl, place.apiKey, place.profile, place.project, place.organization])
}

/** Sensitive values such as the key are allowed here: they go to the connection, and into no plan. */
function known(attributes: Attributes, name: string): Value {
  const value = attributes[name] ?? null
  const unknown = findUnknown(value)
  if (unknown) throw notKnown(unknown, name)
  return revealed(value)
}
