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

/** What a provider's configuration says of where its resources live. What it leaves out, the surroundings say. */
export interface ProviderSettings {
  /** As the stack calls it: `vexil`, `vexil.eu`. */
  readonly name: string
  /** What its name ends with; none is the one that is taken without a word. */
  readonly alias?: string
  readonly baseUrl?: string
  readonly apiKey?: string
  readonly project?: string
  readonly organization?: string
  readonly profile?: string
  readonly parallelism?: number
  readonly defaultTags: readonly string[]
  /** Guards that everything of the provider is let past. */
  readonly allow: readonly GuardRule[]
}

/** What a configuration is called: the local name of the provider, and its alias. */
interface ProviderNames {
  readonly localName: string
  /** None where left out or empty. */
  readonly alias?: string
}

/** A configuration that says nothing, as of a stack without a block for it. */
export function noSettings(localName: string): ProviderSettings {
  return { name: localName, defaultTags: [], allow: [] }
}

/** Throws a refusal where the configuration hangs on something that only the service knows. */
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
    // What is left out must be missing: `undefined` would count as said.
    ...definedMembers(given),
    defaultTags: isListValue(tags) ? tags.filter(tag => typeof tag === 'string') : [],
    allow: guardsIn(known(attributes, 'allow')),
  }
}

/**
 * The guards that a list lets an object of a kind past or, without a kind, everything. Throws a refusal where one of
 * them could not hold it back.
 */
export function guardsIn(rules: Value, kind?: DeclarableKind): readonly GuardRule[] {
  const texts = isListValue(rules) ? rules.filter(rule => typeof rule === 'string') : []
  const [wrong] = checkAllowed(texts, kind)
  if (wrong) throw invalid(wrong.message, wrong.hint)
  return texts.filter(isGuardRule)
}

/** Where an object of a kind lives: two that say the same live in the same place. */
export interface ServiceTarget {
  readonly baseUrl?: string
  readonly apiKey?: string
  readonly profile?: string
  readonly project?: string
  readonly organization?: string
}

/** The place of a resource, with the project or organization that it names itself. */
export function placeOf(
  { scope }: Pick<Kind, 'scope'>,
  { baseUrl, apiKey, profile, project, organization }: ProviderSettings,
  own: string | undefined,
): ServiceTarget {
  const owner = own ?? (scope === 'project' ? project : organization)
  return definedMembers({ baseUrl, apiKey, profile, [scope]: owner })
}

/** One text for one place. Holds the key, so it is compared and never shown. */
export function placeText(place: ServiceTarget): string {
  return JSON.stringify([place.baseUrl, place.apiKey, place.profile, place.project, place.organization])
}

/** The key and whatever else is sensitive may be said here: it goes to the connection, and into no plan. */
function known(attributes: Attributes, name: string): Value {
  const value = attributes[name] ?? null
  const unknown = findUnknown(value)
  if (unknown) throw notKnown(unknown, name)
  return revealed(value)
}
