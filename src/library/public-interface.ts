import type { ExitCode } from '../cli/host/exit-code.ts'
import type { Plan } from '../core/change.ts'
import type { ProfileSetting } from '../model/connection.ts'
import type { RedactedPart } from '../model/field.ts'
import type { PruneMode } from '../model/removal.ts'
import type { Document, PlanDocument, RunDocument, RunEvent } from '../report/document.ts'
import type { View } from '../report/format.ts'
import type { FormatName } from '../report/formats.ts'

/** The folder and environment of a program. */
export interface ProgramSurroundings {
  /** The base of relative paths; default: the working directory of the process. */
  readonly directory?: string
  /** The environment variables, also for the key; default: those of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Receives notes for people, one line each: for example that a variable overrides the settings. */
  readonly onNote?: (line: string) => void
}

/** Options for reading declarations. */
export interface LoadOptions extends ProgramSurroundings {
  /** One of the environments in `vexil.yaml`; optional if there is only one. */
  readonly environment?: string
  /** Synthesized stacks in place of YAML files: their folders, their names, or patterns of names such as `flags-*`. */
  readonly stack?: string | readonly string[]
  /** A command that synthesizes the stack first. */
  readonly app?: string
  /** What to hide of all objects in output and records, in addition to the settings. */
  readonly redact?: readonly RedactedPart[]
  /** Overrides environment variables and settings. The key comes only from the environment. */
  readonly connection?: {
    readonly baseUrl?: string
    readonly project?: string
    readonly organization?: string
    readonly profile?: ProfileSetting
    /** How many requests may run at the same time. */
    readonly parallelism?: number
  }
}

/** Declarations without errors, for one environment. */
export interface Repository {
  readonly directory: string
  readonly environment: string | undefined
  /** Addresses of all declared objects. */
  readonly addresses: readonly string[]
  /** The number of warnings of `validate`. */
  readonly warnings: number
  /** Compares with the live service. The client of a plan cannot write. */
  plan(options?: PlanOptions): Promise<Planned>
}

export interface PlanOptions {
  /** Allowed rules: `rollout_step`, or for one object `rollout_step=feature_flag.checkout_v2`. */
  readonly allow?: readonly string[]
  readonly prune?: PruneMode
  /** Only these objects: addresses, or keys. Default: all objects. An empty list means none. */
  readonly targets?: readonly string[]
  /** Only objects of these owners. */
  readonly owners?: readonly string[]
}

/** What an apply would do. */
export interface Planned extends Rendered<PlanDocument> {
  /** The plan with all values, even hidden ones: not for display. */
  readonly plan: Plan
  /** Carries out the plan. Each object is read again before it is written, and skipped if it has changed. */
  apply(options?: ApplyOptions): Promise<Applied>
}

export interface ApplyOptions {
  /**
   * Stops the run: running requests finish and are recorded. If it is already aborted, nothing is written.
   */
  readonly signal?: AbortSignal
  /** Writes nothing unless all changes can be carried out as planned. */
  readonly allOrNothing?: boolean
  /**
   * Called for each step; a returned promise is awaited. If it throws or rejects, the run stops as with
   * `signal`, and `apply` throws the error once the run is recorded.
   */
  readonly onEvent?: (event: RunEvent) => unknown
}

/** A run that has ended. */
export interface Applied extends Rendered<RunDocument> {
  /** As on the command line: 0 done, 1 failed, 4 partly done, 5 an object had changed, 143 stopped. */
  readonly exitCode: ExitCode
}

/** A document that can be rendered in the formats of the command line. */
export interface Rendered<Is extends Document> {
  /**
   * The data of all formats, without what `redact` and `sensitive` hide. Keys are removed only when it is
   * rendered.
   */
  readonly document: Is
  /** Renders a format, without keys and with escaped control characters. */
  render(format?: FormatName, view?: Pick<View, 'isColourful' | 'isVerbose'>): Promise<string>
}
