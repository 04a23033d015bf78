import { createHash } from 'node:crypto'
import { identityKey } from '../../core/live.ts'
import {
  findUnknown,
  invalid,
  isListValue,
  isNumber,
  notKnown,
  type Refusal,
  revealed,
  type Value,
} from '../../hcl/index.ts'
import { kindBelow } from '../../kinds/index.ts'
import { type GuardRule, isGuardRule } from '../../model/guard-rules.ts'
import { type DeclarableKind, type IdentifiedKind, identityField, type Kind } from '../../model/kind.ts'
import { definedMembers } from '../../model/text/defined-members.ts'
import { checkAllowed } from '../../rules/check-field.ts'
import type { Subject } from '../stack-problems.ts'
import type { Attributes } from './attributes.ts'

/** The target that a provider's configuration sets. The environment of the run supplies missing parts. */
export interface ProviderSettings {
  /** Its name in the stack: `vexil`, `vexil.eu`. */
  readonly name: string
  /** The second part of its name; the configuration without an alias is the default. */
  readonly alias?: string
  readonly baseUrl?: string
  readonly apiKey?: string
  readonly project?: string
  readonly organization?: string
  readonly profile?: string
  readonly parallelism?: number
  readonly defaultTags: readonly string[]
  /** Guards that are switched off for all objects of the provider. */
  readonly allow: readonly GuardRule[]
}

interface ProviderNames {
  readonly localName: string
  /** Undefined if absent or empty. */
  readonly alias?: string
}

/** An empty configuration, as in a stack without a provider block. */
export function noSettings(localName: string): ProviderSettings {
  return { name: localName, defaultTags: [], allow: [] }
}

/** Throws a refusal if the configuration depends on values that only the service knows. */
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
    // A missing setting must be absent: `undefined` would count as set.
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

/** The target of an object; targets with equal members are the same. */
export interface ServiceTarget {
  readonly baseUrl?: string
  readonly apiKey?: string
  readonly profile?: string
  readonly project?: string
  readonly organization?: string
}

/** The target of a resource, including its own project or organization. */
export function placeOf(
  { scope }: Pick<Kind, 'scope'>,
  { baseUrl, apiKey, profile, project, organization }: ProviderSettings,
  own: string | undefined,
): ServiceTarget {
  const owner = own ?? (scope === 'project' ? project : organization)
  return definedMembers({ baseUrl, apiKey, profile, [scope]: owner })
}

/** A text that identifies a target. It contains the key, so it is compared but never shown. */
export function placeText(place: ServiceTarget): string {
  return JSON.stringify([place.baseUrl, place.apiKey, place.profile, place.project, place.organization])
}

/** Sensitive values such as the key are allowed here: they are used for the connection, never in a plan. */
function known(attributes: Attributes, name: string): Value {
  const value = attributes[name] ?? null
  const unknown = findUnknown(value)
  if (unknown) throw notKnown(unknown, name)
  return revealed(value)
}

/** An object that a data source looks up; the service knows its other values. */
export interface LookUp {
  readonly kind: IdentifiedKind
  readonly by: 'id' | 'identity'
  readonly value: string
  readonly place: ServiceTarget
  readonly subject: Subject
}

/** The result from the service, or why there is none. */
export type Found = { readonly id: string; readonly identity: string } | Refusal

/** The results, by the key of each look-up. */
export type Answers = ReadonlyMap<string, Found>

/** A key that is equal for all data sources that look up the same object. */
export function lookUpKey({ kind, by, value, place }: LookUp): string {
  return JSON.stringify([kind.name, by, value, place])
}

/**
 * The objects that the data sources of a stack look up. An object without an answer gets a stand-in, so that
 * the rest of the stack can be checked. An apply needs the answers, and evaluates the stack again with them.
 */
export class LookUps {
  /** Look-ups without a result, by key. */
  readonly open = new Map<string, LookUp>()
  readonly #answers: Answers
  readonly #standIns = new Map<string, LookUp>()

  constructor(answers: Answers = new Map()) {
    this.#answers = answers
  }

  /**
   * The attributes of a data source, with the id and the name of its object; unchanged if nothing identifies
   * the object. A flag with a known key is not looked up, because the plan may create it. Throws a refusal if
   * the object does not exist.
   */
  attributesOf(
    kind: IdentifiedKind,
    attributes: Attributes,
    place: ServiceTarget,
    subject: Subject,
  ): Attributes {
    const identity = identityField(kind)
    const [id, name] = [attributes.id ?? null, attributes[identity] ?? null]
    const isFlag = kindBelow(kind.name) !== undefined
    if (isFlag && typeof name === 'string' && id === null) return attributes
    const value = id ?? name
    if (typeof value !== 'string') return attributes
    const by = id === null ? 'identity' : 'id'
    const given = typeof name === 'string' ? name.trim() : undefined
    const found = this.#find({ kind, by, value: value.trim(), place, subject }, given)
    if (given !== undefined && identityKey(kind, given) !== identityKey(kind, found.identity)) {
      throw invalid(
        `the ${kind.title} with the id "${value}" is called "${found.identity}", not "${name}"`,
        `set only \`id\` or only \`${identity}\``,
      )
    }
    // A flag is identified by its key even if its id is set.
    return { ...attributes, id: isFlag ? null : found.id, [identity]: name ?? found.identity }
  }

  /** The look-up whose placeholder a value contains. */
  standInIn(text: string): LookUp | undefined {
    return [...this.#standIns].find(([standIn]) => text.includes(standIn))?.[1]
  }

  /** The look-ups that are possible now: their own names contain no placeholder. */
  get askable(): readonly LookUp[] {
    return [...this.open.values()].filter(({ value }) => this.standInIn(value) === undefined)
  }

  #find(wanted: LookUp, name: string | undefined): { readonly id: string; readonly identity: string } {
    const key = lookUpKey(wanted)
    const answer = this.#answers.get(key)
    if (answer === undefined) return this.#standIn(key, wanted, name)
    if (answer instanceof Error) throw answer
    return answer
  }

  #standIn(
    key: string,
    wanted: LookUp,
    name: string | undefined,
  ): { readonly id: string; readonly identity: string } {
    const { kind, by, value } = wanted
    this.open.set(key, wanted)
    // Several stacks that are read together share the placeholder of an object. It is unique to that object.
    const mark = createHash('sha256').update(key).digest('hex').slice(0, 12)
    const isCounted = kind.fields.id?.type === 'integer'
    const id = isCounted ? String(firstId + Number.parseInt(mark.slice(0, 8), 16)) : `${uuidStart}${mark}`
    const identity = name ?? `looked-up-when-planned-${mark}`
    // An object with both a known id and a known name needs no placeholder.
    if (by !== 'id' || name === undefined) this.#standIns.set(by === 'id' ? identity : id, wanted)
    return by === 'id' ? { id: value, identity } : { id, identity: value }
  }
}

const firstId = 9_007_199_000_000_000
const uuidStart = 'ffffffff-ffff-4fff-8fff-'
