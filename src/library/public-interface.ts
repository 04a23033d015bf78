import type { ExitCode } from '../cli/host/exit-code.ts'
import type { Plan } from '../core/change.ts'
import type { ProfileSetting } from '../model/connection.ts'
import type { RedactedPart } from '../model/redacted-part.ts'
import type { PruneMode } from '../model/removal.ts'
import type { Document, PlanDocument, RunDocument, RunEvent } from '../report/document.ts'
import type { View } from '../report/format.ts'
import type { FormatName } from '../report/formats.ts'

/** What surrounds a program. */
export interface ProgramSurroundings {
  /** Where relative paths start; the working directory of the process when absent. */
  readonly directory?: string
  /** The environment variables that count, the key among them; those of the process when absent. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Told of what a person should know, a line each: that a variable wins over the settings, say. */
  readonly onNote?: (line: string) => void
}

/** Which declarations, for which environment, and what surrounds the program. */
export interface LoadOptions extends ProgramSurroundings {
  /** One of the environments in `vexil.yaml`; it may be left out where there is one. */
  readonly environment?: string
  /** Synthesized stacks in place of YAML files: their folders, their names, or patterns of names such as `flags-*`. */
  readonly stack?: string | readonly string[]
  /** A command that synthesizes the stack first. */
  readonly app?: string
  /** What is hidden of every object in all that is rendered and recorded, beside what the settings hide. */
  readonly redact?: readonly RedactedPart[]
  /** Wins over environment variables and settings. The key is taken from the environment alone. */
  readonly connection?: {
    readonly baseUrl?: string
    readonly project?: string
    readonly organization?: string
    readonly profile?: ProfileSetting
    /** How many requests may be under way at once. */
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
  /** With its values, whatever is hidden: for decisions, not for people. */
  readonly plan: Plan
  /** Carries it out: each object is read again before it is written, and left alone when it has moved. */
  apply(options?: ApplyOptions): Promise<Applied>
}

export interface ApplyOptions {
  /** Stops: what is in flight is finished and put on record. Given before a run begins, nothing is written. */
  readonly signal?: AbortSignal
  /** Writes nothing unless all of it can be carried out as planned. */
  readonly allOrNothing?: boolean
  /**
   * Told of each step as it happens; a promise that it answers with is waited for before it is told of the next. What it
   * throws, or what that promise is rejected with, stops the run as `signal` does, and `apply` throws it once the run is on record.
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
   * All that any format says of it: plain data, without what `redact` and `sensitive` hide. Keys are taken out only where
   * it is rendered.
   */
  readonly document: Is
  /** The text in a format; keys are taken out, and what could move a terminal's cursor is escaped. */
  render(format?: FormatName, view?: Pick<View, 'isColourful' | 'isVerbose'>): Promise<string>
}
