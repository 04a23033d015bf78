import type { Tolerance } from '../targeting/check/filter-mistakes.ts'

/**
 * A rule that a declared object breaks. Each front end finds the place for the pointer in its own language, and
 * shows `message` and `hint`.
 */
export type ObjectProblem = Worded & Rule

interface Worded {
  /** The place in the object: `/tags/1`, `/filters/groups/0`. */
  readonly pointer: string
  /** The field that it is about. */
  readonly field: string
  /** A stable name, such as `name-too-long`. */
  readonly code: string
  readonly severity: 'error' | 'warning'
  /** One line, lower case, values quoted. */
  readonly message: string
  readonly hint?: string
  /** The message without the values of conditions, if removing quoted parts is not enough. */
  readonly hidden?: string
  /** What has to be live so that the broken rule is no problem. */
  readonly requires?: Requirement
}

type Rule =
  | { readonly rule: 'empty' | 'characters' | 'uuid' | 'length' | 'count' | 'together' | 'engines' }
  | { readonly rule: 'manifest' | 'manifest-text' }
  | { readonly rule: 'choice'; readonly choices: readonly string[] }
  /** `types` are those of JSON Schema. */
  | { readonly rule: 'type'; readonly types: readonly string[] }
  /** `missing` are the fields that would change that. */
  | { readonly rule: 'open'; readonly missing: readonly string[] }
  /** `inside` is the pointer into the value. */
  | { readonly rule: 'targeting'; readonly inside: string }

export type RuleName = ObjectProblem['rule']

/** A problem of one rule. */
export type ProblemOf<Name extends RuleName> = Extract<ObjectProblem, { readonly rule: Name }>

export type Requirement =
  /** Filters that break the same rule at this place. */
  | { readonly is: 'filters'; readonly pointer: string; readonly tolerance: Tolerance }
  /** A source file with the same text. */
  | { readonly is: 'file'; readonly name: string }
