import type { Json, JsonObject } from '../model/json/json.ts'

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
