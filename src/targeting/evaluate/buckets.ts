import { hash } from 'node:crypto'
import { oncePer } from '../../model/runtime.ts'
import type { JsonObject } from '../../model/text/json.ts'
import type { EvaluationRules } from '../../services/engines.ts'
import { documentedRules } from '../operators.ts'
import type { CohortFacts, KnownFlags, MatchFlag } from './cohorts-and-flags.ts'
import { type Undecided, undecided } from './compared-values.ts'

/** The subject that asks for a flag, as far as the caller knows it. */
export interface AnySubject {
  /** Undefined if a caller asks about no particular person; results that depend on it are then undecided. */
  readonly distinctId?: string
  readonly properties?: JsonObject
  /** The groups of the person, by the name of the group type: `{ company: 'acme' }`. */
  readonly groups?: Readonly<Record<string, string>>
  /** The known properties of those groups, by the name of the group type. */
  readonly groupProperties?: Readonly<Record<string, JsonObject>>
  /** The device, for flags that count devices. */
  readonly deviceId?: string
}

/** The subject that asks for a flag. */
export interface Subject extends AnySubject {
  readonly distinctId: string
}

export interface EvaluationContext {
  /** Milliseconds since 1970. */
  readonly now: number
  /** Names of group types by index, as in `group_type_mapping`: `{ "0": "company" }`. */
  readonly groupTypes?: Readonly<Record<string, string>>
  /** Cohorts by id, as in `local_evaluation`. */
  readonly cohorts?: JsonObject
  /** The flags that conditions may refer to. Without them, conditions on another flag are undecided. */
  readonly flags?: KnownFlags
  /** True if the subject's properties and the flags are complete: inside the service, but not in a caller. */
  readonly isComplete?: boolean
  /** How flags are evaluated; the documented rules if absent. */
  readonly rules?: EvaluationRules
  /** The offset of the project's time zone from UTC; absent if unknown. */
  readonly zoneOffsetMinutes?: number
}

/** Who percentages count, with what is known about them: the person, or the person's group of a type. */
export interface Bucket {
  /** Undefined for a device or a person without an id. */
  readonly id: string | undefined
  readonly facts: CohortFacts
}

export function rulesIn({ rules = documentedRules }: EvaluationContext): EvaluationRules {
  return rules
}

/** Outside the service, a subject may have a group that the caller does not know. */
export class Buckets {
  readonly #subject: AnySubject
  readonly #context: EvaluationContext
  readonly #matchFlag: MatchFlag
  readonly #countsDevices: boolean
  constructor(subject: AnySubject, context: EvaluationContext, matchFlag: MatchFlag, countsDevices = false) {
    this.#subject = subject
    this.#context = context
    this.#matchFlag = matchFlag
    this.#countsDevices = countsDevices
  }

  /** The bucket of persons, or of groups of a type; undefined if the subject has no such group. */
  of(groupType: string | undefined): Bucket | Undecided | undefined {
    const { distinctId, deviceId, groups } = this.#subject
    const rules = rulesIn(this.#context)
    const isDevice = this.#countsDevices && rules.devices !== 'ignored'
    if (groupType === undefined && isDevice && !deviceId && rules.devices === 'asked')
      return undecided(this.unnamed)
    if (groupType === undefined)
      return {
        id: isDevice ? deviceId || undefined : distinctId,
        facts: this.#factsWith(this.#ofPerson()),
      }
    const type = ownMember(this.#context.groupTypes, groupType)
    if (type === undefined)
      return this.#context.isComplete === true || rules.group_properties === 'needed'
        ? undefined
        : undecided(`the name of the group type ${groupType} is unknown`)
    const id = ownMember(groups, type)
    if (id === undefined)
      return rules.missing_groups === 'asked' ? undecided(`no group of the type ${type} is given`) : undefined
    const known = this.#subject.groupProperties
    if (rules.group_properties === 'needed' && ownMember(known, type) === undefined)
      return undecided('the properties of the group are unknown')
    return {
      id,
      facts: this.#factsWith(rules.group_properties === 'by_type' ? { ...known } : this.#ofGroup(groupType)),
    }
  }

  /** The reason, if a bucket has no id. */
  get unnamed(): string {
    return this.#countsDevices ? 'the device is unknown' : 'the distinct id is unknown'
  }

  /** Always the same object, so that callers can skip comparisons. */
  #ofPerson(): JsonObject {
    return rulesIn(this.#context).identity === 'unknown'
      ? (this.#subject.properties ?? nothing)
      : personOf(this.#subject)
  }

  #factsWith(properties: JsonObject): CohortFacts {
    const { now, cohorts = {}, isComplete = false, zoneOffsetMinutes } = this.#context
    const rules = rulesIn(this.#context)
    return {
      properties,
      now,
      cohorts,
      isComplete,
      rules,
      matchFlag: this.#matchFlag,
      zoneOffsetMinutes,
      propertiesFor: rules.condition_groups === 'own' ? entry => this.#sourceOf(entry) : undefined,
    }
  }

  /** Where today's service finds one property: a condition may name those of the person and of groups. */
  #sourceOf({ type, group_type_index: index }: JsonObject): JsonObject | undefined {
    if (type === 'person') return this.#ofPerson()
    return type === 'group' && index !== undefined && index !== null
      ? this.#ofGroup(String(index))
      : undefined
  }

  #ofGroup(groupType: string): JsonObject {
    const type = ownMember(this.#context.groupTypes, groupType)
    const id = type === undefined ? undefined : ownMember(this.#subject.groups, type)
    if (type === undefined || id === undefined) return {}
    return withIdentity('$group_key', id, ownMember(this.#subject.groupProperties, type))
  }
}

const nothing: JsonObject = {}

const personOf = oncePer(
  ({ distinctId, properties = nothing }: AnySubject): JsonObject =>
    distinctId === undefined ? properties : withIdentity('distinct_id', distinctId, properties),
)

/** SDKs add the distinct id as a property, which conditions may use. [posthog-node, posthog-python] */
function withIdentity(name: string, id: string, properties: JsonObject = {}): JsonObject {
  return { [name]: id, ...properties }
}

export function ownMember<Value>(
  record: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined {
  return record && Object.hasOwn(record, name) ? record[name] : undefined
}

/**
 * The place of a person (or a group) between 0 and 1 for one flag: the first 15 hex digits of a SHA-1,
 * divided by the largest such number.
 *
 * The arithmetic is part of the answer: a different rounding would put somebody on the other side of a border. 15
 * hex digits are 60 bits, more than a double holds. The SDKs in Python divide an `int` by `float(0xfffffffffffffff)`
 * and those in JavaScript a parsed number by the literal; in both, the digits are first rounded to the nearest double
 * (ties to even) and 0xfffffffffffffff itself rounds to 2^60. Dividing by a power of two loses nothing, so both
 * languages agree to the last bit, and 1 itself can come out. Exact integer division would differ in that last bit.
 */
export function hashFraction(key: string, id: string, salt: '' | 'variant'): number {
  return fractionOfText(`${key}.${id}${salt}`)
}

export function fractionOfText(text: string): number {
  return fractionOf(hash('sha1', text).slice(0, 15))
}

/** 15 hex digits as a number from 0 to 1. */
export function fractionOf(digits: string): number {
  return Number(`0x${digits}`) / 2 ** 60
}
