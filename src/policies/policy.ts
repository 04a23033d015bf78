import type { Json } from '../model/json/json.ts'
import type { DeclarableKind } from '../model/kind.ts'
import type { DeclaredRelease } from './declared-release.ts'

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
