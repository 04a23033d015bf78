import { isJsonArray, isJsonNumber, isJsonObject, type Json, type JsonObject } from '../model/json/json.ts'
import type { DeclarableKind } from '../model/kind.ts'
import { compactFilters } from '../targeting/canonical-filters.ts'
import { describeCondition } from '../targeting/describe/describe.ts'

/**
 * What a policy asks, as data: the settings of a repository say it, and an app writes its policies into the stacks that it
 * synthesizes. Whoever knows the values of declared objects holds it against them.
 */
export type Policy = PolicyRule & {
  /** Keys of flags, with their grants, and names of events and plugins, that the policy leaves alone; globs too. */
  readonly except: readonly string[]
  /** What becomes of an object that is against it. */
  readonly level: Level
}

/** An `error` stops whatever comes after it; a `warning` is told. */
export type Level = (typeof levelSpellings)[LevelSpelling]

/** How people may write a level. */
export type LevelSpelling = keyof typeof levelSpellings

/** Each way to write a level, with the level. */
export const levelSpellings = { error: 'error', warning: 'warning', warn: 'warning' } as const

/** The level that people mean by a text; undefined where it is none. */
export function levelOf(text: unknown): Level | undefined {
  return typeof text === 'string' && isSpelling(text) ? levelSpellings[text] : undefined
}

function isSpelling(text: string): text is LevelSpelling {
  return Object.hasOwn(levelSpellings, text)
}

export type PolicyRule =
  /** `ceiling`: a percentage for every stack, or one for each by its id. `everyoneOnly`: conditions that leave nobody out. */
  | {
      readonly policy: 'MaxRollout'
      readonly ceiling: number | Readonly<Record<string, number>>
      readonly everyoneOnly: boolean
    }
  /** `patterns`: by the titles of kinds. */
  | { readonly policy: 'NamePattern'; readonly patterns: Readonly<Record<string, PatternText>> }
  | { readonly policy: 'NoPersonalEmail' }
  | { readonly policy: 'NoReleaseToEveryone' }
  /** `files`: the names of files with JSON Schemas, by the titles of kinds. */
  | { readonly policy: 'OwnSchemas'; readonly files: Readonly<Record<string, string>> }
  /** `within`: the most days from today to the last day. */
  | { readonly policy: 'RequireExpiry'; readonly within?: number }
  | { readonly policy: 'RequireOwnerTag'; readonly pattern: PatternText }
  /** `above`: a percentage that needs no second person. `tag`: what says that there was one; a glob. */
  | {
      readonly policy: 'TwoPerson'
      readonly above: number
      readonly everyoneOnly: boolean
      readonly tag: string
    }
  /** `environment`: where all of those who match a condition get the flag before they do so elsewhere. */
  | { readonly policy: 'FirstIn'; readonly environment: string }
  /** `roles`: ids of roles, or what they are called. `atMost`: a level. */
  | {
      readonly policy: 'GrantsOnlyTo'
      readonly roles: readonly string[]
      readonly atMost?: string
    }

export type PolicyName = PolicyRule['policy']

/** A regular expression as it is written into JSON. */
export interface PatternText {
  readonly source: string
  readonly flags: string
}

/** A declared object as policies see it, as far as it is known. */
export type Policed = PolicedObject | PolicedGrant

export interface PolicedObject {
  readonly kind: DeclarableKind
  /** The id of its stack, or the name of its environment; empty where there is one only, without a name. */
  readonly stack: string
  /** The key of a flag, the name of anything else; undefined when it is known only later. */
  readonly name: string | undefined
  /** Whether it is certainly off, whatever its release. */
  readonly isOff: boolean
  /** Whether its declaration says that it is here to stay. */
  readonly isPermanent?: boolean
  /** Undefined stands for tags that are known only later. */
  readonly tags: readonly (string | undefined)[]
  readonly release: () => DeclaredRelease
  /** The object as it is sent to the service; left out where not all of it is known. */
  readonly sent?: () => Json
  /** The day on which it is looked at, as in 2026-11-21; undefined where nobody knows. */
  readonly today?: string | undefined
  /** What is declared of it in another environment, if anything; left out where nothing is known of others. */
  readonly elsewhere?: (environment: string) => PolicedObject | undefined
}

export interface PolicedGrant {
  /** The key of the flag; undefined when it is known only later. */
  readonly flag: string | undefined
  /** The role by its id, and by what people call it; the id is undefined when it is known only later. */
  readonly role: { readonly id: string | undefined; readonly name: string | undefined }
  /** What the role may do with the flag; undefined when it is known only later. */
  readonly level: string | undefined
}

/** What a policy says of an object: that something is against it, or that something has to be known first. */
export interface Verdict {
  readonly is: 'refused' | 'unknown'
  /** What is wrong, or what is not known: `its key does not match /^a/`, `its key`. */
  readonly what: string
  /** Where in the fields of the object, as a JSON pointer: `/filters/groups/0`; its name where it is left out. */
  readonly pointer?: string
  /** Of an unknown share: what has to hold of it. */
  readonly share?: LaterShare
}

/** What a policy asks of the share of a condition that is known only later, the condition being one that it is about. */
export interface LaterShare {
  /** The number of the condition, from 0, and its words. */
  readonly condition: number
  readonly words: string
  /** The share, in percent, is to be at most, or below, this one. */
  readonly limit: number
  readonly isWithin: 'at most' | 'below'
  /** What is said behind a share that is not, `condition 1 (everyone) goes to 50`: `%; the ceiling is 25%`. */
  readonly why: string
}

export function isGrant(policed: Policed): policed is PolicedGrant {
  return 'role' in policed
}

/** A policy as it is described for the settings: for the check, the schema and the reference. */
export interface SettingRow {
  /** What has to hold; one sentence. */
  readonly doc: string
  /** What to do where it does not. */
  readonly remedy: string
  readonly options: Readonly<Record<string, PolicyOption>>
  /** The option that a value stands for where it stands alone: `max_rollout: 25`. */
  readonly alone?: string
  /** Set where it is about what is held in the product, and not about what a plan would write. */
  readonly isOfHolds?: true
  /** Set where only the settings can say it: an app has no files of schemas, and no other environments. */
  readonly isForSettings?: true
  /** Set where other environments have to be known, as only a repository of files knows them. */
  readonly needsEnvironments?: true
}

export interface PolicyOption {
  /** With a description. */
  readonly schema: JsonObject
  readonly required?: true
  /** Set where the day decides: a synthesis, which comes to the same on every day, leaves it to the plan. */
  readonly needsToday?: true
  /** What is wrong with a value that fits the schema. */
  readonly problem?: (value: Json) => string | undefined
}

/** One condition of a flag, as far as a policy can see. */
export interface DeclaredCondition {
  /** `condition 1 (country is DE)` */
  readonly words: string
  /** Undefined when it is known only once a plan is made. */
  readonly percent: number | undefined
  /** Whether nobody is left out of it but by the percentage; undefined when that is known only once a plan is made. */
  readonly isForEveryone: boolean | undefined
  /** What has to be true of people; undefined when that is known only once a plan is made. */
  readonly properties: readonly DeclaredProperty[] | undefined
}

/** One thing that has to be true of people. */
export interface DeclaredProperty {
  readonly key: string
  readonly operator: string
  /** Undefined stands for a value that is known only once a plan is made. */
  readonly values: readonly (Json | undefined)[]
}

/**
 * The conditions under which people get a flag.
 * - `undeclared`: nothing says.
 * - `unknown`: something says so in a way that is known only once a plan is made.
 */
export type DeclaredRelease = readonly DeclaredCondition[] | 'undeclared' | 'unknown'

/** How values stand in filters that are known only later. */
export interface References {
  /** Whether a value is one, or has one in it. */
  readonly isReference: (value: Json) => boolean
  /** A condition as it may be shown to people. */
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
