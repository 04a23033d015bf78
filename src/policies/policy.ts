import type { DeclarableKind } from '../model/kind.ts'
import { isJsonArray, isJsonNumber, isJsonObject, type Json, type JsonObject } from '../model/text/json.ts'
import { compactFilters } from '../targeting/canonical-filters.ts'
import { describeCondition } from '../targeting/describe.ts'

/**
 * The rule of a policy, as data. The settings of a repository define it, and an app writes its policies into
 * its synthesized stacks. Code that knows the values of declared objects checks them.
 */
export type Policy = PolicyRule & {
  /** Exceptions: keys of flags, with their grants, and names of events and plugins; globs too. */
  readonly except: readonly string[]
  /** The consequence for an object that breaks it. */
  readonly level: Level
}

/** An `error` stops everything after it; a `warning` is reported. */
export type Level = (typeof levelSpellings)[LevelSpelling]

/** The spellings of a level. */
export type LevelSpelling = keyof typeof levelSpellings

/** Each spelling of a level, with the level. */
export const levelSpellings = { error: 'error', warning: 'warning', warn: 'warning' } as const

/** The level for a text; undefined if there is none. */
export function levelOf(text: unknown): Level | undefined {
  return typeof text === 'string' && isSpelling(text) ? levelSpellings[text] : undefined
}

function isSpelling(text: string): text is LevelSpelling {
  return Object.hasOwn(levelSpellings, text)
}

/** The types of members of rules. */
export interface MemberTypes {
  readonly text: string
  readonly texts: readonly string[]
  readonly number: number
  readonly truth: boolean
  readonly pattern: PatternText
  /** By the titles of kinds. */
  readonly patterns: Readonly<Record<string, PatternText>>
  readonly files: Readonly<Record<string, string>>
  /** One for every stack, or one for each by its id. */
  readonly ceiling: number | Readonly<Record<string, number>>
}

type MemberType = keyof MemberTypes

/** The members of each rule; those with a `?` may be missing. */
export const ruleMembers = {
  FirstIn: { environment: 'text' },
  /** `roles`: ids or names. `atMost`: a level. */
  GrantsOnlyTo: { roles: 'texts', atMost: 'text?' },
  /** `everyoneOnly`: conditions that leave nobody out. */
  MaxRollout: { ceiling: 'ceiling', everyoneOnly: 'truth' },
  NamePattern: { patterns: 'patterns' },
  NoPersonalEmail: {},
  NoReleaseToEveryone: {},
  /** The names of files with JSON Schemas. */
  OwnSchemas: { files: 'files' },
  /** `within`: the most days from today to the last day. */
  RequireExpiry: { within: 'number?' },
  RequireOwnerTag: { pattern: 'pattern' },
  /** `above`: a percentage that needs no second person. `tag`: of a review by one; a glob. */
  TwoPerson: { above: 'number', everyoneOnly: 'truth', tag: 'text' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, MemberType | `${MemberType}?`>>>>

export type PolicyName = keyof typeof ruleMembers

type Members<Name extends PolicyName> = (typeof ruleMembers)[Name]

export type RuleOf<Name extends PolicyName> = { readonly policy: Name } & {
  readonly [Member in keyof Members<Name> as Members<Name>[Member] extends MemberType
    ? Member
    : never]: MemberTypes[Extract<Members<Name>[Member], MemberType>]
} & {
  readonly [Member in keyof Members<Name> as Members<Name>[Member] extends MemberType
    ? never
    : Member]?: Members<Name>[Member] extends `${infer Type extends MemberType}?` ? MemberTypes[Type] : never
}

export type PolicyRule = { readonly [Name in PolicyName]: RuleOf<Name> }[PolicyName]

/** A regular expression in its JSON form. */
export interface PatternText {
  readonly source: string
  readonly flags: string
}

/** A declared object as policies see it, with the values that are known. */
export type Policed = PolicedObject | PolicedGrant

export interface PolicedObject {
  readonly kind: DeclarableKind
  /** The id of its stack, or the name of its environment; empty for a single one without a name. */
  readonly stack: string
  /** The key of a flag, the name of anything else; undefined if it is known only later. */
  readonly name: string | undefined
  /** Whether it is certainly off, whatever its release is. */
  readonly isOff: boolean
  /** Whether it is declared as permanent. */
  readonly isPermanent?: boolean
  /** Undefined for tags that are known only later. */
  readonly tags: readonly (string | undefined)[]
  readonly release: () => DeclaredRelease
  /** The object as it is sent to the service; absent if parts of it are not known. */
  readonly sent?: () => Json
  /** The day of the check, such as 2026-11-21; undefined if it is not known. */
  readonly today?: string | undefined
  /** Its declaration in another environment, if any; absent if other environments are not known. */
  readonly elsewhere?: (environment: string) => PolicedObject | undefined
}

export interface PolicedGrant {
  /** The key of the flag; undefined if it is known only later. */
  readonly flag: string | undefined
  /** The role by its id, and by its name; the id is undefined if it is known only later. */
  readonly role: { readonly id: string | undefined; readonly name: string | undefined }
  /** The permission of the role for the flag; undefined if it is known only later. */
  readonly level: string | undefined
}

/** A finding of a policy about an object: a violation, or a value that has to be known first. */
export interface Verdict {
  readonly is: 'refused' | 'unknown'
  /** The violation, or the unknown value: `its key does not match /^a/`, `its key`. */
  readonly what: string
  /** The place in the fields of the object, as a JSON pointer: `/filters/groups/0`; its name if absent. */
  readonly pointer?: string
  /** For an unknown share: the limit for it. */
  readonly share?: LaterShare
}

/** The limit of a policy for a share that is known only later, in a condition that the policy is about. */
export interface LaterShare {
  /** The number of the condition, from 0, and its words. */
  readonly condition: number
  readonly words: string
  /** The share, in percent, must be at most, or below, this one. */
  readonly limit: number
  readonly isWithin: 'at most' | 'below'
  /** The message after a share above it, `condition 1 (everyone) goes to 50`: `%; the ceiling is 25%`. */
  readonly why: string
}

export function isGrant(policed: Policed): policed is PolicedGrant {
  return 'role' in policed
}

/** A policy as it is described for the settings: for the check, the schema and the reference. */
export interface SettingRow {
  /** The requirement; one sentence. */
  readonly doc: string
  /** The hint for a violation. */
  readonly remedy: string
  readonly options: Readonly<Record<string, PolicyOption>>
  /** The option that a single value is for: `max_rollout: 25`. */
  readonly alone?: string
  /** Set if it is about objects in the product, and not about the changes of a plan. */
  readonly isOfHolds?: true
  /** Set if only the settings can declare it: an app has no files of schemas, and no other environments. */
  readonly isForSettings?: true
  /** Set if it needs other environments, which only a repository of files knows. */
  readonly needsEnvironments?: true
}

export interface PolicyOption {
  /** With a description. */
  readonly schema: JsonObject
  readonly required?: true
  /** Set if the day decides. A synthesis, which must be the same on every day, leaves it to the plan. */
  readonly needsToday?: true
  /** The problem of a value that fits the schema. */
  readonly problem?: (value: Json) => string | undefined
}

/** One condition of a flag, as a policy sees it. */
export interface DeclaredCondition {
  /** `condition 1 (country is DE)` */
  readonly words: string
  /** Undefined if it is only known at plan time. */
  readonly percent: number | undefined
  /** Whether only the percentage excludes people; undefined if that is only known at plan time. */
  readonly isForEveryone: boolean | undefined
  /** The requirements for people; undefined if they are only known at plan time. */
  readonly properties: readonly DeclaredProperty[] | undefined
}

/** One requirement for people. */
export interface DeclaredProperty {
  readonly key: string
  readonly operator: string
  /** Undefined for a value that is only known at plan time. */
  readonly values: readonly (Json | undefined)[]
}

/**
 * The conditions under which people get a flag.
 * - `undeclared`: nothing defines them.
 * - `unknown`: they are defined in a form that is only known at plan time.
 */
export type DeclaredRelease = readonly DeclaredCondition[] | 'undeclared' | 'unknown'

/** The placeholders for values in filters that are known only later. */
export interface References {
  /** Whether a value is a placeholder, or contains one. */
  readonly isReference: (value: Json) => boolean
  /** A condition in the form for people. */
  readonly shown: (condition: Json) => Json
}

/** The conditions in filters. */
export function releaseIn(filters: Json, references: References = none): DeclaredRelease {
  const compact = compactFilters(filters)
  const groups = isJsonObject(compact) ? compact.groups : undefined
  return isJsonArray(groups)
    ? groups.map((condition, index) => declaredCondition(condition, index, references))
    : 'unknown'
}

function declaredCondition(condition: Json, index: number, references: References): DeclaredCondition {
  const { isReference, shown } = references
  const place = `condition ${index + 1}`
  if (!isJsonObject(condition))
    return { words: place, percent: undefined, isForEveryone: undefined, properties: undefined }
  const { properties, rollout_percentage: percent = 100 } = condition
  const isKnown = properties === undefined || isJsonArray(properties)
  return {
    words: isKnown ? `${place} (${describeCondition(shown(condition))})` : place,
    percent: isJsonNumber(percent) && !isReference(percent) ? Number(percent) : undefined,
    isForEveryone: isKnown ? properties === undefined : undefined,
    properties: isKnown ? (properties ?? []).map(each => declaredProperty(each, references)) : undefined,
  }
}

function declaredProperty(property: Json, { isReference }: References): DeclaredProperty {
  const { key = '', operator = '', value = null } = isJsonObject(property) ? property : {}
  const values = isJsonArray(value) ? value : [value]
  return {
    key: String(key),
    operator: String(operator),
    values: isJsonObject(property) ? values.map(each => (isReference(each) ? undefined : each)) : [undefined],
  }
}

const none: References = { isReference: () => false, shown: condition => condition }
