import type { JsonObject } from '../../model/json/json.ts'
import type { Sensitive } from '../../model/safety/redacted-part.ts'
import type { NumbersByName } from './same-numbers.ts'

/** What an environment has of an object: `absent` is declared to be deleted, `skipped` is left alone there. */
export type ObjectState = 'present' | 'absent' | 'skipped' | 'missing'

/** An object of one environment, wherever it was found. */
export interface ComparedObject {
  /** Without ids that differ between environments: a grant has the name of its role. */
  readonly address: string
  readonly kind: string
  readonly state: Exclude<ObjectState, 'missing'>
  readonly fields: JsonObject
  /** Source files, by name; null says that there is none. */
  readonly files?: Readonly<Record<string, string | null>>
  /** JSON pointers into `fields` that are left to the service. */
  readonly ignore?: readonly string[]
  /** What of its values its declaration hides. */
  readonly sensitive?: Sensitive
  /** Who answers for it. */
  readonly owners?: readonly string[]
  /** The address of the flag that a grant belongs to. */
  readonly parent?: string
}

/** One environment with all that is compared of it. */
export interface ComparedEnvironment {
  readonly name: string
  readonly objects: readonly ComparedObject[]
  /** What cohorts and types of groups are called: numbers of one project mean nothing in another one. */
  readonly numbers?: NumbersByName
}

/** What one environment has of an object, in a word: `on 10%`. Empty where it has nothing. */
export interface ComparedState {
  readonly state: ObjectState
  readonly summary: string
}

/** How an object of one environment differs from the same one of another. Fields that only one of them has are in one of both. */
export interface EnvironmentDifference {
  readonly from: string
  readonly to: string
  readonly fields: readonly string[]
  /** Names of source files. */
  readonly files: readonly string[]
  readonly before: JsonObject
  readonly after: JsonObject
  /** In the words of plans, from the one to the other. */
  readonly summary: readonly string[]
}

/** `only`: some of the environments have it, and others do not. */
export type Verdict = 'equal' | 'differs' | 'only'

/** One object in all environments. */
export interface ComparedRow {
  readonly address: string
  readonly kind: string
  readonly verdict: Verdict
  /** By the name of the environment, in the order in which they were named. */
  readonly environments: Readonly<Record<string, ComparedState>>
  /** Of each that has it, from the first that has it. */
  readonly differences: readonly EnvironmentDifference[]
}

/** Environments side by side. */
export interface Comparison {
  readonly environments: readonly string[]
  /** By address. */
  readonly rows: readonly ComparedRow[]
}
