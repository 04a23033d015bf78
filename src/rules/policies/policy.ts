import type { DeclarableKind } from '../../model/kind.ts'
import type { DeclaredRelease } from './declared-release.ts'

/**
 * What a policy asks, as data: an app writes its policies into the stacks that it synthesizes, and whoever works the
 * stack out holds them against the values that it finds.
 */
export type Policy = PolicyRule & {
  /** Keys of flags, with their grants, and names of events and plugins, that the policy leaves alone. */
  readonly except: readonly string[]
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
  | { readonly policy: 'NoReleaseToEveryone' }
  | { readonly policy: 'RequireOwnerTag'; readonly pattern: PatternText }
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
  /** The id of its stack. */
  readonly stack: string
  /** The key of a flag, the name of anything else; undefined when it is known only later. */
  readonly name: string | undefined
  /** Whether it is certainly off, whatever its release. */
  readonly isOff: boolean
  /** Undefined stands for tags that are known only later. */
  readonly tags: readonly (string | undefined)[]
  readonly release: () => DeclaredRelease
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
