import type { LiveEdit } from '../../core/live-edits/live-edit.ts'
import type { Retirement } from '../retirement.ts'

/** `vexil promote`, `vexil ramp`, `vexil retire`, `vexil pull` and `vexil fmt`: files of declarations with something changed in them. */
export interface EditDocument {
  readonly is: 'edit'
  readonly exitCode: number
  /** Whether nothing was written. */
  readonly isDryRun: boolean
  readonly files: readonly {
    /** As seen from where the command runs. */
    readonly path: string
    /** What changes in it, as `diff -u` writes it. */
    readonly diff: string
    /** Set where the file goes, since nothing is left in it. */
    readonly removed?: true
  }[]
  readonly objects: readonly EditedObject[]
  readonly ramp?: RampedCondition
  /** Of `vexil pull`: what was changed in the product, and is declared now. */
  readonly pull?: PulledEdits
  /** Of `vexil retire`: where the removal of a flag stands. */
  readonly retire?: Retirement
  /** What else is to be known of it: a line each. */
  readonly notes: readonly string[]
  /** What to run next. */
  readonly next?: string
}

/** A step of a rollout; shares are percentages. */
export interface RampedCondition {
  readonly address: string
  readonly environment: string | null
  /** Its name, or its number, from 1. */
  readonly condition: string
  readonly before: number
  readonly after: number
  /** Where the rollout goes. */
  readonly to: number
  readonly stepsLeft: number
}

/** What `vexil pull` takes into the files, and what it cannot. */
export interface PulledEdits {
  /** Each with the fields that are declared as they are live now. */
  readonly liveEdits: readonly LiveEdit[]
  /** What no edit of a file can say, and why. */
  readonly leftOut: readonly { readonly address: string; readonly reason: string }[]
}

/** What became of one object in one environment. */
export interface EditedObject {
  readonly address: string
  readonly environment: string | null
  /** Where it is said now. `nothing`: all was said already; `removed`: it is declared no more. */
  readonly written: 'environment' | 'shared' | 'nothing' | 'removed'
}
