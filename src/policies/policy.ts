import type { DeclarableKind } from '../model/kind.ts'
import { isJsonArray, isJsonNumber, isJsonObject, type Json, type JsonObject } from '../model/text/json.ts'
import { compactFilters } from '../targeting/canonical-filters.ts'
import { describeCondition } from '../targeting/describe.ts'

/**
 * The rule of a policy, as data. The settings of a repository contain policies, and an app writes its
 * policies into its synthesized stacks. The code that knows the declared values checks them.
 */
export type Policy = PolicyRule & {
  /** Exceptions: keys of flags, with their grants, and names of events and plugins; globs too. */
  readonly except: readonly string[]
  /** What happens if an object violates the policy. */
  readonly level: Level
}

/** An `error` stops everything after it; a `warning` is only reported. */
export type Level = (typeof levelSpellings)[LevelSpelling]

/** The spellings of a level. */
export type LevelSpelling = keyof typeof levelSpellings

/** The level for each spelling. */
export const levelSpellings = { error: 'error', warning: 'warning', warn: 'warning' } as const

/** The level for a text; undefined if there is none. */
export function levelOf(text: unknown): Level | undefined {
  return typeof text === 'string' && isSpelling(text) ? levelSpellings[text] : undefined
}

function isSpelling(text: string): text is LevelSpelling {
  return Object.hasOwn(levelSpellings, text)
}

/** The types of rule members. */
export interface MemberTypes {
  readonly text: string
  readonly texts: readonly string[]
  readonly number: number
  readonly truth: boolean
  readonly pattern: PatternText
  /** Patterns by kind title. */
  readonly patterns: Readonly<Record<string, PatternText>>
  readonly files: Readonly<Record<string, string>>
  /** One limit for all stacks, or one for each stack by its id. */
  readonly ceiling: number | Readonly<Record<string, number>>
}

type MemberType = keyof MemberTypes

/** The members of each rule. Members with `?` are optional. */
export const ruleMembers = {
  FirstIn: { environment: 'text' },
  /** `roles`: ids or names. `atMost`: a level. */
  GrantsOnlyTo: { roles: 'texts', atMost: 'text?' },
  /** `everyoneOnly`: only conditions without properties count. */
  MaxRollout: { ceiling: 'ceiling', everyoneOnly: 'truth' },
  NamePattern: { patterns: 'patterns' },
  NoPersonalEmail: {},
  NoReleaseToEveryone: {},
  /** The names of files with JSON Schemas. */
  OwnSchemas: { files: 'files' },
  /** `within`: the most days from today to the last day. */
  RequireExpiry: { within: 'number?' },
  RequireOwnerTag: { pattern: 'pattern' },
  /** `above`: the percentage that needs no second person. `tag`: a glob for the tag of the review. */
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

/** The known values of a declared object, for policies. */
export type Policed = PolicedObject | PolicedGrant

export interface PolicedObject {
  readonly kind: DeclarableKind
  /** The id of its stack, or the name of its environment. Empty for a single environment without a name. */
  readonly stack: string
  /** The key of a flag, or the name of another object; undefined if not known yet. */
  readonly name: string | undefined
  /** Whether it is certainly off, whatever its release is. */
  readonly isOff: boolean
  /** Whether it is declared as permanent. */
  readonly isPermanent?: boolean
  /** A tag is undefined if it is not known yet. */
  readonly tags: readonly (string | undefined)[]
  readonly release: () => DeclaredRelease
  /** The object in the form sent to the service; absent if parts of it are unknown. */
  readonly sent?: () => Json
  /** The date of the check, such as 2026-11-21; undefined if unknown. */
  readonly today?: string | undefined
  /** Its declaration in another environment, if any. Absent if other environments are unknown. */
  readonly elsewhere?: (environment: string) => PolicedObject | undefined
}

export interface PolicedGrant {
  /** The key of the flag; undefined if not known yet. */
  readonly flag: string | undefined
  /** The role by id and by name. The id is undefined if not known yet. */
  readonly role: { readonly id: string | undefined; readonly name: string | undefined }
  /** The role's permission for the flag; undefined if not known yet. */
  readonly level: string | undefined
}

/** A finding of a policy for an object: a violation, or a value that is not known yet. */
export interface Verdict {
  readonly is: 'refused' | 'unknown'
  /** The violation, or the unknown value: `its key does not match /^a/`, `its key`. */
  readonly what: string
  /** The place in the object as a JSON pointer: `/filters/groups/0`. Default: its name. */
  readonly pointer?: string
  /** For an unknown percentage: its limit. */
  readonly share?: LaterShare
}

/** The limit of a policy for a percentage that is not known yet. */
export interface LaterShare {
  /** The number of the condition, from 0, and its description. */
  readonly condition: number
  readonly words: string
  /** The percentage must be at most this limit, or below it. */
  readonly limit: number
  readonly isWithin: 'at most' | 'below'
  /** The end of the message, after `condition 1 (everyone) goes to 50`: `%; the ceiling is 25%`. */
  readonly why: string
}

export function isGrant(policed: Policed): policed is PolicedGrant {
  return 'role' in policed
}

/** The description of a policy in the settings: for the check, the schema and the reference. */
export interface SettingRow {
  /** The requirement in one sentence. */
  readonly doc: string
  /** The hint for a violation. */
  readonly remedy: string
  readonly options: Readonly<Record<string, PolicyOption>>
  /** The option that a single value sets: `max_rollout: 25`. */
  readonly alone?: string
  /** The policy applies to live objects, not to the changes of a plan. */
  readonly isOfHolds?: true
  /** Only settings can contain the policy, because an app has no schema files and no other environments. */
  readonly isForSettings?: true
  /** The policy needs other environments, which only a repository of files has. */
  readonly needsEnvironments?: true
}

export interface PolicyOption {
  /** The schema includes a description. */
  readonly schema: JsonObject
  readonly required?: true
  /**
   * The result depends on the date. A synthesis, which must give the same result every day, leaves the check
   * to the plan.
   */
  readonly needsToday?: true
  /** The problem of a value that matches the schema. */
  readonly problem?: (value: Json) => string | undefined
}

/** One condition of a flag, for policies. */
export interface DeclaredCondition {
  /** `condition 1 (country is DE)` */
  readonly words: string
  /** Undefined if it is known only at plan time. */
  readonly percent: number | undefined
  /** Whether the condition has only a percentage; undefined if that is known only at plan time. */
  readonly isForEveryone: boolean | undefined
  /** The properties that people must have; undefined if they are known only at plan time. */
  readonly properties: readonly DeclaredProperty[] | undefined
}

/** One property that people must have. */
export interface DeclaredProperty {
  readonly key: string
  readonly operator: string
  /** A value is undefined if it is known only at plan time. */
  readonly values: readonly (Json | undefined)[]
}

/**
 * The conditions under which people get a flag.
 * - `undeclared`: there is no definition.
 * - `unknown`: the definition is known only at plan time.
 */
export type DeclaredRelease = readonly DeclaredCondition[] | 'undeclared' | 'unknown'

/** Placeholders in filters for values that are not known yet. */
export interface References {
  /** Whether a value is a placeholder, or contains one. */
  readonly isReference: (value: Json) => boolean
  /** A condition for display. */
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
