import type { ExitCode } from '../cli/host/exit-code.ts'
import type { Plan } from '../core/change.ts'
import type { ProfileSetting } from '../model/connection.ts'
import type { RedactedPart } from '../model/field.ts'
import type { PruneMode } from '../model/removal.ts'
import type { Document, PlanDocument, RunDocument, RunEvent } from '../report/document.ts'
import type { View } from '../report/format.ts'
import type { FormatName } from '../report/formats.ts'

/** What surrounds a program. */
export interface ProgramSurroundings {
  /** The base of relative paths; the working directory of the process when absent. */
  readonly directory?: string
  /** The environment variables that count, the key among them; those of the process when absent. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Gets notes for people, one line each: for example that a variable wins over the settings. */
  readonly onNote?: (line: string) => void
}

/** The declarations, the environment, and the surroundings of the program. */
export interface LoadOptions extends ProgramSurroundings {
  /** One of the environments in `vexil.yaml`; optional if there is only one. */
  readonly environment?: string
  /** Synthesized stacks in place of YAML files: their folders, their names, or patterns of names such as `flags-*`. */
  readonly stack?: string | readonly string[]
  /** A command that synthesizes the stack first. */
  readonly app?: string
  /** What is hidden of every object in all output and records, in addition to what the settings hide. */
  readonly redact?: readonly RedactedPart[]
  /** Wins over environment variables and settings. The key is taken from the environment alone. */
  readonly connection?: {
    readonly baseUrl?: string
    readonly project?: string
    readonly organization?: string
    readonly profile?: ProfileSetting
    /** How many requests may run at the same time. */
    readonly parallelism?: number
  }
}

/** Declarations without problems, for one environment. */
export interface Repository {
  readonly directory: string
  readonly environment: string | undefined
  /** Addresses of all declared objects. */
  readonly addresses: readonly string[]
  /** How many warnings `validate` has. */
  readonly warnings: number
  /** Reads the live service and compares. The client of a plan cannot write. */
  plan(options?: PlanOptions): Promise<Planned>
}

export interface PlanOptions {
  /** Rules that may not block: `rollout_step`, or for one object `rollout_step=feature_flag.checkout_v2`. */
  readonly allow?: readonly string[]
  readonly prune?: PruneMode
  /** Only these objects: addresses, or keys. All of them when absent, none when it is empty. */
  readonly targets?: readonly string[]
  /** Only what these owners answer for. */
  readonly owners?: readonly string[]
}

/** What an apply would do. */
export interface Planned extends Rendered<PlanDocument> {
  /** With all its values, even hidden ones: for decisions, not for people. */
  readonly plan: Plan
  /** Carries it out: each object is read again before it is written, and skipped when it has moved. */
  apply(options?: ApplyOptions): Promise<Applied>
}

export interface ApplyOptions {
  /** Stops: running requests finish and are recorded. Given before a run begins, nothing is written. */
  readonly signal?: AbortSignal
  /** Writes nothing unless all of it can be carried out as planned. */
  readonly allOrNothing?: boolean
  /**
   * Called for each step as it happens; a returned promise is awaited before the next call. If it throws or
   * rejects, the run stops as with `signal`, and `apply` throws the error once the run is recorded.
   */
  readonly onEvent?: (event: RunEvent) => unknown
}

/** A run that has ended. */
export interface Applied extends Rendered<RunDocument> {
  /** As of the command line: 0 done, 1 failed, 4 partly done, 5 something had moved, 143 stopped. */
  readonly exitCode: ExitCode
}

/** Something that can be shown in any format, as the command line shows it. */
export interface Rendered<Is extends Document> {
  /**
   * All that any format shows: plain data, without what `redact` and `sensitive` hide. Keys are removed only
   * when it is rendered.
   */
  readonly document: Is
  /** The text in a format; keys are taken out, and characters that move a terminal's cursor are escaped. */
  render(format?: FormatName, view?: Pick<View, 'isColourful' | 'isVerbose'>): Promise<string>
}
